package automaton

import (
	"slices"

	"netcov/kripke/bdd"
	"netcov/kripke/formula"
)

// Rewriting of LTL before the translation: smaller formulas, and fewer temporal
// operators that have to be remembered. The rules are those of
//
//	Etessami, Holzmann: Optimizing Büchi automata, CONCUR 2000
//	    (pure eventualities and pure universalities)
//	Somenzi, Bloem: Efficient Büchi automata from LTL formulae, CAV 2000
//	    (syntactic implication)
//
// Formulas are in negation normal form, W is expressed by R, and equivalence and
// implication of propositional parts are decided exactly.

// maxImplication bounds the depth of formulas that are compared by syntactic
// implication, whose table can be quadratic in their size.
const maxImplication = 64

// maxRewrite is the depth of formulas up to which they are rewritten.
const maxRewrite = 1000

type rewriter struct {
	guards *bdd.Manager
	index  map[string]int

	prop     map[formula.Formula]bool
	guard    map[formula.Formula]bdd.Ref
	classes  map[formula.Formula]purity
	implied  map[[2]formula.Formula]bool
	negation map[formula.Formula]formula.Formula
	done     map[formula.Formula]formula.Formula
	busy     map[formula.Formula]bool // what rewriteNormal is working on

	interrupt func() error
	polls     int
	err       error // from interrupt; all results are void then
}

func newRewriter(guards *bdd.Manager, index map[string]int, interrupt func() error) *rewriter {
	return &rewriter{
		guards: guards, index: index, interrupt: interrupt,
		prop: map[formula.Formula]bool{}, guard: map[formula.Formula]bdd.Ref{}, classes: map[formula.Formula]purity{},
		implied: map[[2]formula.Formula]bool{}, negation: map[formula.Formula]formula.Formula{},
		done: map[formula.Formula]formula.Formula{}, busy: map[formula.Formula]bool{},
	}
}

// stopped asks the interrupt function now and then, and keeps what it says.
func (r *rewriter) stopped() bool {
	if r.polls++; r.err == nil && r.interrupt != nil && r.polls%256 == 0 {
		r.err = r.interrupt()
	}
	return r.err != nil
}

// normalForm is f in negation normal form, with W expressed by R: the operators
// are TRUE, FALSE, !atom, &, |, X, F, G, U and R.
func normalForm(f formula.Formula) formula.Formula {
	return formula.Map(formula.NNF(f), func(g formula.Formula) formula.Formula {
		if g.Op() == formula.OpW {
			return formula.Binary(formula.OpR, g.Right(), formula.Or(g.Left(), g.Right()))
		}
		return g
	})
}

// rewrite simplifies a formula of LTL. The result is in normal form.
func (r *rewriter) rewrite(f formula.Formula) formula.Formula {
	f = normalForm(f)
	if f.Depth() > maxRewrite {
		return f
	}
	return r.rewriteNormal(f)
}

// rewriteNormal works bottom up; a rule's result is simplified again, with its
// own parts, until no rule applies or the rules come back to where they were.
func (r *rewriter) rewriteNormal(f formula.Formula) formula.Formula {
	if r.busy[f] {
		return f
	}
	r.busy[f] = true
	defer delete(r.busy, f)
	for _, g := range formula.Unknown(f, func(g formula.Formula) bool { return r.done[g] != (formula.Formula{}) }) {
		if r.stopped() {
			return f
		}
		if _, ok := r.done[g]; ok { // an operand's rewriting met it
			continue
		}
		h := g
		switch g.Op().Arity() {
		case 1:
			h = formula.Unary(g.Op(), r.done[g.Left()])
		case 2:
			h = formula.Binary(g.Op(), r.done[g.Left()], r.done[g.Right()])
		}
		if h != g {
			if d, ok := r.done[h]; ok {
				r.done[g] = d
				continue
			}
		}
		n := r.top(h)
		if n != h {
			n = r.rewriteNormal(n)
		}
		r.done[g], r.done[h] = n, n
	}
	return r.done[f]
}

// purity says what adding or removing a prefix of a word does to a formula.
type purity uint8

const (
	eventual  purity = 1 << iota // w ⊨ f implies uw ⊨ f
	universal                    // uw ⊨ f implies w ⊨ f
)

