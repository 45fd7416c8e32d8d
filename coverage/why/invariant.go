package why

import (
	"netcov/aig"
	"netcov/cert"
)

// conjuncts returns the invariant's conjuncts as edges of a graph, in which latch gives
// each latch.
func conjuncts(g *aig.Graph, v *cert.Invariant, latch func(int) aig.Lit) []aig.Lit {
	var all []aig.Lit
	for _, c := range v.Clauses {
		lits := make([]aig.Lit, len(c))
		for i, l := range c {
			lits[i] = latch(l.Latch()).XorSign(l.Neg())
		}
		all = append(all, g.OrAll(lits...))
	}
	if len(v.Formulas) == 0 {
		return all
	}
	to := make([]aig.Lit, v.Graph.Size())
	for _, s := range v.Support {
		to[s.Lit.Node()] = latch(s.Latch)
	}
	edge := func(l aig.Lit) aig.Lit { return to[l.Node()] ^ l&1 }
	for _, n := range v.Graph.Cone(v.Formulas...) {
		if v.Graph.Kind(n) == aig.KindAnd {
			a, b := v.Graph.Fanins(n)
			to[n] = g.And(edge(a), edge(b))
		}
	}
	for _, f := range v.Formulas {
		all = append(all, edge(f))
	}
	return all
}

// equalities says that pairs of latches have equal values.
func equalities(pairs [][2]int) *cert.Invariant {
	r := &cert.Invariant{}
	for _, p := range pairs {
		r.Clauses = append(r.Clauses,
			cert.Clause{cert.MkStateLit(p[0], false), cert.MkStateLit(p[1], true)},
			cert.Clause{cert.MkStateLit(p[0], true), cert.MkStateLit(p[1], false)})
	}
	return r
}
