package smv

import (
	"math/big"
	"slices"

	"netcov/aig"
)

// evaluator turns typed expressions into literals of a graph. The values of
// variables come from its encoder; without one it evaluates constants.
//
// Values and failures follow Kleene's three-valued logic: a connective has its
// value where one operand decides, whether the other one fails or not.
type evaluator struct {
	arith
	enc      *encoder
	memo     [2]map[*node]value // by moment: now, after
	lines    []gateSource       // by graph node: the expression that made the gate
	maxGates int
}

type gateSource struct {
	pos  Pos
	inst *instance
}

func newEvaluator(g *aig.Graph, enc *encoder) *evaluator {
	return &evaluator{arith: arith{g}, enc: enc, memo: [2]map[*node]value{{}, {}}, maxGates: maxNodes}
}

// eval returns the value of an expression now or in the next state.
func (ev *evaluator) eval(n *node, at moment) value {
	if n.op == opNext {
		at = after
	}
	if v, ok := ev.memo[at][n]; ok {
		return v
	}
	v := ev.compute(n, at)
	ev.memo[at][n] = v
	ev.room(n, 0)
	for len(ev.lines) < ev.g.Size() {
		ev.lines = append(ev.lines, gateSource{n.pos, n.inst})
	}
	return v
}

// room refuses an expression that takes more gates than the model may have.
func (ev *evaluator) room(n *node, gates int) {
	if ev.g.Size()+gates > ev.maxGates {
		fail(n.pos, "the model is too large: more than %d gates", ev.maxGates)
	}
}

// truth returns the literal and the failure of a boolean expression.
func (ev *evaluator) truth(n *node, at moment) (holds, fails aig.Lit) {
	v := ev.eval(n, at)
	return v.bit(), v.fail
}

func (ev *evaluator) compute(n *node, at moment) value {
	switch n.op {
	case opTrue:
		return boolValue(aig.True)
	case opFalse:
		return boolValue(aig.False)
	case opInt:
		return intConstant(n.num)
	case opWord:
		return value{kind: kWord, bits: bigBits(n.big, n.typ.width)}
	case opSym:
		return value{kind: kSym, guards: []guard{{cst(n.num), aig.True}}}
	case opVar:
		return ev.enc.variable(n.v, at)
	case opDef, opNext:
		return ev.eval(n.args[0], at)
	case opIndex:
		return ev.element(n, at)
	case opIn:
		return ev.inclusion(n, at)
	case opCase, opIte:
		b := ev.branches(n, at)
		vals := make([]value, len(b.values))
		for i, a := range b.values {
			vals[i] = ev.convert(ev.eval(a, at), n.typ.kind, n.pos)
		}
		return ev.pick(b, vals)
	case opAnd, opOr, opImplies:
		if n.typ.kind == kBool {
			return ev.connective(n, at)
		}
	}
	args := make([]value, len(n.args))
	failures := make([]aig.Lit, len(n.args))
	for i, a := range n.args {
		args[i] = ev.eval(a, at)
		failures[i] = args[i].fail
	}
	v := ev.apply(n, args)
	v.fail = ev.g.Or(v.fail, ev.g.OrAll(failures...))
	return v
}

func bigBits(b *big.Int, width int) []aig.Lit {
	out := make([]aig.Lit, width)
	for i := range out {
		out[i] = aig.Lit(b.Bit(i))
	}
	return out
}

// connective evaluates &, | and -> on booleans.
func (ev *evaluator) connective(n *node, at moment) value {
	// As a conjunction: a | b is !(!a & !b), a -> b is !(a & !b).
	possible := make([]aig.Lit, len(n.args)) // operand holds or fails
	failures := make([]aig.Lit, len(n.args))
	for i, a := range n.args {
		holds, fails := ev.truth(a, at)
		if n.op == opOr || n.op == opImplies && i == 1 {
			holds = holds.Not()
		}
		possible[i], failures[i] = ev.g.Or(holds, fails), fails
	}
	v := boolValue(ev.g.AndAll(possible...))
	v.fail = ev.g.And(ev.g.OrAll(failures...), v.bit())
	if n.op != opAnd {
		v.bits[0] = v.bits[0].Not()
	}
	return v
}

