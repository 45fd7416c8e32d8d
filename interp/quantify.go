package interp

import (
	"netcov/aig"
	"netcov/netlist"
)

// quantifyGrowth and quantifySpare bound the nodes of a quantified property: so
// many times those of the property itself, and so many more.
const (
	quantifyGrowth = 2
	quantifySpare  = 50
)

// always returns a set of states in which a property holds for all values of the
// inputs, as a formula of the invariant. It is Undef where that is large.
//
// A design's inputs often matter in the first frame only: as the values of
// registers and memories without a reset, which a register selects that is 1 at
// reset and 0 ever after. Where all states in which the property holds are too
// many to write down, the set is the initial states, and those of the others in
// which the latches with a constant next-state function have settled.
func (x *strengthener) always(p int) aig.Lit {
	g := aig.NewGraph()
	bad, inputs, latchAt := copyCone(g, x.m, x.m.Bads[p])
	all := forAll(g, bad, inputs)
	if all != aig.Undef {
		return x.copy(g, all, latchAt)
	}
	values := map[aig.Node]aig.Lit{}
	for n, i := range latchAt {
		if v, ok := x.settled[i]; ok {
			values[n] = v
		}
	}
	if all = forAll(g, cofactor(g, bad, values), inputs); all == aig.Undef {
		return all
	}
	return x.r.Graph.Or(x.initialStates(), x.copy(g, all, latchAt))
}

// forAll returns where an edge is false for all values of some inputs, or Undef.
func forAll(g *aig.Graph, bad aig.Lit, inputs []aig.Node) aig.Lit {
	limit := quantifyGrowth*len(g.Cone(bad)) + quantifySpare
	for _, in := range inputs {
		bad = g.Or(cofactor(g, bad, map[aig.Node]aig.Lit{in: aig.False}),
			cofactor(g, bad, map[aig.Node]aig.Lit{in: aig.True}))
		if len(g.Cone(bad)) > limit {
			return aig.Undef
		}
	}
	return bad.Not()
}

// copy copies an edge to the invariant.
func (x *strengthener) copy(g *aig.Graph, root aig.Lit, latchAt map[aig.Node]int) aig.Lit {
	to := make([]aig.Lit, g.Size())
	for _, n := range g.Cone(root) {
		if g.Kind(n) == aig.KindLatch {
			to[n] = x.latch(latchAt[n])
			continue
		}
		a, b := g.Fanins(n)
		to[n] = x.r.Graph.And(to[a.Node()]^a&1, to[b.Node()]^b&1)
	}
	return to[root.Node()] ^ root&1
}

// initialStates returns the initial states as a formula of the invariant. The
// first call conjoins that the settled latches have their value in all others.
func (x *strengthener) initialStates() aig.Lit {
	if x.initial != aig.Undef {
		return x.initial
	}
	g := x.r.Graph
	var initial, settled []aig.Lit
	for i, l := range x.m.Latches {
		if l.InCone && l.Reset != netlist.ResetX {
			initial = append(initial, x.latch(i).XorSign(l.Reset == netlist.Reset0))
		}
		if v, ok := x.settled[i]; ok {
			settled = append(settled, x.latch(i).XorSign(v == aig.False))
		}
	}
	x.initial = g.AndAll(initial...)
	x.add(g.Or(x.initial, g.AndAll(settled...)))
	return x.initial
}

// copyCone copies the cone of an edge of a model to a graph. It returns the edge,
// the inputs, and which latches stand in the copy.
func copyCone(g *aig.Graph, m *netlist.Model, root aig.Lit) (aig.Lit, []aig.Node, map[aig.Node]int) {
	position := map[aig.Node]int{}
	for i, l := range m.Latches {
		position[l.Lit.Node()] = i
	}
	var inputs []aig.Node
	latchAt := map[aig.Node]int{}
	to := map[aig.Node]aig.Lit{0: aig.False}
	edge := func(l aig.Lit) aig.Lit { return to[l.Node()] ^ l&1 }
	for _, n := range m.Graph.Cone(root) {
		switch a, b := m.Graph.Fanins(n); m.Graph.Kind(n) {
		case aig.KindInput:
			to[n] = g.Input()
			inputs = append(inputs, to[n].Node())
		case aig.KindLatch:
			to[n] = g.Latch()
			latchAt[to[n].Node()] = position[n]
		case aig.KindCut: // dissolved
			to[n] = edge(a)
		default:
			to[n] = g.And(edge(a), edge(b))
		}
	}
	return edge(root), inputs, latchAt
}

// cofactor returns an edge with some leaves replaced by constants.
func cofactor(g *aig.Graph, root aig.Lit, values map[aig.Node]aig.Lit) aig.Lit {
	to := map[aig.Node]aig.Lit{0: aig.False}
	edge := func(l aig.Lit) aig.Lit { return to[l.Node()] ^ l&1 }
	for _, n := range g.Cone(root) {
		if v, ok := values[n]; ok {
			to[n] = v
		} else if a, b := g.Fanins(n); g.Kind(n) == aig.KindAnd {
			to[n] = g.And(edge(a), edge(b))
		} else {
			to[n] = aig.MkLit(n, false)
		}
	}
	return edge(root)
}
