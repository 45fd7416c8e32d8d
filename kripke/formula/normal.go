package formula

// Negation normal form for all three logics: negation only in front of atoms,
// no ->, <->, xor or xnor. Every operator has its dual in the logic:
// !AX f = EX !f, !AF f = EG !f, !A[f U g] = E[!f V !g], and for weak until
// !A[f W g] = E[!g U (!f & !g)]; the bare operators of LTL likewise. A
// subformula is translated at most once for each polarity, so the result has
// at most a few nodes for each distinct subformula of the input, although its
// text can be exponentially longer when <-> or xor are nested.

var dual = map[Op]Op{
	OpAnd: OpOr, OpOr: OpAnd,
	OpX: OpX, OpF: OpG, OpG: OpF, OpU: OpR, OpR: OpU, OpW: OpU,
	OpAX: OpEX, OpAF: OpEG, OpAG: OpEF, OpAU: OpER, OpAR: OpEU, OpAW: OpEU,
	OpEX: OpAX, OpEF: OpAG, OpEG: OpAF, OpEU: OpAR, OpER: OpAU, OpEW: OpAU,
}

// NNF is the negation normal form of f. The operators that remain are TRUE,
// FALSE, atoms, negated atoms, &, | and the temporal operators.
func NNF(f Formula) Formula {
	positive, _ := polarities(f)
	return positive[f]
}

// Negate is the negation normal form of !f.
func Negate(f Formula) Formula {
	_, negative := polarities(f)
	return negative[f]
}

func polarities(f Formula) (positive, negative map[Formula]Formula) {
	positive, negative = map[Formula]Formula{}, map[Formula]Formula{}
	for _, g := range Subformulas(f) {
		pl, nl := positive[g.Left()], negative[g.Left()]
		pr, nr := positive[g.Right()], negative[g.Right()]
		op := g.Op()
		switch op {
		case OpTrue, OpFalse:
			positive[g], negative[g] = g, Constant(op == OpFalse)
		case OpAtom:
			positive[g], negative[g] = g, Not(g)
		case OpNot:
			positive[g], negative[g] = nl, pl
		case OpImplies:
			positive[g], negative[g] = Or(nl, pr), And(pl, nr)
		case OpIff, OpXnor:
			positive[g] = Or(And(pl, pr), And(nl, nr))
			negative[g] = Or(And(pl, nr), And(nl, pr))
		case OpXor:
			positive[g] = Or(And(pl, nr), And(nl, pr))
			negative[g] = Or(And(pl, pr), And(nl, nr))
		case OpW, OpAW, OpEW:
			positive[g] = Binary(op, pl, pr)
			negative[g] = Binary(dual[op], nr, And(nl, nr))
		default:
			if op.Arity() == 1 {
				positive[g], negative[g] = Unary(op, pl), Unary(dual[op], nl)
			} else {
				positive[g], negative[g] = Binary(op, pl, pr), Binary(dual[op], nl, nr)
			}
		}
	}
	return positive, negative
}

// Logic is a language that a formula can belong to.
type Logic uint8

// The logics. ACTL is the part of CTL whose negation normal form has no path
// quantifier E. A formula without temporal operators belongs to all three.
const (
	CTL Logic = iota
	LTL
	ACTL
)

// String is the logic's usual name.
func (l Logic) String() string { return [...]string{"CTL", "LTL", "ACTL"}[l] }

// In reports whether f is a formula of the logic.
func (f Formula) In(l Logic) bool {
	switch l {
	case LTL:
		return !anyOp(f, func(o Op) bool { return o.Universal() || o.Existential() })
	case ACTL:
		return !anyOp(f, Op.Linear) && !anyOp(NNF(f), Op.Existential)
	}
	return !anyOp(f, Op.Linear)
}

// Propositional reports whether f has no temporal operator.
func (f Formula) Propositional() bool { return !anyOp(f, Op.Temporal) }

func anyOp(f Formula, is func(Op) bool) bool {
	for _, g := range Subformulas(f) {
		if is(g.Op()) {
			return true
		}
	}
	return false
}

// Simplify applies the laws of the constants and of double negation (a & TRUE
// = a, EF FALSE = FALSE, !!a = a, …) until none applies. It keeps the meaning
// on structures whose transition relation is total.
func Simplify(f Formula) Formula { return Map(f, simplifyTop) }

func simplifyTop(f Formula) Formula {
	l, r := f.Left(), f.Right()
	tt, ff := True(), False()
	switch f.Op() {
	case OpNot:
		switch l.Op() {
		case OpTrue:
			return ff
		case OpFalse:
			return tt
		case OpNot:
			return l.Left()
		}
	case OpAnd:
		switch {
		case l == ff || r == ff:
			return ff
		case l == tt || l == r:
			return r
		case r == tt:
			return l
		}
	case OpOr:
		switch {
		case l == tt || r == tt:
			return tt
		case l == ff || l == r:
			return r
		case r == ff:
			return l
		}
	case OpImplies:
		switch {
		case l == ff || r == tt || l == r:
			return tt
		case l == tt:
			return r
		case r == ff:
			return simplifyTop(Not(l))
		}
	case OpIff, OpXnor:
		switch {
		case l == r:
			return tt
		case l == tt:
			return r
		case r == tt:
			return l
		case l == ff:
			return simplifyTop(Not(r))
		case r == ff:
			return simplifyTop(Not(l))
		}
	case OpXor:
		switch {
		case l == r:
			return ff
		case l == ff:
			return r
		case r == ff:
			return l
		case l == tt:
			return simplifyTop(Not(r))
		case r == tt:
			return simplifyTop(Not(l))
		}
	case OpX, OpF, OpG, OpAX, OpAF, OpAG, OpEX, OpEF, OpEG:
		if l == tt || l == ff {
			return l
		}
	case OpU, OpAU, OpEU:
		if r == tt || r == ff || l == ff {
			return r
		}
	case OpW, OpAW, OpEW:
		if r == tt || l == ff {
			return r
		}
		if l == tt {
			return tt
		}
	case OpR, OpAR, OpER:
		if r == tt || r == ff || l == tt {
			return r
		}
	}
	return f
}
