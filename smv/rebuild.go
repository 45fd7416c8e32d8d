package smv

import "netcov/netlist"

// rebuilder copies cones inside a graph with the leaves replaced.
type rebuilder struct {
	g *netlist.Graph
	// leaf replaces an input or latch. With again, the replacement's own leaves
	// are replaced too.
	leaf func(n netlist.Node) (l netlist.Lit, again bool)
	memo map[netlist.Node]netlist.Lit
}

func newRebuilder(g *netlist.Graph, leaf func(n netlist.Node) (netlist.Lit, bool)) *rebuilder {
	return &rebuilder{g, leaf, map[netlist.Node]netlist.Lit{0: netlist.False}}
}

// lit returns the copy of an edge. Replacements must not form cycles.
func (r *rebuilder) lit(root netlist.Lit) netlist.Lit {
	for stack := []netlist.Node{root.Node()}; len(stack) > 0; {
		n := stack[len(stack)-1]
		if _, done := r.memo[n]; done {
			stack = stack[:len(stack)-1]
			continue
		}
		ready := true
		of := func(l netlist.Lit) netlist.Lit {
			v, ok := r.memo[l.Node()]
			if !ok {
				stack = append(stack, l.Node())
				ready = false
			}
			return v ^ l&1
		}
		if r.g.Kind(n) == netlist.KindAnd {
			a, b := r.g.Fanins(n)
			x, y := of(a), of(b)
			if ready {
				r.memo[n] = r.g.And(x, y)
			}
			continue
		}
		l, again := r.leaf(n)
		if again {
			l = of(l)
		}
		if ready {
			r.memo[n] = l
		}
	}
	return r.memo[root.Node()] ^ root&1
}
