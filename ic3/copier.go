package ic3

import (
	"netcov/aig"
	"netcov/netlist"
)

// copier builds a model from another one, its cuts replaced by faults that
// something in the new model switches on.
type copier struct {
	from *netlist.Model
	to   *netlist.Model
	at   []aig.Lit // node of the old graph → edge of the new one
}

// newCopier starts with the inputs and latches, at their old positions.
func newCopier(m *netlist.Model) *copier {
	g := aig.NewGraph()
	c := &copier{from: m, to: &netlist.Model{Graph: g}, at: make([]aig.Lit, m.Graph.Size())}
	for _, in := range m.Inputs {
		c.at[in.Node()] = g.Input()
		c.to.Inputs = append(c.to.Inputs, c.at[in.Node()])
	}
	for _, l := range m.Latches {
		c.at[l.Lit.Node()] = g.Latch()
		c.to.Latches = append(c.to.Latches, netlist.ModelLatch{Lit: c.at[l.Lit.Node()], Reset: l.Reset, InCone: l.InCone})
	}
	return c
}

// input adds an input and returns its position.
func (c *copier) input() int {
	c.to.Inputs = append(c.to.Inputs, c.to.Graph.Input())
	return len(c.to.Inputs) - 1
}

// inject puts a fault for each mutant at its cut, switched on by what enable adds.
// It returns the model, and by mutant the position of the input with its free
// value, or -1.
func (c *copier) inject(muts []Mutation, enable func() aig.Lit) (m *netlist.Model, free []int) {
	on := make([]aig.Lit, len(muts))
	at := map[aig.Node][]int{}
	for i, mut := range muts {
		node := c.from.Cuts[mut.Cut].Lit.Node()
		at[node] = append(at[node], i)
		on[i] = enable()
		input := -1
		if mut.Force == netlist.ForceFree {
			input = c.input()
		}
		free = append(free, input)
	}
	m = c.finish(func(n aig.Node, v aig.Lit) aig.Lit {
		for _, i := range at[n] {
			x := aig.Undef
			if f := free[i]; f >= 0 {
				x = c.to.Inputs[f]
			}
			v = c.force(muts[i].Force, on[i], x, v)
		}
		return v
	})
	return m, free
}

// force returns what readers of v see: where on holds, what the force gives; free is
// the free value.
func (c *copier) force(f netlist.Force, on, free, v aig.Lit) aig.Lit {
	switch f {
	case netlist.ForceZero:
		return c.to.Graph.And(v, on.Not())
	case netlist.ForceOne:
		return c.to.Graph.Or(v, on)
	}
	return c.to.Graph.Mux(on, free, v)
}

// finish copies the gates; faulty gives what the readers of a cut see, from
// what the design has there.
func (c *copier) finish(faulty func(n aig.Node, v aig.Lit) aig.Lit) *netlist.Model {
	edge := func(l aig.Lit) aig.Lit { return c.at[l.Node()] ^ l&1 }
	for n := aig.Node(1); int(n) < c.from.Graph.Size(); n++ {
		a, b := c.from.Graph.Fanins(n)
		switch c.from.Graph.Kind(n) {
		case aig.KindAnd:
			c.at[n] = c.to.Graph.And(edge(a), edge(b))
		case aig.KindCut:
			c.at[n] = faulty(n, edge(a))
		}
	}
	for i, l := range c.from.Latches {
		c.to.Latches[i].Next = edge(l.Next)
	}
	c.to.Bad, c.to.Constraint = edge(c.from.Bad), edge(c.from.Constraint)
	return c.to
}
