package stimulus

import (
	"math/rand/v2"

	"netcov/aig"
)

// graph is a graph that edges are replaced in, with memory for that.
type graph struct {
	*aig.Graph
	order  []aig.Node // see cone
	stack  []aig.Node
	mark   []uint32 // [node]: of the current walk
	walk   uint32
	to     []aig.Lit // [node], where marked
	values []uint64  // [node]
	rng    *rand.Rand
}

func newGraph() *graph { return &graph{Graph: aig.NewGraph(), rng: rand.New(rand.NewPCG(7, 8))} }

// cone returns the nodes that edges depend on, operands first, until the next call.
func (g *graph) cone(roots ...aig.Lit) []aig.Node {
	for len(g.mark) < g.Size() {
		g.mark, g.to, g.values = append(g.mark, 0), append(g.to, 0), append(g.values, 0)
	}
	g.walk++
	g.order, g.stack = g.order[:0], g.stack[:0]
	for _, r := range roots {
		g.stack = append(g.stack, r.Node())
	}
	for len(g.stack) > 0 {
		n := g.stack[len(g.stack)-1]
		if g.mark[n] == g.walk {
			g.stack = g.stack[:len(g.stack)-1]
			continue
		}
		if g.Kind(n) == aig.KindAnd {
			a, b := g.Fanins(n)
			ready := true
			for _, l := range []aig.Lit{a, b} {
				if g.mark[l.Node()] != g.walk {
					g.stack = append(g.stack, l.Node())
					ready = false
				}
			}
			if !ready {
				continue
			}
		}
		g.stack = g.stack[:len(g.stack)-1]
		g.mark[n] = g.walk
		g.order = append(g.order, n)
	}
	return g.order
}

// substitute returns an edge with another one in the place of a node.
func (g *graph) substitute(l aig.Lit, n aig.Node, by aig.Lit) aig.Lit {
	return g.replace(l, func(m aig.Node) (aig.Lit, bool) { return by, m == n })
}

// replace returns an edge with others in the place of some inputs and latches.
func (g *graph) replace(l aig.Lit, by func(aig.Node) (aig.Lit, bool)) aig.Lit {
	for _, n := range g.cone(l) {
		to := aig.MkLit(n, false)
		if g.Kind(n) == aig.KindAnd {
			a, b := g.Fanins(n)
			if x, y := g.to[a.Node()]^a&1, g.to[b.Node()]^b&1; x != a || y != b {
				to = g.And(x, y)
			}
		} else if other, ok := by(n); ok {
			to = other
		}
		g.to[n] = to
	}
	return g.to[l.Node()] ^ l&1
}

// looksTrue reports whether an edge holds in random states and under random inputs; of
// one with few leaves, under all values.
func (g *graph) looksTrue(l aig.Lit) bool {
	cone := g.cone(l)
	v := g.values
	for range 2 {
		leaves := 0
		for _, n := range cone {
			switch g.Kind(n) {
			case aig.KindConst:
				v[n] = 0
			case aig.KindAnd:
				a, b := g.Fanins(n)
				v[n] = (v[a.Node()] ^ -uint64(a&1)) & (v[b.Node()] ^ -uint64(b&1))
			default:
				if v[n] = g.rng.Uint64(); leaves < len(allValues) {
					v[n] = allValues[leaves]
				}
				leaves++
			}
		}
		switch {
		case v[l.Node()]^-uint64(l&1) != ^uint64(0):
			return false
		case leaves <= len(allValues):
			return true
		}
	}
	return true
}

// allValues has a lane for each of the values of six variables.
var allValues = [...]uint64{
	0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
}
