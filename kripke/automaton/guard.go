package automaton

import (
	"netcov/kripke/bdd"
	"netcov/kripke/formula"
)

// Guards as formulas and back.

// guardOf is the decision diagram of a propositional formula whose atoms are in
// index.
func guardOf(m *bdd.Manager, index map[string]int, f formula.Formula) bdd.Ref {
	value := map[formula.Formula]bdd.Ref{}
	for _, g := range formula.Subformulas(f) {
		l, r := value[g.Left()], value[g.Right()]
		switch g.Op() {
		case formula.OpTrue:
			value[g] = bdd.True
		case formula.OpFalse:
			value[g] = bdd.False
		case formula.OpAtom:
			value[g] = m.Var(index[g.Name()])
		case formula.OpNot:
			value[g] = l.Not()
		case formula.OpAnd:
			value[g] = m.And(l, r)
		case formula.OpOr:
			value[g] = m.Or(l, r)
		case formula.OpXor:
			value[g] = m.Xor(l, r)
		case formula.OpIff, formula.OpXnor:
			value[g] = m.Iff(l, r)
		case formula.OpImplies:
			value[g] = m.Implies(l, r)
		}
	}
	return value[f]
}

// Cubes is an irredundant sum of products of a guard (Minato and Morreale): each
// cube gives the value of some propositions by their number.
func (a *Automaton) Cubes(guard bdd.Ref) []map[int]bool {
	return cubes(a.Guards, guard)
}

func cubes(m *bdd.Manager, guard bdd.Ref) []map[int]bool {
	list, _ := isop(m, guard, guard)
	return list
}

// isop returns cubes whose union lies between lower and upper, and the union.
// The depth of the recursion is the number of propositions.
func isop(m *bdd.Manager, lower, upper bdd.Ref) ([]map[int]bool, bdd.Ref) {
	if lower == bdd.False {
		return nil, bdd.False
	}
	if upper == bdd.True {
		return []map[int]bool{{}}, bdd.True
	}
	v := -1
	for _, f := range []bdd.Ref{lower, upper} {
		if s := m.Support(f); len(s) > 0 && (v < 0 || s[0] < v) {
			v = s[0]
		}
	}
	l0, l1 := m.Cofactor(lower, v, false), m.Cofactor(lower, v, true)
	u0, u1 := m.Cofactor(upper, v, false), m.Cofactor(upper, v, true)
	c0, f0 := isop(m, m.Diff(l0, u1), u0)
	c1, f1 := isop(m, m.Diff(l1, u0), u1)
	rest := m.Or(m.Diff(l0, f0), m.Diff(l1, f1))
	list, both := isop(m, rest, m.And(u0, u1))
	for _, c := range c0 {
		c[v] = false
		list = append(list, c)
	}
	for _, c := range c1 {
		c[v] = true
		list = append(list, c)
	}
	return list, m.Or(m.Ite(m.Var(v), f1, f0), both)
}

// GuardFormula is a guard as a formula: a disjunction of conjunctions of
// literals.
func (a *Automaton) GuardFormula(guard bdd.Ref) formula.Formula {
	var terms []formula.Formula
	for _, c := range a.Cubes(guard) {
		var lits []formula.Formula
		for v, name := range a.AP {
			value, ok := c[v]
			if !ok {
				continue
			}
			l := formula.Atom(name)
			if !value {
				l = formula.Not(l)
			}
			lits = append(lits, l)
		}
		terms = append(terms, formula.And(lits...))
	}
	return formula.Or(terms...)
}
