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
	case s.opt.Paranoid:
		return proof.NewChecked(proof.Options{}, func(err error) {
			s.fail(fmt.Errorf("%w: the SAT solver: %w", ErrRecheck, err))
		})
	}
	return proof.NewCDCL(proof.Options{})
}