func (r *rewriter) purity(f formula.Formula) purity {
	if c, ok := r.classes[f]; ok {
		return c
	}
	known := func(g formula.Formula) bool { _, ok := r.classes[g]; return ok }
	for _, g := range formula.Unknown(f, known) {
		a, b := r.classes[g.Left()], r.classes[g.Right()]
		var c purity
		switch g.Op() {
		case formula.OpTrue, formula.OpFalse:
			c = eventual | universal
		case formula.OpAnd, formula.OpOr:
			c = a & b
		case formula.OpX:
			c = a
		case formula.OpF:
			c = a | eventual
		case formula.OpG:
			c = a | universal
		case formula.OpU:
			c = b&eventual | a&b&universal
		case formula.OpR:
			c = b&universal | a&b&eventual
		}
		r.classes[g] = c
	}
	return r.classes[f]
}

func (r *rewriter) propositional(f formula.Formula) bool {
	if p, ok := r.prop[f]; ok {
		return p
	}
	known := func(g formula.Formula) bool { _, ok := r.prop[g]; return ok }
	for _, g := range formula.Unknown(f, known) {
		p := !g.Op().Temporal()
		if p && g.Op().Arity() > 0 {
			p = r.prop[g.Left()] && (g.Op().Arity() == 1 || r.prop[g.Right()])
		}
		r.prop[g] = p
	}
	return r.prop[f]
}

// guardOf is the decision diagram of a propositional formula.
func (r *rewriter) guardOf(f formula.Formula) bdd.Ref {
	g, ok := r.guard[f]
	if !ok {
		g = guardOf(r.guards, r.index, f)
		r.guard[f] = g
	}
	return g
}

// implies tells that f ⇒ g is evident: from propositional reasoning and the
// operators' monotonicity and unfolding. It is sound, not complete.
func (r *rewriter) implies(f, g formula.Formula) bool {
	if f == g || f.Op() == formula.OpFalse || g.Op() == formula.OpTrue {
		return true
	}
	if f.Depth()+g.Depth() > maxImplication {
		return false
	}
	if r.propositional(f) && r.propositional(g) {
		return r.guards.Diff(r.guardOf(f), r.guardOf(g)) == bdd.False
	}
	key := [2]formula.Formula{f, g}
	v, ok := r.implied[key]
	if !ok {
		if r.stopped() {
			return false
		}
		v = r.impliesByRule(f, g)
		r.implied[key] = v
	}
	return v
}

func (r *rewriter) impliesByRule(f, g formula.Formula) bool {
	a, b := f.Left(), f.Right()
	c, d := g.Left(), g.Right()
	// f on the left
	switch f.Op() {
	case formula.OpOr:
		if r.implies(a, g) && r.implies(b, g) {
			return true
		}
	case formula.OpAnd:
		if r.implies(a, g) || r.implies(b, g) {
			return true
		}
	case formula.OpG:
		if r.implies(a, g) {
			return true
		}
	case formula.OpU:
		if r.implies(a, g) && r.implies(b, g) {
			return true
		}
	case formula.OpR:
		if r.implies(b, g) {
			return true
		}
	case formula.OpF:
		if r.purity(g)&eventual != 0 && r.implies(a, g) {
			return true
		}
	}
	// g on the right
	switch g.Op() {
	case formula.OpAnd:
		if r.implies(f, c) && r.implies(f, d) {
			return true
		}
	case formula.OpOr:
		if r.implies(f, c) || r.implies(f, d) {
			return true
		}
	case formula.OpF:
		if r.implies(f, c) {
			return true
		}
	case formula.OpU:
		if r.implies(f, d) {
			return true
		}
	case formula.OpR:
		if r.implies(f, c) && r.implies(f, d) {
			return true
		}
	case formula.OpG:
		if r.purity(f)&universal != 0 && r.implies(f, c) {
			return true
		}
	}
	// both
	switch {
	case f.Op() == formula.OpX && g.Op() == formula.OpX,
		f.Op() == formula.OpF && g.Op() == formula.OpF,
		f.Op() == formula.OpG && g.Op() == formula.OpG:
		return r.implies(a, c)
	case f.Op() == formula.OpU && g.Op() == formula.OpU,
		f.Op() == formula.OpR && g.Op() == formula.OpR:
		return r.implies(a, c) && r.implies(b, d)
	case f.Op() == formula.OpU && g.Op() == formula.OpF:
		return r.implies(b, c)
	case f.Op() == formula.OpG && g.Op() == formula.OpR:
		return r.implies(a, d)
	case f.Op() == formula.OpG && g.Op() == formula.OpX:
		return r.implies(f, c) || r.implies(a, c)
	case f.Op() == formula.OpX && g.Op() == formula.OpF:
		return r.implies(a, g)
	}
	return false
}

