package sim

import "netcov/mutant"

// Node is a mutated node in one step of a run. Its values are of some kind: lanes of a
// simulation, ternary values, literals of a file or of a solver.
type Node[V any] interface {
	Const(bool) V
	Not(V) V
	And(a, b V) V

	Value() V        // what the node's readers see without the fault; with AtNext, what a latch is to store
	Operand(i int) V // what a gate reads: operand 0 or 1, in the order of the file
	Free() V         // the free value of this step
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
	case mutant.Inverted:
		return n.Not(n.Value())
	case mutant.Or:
		return n.Not(n.And(n.Not(n.Operand(0)), n.Not(n.Operand(1))))
	case mutant.Input0:
		return n.Operand(1)
	case mutant.Input1:
		return n.Operand(0)
	}
	panic("sim: no fault " + f.String())
}

// Blind reports whether what readers see under a fault does not depend on the design.
func Blind(f mutant.Fault) bool {
	var p probe
	Seen[struct{}](f, &p)
	return !bool(p)
}

// probe is a node that takes note when it is read.
type probe bool

func (p *probe) Const(bool) (v struct{})        { return v }
func (p *probe) Not(struct{}) (v struct{})      { return v }
func (p *probe) And(_, _ struct{}) (v struct{}) { return v }
func (p *probe) Free() (v struct{})             { return v }

func (p *probe) Value() (v struct{}) {
	*p = true
	return v
}

func (p *probe) Operand(int) (v struct{}) {
	*p = true
	return v
}
