package btor2

import (
	"netcov/aig"
	"netcov/netlist"
)

// resetCycle returns the position of a latch whose reset function depends on
// its own value at time 0, or -1.
func resetCycle(n *netlist.Netlist) int {
	latch := make(map[aig.Node]int, len(n.Latches))
	for i, l := range n.Latches {
		latch[l.Lit.Node()] = i
	}
	const (
		open = 1
		done = 2
	)
	state := make([]uint8, n.Graph.Size())
	for _, l := range n.Latches {
		stack := []aig.Node{l.Lit.Node()}
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			if state[at] != 0 {
				state[at] = done
				stack = stack[:len(stack)-1]
				continue
			}
			state[at] = open
			for _, next := range initialFanins(n, latch, at) {
				switch state[next] {
				case 0:
					stack = append(stack, next)
				case open:
					return innermost(stack, state, latch, open)
				}
			}
		}
	}
	return -1
}

// innermost returns the last latch on the path of open nodes. A cycle closes
// through a latch, so that one is part of it.
func innermost(stack []aig.Node, state []uint8, latch map[aig.Node]int, open uint8) int {
	for k := len(stack) - 1; k >= 0; k-- {
		if i, ok := latch[stack[k]]; ok && state[stack[k]] == open {
			return i
		}
	}
	return -1
}

// initialFanins returns the nodes that the value of a node at time 0 depends on.
func initialFanins(n *netlist.Netlist, latch map[aig.Node]int, at aig.Node) []aig.Node {
	switch n.Graph.Kind(at) {
	case aig.KindAnd:
		a, b := n.Graph.Fanins(at)
		return []aig.Node{a.Node(), b.Node()}
	case aig.KindLatch:
		if l := n.Latches[latch[at]]; l.Reset != l.Lit {
			return []aig.Node{l.Reset.Node()}
		}
	}
	return nil
}
