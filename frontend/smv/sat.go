package smv

import (
	"netcov/aig"
	"netcov/proof"
	"netcov/sat"
)

// satGraph hands literals of a growing graph to a SAT solver, each cone once
// (Tseitin 1968).
type satGraph struct {
	g      *aig.Graph
	solver *proof.CDCL
	lits   []sat.Lit // by node, LitUndef where not yet encoded
}

func newSATGraph(g *aig.Graph) *satGraph {
	s := &satGraph{g: g, solver: proof.NewCDCL(proof.Options{})}
	zero := sat.MkLit(s.solver.NewVar(), false)
	s.solver.AddClause(zero.Not())
	s.lits = []sat.Lit{zero}
	return s
}

// lit returns the solver's literal of an edge.
func (s *satGraph) lit(root aig.Lit) sat.Lit {
	for len(s.lits) < s.g.Size() {
		s.lits = append(s.lits, sat.LitUndef)
	}
	for stack := []aig.Node{root.Node()}; len(stack) > 0; {
		n := stack[len(stack)-1]
		if s.lits[n] != sat.LitUndef {
			stack = stack[:len(stack)-1]
			continue
		}
		if s.g.Kind(n) != aig.KindAnd {
			s.lits[n] = sat.MkLit(s.solver.NewVar(), false)
			continue
		}
		a, b := s.g.Fanins(n)
		ready := true
		for _, l := range []aig.Lit{a, b} {
			if s.lits[l.Node()] == sat.LitUndef {
				stack = append(stack, l.Node())
				ready = false
			}
		}
		if !ready {
			continue
		}
		x, y := s.lits[a.Node()].XorSign(a.Neg()), s.lits[b.Node()].XorSign(b.Neg())
		v := sat.MkLit(s.solver.NewVar(), false)
		s.solver.AddClause(v.Not(), x)
		s.solver.AddClause(v.Not(), y)
		s.solver.AddClause(v, x.Not(), y.Not())
		s.lits[n] = v
	}
	return s.lits[root.Node()].XorSign(root.Neg())
}

// value is the value of an edge in the last model; what the solver has not
// seen is false.
func (s *satGraph) value(l aig.Lit) bool {
	if int(l.Node()) >= len(s.lits) || s.lits[l.Node()] == sat.LitUndef {
		return l.Neg()
	}
	return s.solver.Value(s.lits[l.Node()].XorSign(l.Neg()))
}
