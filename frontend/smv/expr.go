package smv

import (
	"math/big"
	"strconv"
	"strings"
)

// Expressions. Binding strength from tight to loose, as in NuSMV's grammar:
//
//	. [ ]   ! and unary -   ::   * / mod   + -   << >>   { } ..   union   in
//	= != < > <= >=   CTL and unary LTL operators   U V W S T   &
//	| xor xnor   ?:   <->   ->
//
// -> and the else part of ?: associate to the right, the others to the left.

// nest counts a level of nesting; the returned function leaves it.
func (p *parser) nest() func() {
	p.nesting++
	if p.nesting > maxNesting {
		fail(p.peek().pos, "nested more than %d levels deep", maxNesting)
	}
	return func() { p.nesting-- }
}

func (p *parser) expr() *expr {
	defer p.nest()()
	e := p.iff()
	if t := p.peek(); p.accept("->") {
		return &expr{op: opImplies, pos: t.pos, args: []*expr{e, p.expr()}}
	}
	return e
}

func (p *parser) iff() *expr {
	e := p.ite()
	for {
		t := p.peek()
		if !p.accept("<->") {
			return e
		}
		e = &expr{op: opIff, pos: t.pos, args: []*expr{e, p.ite()}}
	}
}

func (p *parser) ite() *expr {
	defer p.nest()()
	e := p.or()
	t := p.peek()
	if !p.accept("?") {
		return e
	}
	then := p.expr()
	p.expect(":", "in the ?: expression")
	return &expr{op: opIte, pos: t.pos, args: []*expr{e, then, p.ite()}}
}

func (p *parser) or() *expr {
	e := p.and()
	fresh := false // e is an n-ary node made here
	for {
		t := p.peek()
		var o op
		switch {
		case p.accept("|"):
			o = opOr
		case p.acceptKeyword("xor"):
			o = opXor
		case p.acceptKeyword("xnor"):
			o = opXnor
		default:
			return e
		}
		right := p.and()
		if o == opOr && fresh && e.op == opOr {
			e.args = append(e.args, right)
			continue
		}
		e, fresh = &expr{op: o, pos: t.pos, args: []*expr{e, right}}, true
	}
}

func (p *parser) and() *expr {
	e := p.until()
	fresh := false
	for {
		t := p.peek()
		if !p.accept("&") {
			return e
		}
		right := p.until()
		if fresh {
			e.args = append(e.args, right)
			continue
		}
		e, fresh = &expr{op: opAnd, pos: t.pos, args: []*expr{e, right}}, true
	}
}

// R is another spelling of V; like W it is no reserved word.
var untilOps = map[string]op{"U": opU, "V": opV, "R": opV, "W": opW, "S": opS, "T": opT}

func (p *parser) until() *expr {
	e := p.temporal()
	for {
		t := p.peek()
		o, ok := untilOps[t.text]
		if !ok || t.kind != tokKeyword && (t.kind != tokIdent || t.text != "W" && t.text != "R") || p.nestedUntil(t) {
			return e
		}
		p.i++
		e = &expr{op: o, pos: t.pos, args: []*expr{e, p.temporal()}}
	}
}

// nestedUntil reports whether U, V or W belongs to an enclosing A[ ] or E[ ],
// whose operands hold no bare LTL operator.
func (p *parser) nestedUntil(t token) bool {
	return p.quantified > 0 && t.text != "S" && t.text != "T"
}

var unaryTemporal = map[string]op{
	"EX": opEX, "AX": opAX, "EF": opEF, "AF": opAF, "EG": opEG, "AG": opAG,
	"EBF": opEBF, "ABF": opABF, "EBG": opEBG, "ABG": opABG,
	"X": opX, "F": opF, "G": opG, "Y": opY, "Z": opZ, "H": opH, "O": opO,
}

