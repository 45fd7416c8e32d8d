package coverage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"netcov/cert"
	"netcov/mutant"
	"netcov/propset"
)

// How a run takes up what earlier ones recorded. Whoever can write a file can
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
	from     *entry
	test     string
	time     time.Duration
	evidence Evidence
}

func (r restored) verdict() mutant.Verdict {
	if r.evidence.Trace != nil {
		return mutant.Covered
	}
	return mutant.NotCovered
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
	type invariant struct{ source, id int }
	byID := map[invariant]*cert.Invariant{}
	first := map[key]*entry{} // that has the verdict
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
		case kindSmall:
			if inv == nil {
				return refuse("an invariant is missing")
			}
			s.stock.shared, s.stock.small = inv, true
		case kindInvariant:
			byID[invariant{r.source, r.ID}] = inv
			if r.source == 0 {
				s.ledger.journal.numbered(r.ID, inv)
			}
		case kindVerdict:
			t := mutant.Target{Gate: r.Gate, Index: r.Index}
			k := key{t, r.Fault}
			if before := first[k]; before != nil && before.source != r.source {
				if before.Verdict != r.Verdict {
					return refuse("%s, %s is %s, and %s in %s", t, r.Fault, r.Verdict, before.Verdict, before.place())
				}
				continue // two runs found the same
			}
			m := at[k]
			if f, known := mutant.ParseFault(r.Fault); m == nil && known && s.skip != nil && s.skip(t, f) {
				continue // an earlier question covers it now
			}
			if m == nil {
				return refuse("%s, %s is no open mutant of this run", t, r.Fault)
			}
			delete(at, k)
			first[k] = r
			if !slices.Contains(s.opt.Tests, r.Test) {
				return refuse("%q is no test of this run", r.Test)
			}
			e := Evidence{Trace: trace}
			if trace == nil {
				e.Invariant = byID[invariant{r.source, r.ID}]
			}
			v := restored{m, r, r.Test, time.Duration(r.Seconds * float64(time.Second)), e}
			if v.verdict() != r.Verdict || e == (Evidence{}) {
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
		if one != EngineBaseline && !slices.Contains(Engines, one) && !slices.Contains(propset.Engines, one) {
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
		Invariant: inv, Trace: trace, Rounds: r.Rounds,
	}
	switch {
	case r.Status == cert.Holds && (inv != nil || r.Set):
		p.Status = cert.Holds
	case r.Status == cert.Fails && trace != nil:
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
	type claimed struct {
		inv *cert.Invariant // nil: traces
		rs  []restored
	}
	claims := []claimed{{inv: s.stock.shared}}
	at := map[*cert.Invariant]int{s.stock.shared: 0}
	covered := map[int][]restored{} // by source
	for _, r := range rs {
		inv := r.evidence.Invariant
		if inv == nil {
			covered[r.from.source] = append(covered[r.from.source], r)
			continue
		}
		if _, known := at[inv]; !known {
			at[inv] = len(claims)
			claims = append(claims, claimed{inv: inv})
		}
		claims[at[inv]].rs = append(claims[at[inv]].rs, r)
	}
	for _, source := range slices.Sorted(maps.Keys(covered)) {
		for batch := range slices.Chunk(covered[source], 64) {
			claims = append(claims, claimed{rs: batch})
		}
	}
	var workers errgroup.Group
	workers.SetLimit(s.opt.Jobs)
	for _, c := range claims {
		workers.Go(func() error {
			switch {
			case ctx.Err() != nil:
			case c.inv != nil:
				s.takeUpInvariant(ctx, c.inv, c.rs)
			default:
				s.takeUpTraces(c.rs)
			}
			return nil
		})
	}
	_ = workers.Wait() // no worker returns an error
}

// journalOf names the journal that verdicts come from.
func journalOf(rs []restored) string {
	if len(rs) == 0 || rs[0].from.name == "" {
		return "the journal"
	}
	return rs[0].from.name
}

// takeUpInvariant takes up verdicts that rest on one invariant.
func (s *session) takeUpInvariant(ctx context.Context, inv *cert.Invariant, rs []restored) {
	var ms []*Mutant
	for _, r := range rs {
		ms = append(ms, r.m)
	}
	ok, err := s.opinion.invariant(ctx, journalOf(rs), inv, ms)
	if err != nil {
		s.fail(resumeError(err))
		return
	}
	if ok {
		s.opinion.confirmed = s.opinion.confirmed || inv == s.stock.shared
		s.restoreAll(rs)
	}
}

// takeUpTraces takes up verdicts that a trace each shows.
func (s *session) takeUpTraces(rs []restored) {
	var hits []hit
	for _, r := range rs {
		hits = append(hits, hit{m: r.m, trace: r.evidence.Trace})
	}
	if err := s.opinion.traces(journalOf(rs), hits); err != nil {
		s.fail(resumeError(err))
		return
	}
	for i := range rs {
		rs[i].evidence.property = hits[i].property
	}
	s.restoreAll(rs)
}

func (s *session) restoreAll(rs []restored) {
	for _, r := range rs {
		s.ledger.restore(r)
	}
}
