package interp

import (
	"netcov/aig"
	"netcov/netlist"
	"netcov/sat"
)

// An encoder writes formulas of a graph to a solver as Tseitin clauses. Each
// node is encoded once, so that formulas that share nodes share clauses. An AND
// tree whose inner nodes have no other reader becomes one n-ary AND.
//
// The clauses only define new variables: they never restrict the leaves. So a
// formula is asserted by its literal, as a unit clause or as an assumption, and
// a formula that is not asserted any more does no harm.
type encoder struct {
	g    *aig.Graph
	sink netlist.ClauseSink
	leaf func(n aig.Node) sat.Lit
	lits []sat.Lit // by node, LitUndef where not encoded
	refs []uint8   // by node, readers in the cone being encoded, saturating
	cone []aig.Node
	work []aig.Node
	buf  []sat.Lit
	flat []aig.Lit
	one  sat.Lit // literal that is true, made on demand
}

// newEncoder encodes formulas of g, whose inputs and latches are the literals
// that leaf returns (each is asked for once).
func newEncoder(g *aig.Graph, sink netlist.ClauseSink, leaf func(aig.Node) sat.Lit) *encoder {
	return &encoder{g: g, sink: sink, leaf: leaf, one: sat.LitUndef}
}

// maxFlat bounds the width of an n-ary AND.
const maxFlat = 64

// lit returns the literal of an edge.
func (e *encoder) lit(root aig.Lit) sat.Lit {
	for len(e.lits) < e.g.Size() {
		e.lits = append(e.lits, sat.LitUndef)
		e.refs = append(e.refs, 0)
	}
	if root.Const() {
		return e.constant() ^ sat.Lit(root&1) ^ 1
	}
	if e.lits[root.Node()] == sat.LitUndef {
		e.encodeCone(root.Node())
	}
	return e.lits[root.Node()] ^ sat.Lit(root&1)
}

// constant returns a literal that is true.
func (e *encoder) constant() sat.Lit {
	if e.one == sat.LitUndef {
		e.one = sat.MkLit(e.sink.NewVar(), false)
		e.sink.AddClause(e.one)
	}
	return e.one
}

// encodeCone encodes what is missing of the cone of n.
func (e *encoder) encodeCone(root aig.Node) {
	e.countReaders(root)
	stack := append(e.work[:0], root)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		if e.lits[n] != sat.LitUndef {
			stack = stack[:len(stack)-1]
			continue
		}
		if e.g.Kind(n) != aig.KindAnd {
			e.lits[n] = e.leaf(n)
			stack = stack[:len(stack)-1]
			continue
		}
		operands := e.operands(n)
		ready := true
		for _, l := range operands {
			if e.lits[l.Node()] == sat.LitUndef {
				stack = append(stack, l.Node())
				ready = false
			}
		}
		if !ready {
			continue
		}
		stack = stack[:len(stack)-1]
		out := sat.MkLit(e.sink.NewVar(), false)
		long := append(e.buf[:0], out)
		for _, l := range operands {
			p := e.lits[l.Node()] ^ sat.Lit(l&1)
			e.sink.AddClause(out.Not(), p)
			long = append(long, p.Not())
		}
		e.sink.AddClause(long...)
		e.buf = long
		e.lits[n] = out
	}
	e.work = stack
	for _, n := range e.cone {
		e.refs[n] = 0
	}
}

// countReaders counts in e.refs the readers of each node of the cone that is
// not encoded yet, and lists these nodes in e.cone.
func (e *encoder) countReaders(root aig.Node) {
	e.cone = append(e.cone[:0], root)
	e.refs[root] = 1
	for i := 0; i < len(e.cone); i++ {
		n := e.cone[i]
		if e.g.Kind(n) != aig.KindAnd || e.lits[n] != sat.LitUndef {
			continue
		}
		a, b := e.g.Fanins(n)
		for _, f := range [2]aig.Lit{a, b} {
			switch e.refs[f.Node()] {
			case 0:
				e.cone = append(e.cone, f.Node())
				e.refs[f.Node()] = 1
			case 1:
				e.refs[f.Node()] = 2
			}
		}
	}
}

// operands returns the operands of the n-ary AND at n.
func (e *encoder) operands(n aig.Node) []aig.Lit {
	a, b := e.g.Fanins(n)
	flat := append(e.flat[:0], a, b)
	for i := 0; i < len(flat); {
		l := flat[i]
		m := l.Node()
		if l.Neg() || e.g.Kind(m) != aig.KindAnd || e.refs[m] != 1 ||
			e.lits[m] != sat.LitUndef || len(flat) >= maxFlat {
			i++
			continue
		}
		a, b := e.g.Fanins(m)
		flat[i] = a
		flat = append(flat, b)
	}
	e.flat = flat
	return flat
}
