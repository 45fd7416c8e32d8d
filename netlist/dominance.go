package netlist

import "netcov/aig"

// Dominance tells which faults of a model do no more than others, by its graph alone.
// It speaks of one step: what latches store counts as seen.
type Dominance struct {
	// Over is, for each cut, the nearest other cut through which everything is seen that
	// it changes; -1 where there is none. Whatever a fault of the cut does, a free value
	// at the other one can do, with the same states of all latches.
	Over []int
	// Same is, for each cut, the stuck-at fault that is the same as its stuck-at-0, and
	// as its stuck-at-1: the nearest one.
	Same [][2]Stuck
}

// Stuck is a stuck-at fault of a cut; the cut is -1 for none.
type Stuck struct {
	Cut  int
	Ones bool // at 1
}

// manyReaders marks a node that is read more than once, or by what is no node.
const manyReaders = -1

// Dominance finds the dominators of the cuts in the graph of what reads what (Cooper,
// Harvey, Kennedy: A simple, fast dominance algorithm, 2001; without a cycle one pass is
// enough), and the stuck-at faults that one AND passes on.
func (m *Model) Dominance() *Dominance {
	size := aig.Node(m.Graph.Size()) // stands for all that is seen
	over := make([]aig.Node, size)   // the nearest dominator; 0: not read yet
	only := make([]int, size)        // the node that alone reads it
	for _, l := range m.Roots() {
		over[l.Node()], only[l.Node()] = size, manyReaders
	}
	common := func(a, b aig.Node) aig.Node {
		for a != b {
			if a > b {
				a, b = b, a
			}
			a = over[a]
		}
		return a
	}
	for n := size - 1; n > 0; n-- {
		if over[n] == 0 {
			continue // outside of the cone
		}
		x, y := m.Graph.Fanins(n)
		read := []aig.Lit{x, y}
		switch m.Graph.Kind(n) {
		case aig.KindAnd:
		case aig.KindCut:
			read = read[:1]
		default:
			continue
		}
		for _, l := range read {
			switch f := l.Node(); {
			case over[f] == 0:
				over[f], only[f] = n, int(n)
			default:
				over[f], only[f] = common(over[f], n), manyReaders
			}
		}
	}
	d := &Dominance{Over: make([]int, len(m.Cuts)), Same: make([][2]Stuck, len(m.Cuts))}
	for k, c := range m.Cuts {
		d.Over[k] = -1
		n := over[c.Lit.Node()]
		for n != 0 && n != size && m.Graph.Kind(n) != aig.KindCut {
			n = over[n]
		}
		if n != 0 && n != size {
			d.Over[k] = m.cutAt(n)
		}
		d.Same[k] = [2]Stuck{m.passedOn(c.Lit.Node(), false, only), m.passedOn(c.Lit.Node(), true, only)}
	}
	return d
}

// passedOn follows a constant from a node to the next cut, as long as one node alone
// reads it and is constant too.
func (m *Model) passedOn(n aig.Node, ones bool, only []int) Stuck {
	for only[n] > 0 {
		r := aig.Node(only[n])
		x, y := m.Graph.Fanins(r)
		if m.Graph.Kind(r) == aig.KindCut {
			return Stuck{m.cutAt(r), ones != x.Neg()}
		}
		if y.Node() == n {
			x = y
		}
		if ones != x.Neg() {
			break // the other operand decides
		}
		n, ones = r, false
	}
	return Stuck{Cut: -1}
}
