package explore

import (
	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
)

// kind says which states share a cell: those with equal features. A feature is a
// word with a bit for each of the 64 lanes.
type kind interface {
	// features appends the features of a state, [latch], to a list.
	features(list, state []uint64) []uint64
}

// latches has the values of some latches as features.
type latches []int

func (k latches) features(list, state []uint64) []uint64 {
	for _, i := range k {
		list = append(list, state[i])
	}
	return list
}

// distances has a feature pair for each clause of an invariant, how many of its
// literals hold: 0, 1, 2, or 3 and more; and one for each formula, its value.
type distances struct {
	inv   *cert.Invariant
	nodes []uint64 // of the invariant's graph
}

func newDistances(inv *cert.Invariant) *distances {
	d := &distances{inv: inv}
	if inv.Graph != nil {
		d.nodes = make([]uint64, inv.Graph.Size())
	}
	return d
}

func (d *distances) features(list, state []uint64) []uint64 {
	for _, c := range d.inv.Clauses {
		var ones, twos uint64 // a counter that stays at 3
		for _, l := range c {
			w := state[l.Latch()] ^ -uint64(l&1)
			ones, twos = ones^w|twos&ones, twos|ones&w
		}
		list = append(list, ones, twos)
	}
	g := d.inv.Graph
	if g == nil {
		return list
	}
	edge := func(l aig.Lit) uint64 { return d.nodes[l.Node()] ^ -uint64(l&1) }
	for _, s := range d.inv.Support {
		d.nodes[s.Lit.Node()] = state[s.Latch] ^ -uint64(s.Lit&1)
	}
	for n := aig.Node(1); int(n) < g.Size(); n++ {
		if g.Kind(n) == aig.KindAnd {
			a, b := g.Fanins(n)
			d.nodes[n] = edge(a) & edge(b)
		}
	}
	for _, f := range d.inv.Formulas {
		list = append(list, edge(f))
	}
	return list
}

// kindsOf returns the kinds of cells for a model, given an invariant of its design.
func kindsOf(m *netlist.Model, inv *cert.Invariant) []kind {
	cone := latches{}
	in := make([]bool, len(m.Latches))
	for i, l := range m.Latches {
		if l.InCone {
			cone = append(cone, i)
		}
	}
	for _, c := range inv.Clauses {
		for _, l := range c {
			in[l.Latch()] = true
		}
	}
	for _, s := range inv.Support {
		in[s.Latch] = true
	}
	support := latches{}
	for _, i := range cone {
		if in[i] {
			support = append(support, i)
		}
	}
	switch len(support) {
	case 0:
		return []kind{cone}
	case len(cone):
		return []kind{newDistances(inv), cone}
	}
	return []kind{newDistances(inv), support, cone}
}