// branches are the ways through a case or ?: expression.
type branches struct {
	take   []aig.Lit // by branch: this one is taken
	values []*node
	fail   aig.Lit // no branch is taken
}

func (ev *evaluator) branches(n *node, at moment) branches {
	args := n.args
	if n.op == opIte {
		args = []*node{args[0], args[1], constantNode(opTrue, n), args[2]}
	}
	var b branches
	reach := aig.True
	for i := 0; i < len(args); i += 2 {
		holds, fails := ev.truth(args[i], at)
		if fails != aig.False {
			b.fail = ev.g.Or(b.fail, ev.g.And(reach, fails))
			reach = ev.g.And(reach, fails.Not())
		}
		take := ev.g.And(reach, holds)
		reach = ev.g.And(reach, holds.Not())
		if take != aig.False {
			b.take = append(b.take, take)
			b.values = append(b.values, args[i+1])
		}
	}
	b.fail = ev.g.Or(b.fail, reach)
	if len(b.take) == 0 { // every condition is constantly false
		b.take, b.values = []aig.Lit{aig.False}, []*node{args[1]}
	}
	return b
}

// pick joins the values of branches.
func (ev *evaluator) pick(b branches, vals []value) value {
	v := ev.choice(b.take, vals)
	v.fail = b.fail
	for i := range vals {
		v.fail = ev.g.Or(v.fail, ev.g.And(b.take[i], vals[i].fail))
	}
	return v
}

// element reads an array at an index that is not constant: args[0] is the
// index, the elements follow, num is the lowest index.
func (ev *evaluator) element(n *node, at moment) value {
	i := ev.integer(ev.eval(n.args[0], at), n.args[0])
	var b branches
	var vals []value
	for k, a := range n.args[1:] {
		if on := ev.equals(i, n.num+int64(k)); on != aig.False {
			b.take = append(b.take, on)
			vals = append(vals, ev.convert(ev.eval(a, at), n.typ.kind, n.pos))
		}
	}
	if len(vals) == 0 { // never inside of the bounds: a failure, no value
		b.take = []aig.Lit{aig.False}
		vals = []value{ev.convert(ev.eval(n.args[1], at), n.typ.kind, n.pos)}
	}
	b.fail = ev.g.OrAll(b.take...).Not()
	v := ev.pick(b, vals)
	v.fail = ev.g.Or(v.fail, i.fail)
	return v
}

// integer reads a word as the number that it stands for.
func (ev *evaluator) integer(v value, n *node) value {
	if n.typ.kind != kWord {
		return v
	}
	w := n.typ.width
	if w > 32 || w == 32 && !n.typ.signed {
		fail(n.pos, "a word of %d bits does not fit an integer", w)
	}
	var out value
	if n.typ.signed {
		out = intValue(v.bits, -1<<(w-1), 1<<(w-1)-1)
	} else {
		out = intValue(zeroExtend(v.bits, w+1), 0, 1<<w-1)
	}
	out.fail = v.fail
	return out
}

