package stimulus

import (
	"maps"
	"slices"

	"netcov/aig"
	"netcov/netlist"
)

// conditions are what inputs must satisfy, as edges of a graph whose inputs are the
// model's and whose latches are values of the state.
type conditions struct {
	m       *netlist.Model
	g       *graph
	to      []aig.Lit // node of the model → edge; Undef where it was not needed yet
	inputs  []aig.Lit
	inputAt map[aig.Node]int
	leafOf  map[aig.Node]aig.Node // latch → node of the model
	latchOf map[aig.Node]int      // node of the model → latch
	limit   int                   // nodes that the graph may have

	// Leaves that only tell initial states from later ones, by their value in both.
	initial, final map[aig.Node]aig.Lit
	// held are leaves that keep a value in all runs that can become bad.
	held map[aig.Node]aig.Lit
}

// growth bounds the graph, by that of the model.
const growth, growthMinimum = 6, 1000

func newConditions(m *netlist.Model) *conditions {
	c := &conditions{
		m: m, g: newGraph(), to: make([]aig.Lit, m.Graph.Size()),
		inputAt: map[aig.Node]int{}, leafOf: map[aig.Node]aig.Node{}, latchOf: map[aig.Node]int{},
		limit:   growthMinimum + growth*m.Graph.Size(),
		initial: map[aig.Node]aig.Lit{}, final: map[aig.Node]aig.Lit{}, held: map[aig.Node]aig.Lit{},
	}
	for i := range c.to {
		c.to[i] = aig.Undef
	}
	c.to[0] = aig.False
	for i, l := range m.Inputs {
		in := c.g.Input()
		c.inputs = append(c.inputs, in)
		c.inputAt[in.Node()] = i
		c.to[l.Node()] = in
	}
	for i, l := range m.Latches {
		c.latchOf[l.Lit.Node()] = i
	}
	return c
}

// edge translates an edge of the model.
func (c *conditions) edge(l aig.Lit) aig.Lit {
	if c.to[l.Node()] == aig.Undef {
		for _, n := range c.m.Graph.Cone(l) {
			if c.to[n] == aig.Undef {
				c.to[n] = c.node(n)
			}
		}
	}
	return c.to[l.Node()] ^ l&1
}

func (c *conditions) node(n aig.Node) aig.Lit {
	a, b := c.m.Graph.Fanins(n)
	switch c.m.Graph.Kind(n) {
	case aig.KindAnd:
		return c.g.And(c.to[a.Node()]^a&1, c.to[b.Node()]^b&1)
	case aig.KindCut:
		if of := c.to[a.Node()]; c.g.Kind(of.Node()) != aig.KindLatch {
			return of ^ a&1 // of a gate: the mutant is left aside
		}
	}
	l := c.g.Latch()
	c.leafOf[l.Node()] = n
	i, neg := c.latch(l.Node())
	switch own := c.m.Latches[i]; {
	case own.Next == aig.True && own.Reset == netlist.Reset0:
		c.initial[l.Node()], c.final[l.Node()] = aig.False^neg, aig.True^neg
	case own.Next == aig.False && own.Reset == netlist.Reset1 && own.InCone:
		c.initial[l.Node()], c.final[l.Node()] = aig.True^neg, aig.False^neg
	}
	return l
}

// leaf describes a leaf of the graph.
func (c *conditions) leaf(n aig.Node) leaf {
	i, _ := c.latch(n)
	return leaf{n, i, c.leafOf[n]}
}

// under returns conditions with constants in the place of some leaves.
func (c *conditions) under(all []aig.Lit, by map[aig.Node]aig.Lit) []aig.Lit {
	if len(by) == 0 {
		return all
	}
	var out []aig.Lit
	for _, l := range all {
		out = append(out, c.g.Conjuncts(c.g.replace(l, lookUp(by)))...)
	}
	return out
}

// gather returns the model's constraints, and what must hold from one step to the
// next since bad states need it.
func (c *conditions) gather() []aig.Lit {
	all := c.g.Conjuncts(c.edge(c.m.Constraint))
	for _, l := range c.needed() {
		next := c.next(l.Node()) ^ l&1
		lost := maps.Clone(c.final)
		lost[l.Node()] = aig.False ^ l&1
		if c.g.replace(next, lookUp(lost)) == aig.False {
			all = append(all, c.g.Conjuncts(next)...)
			c.held[l.Node()] = aig.True ^ l&1
		}
	}
	return all
}

// needed returns values of the state, as edges, that hold in all bad states, or did in
// the states before: a bad state that needs a latch, 0 at first, needs what its
// next-state function needs.
func (c *conditions) needed() []aig.Lit {
	var all []aig.Lit
	for i, bad := range c.m.Bads {
		of := c.g.Conjuncts(c.edge(bad))
		for k := 0; k < len(of); k++ {
			if !c.isLeaf(of[k]) || !c.resetTo(of[k].Not()) {
				continue
			}
			for _, l := range c.g.Conjuncts(c.next(of[k].Node()) ^ of[k]&1) {
				if !slices.Contains(of, l) && len(of) < mostNeeded {
					of = append(of, l)
				}
			}
		}
		if i == 0 {
			all = of
			continue
		}
		all = slices.DeleteFunc(all, func(l aig.Lit) bool { return !slices.Contains(of, l) })
	}
	return slices.DeleteFunc(all, func(l aig.Lit) bool { return !c.isLeaf(l) })
}

// mostNeeded bounds the values that bad states need.
const mostNeeded = 200

func (c *conditions) isLeaf(l aig.Lit) bool { return c.g.Kind(l.Node()) == aig.KindLatch }

// latch returns the latch of a leaf, by its position in the model, and whether the
// leaf is its complement.
func (c *conditions) latch(leaf aig.Node) (i int, neg aig.Lit) {
	n := c.leafOf[leaf]
	for c.m.Graph.Kind(n) == aig.KindCut {
		a, _ := c.m.Graph.Fanins(n)
		n, neg = a.Node(), neg^a&1
	}
	return c.latchOf[n], neg
}

// resetTo reports whether a leaf's edge holds in all initial states.
func (c *conditions) resetTo(l aig.Lit) bool {
	i, neg := c.latch(l.Node())
	want := netlist.Reset1
	if l&1 != neg {
		want = netlist.Reset0
	}
	return c.m.Latches[i].Reset == want
}

// next returns a leaf's next-state function.
func (c *conditions) next(leaf aig.Node) aig.Lit {
	i, neg := c.latch(leaf)
	return c.edge(c.m.Latches[i].Next) ^ neg
}

// before moves conditions on the state one step back.
func (c *conditions) before(rest []aig.Lit) []aig.Lit {
	var out []aig.Lit
	for _, r := range rest {
		to := map[aig.Node]aig.Lit{}
		var leaves []aig.Node
		for _, n := range c.g.cone(r) {
			if c.g.Kind(n) == aig.KindLatch {
				leaves = append(leaves, n)
			}
		}
		for _, n := range leaves {
			to[n] = c.next(n)
		}
		out = append(out, c.g.Conjuncts(c.g.replace(r, lookUp(to)))...)
	}
	return out
}

func lookUp(m map[aig.Node]aig.Lit) func(aig.Node) (aig.Lit, bool) {
	return func(n aig.Node) (aig.Lit, bool) {
		l, ok := m[n]
		return l, ok
	}
}
