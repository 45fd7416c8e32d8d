package smv

import "math/big"

// derived makes a node over others, whose flags it inherits.
func (e *elaborator) derived(o op, t typ, pos Pos, in *instance, args ...*node) *node {
	n := &node{op: o, typ: t, pos: pos, inst: in, args: args}
	for _, a := range args {
		n.flags |= a.flags
		n.depth = max(n.depth, a.depth)
	}
	if n.depth++; n.depth > maxDepth {
		fail(pos, "the expression is more than %d levels deep with its DEFINEs opened", maxDepth)
	}
	return n
}

var (
	boolTyp = typ{kind: kBool}
	intTyp  = typ{kind: kInt}
)

// operator elaborates an expression other than a name: it resolves, checks
// types and folds what must be constant.
func (e *elaborator) operator(x *expr, in *instance) *node {
	leaf := func(t typ) *node { return &node{op: x.op, typ: t, pos: x.pos, inst: in, depth: 1} }
	switch x.op {
	case opTrue, opFalse:
		return leaf(boolTyp)
	case opInt:
		n := leaf(intTyp)
		n.num = x.num
		return n
	case opWord:
		n := leaf(typ{kind: kWord, signed: x.signed, width: x.width})
		n.big = x.big
		return n
	case opRange:
		return e.rangeSet(x, in)
	case opBits:
		return e.bitSelection(x, in)
	case opExtend, opResize, opUwconst, opSwconst:
		return e.sizedWord(x, in)
	}
	if x.op >= opEX {
		return e.temporal(x, in)
	}
	args := make([]*node, len(x.args))
	for i, a := range x.args {
		args[i] = e.value(a, in)
	}
	switch x.op {
	case opNot, opAnd, opOr, opXor, opXnor, opImplies, opIff:
	default:
		e.notTemporal(x, args)
	}
	if x.op == opNeg && args[0].op == opInt {
		n := leaf(intTyp)
		n.op, n.num = opInt, -args[0].num
		return n
	}
	if x.op == opSizeof {
		if args[0].typ.kind != kWord {
			e.illegal(x, args)
		}
		n := e.derived(opInt, intTyp, x.pos, in)
		n.num = int64(args[0].typ.width)
		return n
	}
	n := e.derived(x.op, e.resultType(x, args), x.pos, in, args...)
	switch x.op {
	case opNext:
		if args[0].flags&hasNext != 0 {
			fail(x.pos, "next() inside next()")
		}
		if args[0].flags&hasInput != 0 {
			fail(x.pos, "an input variable (IVAR) inside next()")
		}
		n.flags |= hasNext
	case opIndex:
		return e.index(n)
	}
	return n
}

func (e *elaborator) notTemporal(x *expr, args []*node) {
	for i, a := range args {
		if a.flags&hasTemporal != 0 {
			fail(x.args[i].pos, "a temporal operator inside %s; only !, &, |, xor, xnor, ->, <-> may hold one", x.op)
		}
	}
}

// illegal reports operands whose types do not fit the operator.
func (e *elaborator) illegal(x *expr, args []*node) {
	s := ""
	for i, a := range args {
		if i > 0 {
			s += " and "
		}
		s += a.typ.String()
		if i == 3 && len(args) > 4 {
			s += " and others"
			break
		}
	}
	fail(x.pos, "illegal operands of %s: %s", x.op, s)
}

// toBool reads the constants 0 and 1 as booleans, as NuSMV before 2.5.1 did.
func (e *elaborator) toBool(n *node) *node {
	if n.op != opInt || n.num != 0 && n.num != 1 {
		return n
	}
	if e.oldStyle++; e.oldStyle == 1 {
		e.oldStyleLine = n.pos.Line
	}
	o := opFalse
	if n.num == 1 {
		o = opTrue
	}
	return &node{op: o, typ: boolTyp, pos: n.pos, inst: n.inst, depth: 1}
}

// unifyBool applies toBool, inside of sets too, where another operand is
// boolean.
func (e *elaborator) unifyBool(args []*node) {
	for _, a := range args {
		if a.typ.kind == kBool {
			for i := range args {
				args[i] = e.boolElements(args[i])
			}
			return
		}
	}
}

// boolElements rebuilds a set or choice of 0 and 1 as one of booleans.
func (e *elaborator) boolElements(n *node) *node {
	if n.typ.kind != kInt {
		return n
	}
	first, step := 0, 1
	switch n.op {
	case opInt:
		return e.toBool(n)
	case opSet, opUnion:
	case opIte:
		first = 1
	case opCase:
		first, step = 1, 2
	default:
		return n
	}
	args := append([]*node(nil), n.args...)
	for i := first; i < len(args); i += step {
		if args[i] = e.boolElements(args[i]); args[i].typ.kind != kBool {
			return n
		}
	}
	m := e.derived(n.op, n.typ, n.pos, n.inst, args...)
	m.typ.kind = kBool
	return m
}