// excludes tells that f and g are evidently never true together.
func (r *rewriter) excludes(f, g formula.Formula) bool { return r.implies(f, r.not(g)) }

// not is the negation of a formula in the rewriter's normal form.
func (r *rewriter) not(f formula.Formula) formula.Formula {
	n, ok := r.negation[f]
	if !ok {
		n = formula.Negate(f)
		r.negation[f] = n
		r.negation[n] = f
	}
	return n
}

// top applies one rule at the root of f, whose operands are simplified.
func (r *rewriter) top(f formula.Formula) formula.Formula {
	f = formula.Simplify(f)
	if r.propositional(f) {
		switch r.guardOf(f) {
		case bdd.True:
			return formula.True()
		case bdd.False:
			return formula.False()
		}
		return f
	}
	a, b := f.Left(), f.Right()
	switch f.Op() {
	case formula.OpX:
		// X and both purities: the suffix decides as well.
		if r.purity(a) == eventual|universal {
			return a
		}
	case formula.OpF:
		return r.topF(f, a)
	case formula.OpG:
		return r.topG(f, a)
	case formula.OpU:
		switch {
		case r.implies(a, b), r.purity(b)&eventual != 0:
			return b
		case a.Op() == formula.OpTrue, r.implies(r.not(b), a):
			return formula.Unary(formula.OpF, b)
		case a.Op() == formula.OpX && b.Op() == formula.OpX:
			return formula.Unary(formula.OpX, formula.Binary(formula.OpU, a.Left(), b.Left()))
		case b.Op() == formula.OpU && r.implies(a, b.Left()):
			return b
		case b.Op() == formula.OpF:
			return b
		case a.Op() == formula.OpU && r.implies(a.Left(), b):
			return formula.Binary(formula.OpU, a.Right(), b)
		}
		// a U (b | G a) = a W b
		if rest, ok := r.without(b, formula.OpOr, formula.Unary(formula.OpG, a)); ok {
			return formula.Binary(formula.OpR, rest, formula.Or(a, rest))
		}
	case formula.OpR:
		switch {
		case r.implies(b, a), r.purity(b)&universal != 0:
			return b
		case a.Op() == formula.OpFalse, r.excludes(b, a):
			return formula.Unary(formula.OpG, b)
		case a.Op() == formula.OpX && b.Op() == formula.OpX:
			return formula.Unary(formula.OpX, formula.Binary(formula.OpR, a.Left(), b.Left()))
		case b.Op() == formula.OpR && r.implies(b.Left(), a):
			return b
		case a.Op() == formula.OpR && r.implies(b, a.Left()):
			return formula.Binary(formula.OpR, a.Right(), b)
		}
		// a V (b & F a) = b U (a & b)
		if rest, ok := r.without(b, formula.OpAnd, formula.Unary(formula.OpF, a)); ok {
			return formula.Binary(formula.OpU, rest, formula.And(a, rest))
		}
	case formula.OpAnd:
		if g, ok := r.pairs(f, formula.OpAnd); ok {
			return g
		}
	case formula.OpOr:
		if g, ok := r.pairs(f, formula.OpOr); ok {
			return g
		}
	}
	return f
}

func (r *rewriter) topF(f, a formula.Formula) formula.Formula {
	switch {
	case r.purity(a)&eventual != 0:
		return a
	case a.Op() == formula.OpX:
		return formula.Unary(formula.OpX, formula.Unary(formula.OpF, a.Left()))
	case a.Op() == formula.OpU:
		return formula.Unary(formula.OpF, a.Right())
	case a.Op() == formula.OpG && a.Left().Op() == formula.OpOr:
		// F G (a | u) = F G a | F G u for a pure universality u.
		if rest, pure := r.apart(a.Left(), formula.OpOr, universal); len(pure) > 0 && len(rest) > 0 {
			return formula.Or(persistent(formula.Or(rest...)), persistent(formula.Or(pure...)))
		}
	case a.Op() == formula.OpAnd:
		// F(a & s) = F a & s when s does not depend on any prefix.
		if rest, fixed := r.split(a, formula.OpAnd); len(fixed) > 0 {
			return formula.And(append(fixed, formula.Unary(formula.OpF, formula.And(rest...)))...)
		}
	}
	return f
}

