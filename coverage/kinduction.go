package coverage

import (
	"context"
	"time"

	"netcov/cert"
	"netcov/internal/clock"
	"netcov/interp"
	"netcov/propset"
)

// TestKInduction is the name of this test.
const TestKInduction = "KINDUCTION"

// Mutants of a set of properties, the way in which the set itself was proved. A
// mutant breaks few conjuncts of the design's invariant R. The largest subset of R
// that is inductive on the mutant is a lemma there: a constraint that costs nothing.
// Under it most properties hold by themselves, and the rest are often k-inductive
// with a small k. Then there is an ordinary invariant (see package interp), which the
// lemma is a part of.
//
// No lemma is a property that was proved on the design: what a mutant's proof rests
// on is proved on the mutant.

// The test goes on as long as it settles mutants: it has some time at first, and more
// for each that it settles.
const (
	inductionBound = 2 // k
	inductionFirst = 300 * time.Millisecond
	inductionEach  = 150 * time.Millisecond
)

// runKInduction tries k-induction with a small k on the open mutants.
func runKInduction(ctx context.Context, s *session) {
	work, before := clock.StartWork(), len(s.ledger.inside())
	for _, m := range freeFirst(s.ledger.inside()) {
		if !s.ledger.isOpen(m) {
			continue
		}
		limit := inductionFirst + inductionEach*time.Duration(before-len(s.ledger.inside()))
		limited, cancel := clock.LimitWork(ctx, max(1, limit-work.Elapsed()))
		if limited.Err() == nil {
			s.induce(limited, m)
		}
		cancel()
	}
	s.confirm()
}

// induce proves a mutant whose properties are k-inductive under what it keeps of the
// design's invariant. Where one fails, the mutant is covered.
func (s *session) induce(ctx context.Context, m *Mutant) {
	defer s.ledger.work(m)()
	lemma := s.stock.lemma(ctx, m)
	if lemma == nil {
		return
	}
	p := s.probes()
	opt := interp.Options{Check: p.check, Effort: p.effort.Of(propset.EngineInduction)}
	model := s.stock.model.MutantUnder(m.cut, m.force, lemma)
	bounded, induct := interp.NewBoundedSet(model, opt), interp.NewInduction(model, opt)
	var proved [][]int
	for left := len(model.Bads); left > 0; induct.Deepen() {
		k := induct.Bound()
		if k > inductionBound {
			return
		}
		if k-1 > m.Depth {
			failed, t, err := bounded.Extend(ctx, k-1)
			switch {
			case err != nil:
				s.fail(err)
				return
			case len(failed) > 0:
				s.refutedBy(ctx, TestKInduction, m, t)
				return
			case bounded.Bound() < k-1:
				return
			}
		}
		list, ok := induct.Step(ctx)
		if !ok {
			return
		}
		proved = append(proved, list)
		left -= len(list)
	}
	layer, err := interp.Strengthen(ctx, model, proved, nil, opt)
	switch {
	case err != nil:
		s.fail(err)
	case layer != nil:
		s.exclude(TestKInduction, cert.Conjunction(lemma, layer), []*Mutant{m})
	}
}

// newRun prepares the work of the engines for sets on a mutant; nil when ctx ends
// first.
func (s *session) newRun(ctx context.Context, m *Mutant) *propset.Run {
	lemma := s.stock.lemma(ctx, m)
	if lemma == nil {
		return nil
	}
	p := s.probes()
	return propset.NewRun(s.stock.model.MutantUnder(m.cut, m.force, lemma), lemma, propset.Options{Check: p.check, Effort: p.effort})
}

// lemma returns the largest subset of the design's invariant that is inductive on a
// mutant; nil when ctx ends first.
func (k *stock) lemma(ctx context.Context, m *Mutant) *cert.Invariant {
	k.keptMu.Lock()
	defer k.keptMu.Unlock()
	if k.kept == nil {
		k.kept = newSubsetQuery(k.solver(), k.model, k.shared)
	}
	return k.kept.largest(ctx, m, false)
}
