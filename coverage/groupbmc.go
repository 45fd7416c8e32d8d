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
// of its model.
const (
	groupDepth   = 40
	groupShare   = 0.3
	groupMinimum = 300 * time.Millisecond
	groupEach    = 5 * time.Millisecond
	groupPast    = 1.5                   // times what it took to the last find
	groupPastOne = 1                     // the same for one property
	groupNode    = 110 * time.Nanosecond // for each open mutant and node of the model
)

// groupLimit is the time of the test: settled is what it has settled, found when it last did.
func (s *session) groupLimit(settled int, found time.Duration) time.Duration {
	if len(s.properties) > 1 {
		limit := min(groupEach*time.Duration(settled), time.Duration(groupPast*float64(found)))
		return limit + groupMinimum + time.Duration(groupShare*float64(s.proof.Time))
	}
	return groupPastOne*found + groupNode*time.Duration(len(s.ledger.inside())*s.stock.model.Graph.Size())
}

// runGroupBMC searches for counterexamples of all open mutants at once, depth
// by depth: the solver chooses the mutant. Each trace is tried on the others.
func runGroupBMC(ctx context.Context, s *session) {
	open := s.ledger.inside()
	if len(open) == 0 {
		return
	}
	work, before := clock.StartWork(), s.ledger.settledSoFar()
	found := time.Duration(0) // when the last mutant was
	// solve asks for a counterexample at depth d within the time that is left.
	solve := func(b *mutantBMC, d int) sat.Status {
		limit := s.groupLimit(s.ledger.settledSoFar()-before, found)
		limited, cancel := clock.LimitWork(ctx, max(1, limit-work.Elapsed()))
		defer cancel()
		return b.s.Solve(limited, b.bad[d], b.prefix[d])
	}
	b := newMutantBMC(s.solver(), s.stock.model, open)
	b.s.AddClause(b.some()...)
	for d := 0; d <= groupDepth; d++ {
		b.extend()
		for {
			b.drop(s.ledger.inside())
			status := solve(b, d)
			if status == sat.Unknown {
				return
			}
			if status == sat.Unsat {
				break
			}
			found = work.Elapsed()
			m := b.selected(s.ledger.inside())
			t := b.trace(m)
			s.cover(TestGroupBMC, m, t)
			s.tryTrace(ctx, TestGroupBMC, t)
			if ctx.Err() != nil {
				return
			}
		}
		open = s.ledger.inside()
		for _, m := range open {
			s.ledger.bound(m, d)
		}
		if len(open) == 0 {
			return
		}
	}
}
