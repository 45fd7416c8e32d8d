package netlist

import "netcov/aig"

// How nodes become clauses: an AND tree whose inner nodes are read once becomes
// one n-ary AND, and the three-node pattern of a multiplexer or of an exclusive
// or becomes a variable of its own. Fewer variables make every solver faster.

type shapeKind uint8

const (
	shapeNone shapeKind = iota
	shapeAnd            // conjunction of the leaves
	shapeMux            // leaves: selector, then, else
	shapeXor            // leaves: two operands
)

// shapes holds the shape of each AND node; leaves lie in one flat slice.
type shapes struct {
	kind   []shapeKind
	start  []int32
	count  []int32
	leaves []aig.Lit
	refs   []uint8 // saturating count of readers inside the cone
}

// maxLeaves bounds the width of one n-ary AND.
const maxLeaves = 64

// shapesOf computes the shapes of the model's cone once.
func (m *Model) shapesOf() *shapes {
	m.shapesOnce.Do(func() { m.shapes = newShapes(m.Graph, m.Roots()) })
	return m.shapes
}

func newShapes(g *aig.Graph, roots []aig.Lit) *shapes {
	s := &shapes{
		kind:  make([]shapeKind, g.Size()),
		start: make([]int32, g.Size()),
		count: make([]int32, g.Size()),
		refs:  make([]uint8, g.Size()),
	}
	ref := func(l aig.Lit) {
		if s.refs[l.Node()] < 255 {
			s.refs[l.Node()]++
		}
	}
	for _, r := range roots {
		ref(r)
	}
	cone := g.Cone(roots...)
	for _, n := range cone {
		a, b := g.Fanins(n)
		switch g.Kind(n) {
		case aig.KindAnd:
			ref(a)
			ref(b)
		case aig.KindCut:
			ref(a)
		}
	}
	for _, n := range cone {
		if g.Kind(n) == aig.KindAnd {
			s.shape(g, n)
		}
	}
	return s
}

func (s *shapes) shape(g *aig.Graph, n aig.Node) {
	a, b := g.Fanins(n)
	s.start[n] = int32(len(s.leaves))
	if sel, t, e, ok := s.mux(g, a, b); ok {
		// n = ¬(sel·¬t + ¬sel·¬e) read as ITE(sel, t, e)
		if t == e^1 {
			s.kind[n] = shapeXor
			s.leaves = append(s.leaves, sel, e)
		} else {
			s.kind[n] = shapeMux
			s.leaves = append(s.leaves, sel, t, e)
		}
	} else {
		s.kind[n] = shapeAnd
		s.gather(g, a)
		s.gather(g, b)
	}
	s.count[n] = int32(len(s.leaves)) - s.start[n]
}

// gather adds the leaves behind an edge to the AND being shaped: the leaves of
// a plainly read AND node that has no other reader, else the edge itself.
func (s *shapes) gather(g *aig.Graph, l aig.Lit) {
	n := l.Node()
	if !l.Neg() && g.Kind(n) == aig.KindAnd && s.refs[n] == 1 && s.kind[n] == shapeAnd && s.count[n] <= maxLeaves {
		s.leaves = append(s.leaves, s.leaves[s.start[n]:s.start[n]+s.count[n]]...)
		return
	}
	s.leaves = append(s.leaves, l)
}

// mux finds out whether a·b is a multiplexer: both edges inverted, from AND
// nodes that are read here only and share an operand in opposite phases.
func (s *shapes) mux(g *aig.Graph, a, b aig.Lit) (sel, t, e aig.Lit, ok bool) {
	p, q := a.Node(), b.Node()
	if !a.Neg() || !b.Neg() || g.Kind(p) != aig.KindAnd || g.Kind(q) != aig.KindAnd || s.refs[p] != 1 || s.refs[q] != 1 {
		return 0, 0, 0, false
	}
	p0, p1 := g.Fanins(p)
	q0, q1 := g.Fanins(q)
	switch {
	case p0 == q0^1:
		return p0, p1 ^ 1, q1 ^ 1, true
	case p0 == q1^1:
		return p0, p1 ^ 1, q0 ^ 1, true
	case p1 == q0^1:
		return p1, p0 ^ 1, q1 ^ 1, true
	case p1 == q1^1:
		return p1, p0 ^ 1, q0 ^ 1, true
	}
	return 0, 0, 0, false
}

// of returns the shape of an AND node and its leaves. Nodes outside of the
// cone that the shapes were computed for are plain two-input ANDs.
func (s *shapes) of(g *aig.Graph, n aig.Node, buf *[2]aig.Lit) (shapeKind, []aig.Lit) {
	if int(n) >= len(s.kind) || s.kind[n] == shapeNone {
		buf[0], buf[1] = g.Fanins(n)
		return shapeAnd, buf[:]
	}
	return s.kind[n], s.leaves[s.start[n] : s.start[n]+s.count[n]]
}