func (r *rewriter) topG(f, a formula.Formula) formula.Formula {
	switch {
	case r.purity(a)&universal != 0:
		return a
	case a.Op() == formula.OpX:
		return formula.Unary(formula.OpX, formula.Unary(formula.OpG, a.Left()))
	case a.Op() == formula.OpR:
		return formula.Unary(formula.OpG, a.Right())
	case a.Op() == formula.OpF && a.Left().Op() == formula.OpAnd:
		// G F (a & e) = G F a & G F e for a pure eventuality e, which holds always
		// when it holds again and again.
		if rest, pure := r.apart(a.Left(), formula.OpAnd, eventual); len(pure) > 0 && len(rest) > 0 {
			out := []formula.Formula{recurrent(formula.And(rest...))}
			for _, e := range pure {
				out = append(out, recurrent(e))
			}
			return formula.And(out...)
		}
	case a.Op() == formula.OpAnd:
		// G (a & F b) = G a & G F b, whose acceptance set is its own.
		var rest, recurrent []formula.Formula
		for _, g := range r.operands(a, formula.OpAnd) {
			h := g
			for h.Op() == formula.OpX {
				h = h.Left()
			}
			if h.Op() == formula.OpF {
				recurrent = append(recurrent, formula.Unary(formula.OpG, h))
			} else {
				rest = append(rest, g)
			}
		}
		if len(recurrent) > 0 {
			if len(rest) > 0 {
				recurrent = append(recurrent, formula.Unary(formula.OpG, formula.And(rest...)))
			}
			return formula.And(recurrent...)
		}
	case a.Op() == formula.OpOr:
		if rest, fixed := r.split(a, formula.OpOr); len(fixed) > 0 {
			return formula.Or(append(fixed, formula.Unary(formula.OpG, formula.Or(rest...)))...)
		}
	}
	return f
}

// recurrent is G F f, persistent F G f.
func recurrent(f formula.Formula) formula.Formula {
	return formula.Unary(formula.OpG, formula.Unary(formula.OpF, f))
}

func persistent(f formula.Formula) formula.Formula {
	return formula.Unary(formula.OpF, formula.Unary(formula.OpG, f))
}

// apart separates the operands of a conjunction or disjunction that have a purity from
// the others.
func (r *rewriter) apart(f formula.Formula, op formula.Op, kind purity) (rest, pure []formula.Formula) {
	for _, g := range r.operands(f, op) {
		if r.purity(g)&kind != 0 && !r.propositional(g) {
			pure = append(pure, g)
		} else {
			rest = append(rest, g)
		}
	}
	return rest, pure
}

// without is a conjunction or disjunction without one of its operands, if it has it.
func (r *rewriter) without(f formula.Formula, op formula.Op, operand formula.Formula) (formula.Formula, bool) {
	if f.Op() != op {
		return f, false
	}
	list := r.operands(f, op)
	at := slices.Index(list, operand)
	if at < 0 {
		return f, false
	}
	list = slices.Delete(list, at, at+1)
	if op == formula.OpAnd {
		return formula.And(list...), true
	}
	return formula.Or(list...), true
}

// split separates the operands of a conjunction or disjunction into those that
// depend on the position and those of both purities, which do not.
func (r *rewriter) split(f formula.Formula, op formula.Op) (rest, fixed []formula.Formula) {
	for _, g := range r.operands(f, op) {
		if r.purity(g) == eventual|universal {
			fixed = append(fixed, g)
		} else {
			rest = append(rest, g)
		}
	}
	return rest, fixed
}

// operands flattens a conjunction or disjunction, propositional parts excepted.
func (r *rewriter) operands(f formula.Formula, op formula.Op) []formula.Formula {
	var out []formula.Formula
	stack := []formula.Formula{f}
	for len(stack) > 0 {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if g.Op() == op && !r.propositional(g) {
			stack = append(stack, g.Right(), g.Left())
		} else {
			out = append(out, g)
		}
	}
	return out
}

// maxPairs is the number of operands of a conjunction or disjunction up to which
// each pair is looked at.
const maxPairs = 64

