package interp

import (
	"fmt"
	"log/slog"

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

// String returns the name that an option gives the method.
func (m Method) String() string {
	switch m {
	case Alternate:
		return "alternate"
	case Proofs:
		return "proofs"
	case Clauses:
		return "clauses"
	}
	return fmt.Sprintf("Method(%d)", uint8(m))
}

// Options are the parameters of a Checker. The zero value of a field is its
// default.
type Options struct {
	// Method is how images are approximated. Default Alternate.
	Method Method
	// System is the interpolation system of Proofs. Default McMillan.
	System System
	// Backward lets Proofs approximate the states that reach a bad state,
	// instead of those that are reachable. Default false.
	Backward bool
	// Frontier lets Proofs take each image of the last image only, instead of
	// the union of all. Default false.
	Frontier bool
	// BoundStep is what the bound grows by where an approximation was too
	// coarse, in frames. Default 1, range 1 up.
	BoundStep int
	// MaxBound ends the search as Unknown after this bound, in frames. Default
	// 0: no limit.
	MaxBound int
	// Check is called with each fault that checks at run time find: of the
	// solvers' answers and chains, of the properties of each interpolant, of
	// the invariant. Slow. Default nil: no checks.
	Check func(error)
	// Effort counts what the engine does. Default nil: nothing is counted.
	Effort *effort.Counts
	// Log takes a line for each bound and image. Default nil: silent.
	Log *slog.Logger
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
	// By is the method that proved the property: Proofs or Clauses.
	By Method
	// K and M are the bound, in frames, and the number of images of the round
	// that ended in the fixpoint (k and m of DAC10, section 4.2).
	K, M int
	// Bound is the largest number of steps within which no bad state is
	// reachable, as far as is known; -1 when not even the initial states are.
	Bound int
}
