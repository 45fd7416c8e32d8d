package proof

import "netcov/internal/effort"

// RestartPolicy chooses when the search starts again from the assumptions.
type RestartPolicy int8

// The restart policies.
const (
	// RestartGlucose compares a fast with a slow moving average of the LBD of
	// learnt clauses (Audemard and Simon, SAT 2009 and CP 2012), and puts a
	// restart off while the trail is unusually long.
	RestartGlucose RestartPolicy = iota
	// RestartLuby follows Luby's sequence (Luby, Sinclair, Zuckerman 1993).
	RestartLuby
)

// Options are all parameters of the CDCL solver. The zero value of a field
// means its default.
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
	// LogCompactBytes is the size of the chain log at which chains that
	// nothing live depends on are dropped for the first time, in bytes.
	// Default 64 MiB, range 1 up.
	LogCompactBytes int64
	// Eliminate lets the solver eliminate variables before queries without
	// domain and temporary clause, after many clauses were added. It pays for
	// hard queries over large circuits, and costs where most variables come back
	// in assumptions or later clauses. Default false.
	Eliminate bool
	// Restart is the restart policy. Default RestartGlucose.
	Restart RestartPolicy
	// LubyUnit is the number of conflicts that Luby's sequence is multiplied
	// by. Default 100, range 1 up.
	LubyUnit int
	// RestartMargin is the factor by which the fast average of LBDs must
	// exceed the slow one for a restart. Default 1.15, range above 1.
	RestartMargin float64
	// VarDecay is the factor of the variables' activities after a conflict.
	// Default 0.92, range 0.5 to 0.999.
	VarDecay float64
	// PhaseTrue makes decisions on variables without a saved phase true.
	// Default false.
	PhaseTrue bool
	// ReduceFirst is the number of conflicts before learnt clauses are
	// deleted for the first time. Default 2000, range 1 up.
	ReduceFirst int
	// ReduceStep is how much longer each interval between deletions is than
	// the last one, in conflicts. Default 300, range 1 up.
	ReduceStep int
	// Seed perturbs the initial order of variables; 0 leaves the order of
	// their creation. Default 0.
	Seed int64
}

// withDefaults returns the options with each zero field set to its default and
// each field outside its range moved to the nearer end.
func (o Options) withDefaults() Options {
	if o.LogCompactBytes <= 0 {
		o.LogCompactBytes = 64 << 20
	}
	if o.LubyUnit <= 0 {
		o.LubyUnit = 100
	}
	if o.RestartMargin <= 1 {
		o.RestartMargin = 1.15
	}
	if o.VarDecay == 0 {
		o.VarDecay = 0.92
	}
	o.VarDecay = min(max(o.VarDecay, 0.5), 0.999)
	if o.ReduceFirst <= 0 {
		o.ReduceFirst = 2000
	}
	if o.ReduceStep <= 0 {
		o.ReduceStep = 300
	}
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
