package coverage

import (
	"context"
	"time"

	"netcov/explore"
	"netcov/internal/clock"
)

// TestExplore is the name of this test.
const TestExplore = "EXPLORE"

// Exploration of each open mutant by random runs that return to rarely visited
// states (package explore). It finds in milliseconds traces of a hundred steps, and
// nothing at all where there are none, so that its time is bounded: a share of the
// model checking time at first, and later, in turn with IC3, as much as it settles
// mutants in it.
const (
	exploreShare   = 0.2
	exploreMinimum = time.Millisecond
	exploreEach    = 4 * time.Millisecond // the most for a mutant, at first
	// exploreTurn is the first turn of a mutant beside IC3; so many after that take four
	// times as long as the one before.
	exploreTurn    = 20 * time.Millisecond
	exploreGrowths = 2
	// exploreFrom is the first slice of IC3 beside which mutants are explored: what
	// IC3 decides sooner is not worth it.
	exploreFrom = firstSlice * sliceGrowth
)

// runExplore explores the open mutants, those that are stuck first: their traces
// cover the nondet ones.
func runExplore(ctx context.Context, s *session) {
	open := spreadOut(s.ledger.inside())
	limit := exploreMinimum + time.Duration(exploreShare*float64(s.proof.Time))
	limited, cancel := clock.Limit(ctx, limit)
	defer cancel()
	end := time.Now().Add(limit)
	for i, m := range open {
		if limited.Err() != nil {
			return
		}
		if !s.ledger.isOpen(m) {
			continue
		}
		each := min(exploreEach, max(time.Until(end)/time.Duration(len(open)-i), exploreMinimum))
		s.explore(limited, TestExplore, &attempt{m: m}, each)
	}
}

// explore spends a slice on the exploration of a mutant.
func (s *session) explore(ctx context.Context, test string, a *attempt, slice time.Duration) {
	if a.search == nil {
		a.search = explore.New(s.stock.model, a.m.cut, a.m.force, s.stock.shared, s.chooser(ctx), s.opt.Seed)
	}
	limited, cancel := clock.Limit(ctx, slice)
	defer cancel()
	if t := a.search.Run(limited); t != nil {
		s.refutedBy(ctx, test, a.m, t)
	}
}

// exploreInTurn explores a mutant where that is due beside IC3, and reports whether it
// settled the mutant.
func (s *session) exploreInTurn(ctx context.Context, a *attempt, slice time.Duration) bool {
	each, least := exploreTurn<<(2*min(a.explored, exploreGrowths)), leastExplored
	if s.gates() {
		each, least = time.Duration(exploredEach*float64(slice)), leastOfGates
	}
	if slice < exploreFrom || !s.singles.exploration(each, least) {
		return false
	}
	a.explored++
	s.single(&s.singles.explored, func() { s.explore(ctx, TestIC3, a, each) })
	return !s.ledger.isOpen(a.m)
}