// resultType checks the operands' types. It may replace operands.
func (e *elaborator) resultType(x *expr, args []*node) typ {
	first := args[0].typ
	allBool := func(args []*node) bool {
		for i := range args {
			if args[i] = e.toBool(args[i]); args[i].typ != boolTyp {
				return false
			}
		}
		return true
	}
	same := func() bool {
		for _, a := range args[1:] {
			if a.typ != first {
				return false
			}
		}
		return true
	}
	arithmetic := (first == intTyp || first.kind == kWord && !first.set) && same()
	ok := false
	result := boolTyp
	switch x.op {
	case opNot, opAnd, opOr, opXor, opXnor, opImplies, opIff:
		if ok = first.kind == kWord && !first.set && same(); ok {
			result = first
		} else {
			ok = allBool(args)
		}
	case opEq, opNe:
		e.unifyBool(args)
		t, joins := join(args[0].typ, args[1].typ)
		ok = joins && !t.set && t.kind != kArray
	case opLt, opGt, opLe, opGe:
		ok = arithmetic
	case opIn:
		e.unifyBool(args)
		t, joins := join(args[0].typ, args[1].typ)
		ok = joins && t.kind != kArray
	case opNeg, opAdd, opSub, opMul, opDiv, opMod, opMin, opMax:
		ok, result = arithmetic, first
	case opAbs:
		ok, result = first == intTyp, first
	case opShl, opShr:
		right := args[1].typ
		ok = first.kind == kWord && !first.set && (right == intTyp || right.kind == kWord && !right.signed && !right.set)
		result = first
	case opConcat:
		ok = first.kind == kWord && args[1].typ.kind == kWord && !first.set && !args[1].typ.set
		result = typ{kind: kWord, width: first.width + args[1].typ.width}
		if ok && result.width > maxWidth {
			fail(x.pos, "a word of more than %d bits", maxWidth)
		}
	case opUnion, opSet:
		result, ok = e.joinAll(args, 0, 1)
		ok = ok && result.kind != kArray
		result.set = true
	case opCase:
		for i := 0; i < len(args); i += 2 {
			if args[i] = e.toBool(args[i]); args[i].typ != boolTyp {
				fail(x.args[i].pos, "the condition of a case must be boolean, not %s", args[i].typ)
			}
		}
		result, ok = e.joinAll(args, 1, 2)
		if ok = ok && result.kind != kArray; !ok {
			e.illegalCase(x, args)
		}
	case opIte:
		if args[0] = e.toBool(args[0]); args[0].typ != boolTyp {
			fail(x.pos, "the condition of ?: must be boolean, not %s", args[0].typ)
		}
		result, ok = e.joinAll(args, 1, 1)
		ok = ok && result.kind != kArray
	case opNext:
		ok, result = !first.set && first.kind != kArray, first
	case opIndex:
		if first.kind == kArray {
			i := args[1].typ
			ok, result = i == intTyp || i.kind == kWord && !i.set, first.arr.elem
		}
	case opArray:
		var elem typ
		elem, ok = e.joinAll(args, 0, 1)
		ok = ok && !elem.set
		result = typ{kind: kArray, arr: &arrayTyp{0, int64(len(args) - 1), elem}}
	case opBool:
		ok = first == boolTyp || first == intTyp || first == typ{kind: kWord, width: 1}
	case opWord1:
		ok, result = allBool(args), typ{kind: kWord, width: 1}
	case opToint:
		ok, result = first == boolTyp || first == intTyp || first.kind == kWord && !first.set, intTyp
	case opSigned, opUnsigned:
		ok = first.kind == kWord && !first.set && first.signed == (x.op == opUnsigned)
		result = typ{kind: kWord, signed: x.op == opSigned, width: first.width}
	case opCount:
		ok, result = allBool(args), intTyp
	}
	if !ok {
		e.illegal(x, args)
	}
	return result
}

// joinAll joins the types of every step-th operand from first on.
func (e *elaborator) joinAll(args []*node, first, step int) (typ, bool) {
	var picked []*node
	for i := first; i < len(args); i += step {
		picked = append(picked, args[i])
	}
	e.unifyBool(picked)
	for i := range picked {
		args[first+i*step] = picked[i]
	}
	t, ok := picked[0].typ, true
	for _, a := range picked[1:] {
		if t, ok = join(t, a.typ); !ok {
			return t, false
		}
	}
	return t, true
}

func (e *elaborator) illegalCase(x *expr, args []*node) {
	t := args[1].typ
	for i := 3; i < len(args); i += 2 {
		u, ok := join(t, args[i].typ)
		if !ok {
			fail(x.args[i].pos, "this value of the case is %s, the ones before are %s", args[i].typ, t)
		}
		t = u
	}
}

func (e *elaborator) rangeSet(x *expr, in *instance) *node {
	n := &node{op: opRange, typ: typ{kind: kInt, set: true}, pos: x.pos, inst: in, depth: 1}
	n.num, n.num2 = e.constant(x.args[0], in, "a range's bound"), e.constant(x.args[1], in, "a range's bound")
	if n.num2 < n.num {
		fail(x.pos, "the range %d..%d is empty", n.num, n.num2)
	}
	return n
}

