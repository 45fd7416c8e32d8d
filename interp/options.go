package interp

import (
	"netcov/cert"
	"netcov/internal/effort"
	"netcov/proof"
)

// Method says how images are approximated.
type Method uint8

// The methods.
const (
	// Alternate gives Proofs, Clauses, Proofs in the other direction and a
	// deeper bounded search slices of growing size in turn, until one of them
	// has the answer.
	Alternate Method = iota
	// Proofs reads interpolants off resolution proofs, as DAC10, section 2,
	// describes.
	Proofs
	// Clauses computes interpolants in conjunctive normal form without proofs.
	Clauses
)

// String names the method in messages of tests.
func (m Method) String() string { return [...]string{"alternate", "proofs", "clauses"}[m] }

// Options are the parameters of a Checker. The zero value of a field is its
// default.
type Options struct {
	// Check is called with each fault that checks at run time find: of the
	// solvers' answers and chains, of the properties of each interpolant, of
	// the invariant. Slow. Default nil: no checks.
	Check func(error)
	// Effort counts what the engine does. Default nil: nothing is counted.
	Effort *effort.Counts

	// Tests and benchmarks take one approximation by itself.
	method   Method
	backward bool // Proofs approximates the states that reach a bad state
}

// solver returns an empty solver.
func (o *Options) solver(log bool) *proof.CDCL {
	return proof.NewCDCL(proof.Options{Log: log, Check: o.Check, Effort: o.Effort})
}

// report hands on a fault that a check has found.
func (o *Options) report(err error) {
	if err != nil {
		o.Check(err)
	}
}

// Result is an answer with its evidence.
type Result struct {
	Status cert.Status
	// Trace is a shortest counterexample, confirmed by simulation, when the
	// property fails.
	Trace *cert.Trace
	// Invariant proves the property when it holds: the initial states imply it;
	// it is closed under a step from a state and input that satisfy the
	// constraint; no state in it is bad under the constraint.
	Invariant *cert.Invariant
	// K and M are the bound, in frames, and the number of images of the round
	// that ended in the fixpoint (k and m of DAC10, section 4.2).
	K, M int
	// Bound is the largest number of steps within which no bad state is
	// reachable, as far as is known; -1 when not even the initial states are.
	Bound int
}
