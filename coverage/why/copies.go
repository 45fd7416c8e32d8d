package why

import (
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
)

// copies is a graph with the design and, beside it, as much of mutants as differs from
// it: nodes behind the fault, and behind registers that may have another value. All
// else is shared, so that a query about a mutant has the size of what the fault
// reaches.
type copies struct {
	d     *design
	g     *aig.Graph
	in    []aig.Lit // inputs
	latch []aig.Lit // by latch of the model
	base  []aig.Lit // by node of the model: the design's
	size  int       // nodes of the design alone
}

func newCopies(d *design) *copies {
	m := d.model
	c := &copies{d: d, g: aig.NewGraph(), base: make([]aig.Lit, m.Graph.Size())}
	for _, l := range m.Inputs {
		c.base[l.Node()] = c.g.Input()
		c.in = append(c.in, c.base[l.Node()])
	}
	for _, l := range m.Latches {
		c.base[l.Lit.Node()] = c.g.Latch()
		c.latch = append(c.latch, c.base[l.Lit.Node()])
	}
	for n := aig.Node(1); int(n) < m.Graph.Size(); n++ {
		a, b := m.Graph.Fanins(n)
		switch m.Graph.Kind(n) {
		case aig.KindAnd:
			c.base[n] = c.g.And(edge(c.base, a), edge(c.base, b))
		case aig.KindCut:
			c.base[n] = edge(c.base, a)
		}
	}
	c.size = c.g.Size()
	return c
}

func edge(to []aig.Lit, l aig.Lit) aig.Lit { return to[l.Node()] ^ l&1 }

// mutated is one mutant beside the design.
type mutated struct {
	c    *copies
	m    Mutant
	to   []aig.Lit // by node of the model
	own  []aig.Lit // by latch of the model: the mutant's, shared where it is the same
	free aig.Lit   // the free value; Undef where there is none
}

// copy adds a mutant whose registers may differ from the design's where differs says
// so. In runs from the initial states (fromStart) a register without a reset shows in
// the first frame what the design's shows.
func (c *copies) copy(m Mutant, differs []bool, fromStart bool) *mutated {
	x := &mutated{c: c, m: m, to: slices.Clone(c.base), own: slices.Clone(c.latch), free: aig.Undef}
	model := c.d.model
	for i, l := range model.Latches {
		if differs[i] {
			x.own[i] = c.g.Latch()
			x.to[l.Lit.Node()] = x.own[i]
			if fromStart && l.Reset == netlist.ResetX {
				x.to[l.Lit.Node()] = c.g.Mux(c.latch[c.d.latches], c.latch[i], x.own[i])
			}
		}
	}
	cut := c.d.node(m)
	for n := aig.Node(1); int(n) < model.Graph.Size(); n++ {
		a, b := model.Graph.Fanins(n)
		switch model.Graph.Kind(n) {
		case aig.KindAnd:
			if x.to[a.Node()] != c.base[a.Node()] || x.to[b.Node()] != c.base[b.Node()] {
				x.to[n] = c.g.And(edge(x.to, a), edge(x.to, b))
			}
		case aig.KindCut:
			x.to[n] = edge(x.to, a)
			if n == cut {
				x.to[n] = x.forced()
			}
		}
	}
	return x
}

func (x *mutated) forced() aig.Lit {
	switch _, force := x.c.d.cut(x.m); force {
	case netlist.ForceZero:
		return aig.False
	case netlist.ForceOne:
		return aig.True
	}
	x.free = x.c.g.Input()
	return x.free
}

// differ returns where an edge of the model has another value in the mutant.
func (x *mutated) differ(l aig.Lit) aig.Lit {
	return x.c.g.Xor(edge(x.c.base, l), edge(x.to, l))
}

// shows returns where some observation point differs.
func (x *mutated) shows() aig.Lit {
	var all []aig.Lit
	for i, l := range x.c.d.points {
		if x.c.d.observes(i, x.m.Target) {
			all = append(all, x.differ(l))
		}
	}
	return x.c.g.OrAll(all...)
}

// constraints returns the two sides' constraints.
func (x *mutated) constraints() (design, mutant aig.Lit) {
	c := x.c.d.model.Constraint
	return edge(x.c.base, c), edge(x.to, c)
}

// reach marks the latches that may differ at all: those behind the fault, in any
// number of steps.
func (d *design) reach(mutant Mutant) []bool {
	m := d.model
	differs := make([]bool, len(m.Latches))
	changed := make([]bool, m.Graph.Size())
	cut := d.node(mutant)
	for again := true; again; {
		again = false
		for i, l := range m.Latches {
			changed[l.Lit.Node()] = differs[i]
		}
		for n := aig.Node(1); int(n) < m.Graph.Size(); n++ {
			if k := m.Graph.Kind(n); k == aig.KindAnd || k == aig.KindCut {
				a, b := m.Graph.Fanins(n)
				changed[n] = n == cut || changed[a.Node()] || changed[b.Node()]
			}
		}
		for i, l := range m.Latches {
			if l.InCone && !differs[i] && changed[l.Next.Node()] {
				differs[i], again = true, true
			}
		}
	}
	return differs
}

// initialStates is the invariant that only an initial state satisfies, of the design
// alone (where the latch "first frame" is 1).
func (d *design) initialStates() *cert.Invariant {
	v := &cert.Invariant{}
	unit := func(i int, neg bool) { v.Clauses = append(v.Clauses, cert.Clause{cert.MkStateLit(i, neg)}) }
	for i, l := range d.model.Latches[:d.latches] {
		if r := d.Netlist.Latches[i].Reset; r.Const() {
			unit(i, r == aig.False)
		} else if l.Reset != netlist.ResetX {
			unit(i, true)
		}
	}
	unit(d.latches, false)
	return v
}
