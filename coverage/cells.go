package coverage

import (
	"context"
	"fmt"
	"slices"
	"time"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/internal/clock"
	"netcov/mutant"
	"netcov/netlist"
)

// Cells of the matrix of properties and mutants: does this property, too, fail on a
// mutant that the set covers? A cell is decided by the cascade, with the property's
// own share of its group's proof: the group's invariant, made smaller until it proves
// no more than the property. So no cell rests on a lemma that the mutant may break.

// Cells decides cells of a set of properties, a property at a time.
type Cells struct {
	f         *aiger.File
	n         *netlist.Netlist
	set       *Set
	opt       Options
	all       []netlist.Property
	extractor *netlist.Extractor
	cutter    *certify.Cutter
	records   map[int][]*entry
	order     map[mutant.Target]int // the targets' positions
}

// Row is what a call of Decide has found out about one property.
type Row struct {
	Property int
	// Mutants are those that were asked about.
	Mutants []*Mutant
	// Uses tells which mutants the property's proof depends on: with any other, the
	// invariant stays one and excludes the bad states, by one query. It is nil where
	// the time did not suffice.
	Uses       func(mutant.Target, mutant.Fault) bool
	Stopped    string // as Result.Stopped
	JournalErr error

	part *netlist.Extract
}

// NewCells prepares the decision of cells of a set, whose run had these options: its
// journal is written to, and its records are taken up. The error wraps ErrResume.
func NewCells(f *aiger.File, n *netlist.Netlist, set *Set, opt Options) (*Cells, error) {
	opt.Targets, opt.Faults = set.Targets, set.Faults
	if len(opt.Tests) == 0 {
		opt.Tests = SetTests(slices.ContainsFunc(opt.Targets, func(t mutant.Target) bool { return t.Gate }))
	}
	opt = opt.withDefaults(n)
	if opt.Engine == "" || opt.Engine == EngineSet {
		opt.Engine = DefaultEngine
	}
	if err := CheckTests(opt.Tests); err != nil {
		return nil, err
	}
	records, err := decodeRecords(opt.Resume, true)
	if err != nil {
		return nil, resumeError(err)
	}
	return &Cells{
		f: f, n: n, set: set, opt: opt, all: n.Properties(), records: records, order: positions(opt.Targets),
		extractor: netlist.NewExtractor(n), cutter: certify.NewCutter(f),
	}, nil
}

// Asked is what a call of Decide is to find out.
type Asked struct {
	// Open tells which mutants are to be decided.
	Open func(mutant.Target, mutant.Fault) bool
	// All is the number of cells of the whole matrix, and Decided how many of them are:
	// Options.StopAt counts them.
	All, Decided int
	// Budget bounds the time; 0: no bound.
	Budget time.Duration
}

// Decide decides on which of some mutants a safety property of a group fails. Where
// the time ends first, the rest is unknown. The error wraps ErrRecheck or ErrResume.
func (c *Cells) Decide(ctx context.Context, property int, a Asked) (*Row, error) {
	g := c.groupOf(property)
	if g == nil {
		return nil, fmt.Errorf("property %d is not proved", property)
	}
	opt := c.opt
	opt.Checker = nil
	opt.Budget = Budget{Limit: a.Budget}
	q, part, inv, err := c.question(g, property)
	if err != nil {
		return nil, err
	}
	q.skip = func(t mutant.Target, f mutant.Fault) bool { return !a.Open(t, f) }
	q.all, q.decided = a.All, a.Decided
	s := newSession(q, opt)
	if s.ledger.journal != nil {
		s.ledger.journal.cell = true
	}
	_, verdicts, err := s.restore(c.records[property])
	if err != nil {
		return nil, resumeError(err)
	}
	taken := len(verdicts) > 0
	s.opinion.off = opt.NoRecheck && !taken
	proof := *c.outcome(property)
	proof.Invariant, proof.engine = inv, nil
	r := &Result{Properties: []int{property}, Proof: &proof, part: part}
	original := s.stock.model.Original()
	begin := time.Now()
	s.proof, s.stock.shared = &proof, inv
	if len(s.ledger.mutants) > 0 {
		err = s.decide(ctx, r, original, taken, verdicts)
	}
	row := &Row{Property: property, Mutants: r.Mutants, Stopped: r.Stopped, JournalErr: r.JournalErr, part: part}
	if err == nil {
		left := time.Duration(0)
		if a.Budget > 0 {
			left = max(1, a.Budget-time.Since(begin))
		}
		limited, cancel := clock.Limit(ctx, left)
		row.Uses = s.uses(limited, original)
		cancel()
	}
	return row, err
}

// question is about one property of a group: on the part of the design that it
// depends on, or where the group's invariant speaks of more, on the group's part.
func (c *Cells) question(g *Result, property int) (question, *netlist.Extract, *cert.Invariant, error) {
	whole := g.Invariant(g.Proof.Invariant)
	part := c.extractor.Extract([]aig.Lit{c.all[property].Bad})
	q := question{properties: []int{0}, names: []int{property}}
	asked := []int{property}
	inv, all := part.Restrict(whole)
	if !all {
		bads := []aig.Lit{c.all[property].Bad}
		for _, p := range g.Properties {
			if p != property {
				bads, asked = append(bads, c.all[p].Bad), append(asked, p)
				q.beside = append(q.beside, len(q.beside)+1)
			}
		}
		part = c.extractor.Extract(bads)
		if inv, all = part.Restrict(whole); !all {
			return q, nil, nil, fmt.Errorf("the invariant of property %d speaks of registers that its group does not depend on", property)
		}
	}
	var err error
	q.netlist = part.Netlist
	q.file, err = c.cutter.Part(asked, part.Inputs, part.Latches, part.Gates)
	q.targets = targetsIn(part, c.order)
	return q, part, inv, err
}

// groupOf returns the result whose group has a property, nil where none has.
func (c *Cells) groupOf(property int) *Result {
	for _, g := range c.set.Groups {
		if slices.Contains(g.Properties, property) {
			return g
		}
	}
	return nil
}

// outcome returns the answer about a property.
func (c *Cells) outcome(property int) *Answer {
	i := slices.IndexFunc(c.set.Outcomes, func(o Outcome) bool { return o.Position == property })
	return c.set.Outcomes[i].Proof
}

// uses looks which mutants break the session's invariant of the design, or make a bad
// state of one that it has: nil where ctx ends first.
func (s *session) uses(ctx context.Context, original *netlist.Model) func(mutant.Target, mutant.Fault) bool {
	if !s.stock.small {
		s.minimise(ctx, original)
	}
	ask := make([]cases, len(s.stock.model.Cuts))
	at := map[mutant.Target]int{}
	for k, c := range s.stock.model.Cuts {
		ask[k] = cases{true, true}
		at[c.Target] = k
	}
	keeps, ok := newOneStep(s.solver(), s.stock.model, s.stock.shared).group(ctx, ask)
	if !ok {
		return nil
	}
	used := map[mutant.Target]cases{} // values that break it
	for _, t := range s.targets {
		if k, inside := at[t.part]; inside {
			used[t.whole] = cases{!keeps[k][0], !keeps[k][1]}
		}
	}
	return func(t mutant.Target, f mutant.Fault) bool {
		switch c := used[t]; f {
		case mutant.Zero:
			return c[0]
		case mutant.One:
			return c[1]
		default:
			return c[0] || c[1]
		}
	}
}

// Trace returns the trace of a mutant on which the property fails, as a run of the
// design under the fault: see Result.Trace.
func (r *Row) Trace(m *Mutant) *cert.Trace { return r.part.Trace(m.Evidence.Trace) }
