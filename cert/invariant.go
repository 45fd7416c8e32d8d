package cert

import (
	"slices"

	"netcov/aig"
)

// StateLit is a literal over latches: twice the latch's position in the model,
// plus one when negated.
type StateLit uint32

// MkStateLit returns the literal that says "latch i is 1", or "is 0" when neg.
func MkStateLit(i int, neg bool) StateLit {
	if neg {
		return StateLit(i)<<1 | 1
	}
	return StateLit(i) << 1
}

// Latch returns the latch's position.
func (l StateLit) Latch() int { return int(l >> 1) }

// Neg reports whether the literal is negated.
func (l StateLit) Neg() bool { return l&1 != 0 }

// Not returns the opposite literal.
func (l StateLit) Not() StateLit { return l ^ 1 }

// Clause is a disjunction of state literals.
type Clause []StateLit

// Invariant is a set of states: the conjunction of its clauses and of its
// formulas. It speaks of the values that latches store, not of what a mutated
// node shows. Invariants are values, never changed once they are shared.
type Invariant struct {
	Clauses []Clause
	// Formulas are further conjuncts, edges of Graph, whose latch k is
	// Support[k]. Graph is nil where there are none.
	Graph    *aig.Graph
	Formulas []aig.Lit
	Support  []SupportLatch
}

// SupportLatch ties a latch node of an invariant's graph to a model's latch.
type SupportLatch struct {
	Lit   aig.Lit // in the invariant's graph
	Latch int     // position in the model
}

// Holds evaluates the invariant in one state.
func (v *Invariant) Holds(state []bool) bool {
	for _, c := range v.Clauses {
		if !c.Holds(state) {
			return false
		}
	}
	if v.Graph == nil {
		return true
	}
	values := make([]bool, v.Graph.Size())
	for _, s := range v.Support {
		values[s.Lit.Node()] = state[s.Latch]
	}
	for n := aig.Node(1); int(n) < v.Graph.Size(); n++ {
		if v.Graph.Kind(n) == aig.KindAnd {
			a, b := v.Graph.Fanins(n)
			values[n] = values[a.Node()] != a.Neg() && values[b.Node()] != b.Neg()
		}
	}
	for _, f := range v.Formulas {
		if values[f.Node()] == f.Neg() {
			return false
		}
	}
	return true
}

// Holds evaluates the clause in one state.
func (c Clause) Holds(state []bool) bool {
	for _, l := range c {
		if state[l.Latch()] != l.Neg() {
			return true
		}
	}
	return false
}

// Size returns the number of clauses and of AND nodes.
func (v *Invariant) Size() (clauses, ands int) {
	if v.Graph != nil {
		ands = v.Graph.NumAnds()
	}
	return len(v.Clauses), ands
}

// Renamed returns the invariant over latches at other positions: at gives that of each.
func (v *Invariant) Renamed(at func(latch int) int) *Invariant {
	r := &Invariant{Graph: v.Graph, Formulas: v.Formulas}
	for _, c := range v.Clauses {
		moved := make(Clause, len(c))
		for i, l := range c {
			moved[i] = MkStateLit(at(l.Latch()), l.Neg())
		}
		r.Clauses = append(r.Clauses, moved)
	}
	for _, s := range v.Support {
		r.Support = append(r.Support, SupportLatch{Lit: s.Lit, Latch: at(s.Latch)})
	}
	return r
}

// Kept is Renamed for latches some of which are gone, at is negative for these: it leaves out
// the conjuncts that speak of them. all reports that there are none.
func (v *Invariant) Kept(at func(latch int) int) (r *Invariant, all bool) {
	r = &Invariant{}
	for _, c := range v.Clauses {
		if !slices.ContainsFunc(c, func(l StateLit) bool { return at(l.Latch()) < 0 }) {
			r.Clauses = append(r.Clauses, c)
		}
	}
	all = len(r.Clauses) == len(v.Clauses)
	if len(v.Formulas) > 0 {
		gone := make([]bool, v.Graph.Size()) // that a node depends on one
		for _, s := range v.Support {
			gone[s.Lit.Node()] = at(s.Latch) < 0
		}
		for _, n := range v.Graph.Cone(v.Formulas...) {
			if v.Graph.Kind(n) == aig.KindAnd {
				a, b := v.Graph.Fanins(n)
				gone[n] = gone[a.Node()] || gone[b.Node()]
			}
		}
		for _, f := range v.Formulas {
			if !gone[f.Node()] {
				r.Formulas = append(r.Formulas, f)
			}
		}
		all = all && len(r.Formulas) == len(v.Formulas)
	}
	if len(r.Formulas) > 0 {
		r.Graph = v.Graph
		in := make([]bool, v.Graph.Size())
		for _, n := range v.Graph.Cone(r.Formulas...) {
			in[n] = true
		}
		for _, s := range v.Support {
			if in[s.Lit.Node()] {
				r.Support = append(r.Support, s)
			}
		}
	}
	return r.Renamed(at), all
}

// Conjunction returns the invariant of the states that are in all of the given
// ones.
func Conjunction(all ...*Invariant) *Invariant {
	r := &Invariant{}
	latches := map[int]aig.Lit{}
	for _, v := range all {
		r.Clauses = append(r.Clauses, v.Clauses...)
		if len(v.Formulas) == 0 {
			continue
		}
		if r.Graph == nil {
			r.Graph = aig.NewGraph()
		}
		to := make([]aig.Lit, v.Graph.Size())
		for _, s := range v.Support {
			l, known := latches[s.Latch]
			if !known {
				l = r.Graph.Latch()
				latches[s.Latch] = l
				r.Support = append(r.Support, SupportLatch{Lit: l, Latch: s.Latch})
			}
			to[s.Lit.Node()] = l
		}
		edge := func(l aig.Lit) aig.Lit { return to[l.Node()] ^ l&1 }
		for _, n := range v.Graph.Cone(v.Formulas...) {
			if v.Graph.Kind(n) == aig.KindAnd {
				a, b := v.Graph.Fanins(n)
				to[n] = r.Graph.And(edge(a), edge(b))
			}
		}
		for _, f := range v.Formulas {
			r.Formulas = append(r.Formulas, edge(f))
		}
	}
	return r
}
