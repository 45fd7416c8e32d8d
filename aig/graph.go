package aig

import "fmt"

// Kind is the type of a node.
type Kind uint8

// The kinds of nodes. A Cut is a buffer with one fan-in: the point where a
// fault can be put (DAC10, figure 1). Hashing does not look through it.
const (
	KindConst Kind = iota
	KindInput
	KindLatch
	KindAnd
	KindCut
)

// Graph is an and-inverter graph with structural hashing. Nodes are only ever
// added. The zero value is not ready: use NewGraph.
type Graph struct {
	kinds []Kind
	fan   [][2]Lit
	table []Node // open addressing over AND nodes, 0 is empty
	used  int
}

// NewGraph returns a graph that holds the constant only.
func NewGraph() *Graph {
	return &Graph{kinds: []Kind{KindConst}, fan: [][2]Lit{{}}}
}

// Size returns the number of nodes, the constant included.
func (g *Graph) Size() int { return len(g.kinds) }

// NumAnds returns the number of AND nodes.
func (g *Graph) NumAnds() int {
	n := 0
	for _, k := range g.kinds {
		if k == KindAnd {
			n++
		}
	}
	return n
}

// Kind returns the type of n.
func (g *Graph) Kind(n Node) Kind { return g.kinds[n] }

// Fanins returns the two fan-ins of an AND node; of a Cut, the first one
// counts.
func (g *Graph) Fanins(n Node) (Lit, Lit) { return g.fan[n][0], g.fan[n][1] }

func (g *Graph) add(k Kind, a, b Lit) Lit {
	g.kinds = append(g.kinds, k)
	g.fan = append(g.fan, [2]Lit{a, b})
	return MkLit(Node(len(g.kinds)-1), false)
}

// Input adds an input.
func (g *Graph) Input() Lit { return g.add(KindInput, 0, 0) }

// Latch adds a latch. Its next-state function lives outside of the graph.
func (g *Graph) Latch() Lit { return g.add(KindLatch, 0, 0) }

// Cut adds a cut point: a buffer that reads l.
func (g *Graph) Cut(l Lit) Lit { return g.add(KindCut, l, 0) }

// RawAnd adds an AND node as it is: nothing is merged or simplified.
func (g *Graph) RawAnd(a, b Lit) Lit { return g.add(KindAnd, a, b) }

// And returns the conjunction, simplified by the one-level and two-level rules
// and merged with an equal node where there is one.
func (g *Graph) And(a, b Lit) Lit {
	if a < b {
		a, b = b, a
	}
	switch {
	case b == False || a == b^1:
		return False
	case b == True || a == b:
		return a
	}
	if l, ok := g.twoLevel(a, b); ok {
		return l
	}
	if 2*g.used >= len(g.table) {
		g.grow()
	}
	mask := len(g.table) - 1
	i := hash(a, b) & mask
	for g.table[i] != 0 {
		if n := g.table[i]; g.fan[n] == [2]Lit{a, b} {
			return MkLit(n, false)
		}
		i = (i + 1) & mask
	}
	l := g.add(KindAnd, a, b)
	g.table[i] = l.Node()
	g.used++
	return l
}

// twoLevel applies the rules that look into one fan-in and need no new node.
func (g *Graph) twoLevel(a, b Lit) (Lit, bool) {
	for range 2 {
		if g.kinds[a.Node()] == KindAnd {
			x, y := g.fan[a.Node()][0], g.fan[a.Node()][1]
			switch {
			case !a.Neg() && (x == b || y == b): // (b·y)·b
				return a, true
			case !a.Neg() && (x == b^1 || y == b^1): // (¬b·y)·b
				return False, true
			case a.Neg() && (x == b^1 || y == b^1): // ¬(¬b·y)·b
				return b, true
			case a.Neg() && x == b: // ¬(b·y)·b = ¬y·b
				return g.And(y^1, b), true
			case a.Neg() && y == b:
				return g.And(x^1, b), true
			}
		}
		a, b = b, a
	}
	return 0, false
}

