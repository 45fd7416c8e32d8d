package coverage

// The solvers by name: the project's own, and two by others.
const (
	SolverCDCL      = "cdcl"
	SolverGini      = "gini"
	SolverGophersat = "gophersat"
)

// Solvers lists the names that Options.Solver takes.
var Solvers = []string{SolverCDCL, SolverGini, SolverGophersat}
