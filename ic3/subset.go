package ic3

import (
	"context"

	"netcov/cert"
	"netcov/ic3/internal/framesat"
	"netcov/netlist"
	"netcov/sat"
)

// Subset is the answer of MaximalInductiveSubset.
type Subset struct {
	// Clauses is the largest inductive subset, the literals outside of the
	// model's cone left out.
	Clauses []cert.Clause
	// Safe tells whether the subset excludes the bad states: it is then an
	// invariant that proves the property.
	Safe bool
	// Complete is false when ctx ended the computation; there is no answer then.
	Complete bool
}

// MaximalInductiveSubset returns the largest subset of the clauses that holds in
// all initial states and is inductive on the model, the constraint assumed in
// the current frame only. There is exactly one.
func MaximalInductiveSubset(ctx context.Context, m *netlist.Model, clauses []cert.Clause) Subset {
	e := New(m, Options{Seed: clauses})
	e.begin(ctx, Budget{})
	if !e.seed() {
		return Subset{}
	}
	sub := Subset{Complete: true}
	for _, l := range e.inf {
		sub.Clauses = append(sub.Clauses, l.clause())
	}
	switch e.s.Solve(framesat.TagInf, e.badAssumption(), nil) {
	case sat.Unsat:
		sub.Safe = true
	case sat.Unknown:
		return Subset{}
	}
	return sub
}
