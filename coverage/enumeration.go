package coverage

import (
	"context"
	"time"

	"netcov/internal/clock"
	"netcov/lasso"
)

// TestEnumeration is the name of this test.
const TestEnumeration = "ENUMERATION"

// Enumeration of the states of each open mutant, for justice properties of designs with few
// states (package lasso). It goes on as long as it settles mutants.
const (
	enumerationFirst = 300 * time.Millisecond
	enumerationEach  = 300 * time.Millisecond // more for each that it settles
)

func runEnumeration(ctx context.Context, s *session) {
	if s.opt.Lassos == nil {
		return
	}
	work, before := clock.StartWork(), len(s.ledger.inside())
	for _, m := range freeFirst(s.ledger.inside()) {
		limit := enumerationFirst + enumerationEach*time.Duration(before-len(s.ledger.inside()))
		limited, cancel := clock.LimitWork(ctx, max(1, limit-work.Elapsed()))
		if limited.Err() == nil && s.ledger.isOpen(m) {
			s.enumerate(limited, m)
		}
		cancel()
	}
}

// enumerate looks at the states of one mutant.
func (s *session) enumerate(ctx context.Context, m *Mutant) {
	defer s.ledger.work(m)()
	search := lasso.New(s.stock.model.Mutant(m.cut, m.force), *s.opt.Lassos)
	if search == nil {
		return
	}
	t, inv, _ := search.Run(ctx)
	switch {
	case t != nil:
		s.refutedBy(ctx, TestEnumeration, m, t)
	case inv != nil:
		s.exclude(TestEnumeration, inv, []*Mutant{m})
	}
}