func (p *parser) temporal() *expr {
	t := p.peek()
	if t.is("!") {
		k := 1
		for p.ahead(k).is("!") {
			k++
		}
		if n := p.ahead(k); n.kind == tokKeyword && (unaryTemporal[n.text] != opBad || n.text == "A" || n.text == "E") {
			defer p.nest()()
			p.i++
			return &expr{op: opNot, pos: t.pos, args: []*expr{p.temporal()}}
		}
	}
	if t.kind != tokKeyword {
		return p.relation()
	}
	if t.text == "A" || t.text == "E" {
		defer p.nest()()
		return p.pathQuantifier(t)
	}
	o := unaryTemporal[t.text]
	if o == opBad {
		return p.relation()
	}
	defer p.nest()()
	p.i++
	e := &expr{op: o, pos: t.pos}
	var bounds []*expr
	switch o {
	case opEBF, opABF, opEBG, opABG:
		bounds = p.bounds()
	case opF, opG, opO, opH:
		if p.peek().is("[") {
			p.i++
			lo := p.integer()
			p.expect(",", "between the bounds")
			bounds = []*expr{lo, p.integer()}
			p.expect("]", "after the bounds")
		}
	}
	e.args = append([]*expr{p.temporal()}, bounds...)
	return e
}

// bounds reads m..n.
func (p *parser) bounds() []*expr {
	lo := p.integer()
	p.expect("..", "between the bounds")
	return []*expr{lo, p.integer()}
}

// pathQuantifier reads A[p U q], E[p U q] and the forms with W, V and BU.
func (p *parser) pathQuantifier(t token) *expr {
	p.i++
	p.expect("[", "after the path quantifier "+t.text)
	outer := p.quantified
	p.quantified = 1
	e := &expr{pos: t.pos}
	left := p.expr()
	k := p.next()
	ops := map[string][2]op{"U": {opEU, opAU}, "W": {opEW, opAW}, "V": {opEV, opAV}, "R": {opEV, opAV}, "BU": {opEBU, opABU}}
	pair, ok := ops[k.text]
	if !ok || k.kind == tokSymbol {
		fail(k.pos, "expected U between the operands of %s[ ], found %s", t.text, k)
	}
	var bounds []*expr
	if k.text == "BU" {
		bounds = p.bounds()
	}
	if e.op = pair[0]; t.text == "A" {
		e.op = pair[1]
	}
	e.args = append([]*expr{left, p.expr()}, bounds...)
	p.quantified = outer
	p.expect("]", "after the operands of "+t.text+"[ ]")
	return e
}

var relations = map[string]op{"=": opEq, "!=": opNe, "<": opLt, ">": opGt, "<=": opLe, ">=": opGe}

func (p *parser) binary(operand func() *expr, find func(t token) op) *expr {
	e := operand()
	for {
		t := p.peek()
		o := find(t)
		if o == opBad {
			return e
		}
		p.i++
		e = &expr{op: o, pos: t.pos, args: []*expr{e, operand()}}
	}
}

func symbolOp(table map[string]op) func(t token) op {
	return func(t token) op {
		if t.kind == tokSymbol || t.kind == tokKeyword {
			return table[t.text]
		}
		return opBad
	}
}

var (
	findRelation = symbolOp(relations)
	findIn       = symbolOp(map[string]op{"in": opIn})
	findUnion    = symbolOp(map[string]op{"union": opUnion})
	findShift    = symbolOp(map[string]op{"<<": opShl, ">>": opShr})
	findSum      = symbolOp(map[string]op{"+": opAdd, "-": opSub})
	findProduct  = symbolOp(map[string]op{"*": opMul, "/": opDiv, "mod": opMod})
	findConcat   = symbolOp(map[string]op{"::": opConcat})
)

func (p *parser) relation() *expr  { return p.binary(p.inclusion, findRelation) }
func (p *parser) inclusion() *expr { return p.binary(p.union, findIn) }
func (p *parser) union() *expr     { return p.binary(p.set, findUnion) }

