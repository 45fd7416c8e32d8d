// Package proof is the SAT layer: a small solver interface, the project's own
// CDCL solver with resolution proofs in memory, and two solvers of other makes,
// gini and gophersat, as second and third opinion.
//
// # Solving
//
//	s := proof.NewCDCL(proof.Options{})
//	a, b := proof.MkLit(s.NewVar(), false), proof.MkLit(s.NewVar(), false)
//	s.AddClause(a, b)
//	switch s.Solve(ctx, a.Not()) {
//	case proof.Sat:     // s.Value(b)
//	case proof.Unsat:   // s.Failed()
//	case proof.Unknown: // ctx or a limit ended the search
//	}
//
// Clauses can be added between queries. SetDomain restricts queries to a set of
// variables, SolveWithClause adds a clause for one query: interpolation,
// k-induction and bounded search of several properties use both. IC3 has a solver
// of its own (ic3/internal/framesat). Queries whose
// assumptions begin alike share the propagation of that beginning, so what stays
// the same is best assumed first.
//
// Options.Eliminate resolves variables away before hard queries over many new
// clauses. Nothing of it shows: a variable comes back when a clause or an
// assumption mentions it, models have values for all variables, proofs hold the
// steps.
//
// # Proofs
//
// With Options.Log the solver keeps, for each clause that something live depends
// on, how it came about. After Unsat, Proof returns the resolution proof of the
// clause of the negated failed assumptions (the empty clause when there are
// none):
//
//	p := s.Proof()
//	p.Walk(
//		func(id proof.ID, tag int32, lits []proof.Lit) {
//			// an input clause, with the tag of AddClauseTagged
//		},
//		func(id proof.ID, antecedents []proof.ID, pivots []proof.Lit) {
//			// c := antecedents[0]
//			// for i, l := range pivots: resolve c with antecedents[i+1] on
//			// l's variable; l occurs in antecedents[i+1], its negation in c
//		})
//
// Walk visits only what the proved clause depends on, antecedents first, the
// proved clause last; p.Final is its ID. IDs grow along the walk, so maps from
// IDs can be slices over the order of visits. A proof may consist of one leaf.
// Literals of derived clauses are not stored: the tests replay them, on code of
// their own.
//
// The assumptions themselves are not leaves: an interpolant of the partitions A
// and B is obtained from leaves with tags when no assumption is made, or when
// the proved clause is given to one of the partitions.
package proof
