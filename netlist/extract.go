package netlist

import (
	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
)

// Extract is a part of a netlist, and where it comes from.
type Extract struct {
	Netlist *Netlist
	Inputs  []int // [input of the part]: its position in the whole
	Latches []int // [latch of the part]: its position in the whole
	Gates   []int // [gate of the part]: its position in the whole; what a gate reads comes before it

	whole *Netlist
}

// Extractor cuts parts out of a netlist. The cost of a part is its own size.
type Extractor struct {
	n       *Netlist
	latchAt map[aig.Node]int
	inputAt map[aig.Node]int
	gateAt  []int32   // node of the netlist → its position among the gates
	to      []aig.Lit // node of the netlist → node of the part, aig.Undef where there is none
}

// NewExtractor prepares the extraction of parts.
func NewExtractor(n *Netlist) *Extractor {
	x := &Extractor{n: n, latchAt: map[aig.Node]int{}, inputAt: map[aig.Node]int{}, gateAt: make([]int32, n.Graph.Size()), to: make([]aig.Lit, n.Graph.Size())}
	for i, l := range n.Latches {
		x.latchAt[l.Lit.Node()] = i
	}
	for i, in := range n.Inputs {
		x.inputAt[in.Lit.Node()] = i
	}
	for i, l := range n.Gates {
		x.gateAt[l.Node()] = int32(i)
	}
	for i := range x.to {
		x.to[i] = aig.Undef
	}
	x.to[0] = aig.False
	return x
}

// Extract returns the part that some bad-state literals and all constraints
// depend on, in any number of steps. The literals are its Bads, in the order
// given; names and other outputs are left out.
func (x *Extractor) Extract(bads []aig.Lit) *Extract {
	g := aig.NewGraph()
	e := &Extract{Netlist: &Netlist{Graph: g}, whole: x.n}
	roots := make([]aig.Lit, 0, len(bads)+len(x.n.Constraints))
	roots = append(roots, bads...)
	for _, c := range x.n.Constraints {
		roots = append(roots, c.Lit)
	}
	made := x.copy(e, roots)
	edge := func(l aig.Lit) aig.Lit { return x.to[l.Node()] ^ l&1 }
	for i, from := range e.Latches {
		l := x.n.Latches[from]
		e.Netlist.Latches[i].Next, e.Netlist.Latches[i].Reset = edge(l.Next), edge(l.Reset)
	}
	for _, l := range bads {
		e.Netlist.Bads = append(e.Netlist.Bads, Signal{Lit: edge(l)})
	}
	for _, c := range x.n.Constraints {
		e.Netlist.Constraints = append(e.Netlist.Constraints, Signal{Lit: edge(c.Lit)})
	}
	for _, n := range made {
		x.to[n] = aig.Undef
	}
	return e
}

// copy copies the sequential cone of the roots, fan-ins first, and lists the
// nodes that it has copied.
func (x *Extractor) copy(e *Extract, roots []aig.Lit) []aig.Node {
	var made, stack []aig.Node
	for _, r := range roots {
		stack = append(stack, r.Node())
	}
	put := func(n aig.Node, l aig.Lit) {
		x.to[n] = l
		made = append(made, n)
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		if x.to[n] != aig.Undef {
			stack = stack[:len(stack)-1]
			continue
		}
		switch x.n.Graph.Kind(n) {
		case aig.KindInput:
			l := e.Netlist.Graph.Input()
			put(n, l)
			e.Inputs = append(e.Inputs, x.inputAt[n])
			e.Netlist.Inputs = append(e.Netlist.Inputs, Input{Lit: l})
		case aig.KindLatch:
			l := e.Netlist.Graph.Latch()
			put(n, l)
			i := x.latchAt[n]
			e.Latches = append(e.Latches, i)
			e.Netlist.Latches = append(e.Netlist.Latches, Latch{Lit: l})
			stack = append(stack[:len(stack)-1], x.n.Latches[i].Next.Node(), x.n.Latches[i].Reset.Node())
		default:
			a, b := x.n.Graph.Fanins(n)
			if x.to[a.Node()] == aig.Undef || x.to[b.Node()] == aig.Undef {
				stack = append(stack, a.Node(), b.Node())
				continue
			}
			l := e.Netlist.Graph.RawAnd(x.to[a.Node()]^a&1, x.to[b.Node()]^b&1)
			put(n, l)
			e.Netlist.Gates = append(e.Netlist.Gates, l)
			e.Gates = append(e.Gates, int(x.gateAt[n]))
		}
	}
	return made
}

// Trace returns a run of the part as one of the whole: what the part does not
// read is 0, or has its reset. Further values of a step, such as the free one of a
// nondet fault, stay at its end.
func (e *Extract) Trace(t *cert.Trace) *cert.Trace {
	r := &cert.Trace{Latches: make([]bool, len(e.whole.Latches)), Inputs: make([][]bool, len(t.Inputs))}
	for i, l := range e.whole.Latches {
		r.Latches[i] = l.Reset == aig.True
	}
	for i, at := range e.Latches {
		r.Latches[at] = t.Latches[i]
	}
	for frame, row := range t.Inputs {
		r.Inputs[frame] = make([]bool, len(e.whole.Inputs), len(e.whole.Inputs)+1)
		for i, at := range e.Inputs {
			r.Inputs[frame][at] = row[i]
		}
		r.Inputs[frame] = append(r.Inputs[frame], row[len(e.Inputs):]...)
	}
	return r
}

// Invariant returns an invariant of a model of the part as one of the whole.
func (e *Extract) Invariant(v *cert.Invariant) *cert.Invariant {
	return v.Renamed(func(latch int) int {
		if latch < len(e.Latches) {
			return e.Latches[latch]
		}
		return len(e.whole.Latches) + latch - len(e.Latches) // an auxiliary one
	})
}

// ModelLatches is the number of latches of a model of the part without faults, the
// latch "first frame" included where a reset function needs it.
func (e *Extract) ModelLatches() int {
	for _, l := range e.Netlist.Latches {
		if !l.Reset.Const() && l.Reset != l.Lit {
			return len(e.Latches) + 1
		}
	}
	return len(e.Latches)
}

// Restrict returns the conjuncts of an invariant of the whole that speak of the
// part alone, as an invariant of a model of the part with so many latches; all reports
// whether these are all. The whole may have the latch "first frame" where the part, which
// has fewer reset functions, has not.
func (e *Extract) Restrict(v *cert.Invariant, latches int) (r *cert.Invariant, all bool) {
	to := make(map[int]int, len(e.Latches)+1)
	for i, at := range e.Latches {
		to[at] = i
	}
	for i := len(e.Latches); i < latches; i++ { // auxiliary ones, "first frame" before others
		to[len(e.whole.Latches)+i-len(e.Latches)] = i
	}
	return v.Kept(func(latch int) int {
		if at, ok := to[latch]; ok {
			return at
		}
		return -1
	})
}

// Whole returns the position in the whole of a node of the part.
func (e *Extract) Whole(t mutant.Target) mutant.Target {
	if t.Gate {
		return mutant.Target{Gate: true, Index: e.Gates[t.Index]}
	}
	return mutant.Target{Index: e.Latches[t.Index]}
}
