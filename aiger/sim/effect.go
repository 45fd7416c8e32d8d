package sim

import "netcov/mutant"

// Node is a mutated node in one step of a run. Its values are of some kind: lanes of a
// simulation, ternary values, literals of a file or of a solver.
type Node[V any] interface {
	Const(bool) V
	Free() V // the free value of this step
}

// Seen returns what the readers of a node see under a fault. It is the one reading of
// faults in replays, in files of mutants and in the second opinion on invariants, and
// knows nothing of what engines make of faults.
func Seen[V any](f mutant.Fault, n Node[V]) V {
	switch f {
	case mutant.Zero:
		return n.Const(false)
	case mutant.One:
		return n.Const(true)
	case mutant.Nondet:
		return n.Free()
	}
	panic("sim: no fault " + f.String())
}
