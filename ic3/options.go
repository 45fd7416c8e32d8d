package ic3

import (
	"context"
	"time"

	"netcov/cert"
	"netcov/internal/paranoid"
	"netcov/netlist"
)

// Options are the parameters of an engine. The zero value of a field means its
// default.
type Options struct {
	// Seed are candidate clauses of an invariant, such as an invariant of
	// another mutant of the same design. They are tried, never trusted.
	Seed []cert.Clause
	// MaxCTGs is the number of counterexamples to generalisation that one
	// attempt blocks before it joins. Default 0: the cases in which blocking
	// them pays are fewer than those in which it does not. Range 0 up.
	MaxCTGs int
	// MaxDepth is the depth to which counterexamples to generalisation are
	// generalised in turn. Default 1, range 0 up (negative: 0).
	MaxDepth int
	// MaxFails ends the generalisation of a cube when so many literals in a row
	// could not be dropped. Default unlimited.
	MaxFails int
	// Check is called with each fault that checks at run time find: of every
	// answer of the SAT solver, of every invariant. Slow. Default nil: no
	// checks.
	Check func(error)
}

func (o Options) withDefaults() Options {
	def := func(p *int, d int) {
		if *p == 0 {
			*p = d
		}
		*p = max(*p, 0)
	}
	o.MaxCTGs = max(o.MaxCTGs, 0)
	def(&o.MaxDepth, 1)
	def(&o.MaxFails, 1<<30)
	return o
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

// Stats counts what an engine did since it was made.
type Stats struct {
	Top           int           // top frame
	Lemmas        int           // lemmas alive
	InfLemmas     int           // of these, in the infinite frame
	Queries       int64         // SAT queries
	Conflicts     int64         // SAT conflicts
	Decisions     int64         // SAT decisions
	Propagations  int64         // SAT propagations
	DomainVars    int64         // sum of the variables in the queries' domains
	SolverVars    int           // variables of the transition relation
	Obligations   int64         // obligations handled
	Predecessors  int64         // predecessors found
	PredLits      int64         // literals of predecessors after lifting
	ModelLits     int64         // literals of predecessors before lifting
	LemmasAdded   int64         // lemmas found
	LemmaLits     int64         // literals of lemmas found
	Subsumed      int64         // lemmas removed by stronger ones
	Mics          int64         // generalisations
	DropTries     int64         // attempts to drop a literal
	Drops         int64         // successful ones
	CTGs          int64         // counterexamples to generalisation blocked
	Joins         int64         // joins with counterexamples to generalisation
	PoolHits      int64         // attempts to drop a literal that met a reachable state
	CacheHits     int64         // queries that a known transition answered
	PushTries     int64         // queries to push a lemma
	Pushes        int64         // successful ones
	PushesSkipped int64         // pushes not tried, since their refutation stands
	Jumps         int64         // lemmas that went more than one frame at once
	SeedsInf      int           // seed clauses that were inductive together
	SeedsFinite   int           // further seed clauses that hold in some frames
	Time          time.Duration // time spent in Run
	MemoryBytes   int64         // estimate of the memory held
}