// apply evaluates the operators whose operands are all needed.
func (ev *evaluator) apply(n *node, args []value) value {
	a := args[0]
	word := func(b []aig.Lit) value { return value{kind: kWord, bits: b} }
	logic := func(b []aig.Lit) value { return value{kind: n.typ.kind, bits: b} }
	switch n.op {
	case opNot:
		return logic(not(a.bits))
	case opAnd, opOr:
		f := ev.g.And
		if n.op == opOr {
			f = ev.g.Or
		}
		b := a.bits
		for _, x := range args[1:] {
			b = bitwise(f, b, x.bits)
		}
		return logic(b)
	case opImplies:
		return logic(bitwise(ev.g.Or, not(a.bits), args[1].bits))
	case opXor:
		return logic(bitwise(ev.g.Xor, a.bits, args[1].bits))
	case opXnor, opIff:
		return logic(not(bitwise(ev.g.Xor, a.bits, args[1].bits)))
	case opEq:
		return boolValue(ev.equal(n, a, args[1]))
	case opNe:
		return boolValue(ev.equal(n, a, args[1]).Not())
	case opLt:
		return boolValue(ev.less(n, a, args[1]))
	case opGe:
		return boolValue(ev.less(n, a, args[1]).Not())
	case opGt:
		return boolValue(ev.less(n, args[1], a))
	case opLe:
		return boolValue(ev.less(n, args[1], a).Not())
	case opMin:
		return ev.ifThenElse(ev.less(n, a, args[1]), a, args[1])
	case opMax:
		return ev.ifThenElse(ev.less(n, a, args[1]), args[1], a)
	case opBool:
		return boolValue(ev.g.OrAll(a.bits...))
	case opWord1:
		return word(a.bits)
	case opToint:
		if a.kind == kBool {
			return intValue([]aig.Lit{a.bit(), aig.False}, 0, 1)
		}
		v := ev.integer(a, n.args[0])
		v.fail = aig.False
		return v
	case opCount:
		lits := make([]aig.Lit, len(args))
		for i := range args {
			lits[i] = args[i].bit()
		}
		s := ev.sum(lits)
		return intValue(append(slices.Clip(s), aig.False), 0, int64(len(args)))
	case opSigned, opUnsigned:
		return a
	case opBits:
		return word(a.bits[n.num2 : n.num+1])
	case opConcat:
		return word(append(slices.Clip(args[1].bits), a.bits...))
	case opExtend:
		if n.typ.signed {
			return word(signExtend(a.bits, n.typ.width))
		}
		return word(zeroExtend(a.bits, n.typ.width))
	case opResize:
		return word(resize(a.bits, n.typ))
	case opShl, opShr:
		return ev.shiftWord(n, a, args[1])
	}
	if n.typ.kind == kWord {
		return ev.wordArithmetic(n, args)
	}
	return ev.intArithmetic(n, args)
}

// resize cuts or widens a word; a signed one keeps its sign when it is cut.
func resize(b []aig.Lit, t typ) []aig.Lit {
	switch w := t.width; {
	case !t.signed:
		return zeroExtend(b, w)
	case w >= len(b):
		return signExtend(b, w)
	default:
		return append(slices.Clone(b[:w-1]), b[len(b)-1])
	}
}

func (ev *evaluator) ifThenElse(sel aig.Lit, t, e value) value {
	return ev.choice([]aig.Lit{sel, sel.Not()}, []value{t, e})
}

func (ev *evaluator) equal(n *node, a, b value) aig.Lit {
	switch {
	case a.kind == kInt && b.kind == kInt:
		if c, ok := b.constInt(); ok {
			return ev.equals(a, c)
		}
		if c, ok := a.constInt(); ok {
			return ev.equals(b, c)
		}
		w := max(len(a.bits), len(b.bits))
		return ev.eq(signExtend(a.bits, w), signExtend(b.bits, w))
	case a.kind == kBool || a.kind == kWord:
		return ev.eq(a.bits, b.bits)
	}
	return ev.sameScalar(ev.guarded(a, n.pos), ev.guarded(b, n.pos))
}

func (ev *evaluator) less(n *node, a, b value) aig.Lit {
	if a.kind == kInt {
		w := max(len(a.bits), len(b.bits))
		return ev.slt(signExtend(a.bits, w), signExtend(b.bits, w))
	}
	if n.args[0].typ.signed {
		return ev.slt(a.bits, b.bits)
	}
	return ev.ult(a.bits, b.bits)
}

