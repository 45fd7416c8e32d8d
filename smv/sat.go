package smv

import (
	"netcov/netlist"
	"netcov/proof"
)

// satGraph hands literals of a growing graph to a SAT solver, each cone once
// (Tseitin 1968).
type satGraph struct {
	g      *netlist.Graph
	solver *proof.CDCL
	lits   []proof.Lit // by node, LitUndef where not yet encoded
}

func newSATGraph(g *netlist.Graph) *satGraph {
	s := &satGraph{g: g, solver: proof.NewCDCL(proof.Options{})}
	zero := proof.MkLit(s.solver.NewVar(), false)
	s.solver.AddClause(zero.Not())
	s.lits = []proof.Lit{zero}
	return s
}

// lit returns the solver's literal of an edge.
func (s *satGraph) lit(root netlist.Lit) proof.Lit {
	for len(s.lits) < s.g.Size() {
		s.lits = append(s.lits, proof.LitUndef)
	}
	for stack := []netlist.Node{root.Node()}; len(stack) > 0; {
		n := stack[len(stack)-1]
		if s.lits[n] != proof.LitUndef {
			stack = stack[:len(stack)-1]
			continue
		}
		if s.g.Kind(n) != netlist.KindAnd {
			s.lits[n] = proof.MkLit(s.solver.NewVar(), false)
			continue
		}
		a, b := s.g.Fanins(n)
		ready := true
		for _, l := range []netlist.Lit{a, b} {
			if s.lits[l.Node()] == proof.LitUndef {
				stack = append(stack, l.Node())
				ready = false
			}
		}
		if !ready {
			continue
		}
		x, y := s.lits[a.Node()].XorSign(a.Neg()), s.lits[b.Node()].XorSign(b.Neg())
		v := proof.MkLit(s.solver.NewVar(), false)
		s.solver.AddClause(v.Not(), x)
		s.solver.AddClause(v.Not(), y)
		s.solver.AddClause(v, x.Not(), y.Not())
		s.lits[n] = v
	}
	return s.lits[root.Node()].XorSign(root.Neg())
}

// value is the value of an edge in the last model; what the solver has not
// seen is false.
func (s *satGraph) value(l netlist.Lit) bool {
	if int(l.Node()) >= len(s.lits) || s.lits[l.Node()] == proof.LitUndef {
		return l.Neg()
	}
	return s.solver.Value(s.lits[l.Node()].XorSign(l.Neg()))
}