func hash(a, b Lit) int {
	h := uint64(a)*0x9E3779B97F4A7C15 ^ uint64(b)*0xC2B2AE3D27D4EB4F
	return int(h >> 20)
}

func (g *Graph) grow() {
	size := 2 * len(g.table)
	if size == 0 {
		size = 256
	}
	old := g.table
	g.table = make([]Node, size)
	mask := size - 1
	for _, n := range old {
		if n == 0 {
			continue
		}
		i := hash(g.fan[n][0], g.fan[n][1]) & mask
		for g.table[i] != 0 {
			i = (i + 1) & mask
		}
		g.table[i] = n
	}
}

// Or returns the disjunction.
func (g *Graph) Or(a, b Lit) Lit { return g.And(a^1, b^1) ^ 1 }

// Xor returns the exclusive or.
func (g *Graph) Xor(a, b Lit) Lit { return g.Or(g.And(a, b^1), g.And(a^1, b)) }

// Mux returns t where sel holds and e elsewhere.
func (g *Graph) Mux(sel, t, e Lit) Lit {
	if t == e {
		return t
	}
	return g.And(g.And(sel, t)^1, g.And(sel^1, e)^1) ^ 1
}

// AndAll returns the conjunction of all literals, built as a balanced tree.
func (g *Graph) AndAll(lits ...Lit) Lit {
	switch len(lits) {
	case 0:
		return True
	case 1:
		return lits[0]
	}
	half := len(lits) / 2
	return g.And(g.AndAll(lits[:half]...), g.AndAll(lits[half:]...))
}

// OrAll returns the disjunction of all literals, built as a balanced tree.
func (g *Graph) OrAll(lits ...Lit) Lit {
	neg := make([]Lit, len(lits))
	for i, l := range lits {
		neg[i] = l ^ 1
	}
	return g.AndAll(neg...) ^ 1
}

// Sanity checks what every user of the graph relies on: fan-ins before their
// node, no inverted or constant node. It returns the first fault found.
func (g *Graph) Sanity() error {
	for n := range g.kinds {
		if k := g.kinds[n]; k != KindAnd && k != KindCut {
			continue
		}
		for _, f := range g.fan[n] {
			if int(f.Node()) >= n {
				return fmt.Errorf("node %d has the fan-in %d, which is not before it", n, f)
			}
		}
	}
	return nil
}

// Conjuncts returns the edges whose conjunction an edge is, each once, from left to
// right; none for True.
func (g *Graph) Conjuncts(l Lit) []Lit {
	var out []Lit
	seen := map[Lit]bool{True: true}
	stack := []Lit{l}
	for len(stack) > 0 {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[l] {
			continue
		}
		seen[l] = true
		if !l.Neg() && g.Kind(l.Node()) == KindAnd {
			a, b := g.Fanins(l.Node())
			stack = append(stack, b, a)
		} else {
			out = append(out, l)
		}
	}
	return out
}

// Disjuncts returns the edges whose disjunction an edge is, each once, from left to
// right; none for False.
func (g *Graph) Disjuncts(l Lit) []Lit {
	out := g.Conjuncts(l.Not())
	for i := range out {
		out[i] = out[i].Not()
	}
	return out
}

// Cone returns the nodes that the roots depend on combinationally, in
// ascending order, the constant left out. Latches and inputs are leaves.
func (g *Graph) Cone(roots ...Lit) []Node {
	seen := make([]bool, len(g.kinds))
	var stack []Node
	push := func(l Lit) {
		if n := l.Node(); n != 0 && !seen[n] {
			seen[n] = true
			stack = append(stack, n)
		}
	}
	for _, r := range roots {
		push(r)
	}
	low, high, count := len(g.kinds), 0, 0
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		count++
		low, high = min(low, int(n)), max(high, int(n))
		switch g.kinds[n] {
		case KindAnd:
			push(g.fan[n][0])
			push(g.fan[n][1])
		case KindCut:
			push(g.fan[n][0])
		}
	}
	cone := make([]Node, 0, count)
	for n := low; n <= high; n++ {
		if seen[n] {
			cone = append(cone, Node(n))
		}
	}
	return cone
}
