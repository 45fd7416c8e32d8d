package aig

// Node is the position of a node in a Graph. Node 0 is the constant false.
// A node's fan-ins have smaller positions, so ascending order is topological.
type Node uint32

// Lit is an edge of the graph: twice a node, plus one when inverted.
type Lit uint32

// The constants, and no literal at all.
const (
	False Lit = 0
	True  Lit = 1
	Undef Lit = ^Lit(0)
)

// MkLit returns the edge from n, inverted when neg is true.
func MkLit(n Node, neg bool) Lit {
	if neg {
		return Lit(n)<<1 | 1
	}
	return Lit(n) << 1
}

// Node returns the node that the edge comes from.
func (l Lit) Node() Node { return Node(l >> 1) }

// Not returns the inverted edge.
func (l Lit) Not() Lit { return l ^ 1 }

// Neg reports whether the edge is inverted.
func (l Lit) Neg() bool { return l&1 != 0 }

// XorSign returns the edge, inverted when neg is true.
func (l Lit) XorSign(neg bool) Lit {
	if neg {
		return l ^ 1
	}
	return l
}

// Const reports whether the edge is constant.
func (l Lit) Const() bool { return l <= True }
