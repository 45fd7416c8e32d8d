package propset

import (
	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// cluster is a group of properties with the part of the netlist that they and
// the constraints depend on, or with a model of its own: see Run.
type cluster struct {
	properties []int
	part       *netlist.Extract
	model      *netlist.Model
}

// mostShared is how many times more registers of its own than those that the
// constraints depend on a cluster has at least.
const mostShared = 4

// clusters makes the groups and their parts.
func clusters(n *netlist.Netlist, properties []int) []*cluster {
	var list []*cluster
	x := netlist.NewExtractor(n)
	all := n.Properties()
	for _, c := range Clusters(n, properties) {
		bads := make([]aig.Lit, len(c))
		for i, p := range c {
			bads[i] = all[p].Bad
		}
		list = append(list, &cluster{properties: c, part: x.Extract(bads)})
	}
	return list
}

// Clusters groups properties: two are together when a register is in the cones
// of both, other than those that the constraints depend on, which every part has.
// Groups without many more registers of their own are one group: properties of
// what the constraints read help each other, and each part would be little else
// than a copy of the constraints. Fewer properties make the same groups or smaller
// ones.
func Clusters(n *netlist.Netlist, properties []int) [][]int {
	var constraints []aig.Lit
	for _, c := range n.Constraints {
		constraints = append(constraints, c.Lit)
	}
	common := n.SequentialCone(constraints...)
	latchAt := map[aig.Node]int{}
	for i, l := range n.Latches {
		latchAt[l.Lit.Node()] = i
	}
	all := n.Properties()
	sets := newUnionFind(n.Graph.Size() + len(properties))
	// The nodes of a cone beyond the common part are one set: a node is joined
	// with what it reads, inputs excepted.
	join := func(x int, l aig.Lit) {
		if k := n.Graph.Kind(l.Node()); k != aig.KindConst && k != aig.KindInput && !common[l.Node()] {
			sets.join(x, int(l.Node()))
		}
	}
	for v := range n.Graph.Size() {
		if common[v] {
			continue
		}
		switch n.Graph.Kind(aig.Node(v)) {
		case aig.KindAnd:
			a, b := n.Graph.Fanins(aig.Node(v))
			join(v, a)
			join(v, b)
		case aig.KindLatch:
			l := n.Latches[latchAt[aig.Node(v)]]
			join(v, l.Next)
			join(v, l.Reset)
		}
	}
	registers, shared := map[int]int{}, 0
	for _, l := range n.Latches {
		if v := int(l.Lit.Node()); common[v] {
			shared++
		} else {
			registers[sets.find(v)]++
		}
	}
	groups := map[int]int{} // root → position in list
	var list [][]int
	for i, p := range properties {
		own := n.Graph.Size() + i
		join(own, all[p].Bad)
		root := sets.find(own)
		if registers[root] <= mostShared*shared {
			root = -1
		}
		at, ok := groups[root]
		if !ok {
			at = len(list)
			groups[root] = at
			list = append(list, nil)
		}
		list[at] = append(list[at], p)
	}
	return list
}

// compile makes the cluster's model.
func (c *cluster) compile() *netlist.Model {
	if c.model != nil {
		return c.model
	}
	var bads []aig.Lit
	for _, s := range c.part.Netlist.Bads {
		bads = append(bads, s.Lit)
	}
	return netlist.CompileSet(c.part.Netlist, bads, nil, mutant.AtOutput)
}

// trace and invariant return a trace and an invariant of the model as those of the
// whole.
func (c *cluster) trace(t *cert.Trace) *cert.Trace {
	if c.part == nil {
		return t
	}
	return c.part.Trace(t)
}

func (c *cluster) invariant(inv *cert.Invariant) *cert.Invariant {
	if c.part == nil {
		return inv
	}
	return c.part.Invariant(inv)
}

// unionFind is a partition of 0, …, n-1.
type unionFind []int32

func newUnionFind(n int) unionFind {
	u := make(unionFind, n)
	for i := range u {
		u[i] = int32(i)
	}
	return u
}

func (u unionFind) find(x int) int {
	for int(u[x]) != x {
		u[x] = u[u[x]]
		x = int(u[x])
	}
	return x
}

func (u unionFind) join(x, y int) { u[u.find(x)] = int32(u.find(y)) }