func (p *parser) set() *expr {
	e := p.shift()
	t := p.peek()
	if p.accept("..") {
		return &expr{op: opRange, pos: t.pos, args: []*expr{e, p.shift()}}
	}
	return e
}

func (p *parser) shift() *expr   { return p.binary(p.sum, findShift) }
func (p *parser) sum() *expr     { return p.binary(p.product, findSum) }
func (p *parser) product() *expr { return p.binary(p.concat, findProduct) }
func (p *parser) concat() *expr  { return p.binary(p.primary, findConcat) }

// functions are the built-in functions with their numbers of arguments; 0 is
// any number from one up.
var functions = map[string]struct {
	op op
	n  int
}{
	"abs": {opAbs, 1}, "min": {opMin, 2}, "max": {opMax, 2}, "bool": {opBool, 1}, "word1": {opWord1, 1},
	"toint": {opToint, 1}, "signed": {opSigned, 1}, "unsigned": {opUnsigned, 1}, "extend": {opExtend, 2},
	"resize": {opResize, 2}, "sizeof": {opSizeof, 1}, "uwconst": {opUwconst, 2}, "swconst": {opSwconst, 2},
	"count": {opCount, 0}, "next": {opNext, 1},
}

func (p *parser) primary() *expr {
	t := p.peek()
	if t.is("!") || t.is("-") {
		defer p.nest()()
		p.i++
		o := opNot
		if t.text == "-" {
			o = opNeg
		}
		return &expr{op: o, pos: t.pos, args: []*expr{p.primary()}}
	}
	e := p.atom()
	for {
		t := p.peek()
		switch {
		case t.is("."):
			if e.op != opIdent && e.op != opDot && e.op != opIndex && e.op != opSelf {
				fail(t.pos, "'.' must follow a name")
			}
			p.i++
			e = &expr{op: opDot, pos: t.pos, args: []*expr{e}, text: p.member()}
		case t.is("["):
			p.i++
			outer := p.quantified
			p.quantified = 0
			i := p.expr()
			if p.accept(":") {
				e = &expr{op: opBits, pos: t.pos, args: []*expr{e, i, p.expr()}}
			} else {
				e = &expr{op: opIndex, pos: t.pos, args: []*expr{e, i}}
			}
			p.quantified = outer
			p.expect("]", "after the index")
		case t.is("(") && (e.op == opIdent || e.op == opDot):
			if e.text == "READ" || e.text == "WRITE" || e.text == "CONSTARRAY" {
				fail(e.pos, "%s (arrays as values) is not supported", e.text)
			}
			fail(e.pos, "%s is no built-in function, and uninterpreted functions are not supported", e.text)
		default:
			return e
		}
	}
}

func (p *parser) atom() *expr {
	t := p.peek()
	switch t.kind {
	case tokIdent:
		p.i++
		return &expr{op: opIdent, pos: t.pos, text: t.text}
	case tokNumber:
		return p.integer()
	case tokWord:
		p.i++
		return wordConstant(t)
	case tokSymbol:
		switch t.text {
		case "(":
			p.i++
			outer := p.quantified
			p.quantified = 0
			e := p.expr()
			p.quantified = outer
			p.expect(")", "to close the parenthesis")
			return e
		case "+":
			if p.ahead(1).kind == tokNumber {
				return p.integer()
			}
		case "{":
			p.i++
			outer := p.quantified
			p.quantified = 0
			e := &expr{op: opSet, pos: t.pos}
			for {
				e.args = append(e.args, p.expr())
				if !p.accept(",") {
					break
				}
			}
			p.quantified = outer
			p.expect("}", "after the set's elements")
			return e
		case "[":
			fail(t.pos, "array expressions may only stand in a DEFINE of their own")
		}
	case tokKeyword:
		if f, ok := functions[t.text]; ok {
			return p.call(t, f.op, f.n)
		}
		switch t.text {
		case "TRUE", "FALSE":
			p.i++
			if t.text == "TRUE" {
				return &expr{op: opTrue, pos: t.pos}
			}
			return &expr{op: opFalse, pos: t.pos}
		case "self":
			p.i++
			return &expr{op: opSelf, pos: t.pos}
		case "case":
			return p.caseExpr()
		}
	}
	p.unexpected("an expression")
	return nil
}

