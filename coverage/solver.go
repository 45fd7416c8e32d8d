package coverage

import (
	"fmt"

	"netcov/proof"
)

// The solvers by name: the project's own, and two by others.
const (
	SolverCDCL      = "cdcl"
	SolverGini      = "gini"
	SolverGophersat = "gophersat"
)

// Solvers lists the names that Options.Solver takes.
var Solvers = []string{SolverCDCL, SolverGini, SolverGophersat}

// solver returns an empty solver for the cascade's queries.
func (s *session) solver() proof.Solver {
	switch {
	case s.opt.Solver == SolverGini:
		return proof.NewGini()
	case s.opt.Solver == SolverGophersat:
		return proof.NewGophersat()
	}
	return proof.NewCDCL(proof.Options{Check: s.checks()})
}

// checks returns what Options.Paranoid hands to engines and solvers: a function
// that ends the run with a fault, or nil where nothing is to be checked.
func (s *session) checks() func(error) {
	if !s.opt.Paranoid {
		return nil
	}
	return func(err error) { s.fail(fmt.Errorf("%w: %w", ErrRecheck, err)) }
}
