package ic3

import (
	"context"
	"time"

	"netcov/cert"
	"netcov/internal/effort"
	"netcov/netlist"
	"netcov/netlist/paranoid"
)

// Options are the parameters of an engine. The zero value of a field means its
// default.
type Options struct {
	// Seed are candidate clauses of an invariant, such as an invariant of
	// another mutant of the same design. They are tried, never trusted.
	Seed []cert.Clause
	// Known are clauses that are an inductive invariant together: each run begins with
	// them. The seeds are then lemmas of the first frames at most, since Known is the
	// largest subset that is one. Default nil: that subset is looked for.
	Known []cert.Clause
	// Effort counts what the engine does. Default nil: nothing is counted.
	Effort *effort.Counts
	// Check is called with each fault that checks at run time find: of every
	// answer of the SAT solver, of every invariant. Slow. Default nil: no
	// checks.
	Check func(error)
}

// checkInvariant asks another solver about an invariant, if that is wanted.
func (o Options) checkInvariant(ctx context.Context, m *netlist.Model, inv *cert.Invariant) {
	if o.Check == nil {
		return
	}
	if err := paranoid.Invariant(ctx, m, inv, true); err != nil {
		o.Check(err)
	}
}

// Budget bounds one call of Run. Zero fields are no limit.
type Budget struct {
	Conflicts    int64         // conflicts of the SAT solver
	Propagations int64         // propagated literals of the SAT solver
	Time         time.Duration // wall-clock time
}

// Result is an answer with its evidence.
type Result struct {
	Status cert.Status
	// Invariant comes with Holds. It is inductive when the constraint is
	// assumed in the current frame: Init ⇒ R, R ∧ C ∧ T ⇒ R', R ∧ C ⇒ ¬bad.
	Invariant *cert.Invariant
	// Trace comes with Fails; it was replayed on the model.
	Trace *cert.Trace
	// Depth is the number of steps within which no counterexample exists; -1
	// when nothing is known yet.
	Depth int
	// Err reports a trace that could not be replayed, which is a fault of the
	// engine; Status is Unknown then.
	Err error
}
