package tableau

import (
	"math/rand/v2"
	"slices"

	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
)

// The criteria by their definitions, on sets of pairs, for tests.

type relation map[[2]int]bool

// fitting is the set of pairs whose labels agree.
func fitting(k *structure.Structure, t *Tableau) relation {
	r := relation{}
	for i := range k.Len() {
	states:
		for s := range t.States {
			for name, v := range t.States[s].Literals {
				if p, _ := k.Proposition(name); k.Holds(i, p) != v {
					continue states
				}
			}
			r[[2]int{i, s}] = true
		}
	}
	return r
}

// shrink removes pairs until each remaining one satisfies ok.
func (r relation) shrink(ok func(p [2]int) bool) relation {
	for changed := true; changed; {
		changed = false
		for p := range r {
			if !ok(p) {
				delete(r, p)
				changed = true
			}
		}
	}
	return r
}

// forth: every step of the implementation state has a step of the tableau
// state beside it; back is the converse.
func (r relation) forth(k *structure.Structure, t *Tableau, p [2]int) bool {
	for _, i := range k.Successors(p[0]) {
		if !slices.ContainsFunc(t.Successors(p[1]), func(s int32) bool { return r[[2]int{int(i), int(s)}] }) {
			return false
		}
	}
	return true
}

func (r relation) back(k *structure.Structure, t *Tableau, p [2]int) bool {
	for _, s := range t.Successors(p[1]) {
		if !slices.ContainsFunc(k.Successors(p[0]), func(i int32) bool { return r[[2]int{int(i), int(s)}] }) {
			return false
		}
	}
	return true
}

// total reports whether all initial states on the left have initial partners,
// and those on the right.
func (r relation) total(k *structure.Structure, t *Tableau) (left, right bool) {
	left, right = true, true
	for _, i := range k.Initial {
		left = left && slices.ContainsFunc(t.Initial, func(s int) bool { return r[[2]int{i, s}] })
	}
	for _, s := range t.Initial {
		right = right && slices.ContainsFunc(k.Initial, func(i int) bool { return r[[2]int{i, s}] })
	}
	return left, right
}

// bisimilar decides whether a bisimulation relates all initial states.
func bisimilar(k *structure.Structure, t *Tableau) bool {
	r := fitting(k, t)
	r.shrink(func(p [2]int) bool { return r.forth(k, t, p) && r.back(k, t, p) })
	left, right := r.total(k, t)
	return left && right
}

// byDefinition computes a comparison from the definitions.
func byDefinition(k *structure.Structure, t *Tableau, ap []string) *Comparison {
	c := &Comparison{Tableau: t, Impl: k}
	sim := fitting(k, t)
	sim.shrink(func(p [2]int) bool { return sim.forth(k, t, p) })
	if c.Holds, _ = sim.total(k, t); !c.Holds {
		return c
	}
	reach := relation{}
	for _, i := range k.Initial {
		for _, s := range t.Initial {
			if sim[[2]int{i, s}] {
				reach[[2]int{i, s}] = true
			}
		}
	}
	for n := -1; n != len(reach); {
		n = len(reach)
		for p := range reach {
			for _, i := range k.Successors(p[0]) {
				for _, s := range t.Successors(p[1]) {
					if q := [2]int{int(i), int(s)}; sim[q] {
						reach[q] = true
					}
				}
			}
		}
	}
	c.Pairs = len(reach)
	at := func(s int) (out []int) {
		for i := range k.Len() {
			if reach[[2]int{i, s}] {
				out = append(out, i)
			}
		}
		return out
	}
	same := func(i, j int) bool {
		return !slices.ContainsFunc(ap, func(name string) bool {
			p, _ := k.Proposition(name)
			return k.Holds(i, p) != k.Holds(j, p)
		})
	}
	for s := range t.States {
		states := at(s)
		if slices.Contains(t.Initial, s) && !slices.ContainsFunc(k.Initial, func(i int) bool { return slices.Contains(states, i) }) {
			c.UnImplementedStartState = append(c.UnImplementedStartState, s)
		}
		if len(states) == 0 {
			c.UnImplementedState = append(c.UnImplementedState, s)
			continue
		}
		many := false
		for _, i := range states {
			for _, j := range states {
				many = many || i != j && same(i, j)
			}
		}
		if many {
			c.ManyToOne = append(c.ManyToOne, s)
		}
		for _, u := range t.Successors(s) {
			to := at(int(u))
			if len(to) > 0 && slices.ContainsFunc(states, func(i int) bool {
				return !slices.ContainsFunc(k.Successors(i), func(j int32) bool { return slices.Contains(to, int(j)) })
			}) {
				c.UnImplementedTransition = append(c.UnImplementedTransition, [2]int{s, int(u)})
			}
		}
	}
	for i := range k.Len() {
		n := 0
		for s := range t.States {
			if reach[[2]int{i, s}] {
				n++
			}
		}
		if n > 1 {
			c.OneToMany = append(c.OneToMany, i)
		}
	}
	return c
}