func (p *parser) call(t token, o op, n int) *expr {
	defer p.nest()()
	p.i++
	outer := p.quantified
	p.quantified = 0
	e := &expr{op: o, pos: t.pos}
	p.expect("(", "after "+t.text)
	for {
		e.args = append(e.args, p.expr())
		if !p.accept(",") {
			break
		}
	}
	p.quantified = outer
	p.expect(")", "after the arguments of "+t.text)
	if n > 0 && len(e.args) != n {
		fail(t.pos, "%s takes %d arguments, not %d", t.text, n, len(e.args))
	}
	return e
}

func (p *parser) caseExpr() *expr {
	defer p.nest()()
	e := &expr{op: opCase, pos: p.next().pos}
	outer := p.quantified
	p.quantified = 0
	for !p.acceptKeyword("esac") {
		cond := p.expr()
		p.expect(":", "after the condition of a case")
		e.args = append(e.args, cond, p.expr())
		p.expect(";", "after the value of a case")
	}
	p.quantified = outer
	if len(e.args) == 0 {
		fail(e.pos, "a case expression needs at least one branch")
	}
	return e
}

// integer reads a number with an optional sign.
func (p *parser) integer() *expr {
	t := p.peek()
	sign := ""
	if p.accept("-") {
		sign = "-"
	} else {
		p.accept("+")
	}
	d := p.peek()
	if d.kind != tokNumber {
		p.unexpected("a number")
	}
	p.i++
	n, err := strconv.ParseInt(sign+d.text, 10, 64)
	if err != nil || n > maxInt || n < -maxInt {
		fail(t.pos, "the integer %s%s is out of range; NuSMV's integers have 32 bits", sign, d.text)
	}
	return &expr{op: opInt, pos: t.pos, num: n, text: sign + d.text}
}

// wordConstant reads 0 [us] base [width] _ digits.
func wordConstant(t token) *expr {
	e := &expr{op: opWord, pos: t.pos, text: t.text}
	s := t.text[1:]
	if s[0] == 'u' || s[0] == 's' {
		e.signed = s[0] == 's'
		s = s[1:]
	}
	bitsPerDigit, base := 0, 10
	switch s[0] {
	case 'b', 'B':
		bitsPerDigit, base = 1, 2
	case 'o', 'O':
		bitsPerDigit, base = 3, 8
	case 'h', 'H':
		bitsPerDigit, base = 4, 16
	}
	width, digits, _ := strings.Cut(s[1:], "_")
	digits = strings.ReplaceAll(digits, "_", "")
	switch {
	case width != "":
		n, err := strconv.Atoi(width)
		if err != nil || n < 1 || n > maxWidth {
			fail(t.pos, "the width of %s must be from 1 to %d", t.text, maxWidth)
		}
		e.width = n
	case base == 10:
		fail(t.pos, "the decimal word constant %s needs a width, as in 0ud8_%s", t.text, digits)
	default:
		e.width = bitsPerDigit * len(digits)
	}
	if len(digits) > maxWidth || e.width > maxWidth {
		fail(t.pos, "the word constant has more than %d digits", maxWidth)
	}
	v, ok := new(big.Int).SetString(digits, base)
	if !ok {
		fail(t.pos, "%s has digits that do not belong to its base %d", t.text, base)
	}
	limit := new(big.Int).Lsh(big.NewInt(1), uint(e.width))
	if e.signed && base == 10 {
		limit.Rsh(limit, 1)
		limit.Add(limit, big.NewInt(1))
	}
	if v.Cmp(limit) >= 0 {
		fail(t.pos, "the value of %s does not fit its %d bits", t.text, e.width)
	}
	e.big = v
	return e
}
