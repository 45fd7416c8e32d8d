package coverage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"netcov/certify"
	"netcov/coverage/journal"
	"netcov/netlist"
)

// What a run writes to its journal, and how a later run takes it up: the
// outcome of model checking a property, each invariant once, and each verdict
// after its second opinion was heard.

// record is one entry of a run's journal.
type record struct {
	Kind     string `json:"kind"` // "proof", "invariant" or "verdict"
	Property int    `json:"property"`

	// a proof
	Status  string  `json:"status,omitempty"`
	Engine  string  `json:"engine,omitempty"`
	K       int     `json:"k,omitempty"`
	M       int     `json:"m,omitempty"`
	Bound   int     `json:"bound,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`

	// a verdict
	Gate    bool   `json:"gate,omitempty"`
	Index   int    `json:"index"`
	Fault   string `json:"fault,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	Test    string `json:"test,omitempty"`

	ID        int                `json:"id,omitempty"` // of the invariant; from 1
	Invariant *journal.Invariant `json:"invariant,omitempty"`
	Trace     *journal.Trace     `json:"trace,omitempty"`
}

// longest is more than the seconds that a run can take.
const longest = 1e9

const (
	kindProof     = "proof"
	kindInvariant = "invariant"
	kindVerdict   = "verdict"
)

// write appends records to the run's journal. Its first failure is kept: the run
// goes on, and reports it in the end. The session's lock must be held.
func (s *session) write(records ...any) {
	if s.opt.Journal == nil || s.journalErr != nil || len(records) == 0 {
		return
	}
	if err := s.opt.Journal.Append(records...); err != nil {
		s.journalErr = fmt.Errorf("writing the journal: %w", err)
	}
}

// writeVerdicts records settled mutants and, before them, an invariant that is
// new. The session's lock must be held.
func (s *session) writeVerdicts(ms []*Mutant, e Evidence) {
	if s.opt.Journal == nil {
		return
	}
	var out []any
	id := 0
	if e.Invariant != nil {
		id = s.invariants[e.Invariant]
		if id == 0 {
			id = len(s.invariants) + 1
			s.invariants[e.Invariant] = id
			out = append(out, record{Kind: kindInvariant, Property: s.property, ID: id, Invariant: journal.NewInvariant(e.Invariant)})
		}
	}
	for _, m := range ms {
		r := record{
			Kind: kindVerdict, Property: s.property, Gate: m.Target.Gate, Index: m.Target.Index, Fault: m.Fault.String(),
			Verdict: m.Verdict.String(), Test: m.Test, Seconds: m.Time.Seconds(), ID: id,
		}
		if e.Trace != nil {
			r.Trace = journal.NewTrace(e.Trace)
		}
		out = append(out, r)
	}
	s.write(out...)
}

// writeProof records the outcome of model checking.
func (s *session) writeProof(p *Proof) {
	r := record{
		Kind: kindProof, Property: s.property, Status: p.Status.String(), Engine: p.Engine,
		K: p.K, M: p.M, Bound: p.Bound, Seconds: p.Time.Seconds(),
	}
	if p.Invariant != nil {
		r.Invariant = journal.NewInvariant(p.Invariant)
	}
	if p.Trace != nil {
		r.Trace = journal.NewTrace(p.Trace)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(r)
}

// restore takes up what an earlier run recorded. It returns the outcome of model
// checking, nil where that was not recorded. Errors name the record.
func (s *session) restore(entries []json.RawMessage) (*Proof, error) {
	type key struct {
		t netlist.Target
		f string
	}
	at := map[key]*Mutant{}
	for _, m := range s.mutants {
		at[key{m.Target, m.Fault.String()}] = m
	}
	byID := map[int]*netlist.Invariant{}
	var proof *Proof
	for i, entry := range entries {
		var r record
		if err := json.Unmarshal(entry, &r); err != nil {
			return nil, fmt.Errorf("record %d is not as netcov writes them", i+1)
		}
		if !(0 <= r.Seconds && r.Seconds < longest) {
			return nil, fmt.Errorf("record %d: a time of %g seconds", i+1, r.Seconds)
		}
		if r.Property != s.property {
			continue
		}
		inv, trace, err := r.values(len(s.model.Latches))
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", i+1, err)
		}
		switch r.Kind {
		case kindProof:
			if !slices.Contains(Engines, r.Engine) || min(r.K, r.M, r.Bound) < -1 {
				return nil, fmt.Errorf("record %d: no outcome of an engine", i+1)
			}
			proof = &Proof{
				Engine: r.Engine, K: r.K, M: r.M, Bound: r.Bound, Time: time.Duration(r.Seconds * float64(time.Second)),
				Invariant: inv, Trace: trace,
			}
			switch {
			case r.Status == Holds.String() && inv != nil:
				proof.Status = Holds
			case r.Status == Fails.String() && trace != nil:
				proof.Status = Fails
			default:
				return nil, fmt.Errorf("record %d: an outcome of model checking without its evidence", i+1)
			}
		case kindInvariant:
			byID[r.ID] = inv
			s.invariants[inv] = r.ID
		case kindVerdict:
			m := at[key{netlist.Target{Gate: r.Gate, Index: r.Index}, r.Fault}]
			if m == nil || m.Verdict != Unknown {
				return nil, fmt.Errorf("record %d: %s %d, %s is no open mutant of this run", i+1, nodeWord(r.Gate), r.Index, r.Fault)
			}
			if !slices.Contains(s.opt.Tests, r.Test) {
				return nil, fmt.Errorf("record %d: %q is no test of this run", i+1, r.Test)
			}
			m.Verdict, m.Depth = NotCovered, -1
			if trace != nil {
				m.Verdict, m.Depth = Covered, trace.Depth()
			} else {
				inv = byID[r.ID]
			}
			if m.Verdict.String() != r.Verdict || trace == nil && inv == nil {
				return nil, fmt.Errorf("record %d: a verdict without its evidence", i+1)
			}
			m.Test, m.Time, m.Evidence = r.Test, time.Duration(r.Seconds*float64(time.Second)), Evidence{trace, inv}
			if m.cut < 0 {
				m.Note = NoteOutside
			}
			s.restored = append(s.restored, m)
		default:
			return nil, fmt.Errorf("record %d: unknown kind %q", i+1, r.Kind)
		}
	}
	s.decided, s.taken = len(s.restored), proof != nil
	if proof == nil && len(s.restored) > 0 {
		return nil, errors.New("verdicts without an outcome of model checking")
	}
	return proof, nil
}

// ErrResume is in the chain of the error of a run that was to take up records
// which make no sense, or do not stand.
var ErrResume = errors.New("the journal cannot be taken up; remove it, or name another one")

func resumeError(cause error) error { return fmt.Errorf("%w (%w)", ErrResume, cause) }

// recheckRestored asks for the second opinion on what an earlier run recorded:
// whoever can write a file can write a journal. It does so before the budget
// begins. What it does not come to before ctx ends is unknown to this run.
func (s *session) recheckRestored(ctx context.Context) {
	if s.check == nil || !s.taken {
		return
	}
	begin := time.Now()
	var open []*Mutant // without their second opinion
	err := s.recheckInvariants(ctx, &open)
	if err == nil {
		err = s.recheckTraces(ctx, &open)
	}
	if err != nil {
		s.fail(resumeError(err))
	}
	for _, m := range open {
		m.Verdict, m.Depth, m.Test, m.Time, m.Evidence, m.Note = Unknown, -1, "", 0, Evidence{}, ""
	}
	s.restored = slices.DeleteFunc(s.restored, func(m *Mutant) bool { return m.Verdict == Unknown })
	s.decided = len(s.restored)
	s.spent(&s.recheck, time.Since(begin))
}

// recheckInvariants asks about the proof of the original, and about the restored
// mutants that an invariant settles. An error is a no.
func (s *session) recheckInvariants(ctx context.Context, open *[]*Mutant) error {
	order := []*netlist.Invariant{s.core}
	settled := map[*netlist.Invariant][]*Mutant{}
	for _, m := range s.restored {
		if inv := m.Evidence.Invariant; inv != nil {
			if settled[inv] == nil && inv != s.core {
				order = append(order, inv)
			}
			settled[inv] = append(settled[inv], m)
		}
	}
	for _, inv := range order {
		err := s.check.Invariant(ctx, inv, s.widest(settled[inv]))
		if refuted(ctx, err) {
			return err
		}
		if err != nil {
			*open = append(*open, settled[inv]...)
			continue
		}
		s.confirmed = s.confirmed || inv == s.core
	}
	return nil
}

// recheckTraces replays the traces of restored mutants, some at a time.
func (s *session) recheckTraces(ctx context.Context, open *[]*Mutant) error {
	var covered []*Mutant
	for _, m := range s.restored {
		if m.Verdict == Covered {
			covered = append(covered, m)
		}
	}
	for ms := range slices.Chunk(covered, 64) {
		if ctx.Err() != nil {
			*open = append(*open, ms...)
			continue
		}
		traces, mutations := make([]*netlist.Trace, len(ms)), make([]certify.Mutation, len(ms))
		for i, m := range ms {
			traces[i], mutations[i] = m.Evidence.Trace, s.mutation(m)
		}
		if at, err := s.check.Traces(traces, mutations); err != nil {
			return fmt.Errorf("%s %d, %s: %w", nodeWord(ms[at].Target.Gate), ms[at].Target.Index, ms[at].Fault, err)
		}
	}
	return nil
}

func nodeWord(gate bool) string {
	if gate {
		return "gate"
	}
	return "latch"
}

// values decodes the evidence of a record.
func (r *record) values(latches int) (inv *netlist.Invariant, t *netlist.Trace, err error) {
	if r.Invariant != nil {
		if inv, err = r.Invariant.Value(latches); err != nil {
			return nil, nil, err
		}
	}
	if r.Trace != nil {
		t, err = r.Trace.Value()
	}
	return inv, t, err
}
