package coverage

import (
	"context"

	"netcov/proof"
)

// groupDepth bounds the group form of bounded search: beyond it, group queries
// cost more than they settle.
const groupDepth = 10

// groupConflicts bounds one query, as the search is only worth while it is easy.
const groupConflicts = 20000

// runGroupBMC searches for counterexamples of all open mutants at once, depth
// by depth: the solver chooses the mutant. Each trace is tried on the others.
func runGroupBMC(ctx context.Context, s *session) {
	open := s.openInside()
	if len(open) == 0 {
		return
	}
	b := newMutantBMC(s.model, open)
	b.s.AddClause(b.some()...)
	for d := 0; d <= groupDepth; d++ {
		b.extend()
		for {
			b.drop(s.openInside())
			b.s.SetConflictLimit(groupConflicts)
			status := b.s.Solve(ctx, b.bad[d], b.prefix[d])
			if status == proof.Unknown {
				return
			}
			if status == proof.Unsat {
				break
			}
			m := b.selected(s.openInside())
			t := b.trace(m)
			s.cover(TestGroupBMC, m, t)
			s.tryTrace(ctx, TestGroupBMC, t)
			if ctx.Err() != nil {
				return
			}
		}
		open = s.openInside()
		for _, m := range open {
			s.bound(m, d)
		}
		if len(open) == 0 {
			return
		}
	}
}
