package suggest

import (
	"fmt"
	"slices"

	"netcov/aig"
	"netcov/aiger"
	"netcov/netlist"
)

// monitored is the design with candidates as bad-state literals behind those of the
// properties that hold: all that follows is about this netlist, and certify gets it as
// a file. Inputs, latches and gates keep their positions; the latches that remember
// earlier values come after them.
//
// Justice properties and properties that fail are left out.
type monitored struct {
	netlist *netlist.Netlist
	held    int // the first bad-state literals are the properties'

	past  map[pastBit]aig.Lit
	steps []aig.Lit // latch i is 1 from step i+1 on
}

// pastBit is an edge some steps ago.
type pastBit struct {
	l     aig.Lit
	steps int
}

func newMonitored(n *netlist.Netlist, held []int) *monitored {
	m := &monitored{netlist: clone(n), past: map[pastBit]aig.Lit{}}
	all := n.Properties()
	for _, p := range held {
		m.netlist.Bads = append(m.netlist.Bads, netlist.Signal{Lit: all[p].Bad, Name: all[p].Name})
	}
	m.held = len(held)
	return m
}

// clone copies a netlist node by node, so that edges keep their numbers, without its
// properties.
func clone(n *netlist.Netlist) *netlist.Netlist {
	c := &netlist.Netlist{
		Graph: aig.NewGraph(), Inputs: n.Inputs, Latches: slices.Clone(n.Latches), Gates: slices.Clone(n.Gates), Constraints: n.Constraints,
	}
	for node := aig.Node(1); int(node) < n.Graph.Size(); node++ {
		switch a, b := n.Graph.Fanins(node); n.Graph.Kind(node) {
		case aig.KindInput:
			c.Graph.Input()
		case aig.KindLatch:
			c.Graph.Latch()
		default:
			c.Graph.RawAnd(a, b)
		}
	}
	return c
}

// add makes the candidate a bad-state literal; it returns its position among these.
func (m *monitored) add(c *candidate) int {
	g := m.netlist.Graph
	holds := c.holds().build(g, 1, m.word)[0]
	bad := g.And(m.after(c.history()), holds.Not())
	m.netlist.Bads = append(m.netlist.Bads, netlist.Signal{Lit: bad, Name: fmt.Sprintf("suggestion %d", len(m.netlist.Bads)-m.held)})
	return len(m.netlist.Bads) - 1
}

// word returns the bits of a word some steps ago.
func (m *monitored) word(w *Word, steps int) []aig.Lit {
	out := make([]aig.Lit, len(w.Bits))
	for i, l := range w.Bits {
		out[i] = m.ago(l, steps)
	}
	return out
}

func (m *monitored) ago(l aig.Lit, steps int) aig.Lit {
	if steps == 0 || l.Node() == 0 {
		return l
	}
	k := pastBit{l, steps}
	if _, ok := m.past[k]; !ok {
		m.past[k] = m.latch(m.ago(l, steps-1))
	}
	return m.past[k]
}

// after returns where so many steps lie before.
func (m *monitored) after(steps int) aig.Lit {
	if steps == 0 {
		return aig.True
	}
	for len(m.steps) < steps {
		last := aig.True
		if n := len(m.steps); n > 0 {
			last = m.steps[n-1]
		}
		m.steps = append(m.steps, m.latch(last))
	}
	return m.steps[steps-1]
}

func (m *monitored) latch(next aig.Lit) aig.Lit {
	l := m.netlist.Graph.Latch()
	m.netlist.Latches = append(m.netlist.Latches, netlist.Latch{Lit: l, Next: next, Reset: aig.False})
	return l
}

// file is the netlist as a file. The gates that candidates added come behind the
// design's.
func (m *monitored) file() *aiger.File {
	listed := map[aig.Node]bool{}
	for _, l := range m.netlist.Gates {
		listed[l.Node()] = true
	}
	g := m.netlist.Graph
	for node := aig.Node(1); int(node) < g.Size(); node++ {
		if g.Kind(node) == aig.KindAnd && !listed[node] {
			m.netlist.Gates = append(m.netlist.Gates, aig.MkLit(node, false))
		}
	}
	return m.netlist.ToAIGER()
}
