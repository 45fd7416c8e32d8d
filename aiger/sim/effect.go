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
	First() V        // 1 in step 0 only
	Shown() V        // with AtNext, what a latch shows in this step
	Missed() V       // of a fault that remembers: what it does, 0 in step 0
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
	case mutant.Missed:
		miss := n.And(n.Free(), n.Not(n.Missed()))
		return n.Not(n.And(n.Not(n.And(miss, n.Shown())), n.Not(n.And(n.Not(miss), n.Value()))))
	case mutant.Reset:
		// XOR; And and Not are all that there is
		value, first := n.Value(), n.First()
		return n.And(n.Not(n.And(value, first)), n.Not(n.And(n.Not(value), n.Not(first))))
	}
	panic("sim: no fault " + f.String())
}

// Remembered returns what a fault that remembers does for the next step.
func Remembered[V any](n Node[V]) V { return n.Not(n.And(n.Not(n.Missed()), n.Not(n.Free()))) }

// Place returns where the multiplexer of a fault stands: where it is asked for, but a
// wrong reset value is always seen at the output, and an update missed at the
// next-state input.
func Place(f mutant.Fault, asked mutant.Mux) mutant.Mux {
	switch f {
	case mutant.Reset:
		return mutant.AtOutput
	case mutant.Missed:
		return mutant.AtNext
	}
	return asked
}

// Reads tells what a fault reads.
type Reads struct {
	Design bool // what readers see depends on the design
	First  bool // the fault knows the first step
}

// ReadsOf returns what a fault reads.
func ReadsOf(f mutant.Fault) Reads {
	var p probe
	Seen[struct{}](f, &p)
	return p.reads
}

// probe is a node that takes note when it is read.
type probe struct{ reads Reads }

func (p *probe) Const(bool) (v struct{})        { return v }
func (p *probe) Not(struct{}) (v struct{})      { return v }
func (p *probe) And(_, _ struct{}) (v struct{}) { return v }
func (p *probe) Free() (v struct{})             { return v }
func (p *probe) Missed() (v struct{})           { return v }

func (p *probe) Value() (v struct{}) {
	p.reads.Design = true
	return v
}

func (p *probe) Shown() struct{} { return p.Value() }

func (p *probe) Operand(int) (v struct{}) {
	p.reads.Design = true
	return v
}

func (p *probe) First() (v struct{}) {
	p.reads.First = true
	return v
}
