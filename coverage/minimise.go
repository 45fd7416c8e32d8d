package coverage

import (
	"context"
	"time"

	"netcov/cert"
	"netcov/ic3"
	"netcov/internal/clock"
	"netcov/netlist"
)

// minimiseShare bounds the time for making the invariant smaller, as a share of
// the model checking time.
const (
	minimiseShare   = 0.5
	minimiseMinimum = 10 * time.Millisecond
)

// minimise prepares the invariant for the inductive tests: the fewer conjuncts
// it has, the fewer mutants break it, and the faster every query about it is.
// All clauses, those that are dropped too, go into the pool.
func (s *session) minimise(ctx context.Context, original *netlist.Model) {
	s.stock.pool.add(s.proof.Invariant)
	ctx, cancel := clock.Limit(ctx, minimiseMinimum+time.Duration(minimiseShare*float64(s.proof.Time)))
	defer cancel()
	var small *cert.Invariant
	var ok bool
	if e := s.proof.engine; e != nil { // its transition relation is there to be used again
		small, ok = e.Minimise(ctx)
		s.proof.engine = nil
	} else if len(s.proof.Invariant.Formulas) > 0 {
		small = newSubsetQuery(s.solver(), original, s.proof.Invariant).small(ctx)
		ok = small != nil
	} else {
		small, ok = ic3.Minimise(ctx, original, s.proof.Invariant, s.probes().ic3(nil))
	}
	if ok {
		s.stock.shared = small
		s.stock.pool.add(small)
	}
	s.opt.Log.Debug("invariant minimised", "clauses", len(s.proof.Invariant.Clauses), "left", len(s.stock.shared.Clauses),
		"formulas", len(s.proof.Invariant.Formulas), "formulas left", len(s.stock.shared.Formulas))
}