func (e *elaborator) bitSelection(x *expr, in *instance) *node {
	w := e.value(x.args[0], in)
	hi, lo := e.constant(x.args[1], in, "a bit's position"), e.constant(x.args[2], in, "a bit's position")
	if w.typ.kind != kWord || w.typ.set {
		fail(x.pos, "bits can be selected from a word only, not from %s", w.typ)
	}
	if lo < 0 || hi < lo || hi >= int64(w.typ.width) {
		fail(x.pos, "bits [%d:%d] of a word[%d] do not exist", hi, lo, w.typ.width)
	}
	n := e.derived(opBits, typ{kind: kWord, width: int(hi - lo + 1)}, x.pos, in, w)
	n.num, n.num2 = hi, lo
	return n
}

// sizedWord elaborates extend, resize, uwconst and swconst, whose second
// argument is a constant.
func (e *elaborator) sizedWord(x *expr, in *instance) *node {
	if x.op == opUwconst || x.op == opSwconst {
		v := e.constant(x.args[0], in, "the value of a word constant")
		t := typ{kind: kWord, signed: x.op == opSwconst, width: e.width(x.args[1], in)}
		lo, hi := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), uint(t.width))
		if t.signed {
			hi.Rsh(hi, 1)
			lo.Neg(hi)
		}
		n := &node{op: opWord, typ: t, pos: x.pos, inst: in, depth: 1, big: big.NewInt(v)}
		if n.big.Cmp(lo) < 0 || n.big.Cmp(hi) >= 0 {
			fail(x.pos, "the value %d does not fit a %s", v, t)
		}
		if v < 0 {
			n.big.Add(n.big, new(big.Int).Lsh(big.NewInt(1), uint(t.width)))
		}
		return n
	}
	w := e.value(x.args[0], in)
	if w.typ.kind != kWord || w.typ.set {
		e.illegal(x, []*node{w})
	}
	k := e.constant(x.args[1], in, "the second argument of "+x.op.String())
	t := w.typ
	t.width = int(k)
	if x.op == opExtend {
		t.width += w.typ.width
	}
	if k < 0 || k > maxWidth || t.width < 1 || t.width > maxWidth {
		fail(x.pos, "%s to %d bits; from 1 to %d are possible", x.op, int64(t.width), maxWidth)
	}
	return e.derived(x.op, t, x.pos, in, w)
}

// index resolves a constant index, and checks that the array is known element
// by element otherwise.
func (e *elaborator) index(n *node) *node {
	a, i := n.args[0].under(), n.args[1]
	if a.op == opIndex { // an element chosen at run time, itself an array
		name := e.text(n.args[0]) + "[" + e.text(i) + "]"
		args := []*node{a.args[0]}
		for _, elem := range a.args[1:] {
			args = append(args, e.index(e.derived(opIndex, n.typ, n.pos, n.inst, elem, i)))
		}
		m := e.derived(opIndex, n.typ, n.pos, n.inst, args...)
		m.num, m.name = a.num, name
		return m
	}
	if a.op != opArray {
		fail(n.pos, "only an array variable or an array DEFINE can be indexed")
	}
	lo, hi := a.typ.arr.lo, a.typ.arr.hi
	if i.flags&hasVar != 0 || i.typ.kind != kInt {
		n.name = e.text(n.args[0]) + "[" + e.text(i) + "]"
		n.args = append([]*node{i}, a.args...)
		n.num = lo
		return n
	}
	c, ok := constantOf(i)
	if !ok || c < lo || c > hi {
		fail(n.pos, "the index is outside of the array's bounds %d..%d", lo, hi)
	}
	return usedAt(a.args[c-lo], n.pos, n.inst)
}

// temporal elaborates an operator of CTL or LTL.
func (e *elaborator) temporal(x *expr, in *instance) *node {
	operands := 1
	switch x.op {
	case opEU, opAU, opEW, opAW, opEV, opAV, opEBU, opABU, opU, opV, opW, opS, opT:
		operands = 2
	}
	args := make([]*node, operands)
	for i := range args {
		args[i] = e.toBool(e.value(x.args[i], in))
		if args[i].typ != boolTyp {
			fail(x.args[i].pos, "the operand of %s must be boolean, not %s", x.op, args[i].typ)
		}
	}
	n := e.derived(x.op, boolTyp, x.pos, in, args...)
	n.flags |= hasTemporal
	if len(x.args) > operands {
		n.num, n.num2 = x.args[operands].num, x.args[operands+1].num
		if n.num < 0 || n.num2 < n.num {
			fail(x.args[operands].pos, "the bounds %d..%d of %s are empty or negative", n.num, n.num2, x.op)
		}
		n.name = "bounded"
	}
	return n
}
