package why

import (
	"context"

	"netcov/aig"
	"netcov/proof"
	"netcov/sat"
)

// encoder writes the nodes of a graph that may still grow to a solver, each when it is
// first asked for.
type encoder struct {
	g    *aig.Graph
	s    sat.Solver
	lits []sat.Lit // by node
	work []aig.Node
}

func newEncoder(g *aig.Graph) *encoder {
	return &encoder{g: g, s: proof.NewCDCL(proof.Options{})}
}

// lit returns the literal of an edge.
func (e *encoder) lit(root aig.Lit) sat.Lit {
	for len(e.lits) < e.g.Size() {
		e.lits = append(e.lits, sat.LitUndef)
	}
	e.work = append(e.work[:0], root.Node())
	for len(e.work) > 0 {
		n := e.work[len(e.work)-1]
		if e.lits[n] != sat.LitUndef {
			e.work = e.work[:len(e.work)-1]
			continue
		}
		if e.g.Kind(n) != aig.KindAnd {
			v := sat.MkLit(e.s.NewVar(), false)
			if n == 0 {
				e.s.AddClause(v.Not())
			}
			e.lits[n] = v
			continue
		}
		x, y := e.g.Fanins(n)
		p, q := e.lits[x.Node()], e.lits[y.Node()]
		if p == sat.LitUndef || q == sat.LitUndef {
			e.work = append(e.work, x.Node(), y.Node())
			continue
		}
		p, q = p.XorSign(x.Neg()), q.XorSign(y.Neg())
		v := sat.MkLit(e.s.NewVar(), false)
		e.s.AddClause(v.Not(), p)
		e.s.AddClause(v.Not(), q)
		e.s.AddClause(v, p.Not(), q.Not())
		e.lits[n] = v
	}
	return e.lits[root.Node()].XorSign(root.Neg())
}

// require makes an edge true wherever the literal on is; LitUndef: everywhere.
func (e *encoder) require(l aig.Lit, on sat.Lit) {
	if on == sat.LitUndef {
		e.s.AddClause(e.lit(l))
		return
	}
	e.s.AddClause(on.Not(), e.lit(l))
}

// oneOf returns a literal, new, that asks for one of the edges to be true.
func (e *encoder) oneOf(ls []aig.Lit) sat.Lit {
	on := sat.MkLit(e.s.NewVar(), false)
	clause := []sat.Lit{on.Not()}
	for _, l := range ls {
		clause = append(clause, e.lit(l))
	}
	e.s.AddClause(clause...)
	return on
}

// solve asks under assumptions, constants among the edges included.
func (e *encoder) solve(ctx context.Context, on ...sat.Lit) sat.Status { return e.s.Solve(ctx, on...) }

// value is an edge's value in the last model.
func (e *encoder) value(l aig.Lit) bool { return e.s.Value(e.lit(l)) }
