package formula

import "slices"

// The common fragment of CTL and LTL (Maidl, The Common Fragment of CTL and LTL, FOCS
// 2000): a formula of CTL that has a meaning in LTL at all has that of the formula without
// its path quantifiers, and each such formula is equivalent to one of ACTLdet,
//
//	φ = p, φ & φ, (p & φ) | (!p & φ), AX φ, A[(p & φ) U (!p & φ)], A[(p & φ) W (!p & φ)]
//
// with p without temporal operators. Also in the fragment are AG φ, AF p, p | φ, A[φ U p],
// A[φ W p] and A[p V φ], in which p or !p can be added where it is missing.

// Linear is the LTL formula with f's meaning, on all structures with any fairness, where f
// is seen to be in the fragment.
func Linear(f Formula) (Formula, bool) {
	f = NNF(f)
	in := map[Formula]bool{}
	for _, g := range Subformulas(f) {
		l, r := g.Left(), g.Right()
		switch g.Op() {
		case OpAnd:
			in[g] = in[l] && in[r]
		case OpOr:
			in[g] = in[l] && in[r] && (l.Propositional() || r.Propositional() || disjoint(l, r))
		case OpAX, OpAG:
			in[g] = in[l]
		case OpAF:
			in[g] = l.Propositional()
		case OpAU, OpAW:
			in[g] = in[l] && in[r] && (r.Propositional() || disjoint(l, r))
		case OpAR:
			in[g] = in[r] && l.Propositional()
		default:
			in[g] = g.Propositional()
		}
	}
	if !in[f] {
		return f, false
	}
	plain := map[Op]Op{OpAX: OpX, OpAF: OpF, OpAG: OpG, OpAU: OpU, OpAW: OpW, OpAR: OpR}
	return Map(f, func(g Formula) Formula {
		op, ok := plain[g.Op()]
		switch {
		case !ok:
			return g
		case op.Arity() == 1:
			return Unary(op, g.Left())
		}
		return Binary(op, g.Left(), g.Right())
	}), true
}

// disjoint reports whether a conjunct p of one formula is !p in the other.
func disjoint(f, g Formula) bool {
	others := Conjuncts(g)
	return slices.ContainsFunc(Conjuncts(f), func(p Formula) bool {
		return p.Propositional() && slices.Contains(others, Negate(p))
	})
}
