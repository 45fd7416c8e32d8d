package coverage

import (
	"context"
	"time"

	"netcov/internal/clock"
	"netcov/sat"
)

// TestGroupBMC is the name of this test.
const TestGroupBMC = "GROUPBMC"

// The group form of bounded search is worth while only as long as it finds. What finds
// nothing for as long as it took to the last find will hardly find more; beside that, it has
// some patience. For several properties this is a share of the model checking time, and its
// time in all is bounded by what runs of their own would take for the mutants that it settles.
// For one property it is the part of such a run that no mutant is spared: to make the clauses
// of its model, or the time of the proof where that is less; where no such runs follow, it is
// as for several. Of gates, it goes on in turn with single runs: see keepPace.
const (
	groupDepth   = 40 // steps
	groupShare   = 0.3
	groupMinimum = 300 * time.Millisecond
	groupEach    = 5 * time.Millisecond
	groupPast    = 1.5                   // times what it took to the last find
	groupPastOne = 1                     // the same for one property
	groupNode    = 110 * time.Nanosecond // for each open mutant and node of the model
	groupLeast   = time.Millisecond / 2
	groupNodes   = 1 << 19 // of an unrolling that goes on
)

// groupLimit is the time of the test: settled is what it has settled, found when it last did.
func (s *session) groupLimit(settled int, found time.Duration) time.Duration {
	several := len(s.properties) > 1 && s.runs(TestKInduction) // else the disjuncts of one property
	if several || !s.runs(TestIC3) {
		limit := min(groupEach*time.Duration(settled), time.Duration(groupPast*float64(found)))
		return limit + groupMinimum + time.Duration(groupShare*float64(s.proof.Time))
	}
	idle := groupNode * time.Duration(len(s.ledger.inside())*s.stock.model.Graph.Size())
	return groupPastOne*found + max(groupLeast, min(idle, max(groupMinimum, s.proof.Time)))
}

// groupSearch is the bounded search under way.
type groupSearch struct {
	bmc     *mutantBMC
	refuted int  // frames without a counterexample, of those that are encoded
	most    int  // frames
	over    bool // there is nothing more to search
	beside
}

func newGroupSearch(s *session, open []*Mutant) *groupSearch {
	g := &groupSearch{bmc: newMutantBMC(s.solver(), s.stock.model, open), most: groupDepth, beside: beside{fades: true}}
	g.bmc.s.AddClause(g.bmc.some()...)
	return g
}

// runGroupBMC searches for counterexamples of all open mutants at once, depth
// by depth: the solver chooses the mutant. Each trace is tried on the others.
func runGroupBMC(ctx context.Context, s *session) {
	open := s.ledger.inside()
	if len(open) == 0 {
		return
	}
	g := newGroupSearch(s, open)
	if s.gates() && s.runs(TestIC3) {
		s.group, g.most = g, max(groupDepth, groupNodes/s.stock.model.Graph.Size())
	}
	work, before := clock.StartWork(), s.ledger.settledSoFar()
	found := time.Duration(0) // when the last mutant was
	g.turns = s.measure(func() {
		s.searchGroup(ctx, g, func(settled bool) time.Duration {
			if settled {
				found = work.Elapsed()
			}
			return s.groupLimit(s.ledger.settledSoFar()-before, found) - work.Elapsed()
		})
	})
}

// searchGroup goes on with a search. Each question has the time that left tells, which
// hears whether the one before has settled mutants.
func (s *session) searchGroup(ctx context.Context, g *groupSearch, left func(settled bool) time.Duration) {
	b, settled := g.bmc, false
	for !g.over && ctx.Err() == nil {
		open := s.ledger.inside()
		if g.refuted == b.depth {
			if len(open) == 0 || b.depth > g.most {
				g.over = true
				return
			}
			b.extend()
		}
		d := b.depth - 1
		b.drop(open)
		limit := left(settled)
		if limit <= 0 {
			return
		}
		limited, cancel := clock.LimitWork(ctx, limit)
		status := b.s.Solve(limited, b.bad[d], b.prefix[d])
		cancel()
		settled = status == sat.Sat
		switch status {
		case sat.Unknown:
			return
		case sat.Unsat:
			g.refuted = b.depth
			for _, m := range open {
				s.ledger.bound(m, d)
			}
		case sat.Sat:
			m := b.selected(open)
			t := b.trace(m)
			s.cover(TestGroupBMC, m, t)
			s.tryTrace(ctx, TestGroupBMC, t)
		}
	}
}
