package coverage

import (
	"fmt"
	"sync"

	"netcov/cert"
	"netcov/coverage/journal"
	"netcov/mutant"
)

// What a run writes to its journal: the outcome of model checking a property,
// each invariant once, and each verdict after its second opinion was heard. How a
// later run takes it up: see resume.go.

// record is one entry of a run's journal.
type record struct {
	Kind string `json:"kind"` // "proof", "group", "small", "invariant", "verdict" or "cells"
	// Property is the number of the property, or of the first of a group. What a
	// group's verdicts rest on speaks of the part of the design that the group
	// depends on.
	Property int `json:"property"`
	// Cell tells that the record is about the property alone, on a mutant that the set
	// covers.
	Cell bool `json:"cell,omitempty"`

	// a proof
	Status  cert.Status `json:"status,omitempty"`
	Engine  string      `json:"engine,omitempty"`
	K       int         `json:"k,omitempty"`
	M       int         `json:"m,omitempty"`
	Bound   int         `json:"bound,omitempty"`
	Seconds float64     `json:"seconds,omitempty"`
	Rounds  int         `json:"rounds,omitempty"` // see Answer.Rounds

	// of a set: the proof of a property that holds is with its group
	Set        bool  `json:"set,omitempty"`
	Properties []int `json:"properties,omitempty"` // of a group; that hold on the mutant of cells

	// a verdict
	Gate    bool           `json:"gate,omitempty"`
	Index   int            `json:"index"`
	Fault   string         `json:"fault,omitempty"`
	Verdict mutant.Verdict `json:"verdict,omitempty"`
	Test    string         `json:"test,omitempty"`

	ID        int                `json:"id,omitempty"` // of the invariant; from 1
	Invariant *journal.Invariant `json:"invariant,omitempty"`
	Trace     *journal.Trace     `json:"trace,omitempty"`
}

const (
	kindProof     = "proof"
	kindGroup     = "group"
	kindSmall     = "small" // the shared invariant, made smaller
	kindInvariant = "invariant"
	kindVerdict   = "verdict"
	kindCells     = "cells"
)

// recorder writes the records of one property. A nil recorder writes nothing.
type recorder struct {
	journal  *journal.Journal
	property int
	cell     bool // see record.Cell

	mu    sync.Mutex
	known map[*cert.Invariant]int // the numbers of recorded invariants, from 1
	err   error                   // the first failure: the run goes on without records, and reports it in the end
}

func newRecorder(j *journal.Journal, property int) *recorder {
	if j == nil {
		return nil
	}
	return &recorder{journal: j, property: property, known: map[*cert.Invariant]int{}}
}

// failure is why the journal is not complete, nil where it is.
func (r *recorder) failure() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// append writes records. The lock must be held.
func (r *recorder) append(records ...any) {
	if r.err != nil || len(records) == 0 {
		return
	}
	if err := r.journal.Append(records...); err != nil {
		r.err = fmt.Errorf("writing the journal: %w", err)
	}
}

// numbered takes note of invariants that the journal has already.
func (r *recorder) numbered(id int, inv *cert.Invariant) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known[inv] = id
}

// small records the shared invariant that is made smaller: later runs begin with it.
func (r *recorder) small(inv *cert.Invariant) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.append(record{Kind: kindSmall, Property: r.property, Cell: r.cell, Invariant: journal.NewInvariant(inv)})
}

// verdicts records settled mutants and, before them, an invariant that is new.
func (r *recorder) verdicts(ms []*Mutant, e Evidence) {
	if r == nil || len(ms) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []any
	id := 0
	if e.Invariant != nil {
		if id = r.known[e.Invariant]; id == 0 {
			id = len(r.known) + 1
			r.known[e.Invariant] = id
			out = append(out, record{Kind: kindInvariant, Property: r.property, Cell: r.cell, ID: id, Invariant: journal.NewInvariant(e.Invariant)})
		}
	}
	for _, m := range ms {
		x := record{
			Kind: kindVerdict, Property: r.property, Cell: r.cell, Gate: m.Target.Gate, Index: m.Target.Index, Fault: m.Fault.String(),
			Verdict: m.Verdict, Test: m.Test, Seconds: m.Time.Seconds(), ID: id,
		}
		if e.Trace != nil {
			x.Trace = journal.NewTrace(e.Trace)
		}
		out = append(out, x)
	}
	r.append(out...)
}

// outcome records the outcome of model checking.
func (r *recorder) outcome(p *Answer) {
	if r == nil || p.Status == cert.Unknown {
		return
	}
	x := record{
		Kind: kindProof, Property: r.property, Status: p.Status, Engine: p.Engine,
		K: p.K, M: p.M, Bound: p.Bound, Seconds: p.Time.Seconds(), Rounds: p.Rounds,
	}
	if p.Invariant != nil {
		x.Invariant = journal.NewInvariant(p.Invariant)
	}
	if p.Trace != nil {
		x.Trace = journal.NewTrace(p.Trace)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.append(x)
}

// outcomeInSet records the outcome of model checking a property of a set.
func (r *recorder) outcomeInSet(property int, p *Answer) {
	if r == nil || p.Status == cert.Unknown {
		return
	}
	x := record{Kind: kindProof, Property: property, Set: true, Status: p.Status, Engine: p.Engine, K: p.K, M: p.M, Bound: p.Bound, Seconds: p.Time.Seconds()}
	if p.Status == cert.Fails {
		x.Trace = journal.NewTrace(p.Trace)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.append(x)
}

// group records properties that are decided together, with the invariant of the
// design that proves them.
func (r *recorder) group(properties []int, inv *cert.Invariant) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.append(record{Kind: kindGroup, Property: properties[0], Properties: properties, Invariant: journal.NewInvariant(inv)})
}