func (ev *evaluator) shiftWord(n *node, a, amount value) value {
	w := len(a.bits)
	m := amount.bits // as an unsigned number, where the shift does not fail
	out := value{kind: kWord}
	if amount.kind == kInt {
		out.fail = m[len(m)-1]
		m = m[:len(m)-1]
	}
	width := max(len(m), signedWidth(0, int64(w)))
	out.fail = ev.g.Or(out.fail, ev.ult(constBits(uint64(w), width), zeroExtend(m, width)))
	fill := aig.False
	if n.op == opShr && n.typ.signed {
		fill = a.bits[w-1]
	}
	out.bits = ev.shift(a.bits, m, n.op == opShl, fill)
	return out
}

// open counts the bits that are no constants.
func open(bits []aig.Lit) int {
	n := 0
	for _, b := range bits {
		if b != aig.False && b != aig.True {
			n++
		}
	}
	return n
}

func (ev *evaluator) wordArithmetic(n *node, args []value) value {
	v := value{kind: kWord}
	a := args[0].bits
	if n.op == opNeg {
		v.bits = ev.neg(a)
		return v
	}
	b := args[1].bits
	if n.op == opMul || n.op == opDiv || n.op == opMod {
		ev.room(n, 12*open(a)*open(b))
	}
	switch n.op {
	case opAdd:
		v.bits, _ = ev.add(a, b, aig.False)
	case opSub:
		v.bits = ev.sub(a, b)
	case opMul:
		v.bits = ev.mul(a, b)
	case opDiv, opMod:
		v.fail = ev.g.OrAll(b...).Not()
		divide := ev.udivrem
		if n.typ.signed {
			divide = ev.sdivrem
		}
		quot, rem := divide(a, b)
		if v.bits = quot; n.op == opMod {
			v.bits = rem
		}
	}
	return v
}

// intArithmetic computes with exactly as many bits as the result's bounds need.
func (ev *evaluator) intArithmetic(n *node, args []value) value {
	a, b := args[0], intConstant(0)
	if len(args) > 1 {
		b = args[1]
	}
	lo, hi := intBounds(n.op, a, b)
	if lo < -maxInt || hi > maxInt {
		fail(n.pos, "the result of %s may lie anywhere in %d..%d, beyond NuSMV's integers of 32 bits", n.op, lo, hi)
	}
	w := max(signedWidth(lo, hi), len(a.bits), len(b.bits))
	x, y := signExtend(a.bits, w), signExtend(b.bits, w)
	v := value{}
	var out []aig.Lit
	switch n.op {
	case opNeg:
		out = ev.neg(x)
	case opAbs:
		out = ev.mux(x[w-1], ev.neg(x), x)
	case opAdd:
		out, _ = ev.add(x, y, aig.False)
	case opSub:
		out = ev.sub(x, y)
	case opMul:
		out = ev.mul(x, y)
	case opDiv, opMod:
		v.fail = ev.g.OrAll(y...).Not()
		quot, rem := ev.sdivrem(signExtend(x, w+1), signExtend(y, w+1))
		if out = quot; n.op == opMod {
			out = rem
		}
	}
	r := intValue(out, lo, hi)
	r.fail = v.fail
	return r
}

// intBounds gives bounds of a result from the bounds of the operands.
func intBounds(o op, a, b value) (lo, hi int64) {
	magnitude := func(v value) int64 { return max(v.hi, -v.lo) }
	switch o {
	case opNeg:
		return -a.hi, -a.lo
	case opAbs:
		if a.lo >= 0 {
			return a.lo, a.hi
		}
		return 0, magnitude(a)
	case opAdd:
		return a.lo + b.lo, a.hi + b.hi
	case opSub:
		return a.lo - b.hi, a.hi - b.lo
	case opMul:
		products := []int64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
		return slices.Min(products), slices.Max(products)
	case opDiv:
		m := magnitude(a)
		if a.lo >= 0 && b.lo >= 0 {
			return 0, m
		}
		return -m, m
	}
	m := min(magnitude(a), max(magnitude(b)-1, 0)) // opMod: the sign of a
	lo, hi = -m, m
	if a.lo >= 0 {
		lo = 0
	}
	if a.hi <= 0 {
		hi = 0
	}
	return lo, hi
}
