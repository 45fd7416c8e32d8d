package proof

import (
	"cmp"

	"netcov/internal/effort"
)

// What the search goes by. No other values were better on the queries that model
// checking asks (benchmarks/sat).
const (
	// A restart is due when the fast moving average of the LBD of learnt clauses
	// exceeds the slow one by this factor (Audemard and Simon, SAT 2009 and CP 2012),
	// and at least so many conflicts came since the last one.
	restartMargin   = 1.15
	restartInterval = 50
	// varDecay is the factor of the variables' activities after a conflict.
	varDecay = 0.92
	// reduceFirst is the number of conflicts before learnt clauses are deleted for the
	// first time, reduceStep how much longer each interval is than the last one.
	reduceFirst, reduceStep = 2000, 300
	// logCompactBytes is the size of the chain log at which chains that nothing live
	// depends on are dropped for the first time.
	logCompactBytes = 64 << 20
)

// Options are the parameters of the CDCL solver. The zero value of a field means
// its default.
type Options struct {
	// Log keeps resolution chains, so that Proof works. Default false.
	Log bool
	// Check is called with each fault that is found in what the solver does: a
	// model that violates a clause, a chain that is no resolution, a learnt
	// clause that its chain does not derive, a refutation without proof. It
	// sets Log. Default nil: nothing is checked.
	Check func(error)
	// Effort counts queries and what they take. Default nil: nothing is counted.
	Effort *effort.Counts
	// Eliminate lets the solver eliminate variables before queries without
	// domain and temporary clause, after many clauses were added. It pays for
	// hard queries over large circuits, and costs where most variables come back
	// in assumptions or later clauses. Default false.
	Eliminate bool

	// Tests make rounds of deletion and compaction frequent; 0 is the constant.
	reduceFirst, reduceStep int
	logCompactBytes         int64
}

// withDefaults returns the options with each zero field set to its default.
func (o Options) withDefaults() Options {
	o.reduceFirst = cmp.Or(o.reduceFirst, reduceFirst)
	o.reduceStep = cmp.Or(o.reduceStep, reduceStep)
	o.logCompactBytes = cmp.Or(o.logCompactBytes, logCompactBytes)
	return o
}

// Stats counts what a CDCL solver did since it was made.
type Stats struct {
	Solves       int64 // calls of Solve and its variants
	Conflicts    int64 // conflicts met
	Decisions    int64 // decisions, assumptions excluded
	Propagations int64 // literals propagated
	Restarts     int64 // restarts
	Learnt       int64 // clauses learnt, units included
	LearntLits   int64 // literals of learnt clauses after minimisation
	Minimised    int64 // literals that minimisation removed
	Deleted      int64 // learnt clauses deleted again
	Reductions   int64 // rounds of clause deletion
	Eliminations int64 // rounds of variable elimination
	Eliminated   int64 // variables eliminated
	Restored     int64 // variables that came back
	Subsumed     int64 // clauses removed by subsumption
	Strengthened int64 // literals removed by self-subsuming resolution
	LogBytes     int64 // bytes of the chain log that are in use
	LogDropped   int64 // bytes of chains dropped by compaction
	MemoryBytes  int64 // bytes that the solver holds, see CDCL.MemoryBytes
}
