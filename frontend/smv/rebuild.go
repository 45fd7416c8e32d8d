package smv

import (
	"netcov/aig"
)

// rebuilder copies cones inside a graph with the leaves replaced.
type rebuilder struct {
	g *aig.Graph
	// leaf replaces an input or latch. With again, the replacement's own leaves
	// are replaced too.
	leaf func(n aig.Node) (l aig.Lit, again bool)
	memo map[aig.Node]aig.Lit
}

func newRebuilder(g *aig.Graph, leaf func(n aig.Node) (aig.Lit, bool)) *rebuilder {
	return &rebuilder{g, leaf, map[aig.Node]aig.Lit{0: aig.False}}
}

// newReplacer replaces some leaves.
func newReplacer(g *aig.Graph, by map[aig.Node]aig.Lit) *rebuilder {
	return newRebuilder(g, func(n aig.Node) (aig.Lit, bool) {
		if l, is := by[n]; is {
			return l, false
		}
		return aig.MkLit(n, false), false
	})
}

// lit returns the copy of an edge. Replacements must not form cycles.
func (r *rebuilder) lit(root aig.Lit) aig.Lit {
	for stack := []aig.Node{root.Node()}; len(stack) > 0; {
		n := stack[len(stack)-1]
		if _, done := r.memo[n]; done {
			stack = stack[:len(stack)-1]
			continue
		}
		ready := true
		of := func(l aig.Lit) aig.Lit {
			v, ok := r.memo[l.Node()]
			if !ok {
				stack = append(stack, l.Node())
				ready = false
			}
			return v ^ l&1
		}
		if r.g.Kind(n) == aig.KindAnd {
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