// pairs applies a rule of & or | to two operands.
func (r *rewriter) pairs(f formula.Formula, op formula.Op) (formula.Formula, bool) {
	list := r.operands(f, op)
	if len(list) > maxPairs {
		return f, false
	}
	and := op == formula.OpAnd
	join := func(g, h formula.Formula) formula.Formula { return formula.Binary(op, g, h) }
	for i, g := range list {
		for j := i + 1; j < len(list); j++ {
			h := list[j]
			var n formula.Formula
			switch {
			case and && r.implies(g, h), !and && r.implies(h, g):
				n = g
			case and && r.implies(h, g), !and && r.implies(g, h):
				n = h
			case and && r.excludes(g, h):
				return formula.False(), true
			case !and && r.implies(r.not(g), h):
				return formula.True(), true
			case r.propositional(g) && r.propositional(h):
				n = join(g, h)
			default:
				n = r.merge(g, h, and)
				for _, pair := range [][2]formula.Formula{{g, h}, {h, g}} {
					if n == (formula.Formula{}) {
						n = r.first(pair[0], pair[1], and)
					}
				}
			}
			if n == (formula.Formula{}) {
				continue
			}
			rest := []formula.Formula{n}
			for k, o := range list {
				if k != i && k != j {
					rest = append(rest, o)
				}
			}
			if and {
				return formula.And(rest...), true
			}
			return formula.Or(rest...), true
		}
	}
	return f, false
}

// merge joins two temporal operands of & or | under one operator; the zero
// Formula when no rule applies.
func (r *rewriter) merge(g, h formula.Formula, and bool) formula.Formula {
	op := g.Op()
	if op != h.Op() {
		return formula.Formula{}
	}
	join := formula.Or
	if and {
		join = formula.And
	}
	switch op {
	case formula.OpX:
		return formula.Unary(op, join(g.Left(), h.Left()))
	case formula.OpF:
		switch {
		case !and:
			return formula.Unary(op, formula.Or(g.Left(), h.Left()))
		case g.Left().Op() == formula.OpG && h.Left().Op() == formula.OpG: // F G a & F G b = F G (a & b)
			return formula.Unary(op, formula.Unary(formula.OpG, formula.And(g.Left().Left(), h.Left().Left())))
		}
	case formula.OpG:
		switch {
		case and && g.Left().Op() != formula.OpF && h.Left().Op() != formula.OpF: // see topG
			return formula.Unary(op, formula.And(g.Left(), h.Left()))
		case !and && g.Left().Op() == formula.OpF && h.Left().Op() == formula.OpF: // G F a | G F b = G F (a | b)
			return formula.Unary(op, formula.Unary(formula.OpF, formula.Or(g.Left().Left(), h.Left().Left())))
		}
	case formula.OpU:
		switch {
		case and && g.Right() == h.Right():
			return formula.Binary(op, formula.And(g.Left(), h.Left()), g.Right())
		case !and && g.Left() == h.Left():
			return formula.Binary(op, g.Left(), formula.Or(g.Right(), h.Right()))
		}
	case formula.OpR:
		switch {
		case and && g.Left() == h.Left():
			return formula.Binary(op, g.Left(), formula.And(g.Right(), h.Right()))
		case !and && g.Right() == h.Right():
			return formula.Binary(op, formula.Or(g.Left(), h.Left()), g.Right())
		}
	}
	return formula.Formula{}
}

// first joins G a, in a disjunction, with what speaks of the first letters that violate
// a; in a conjunction it does the dual. The zero Formula when no rule applies.
//
//	G a | a U c         = a W c          F a & a V c         = c U (a & c)
//	G a | F (!a & e)    = a W (!a & e)   F a & G (!a | u)    = !a U (a & u)
//
// e is a pure eventuality: it holds at the first violation of a when it does at a later
// one. u is a pure universality.
func (r *rewriter) first(g, h formula.Formula, and bool) formula.Formula {
	always, until, once, join, kind := formula.OpG, formula.OpU, formula.OpF, formula.OpAnd, eventual
	if and {
		always, until, once, join, kind = formula.OpF, formula.OpR, formula.OpG, formula.OpOr, universal
	}
	if g.Op() != always {
		return formula.Formula{}
	}
	a := g.Left()
	build := func(c, other formula.Formula) formula.Formula { // a W c is c R (a | c)
		if and {
			return formula.Binary(formula.OpU, c, formula.And(a, other))
		}
		return formula.Binary(formula.OpR, c, formula.Or(a, other))
	}
	switch {
	case h.Op() == until && h.Left() == a:
		return build(h.Right(), h.Right())
	case h.Op() == once:
		rest, pure := r.apart(h.Left(), join, kind)
		if len(rest) == 1 && len(pure) > 0 && r.same(rest[0], r.not(a)) {
			other := formula.And(pure...)
			if and {
				other = formula.Or(pure...)
			}
			return build(rest[0], other)
		}
	}
	return formula.Formula{}
}

// same reports whether two formulas are evidently equivalent.
func (r *rewriter) same(f, g formula.Formula) bool {
	return f == g || r.propositional(f) && r.propositional(g) && r.guardOf(f) == r.guardOf(g)
}
