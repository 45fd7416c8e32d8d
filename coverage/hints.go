package coverage

import (
	"context"
	"encoding/json"
	"slices"

	"netcov/cert"
	"netcov/internal/clock"
	"netcov/netlist"
)

// What other runs of the same design have found, on other mutants of the same
// question: their traces are tried on the mutants of this one, their clauses seed
// its engines, and the mutants that keep one of their invariants are settled by it.
//
// A hint is a guess. What makes no sense is passed over, and so are clauses and
// traces that disagree with the resets, which the tests rely on. What comes of the
// rest goes the way of any other finding, the second opinion included.

// hintsOfBudget: hints take no more than this part of a budget.
const hintsOfBudget = 5

// takeHints tries the hints on the open mutants.
func (s *session) takeHints(ctx context.Context) {
	if len(s.opt.Hints) == 0 || !s.runs(TestIC3) {
		return
	}
	ctx, cancel := clock.Limit(ctx, s.budget/hintsOfBudget)
	defer cancel()
	var invariants []*cert.Invariant
	for _, source := range s.opt.Hints {
		for _, text := range source.Records {
			var r record
			if json.Unmarshal(text, &r) != nil || r.Property != s.names[0] {
				continue
			}
			inv, t, err := r.values(len(s.stock.model.Latches))
			switch {
			case err != nil:
			case r.Kind == kindInvariant && inv != nil:
				invariants = append(invariants, s.holdingAtFirst(inv))
			case t != nil && s.possible(t) && ctx.Err() == nil:
				s.tryTrace(ctx, TestIC3, t)
			}
		}
	}
	for _, inv := range slices.Backward(invariants) { // the latest first
		s.stock.pool.add(inv)
		open := s.ledger.inside()
		if len(inv.Clauses) == 0 || len(open) == 0 || ctx.Err() != nil {
			continue // the clauses are of use
		}
		s.exclude(TestIC3, inv, s.keeping(ctx, inv, open))
	}
}

// holdingAtFirst returns the clauses that hold in all initial states.
func (s *session) holdingAtFirst(inv *cert.Invariant) *cert.Invariant {
	out := &cert.Invariant{}
	for _, c := range inv.Clauses {
		if holdsInitially(s.stock.model, c) {
			out.Clauses = append(out.Clauses, c)
		}
	}
	return out
}

// possible tells whether a trace begins in an initial state and has as many values
// as the model has latches and inputs; a free value may follow the inputs.
func (s *session) possible(t *cert.Trace) bool {
	m := s.stock.model
	for i, l := range m.Latches {
		set := i < len(t.Latches) && t.Latches[i]
		if l.Reset == netlist.Reset0 && set || l.Reset == netlist.Reset1 && !set {
			return false
		}
	}
	return !slices.ContainsFunc(t.Inputs, func(row []bool) bool {
		return len(row) != len(m.Inputs) && len(row) != len(m.Inputs)+1
	})
}
