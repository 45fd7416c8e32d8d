package coverage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"netcov/cert"
	"netcov/mutant"
	"netcov/propset"
)

// How a run takes up what an earlier one recorded. Whoever can write a file can
// write a journal, so a record is a claim: it becomes a verdict when the second
// opinion has agreed, before the budget begins.

// ErrResume is in the chain of the error of a run that was to take up records
// which make no sense, or do not stand.
var ErrResume = errors.New("the journal cannot be taken up; remove it, or name another one")

// errNoOutcome is an error of a journal.
var errNoOutcome = errors.New("verdicts without an outcome of model checking")

func resumeError(cause error) error { return fmt.Errorf("%w (%w)", ErrResume, cause) }

// restored is a verdict of an earlier run.
type restored struct {
	m        *Mutant
	test     string
	time     time.Duration
	evidence Evidence
}

func (r restored) verdict() Verdict {
	if r.evidence.Trace != nil {
		return Covered
	}
	return NotCovered
}

// longest is more than the seconds that a run can take.
const longest = 1e9

// entry is a record with its number in the journal, from 1.
type entry struct {
	number int
	record
}

// refuse is the error of an entry.
func (e *entry) refuse(format string, args ...any) error {
	return fmt.Errorf("record %d: %w", e.number, fmt.Errorf(format, args...))
}

// decodeRecords reads the records of an earlier run, by the number of the property.
func decodeRecords(data []json.RawMessage) (map[int][]*entry, error) {
	out := map[int][]*entry{}
	for i, text := range data {
		e := &entry{number: i + 1}
		if err := json.Unmarshal(text, &e.record); err != nil {
			return nil, fmt.Errorf("record %d is not as netcov writes them", i+1)
		}
		if !(0 <= e.Seconds && e.Seconds < longest) {
			return nil, e.refuse("a time of %g seconds", e.Seconds)
		}
		out[e.Property] = append(out[e.Property], e)
	}
	return out, nil
}

// restore reads the records of an earlier run that are about this question: the
// outcome of model checking, nil where that was not recorded, and verdicts. Errors
// name the record.
func (s *session) restore(entries []*entry) (*Answer, []restored, error) {
	type key struct {
		t mutant.Target
		f string
	}
	at := map[key]*Mutant{}
	for _, m := range s.ledger.mutants {
		at[key{m.Target, m.Fault.String()}] = m
	}
	byID := map[int]*cert.Invariant{}
	var proof *Answer
	var out []restored
	for _, r := range entries {
		refuse := func(format string, args ...any) (*Answer, []restored, error) {
			return nil, nil, r.refuse(format, args...)
		}
		inv, trace, err := r.values(len(s.stock.model.Latches))
		if err != nil {
			return refuse("%w", err)
		}
		switch r.Kind {
		case kindProof:
			if proof, err = r.outcome(inv, trace); err != nil {
				return refuse("%w", err)
			}
		case kindInvariant:
			byID[r.ID] = inv
			s.ledger.journal.numbered(r.ID, inv)
		case kindVerdict:
			t := mutant.Target{Gate: r.Gate, Index: r.Index}
			m := at[key{t, r.Fault}]
			if f, known := mutant.ParseFault(r.Fault); m == nil && known && s.skip != nil && s.skip(t, f) {
				continue // an earlier question covers it now
			}
			if m == nil {
				return refuse("%s, %s is no open mutant of this run", t, r.Fault)
			}
			delete(at, key{t, r.Fault})
			if !slices.Contains(s.opt.Tests, r.Test) {
				return refuse("%q is no test of this run", r.Test)
			}
			e := Evidence{Trace: trace}
			if trace == nil {
				e.Invariant = byID[r.ID]
			}
			v := restored{m, r.Test, time.Duration(r.Seconds * float64(time.Second)), e}
			if v.verdict().String() != r.Verdict || e == (Evidence{}) {
				return refuse("a verdict without its evidence")
			}
			out = append(out, v)
		default:
			return refuse("unknown kind %q", r.Kind)
		}
	}
	return proof, out, nil
}

// values decodes the evidence of a record.
func (r *record) values(latches int) (inv *cert.Invariant, t *cert.Trace, err error) {
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

// knownEngines reports whether a name is that of an engine, or of several that have
// found a proof together.
func knownEngines(name string) bool {
	for _, one := range strings.Split(name, ", ") {
		if !slices.Contains(Engines, one) && !slices.Contains(propset.Engines, one) {
			return false
		}
	}
	return true
}

// outcome is a record of model checking.
func (r *record) outcome(inv *cert.Invariant, trace *cert.Trace) (*Answer, error) {
	if !knownEngines(r.Engine) || min(r.K, r.M, r.Bound) < -1 {
		return nil, errors.New("no outcome of an engine")
	}
	p := &Answer{
		Engine: r.Engine, K: r.K, M: r.M, Bound: r.Bound, Time: time.Duration(r.Seconds * float64(time.Second)),
		Invariant: inv, Trace: trace,
	}
	switch {
	case r.Status == cert.Holds.String() && (inv != nil || r.Set):
		p.Status = cert.Holds
	case r.Status == cert.Fails.String() && trace != nil:
		p.Status = cert.Fails
	default:
		return nil, errors.New("an outcome of model checking without its evidence")
	}
	return p, nil
}

// takeUp turns restored verdicts into verdicts, those with which the second
// opinion agrees before ctx ends. The rest is unknown to this run. An answer of no
// ends the run.
func (s *session) takeUp(ctx context.Context, rs []restored) {
	invariants := []*cert.Invariant{s.stock.shared}
	settled := map[*cert.Invariant][]restored{}
	var covered []restored
	for _, r := range rs {
		inv := r.evidence.Invariant
		if inv == nil {
			covered = append(covered, r)
			continue
		}
		if settled[inv] == nil && inv != s.stock.shared {
			invariants = append(invariants, inv)
		}
		settled[inv] = append(settled[inv], r)
	}
	for _, inv := range invariants {
		var ms []*Mutant
		for _, r := range settled[inv] {
			ms = append(ms, r.m)
		}
		ok, err := s.opinion.invariant(ctx, "the journal", inv, ms)
		if err != nil {
			s.fail(resumeError(err))
			return
		}
		if ok {
			s.opinion.confirmed = s.opinion.confirmed || inv == s.stock.shared
			s.restoreAll(settled[inv])
		}
	}
	for batch := range slices.Chunk(covered, 64) {
		if ctx.Err() != nil {
			return
		}
		var hits []hit
		for _, r := range batch {
			hits = append(hits, hit{m: r.m, trace: r.evidence.Trace})
		}
		if err := s.opinion.traces("the journal", hits); err != nil {
			s.fail(resumeError(err))
			return
		}
		for i := range batch {
			batch[i].evidence.property = hits[i].property
		}
		s.restoreAll(batch)
	}
}

func (s *session) restoreAll(rs []restored) {
	for _, r := range rs {
		s.ledger.restore(r)
	}
}