// safety is a random ACTL safety formula in negation normal form.
func safety(rng *rand.Rand, names []string, depth int) formula.Formula {
	if depth <= 0 || rng.IntN(6) == 0 {
		if rng.IntN(20) == 0 {
			return formula.Constant(rng.IntN(2) == 0)
		}
		f := formula.Atom(names[rng.IntN(len(names))])
		if rng.IntN(2) == 0 {
			f = formula.Not(f)
		}
		return f
	}
	ops := []formula.Op{
		formula.OpAnd, formula.OpAnd, formula.OpOr, formula.OpOr, formula.OpOr, formula.OpAX, formula.OpAX,
		formula.OpAG, formula.OpAW, formula.OpAR,
	}
	op := ops[rng.IntN(len(ops))]
	l := safety(rng, names, depth-1)
	if op.Arity() == 1 {
		return formula.Unary(op, l)
	}
	return formula.Binary(op, l, safety(rng, names, depth-1))
}

// characteristic is a formula that holds in the states from which the next
// steps look as they do from s in k: its label and, depth times nested, that
// every successor has one of the labels of the successors of s. Complete
// specifications are found among their conjunctions with AG.
func characteristic(k *structure.Structure, s, depth int) formula.Formula {
	var lits []formula.Formula
	for p, name := range k.AP {
		f := formula.Atom(name)
		if !k.Holds(s, p) {
			f = formula.Not(f)
		}
		lits = append(lits, f)
	}
	f := formula.And(lits...)
	if depth == 0 {
		return f
	}
	var next []formula.Formula
	for _, u := range k.Successors(s) {
		next = append(next, characteristic(k, int(u), depth-1))
	}
	return formula.And(f, formula.Unary(formula.OpAX, formula.Or(next...)))
}

// complete is the formula that describes k step by step.
func complete(k *structure.Structure, depth int) formula.Formula {
	var start, all []formula.Formula
	for _, s := range k.Initial {
		start = append(start, characteristic(k, s, depth))
	}
	for s := range k.Reachable().All() {
		all = append(all, characteristic(k, s, depth))
	}
	return formula.And(formula.Or(start...), formula.Unary(formula.OpAG, formula.Or(all...)))
}

// instance is a random implementation with a specification, often a satisfied
// one.
func instance(rng *rand.Rand) (*structure.Structure, formula.Formula) {
	k := random.Structure(rng, 1+rng.IntN(5), 1+rng.IntN(3), 1+rng.IntN(2))
	switch rng.IntN(4) {
	case 0:
		return k, complete(k, 1)
	case 1:
		return k, formula.Binary(formula.OpOr, complete(k, 1), safety(rng, k.AP, 2))
	}
	return k, safety(rng, k.AP, 1+rng.IntN(4))
}
