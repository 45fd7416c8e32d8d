package smv

import "strings"

// parser is a recursive descent over the grammar of NuSMV 2.6: declarations
// here, expressions in expr.go.
type parser struct {
	toks    []token
	i       int
	nesting int
	// quantified is 1 inside A[ ] and E[ ], outside of parentheses.
	quantified int
}

// parseModules reads a whole file.
func parseModules(text string) []*module {
	p := &parser{toks: scan(text)}
	var ms []*module
	for p.peek().kind != tokEnd {
		if t := p.peek(); t.kind == tokKeyword && sections[t.text] && t.text != "MODULE" {
			fail(t.pos, "%s stands outside of a MODULE: this is a part of a model; give the file with MODULE main, and put the parts into its modules", t.text)
		} else if !p.acceptKeyword("MODULE") {
			p.unexpected("MODULE")
		}
		ms = append(ms, p.module())
	}
	return ms
}

func (p *parser) peek() token { return p.toks[p.i] }

func (p *parser) ahead(n int) token { return p.toks[min(p.i+n, len(p.toks)-1)] }

func (p *parser) next() token {
	t := p.toks[p.i]
	if t.kind != tokEnd {
		p.i++
	}
	return t
}

func (p *parser) unexpected(want string) {
	t := p.peek()
	hint := ""
	if t.kind == tokKeyword {
		hint = " (a reserved word)"
		t.kind = tokIdent
	}
	fail(t.pos, "expected %s, found %s%s", want, t, hint)
}

func (t token) is(symbol string) bool   { return t.kind == tokSymbol && t.text == symbol }
func (t token) key(keyword string) bool { return t.kind == tokKeyword && t.text == keyword }

func (p *parser) accept(symbol string) bool {
	if p.peek().is(symbol) {
		p.i++
		return true
	}
	return false
}

func (p *parser) acceptKeyword(k string) bool {
	if p.peek().key(k) {
		p.i++
		return true
	}
	return false
}

func (p *parser) expect(symbol, context string) Pos {
	t := p.peek()
	if !t.is(symbol) {
		p.unexpected("'" + symbol + "' " + context)
	}
	p.i++
	return t.pos
}

func (p *parser) ident(what string) token {
	if p.peek().kind != tokIdent {
		p.unexpected(what)
	}
	return p.next()
}

func (p *parser) module() *module {
	name := p.ident("the module's name")
	m := &module{name: name.text, pos: name.pos}
	if p.accept("(") && !p.accept(")") {
		for {
			t := p.ident("a parameter's name")
			m.params = append(m.params, param{t.text, t.pos})
			if !p.accept(",") {
				break
			}
		}
		p.expect(")", "after the parameters")
	}
	for {
		t := p.peek()
		if t.kind == tokEnd || t.key("MODULE") {
			return m
		}
		if t.kind != tokKeyword || !sections[t.text] {
			p.unexpected("VAR, ASSIGN, DEFINE or another section")
		}
		p.i++
		p.section(m, t)
	}
}

// section reads what follows a section's keyword.
func (p *parser) section(m *module, key token) {
	add := func(it item) { m.items = append(m.items, it) }
	constraint := func(kind itemKind) {
		add(item{kind: kind, pos: key.pos, right: p.expr()})
		p.accept(";")
	}
	spec := func(kind itemKind) {
		it := item{kind: kind, pos: key.pos}
		if p.acceptKeyword("NAME") {
			it.name = pathText(p.path("the specification's name"))
			p.expect(":=", "after the specification's name")
		}
		it.right = p.expr()
		if t := p.peek(); t.kind == tokIdent && t.text == "IN" {
			fail(t.pos, "IN contexts of specifications are not supported; write the full names")
		}
		p.accept(";")
		add(it)
	}
	switch key.text {
	case "VAR":
		p.variables(m, kindState)
	case "IVAR":
		p.variables(m, kindInput)
	case "FROZENVAR":
		p.variables(m, kindFrozen)
	case "DEFINE":
		p.defines(m)
	case "CONSTANTS":
		for p.peek().kind == tokIdent {
			t := p.peek()
			add(item{kind: itemConstant, pos: t.pos, name: pathText(p.path("a constant"))})
			if !p.accept(",") {
				break
			}
		}
		p.expect(";", "after the constants")
	case "ASSIGN":
		p.assigns(m)
	case "INIT":
		constraint(itemINIT)
	case "TRANS":
		constraint(itemTRANS)
	case "INVAR":
		constraint(itemINVAR)
	case "FAIRNESS", "JUSTICE":
		constraint(itemFairness)
	case "INVARSPEC":
		spec(itemInvarspec)
	case "SPEC", "CTLSPEC":
		spec(itemCTL)
	case "LTLSPEC":
		spec(itemLTL)
	case "COMPUTE":
		p.skipCompute()
		add(item{kind: itemCompute, pos: key.pos})
	case "ISA":
		t := p.ident("a module's name after ISA")
		add(item{kind: itemISA, pos: t.pos, name: t.text})
		p.accept(";")
	case "COMPASSION":
		p.expect("(", "before the two conditions")
		it := item{kind: itemCompassion, pos: key.pos, left: p.expr()}
		p.expect(",", "between the two conditions")
		it.right = p.expr()
		p.expect(")", "after the two conditions")
		p.accept(";")
		add(it)
	case "PSLSPEC":
		fail(key.pos, "PSLSPEC is not supported; write the property as CTLSPEC, LTLSPEC or INVARSPEC")
	case "MDEFINE":
		fail(key.pos, "MDEFINE is not supported; DEFINE takes arrays as well")
	case "FUN":
		fail(key.pos, "uninterpreted functions (FUN) are not supported")
	}
}

// endOfList reports whether a list of declarations ends here.
func (p *parser) endOfList() bool {
	t := p.peek()
	return t.kind == tokEnd || t.kind == tokKeyword && sections[t.text]
}

func (p *parser) variables(m *module, kind varKind) {
	for !p.endOfList() {
		t := p.peek()
		name := pathText(p.declared("a variable's name"))
		p.expect(":", "after the variable's name")
		m.items = append(m.items, item{kind: itemVar, vkind: kind, pos: t.pos, name: name, typ: p.typ(true)})
		p.expect(";", "after the variable's type")
	}
}

func (p *parser) defines(m *module) {
	for !p.endOfList() {
		t := p.peek()
		left := p.declared("a DEFINE's name")
		p.expect(":=", "after the DEFINE's name")
		var e *expr
		if p.peek().is("[") {
			e = p.array()
		} else {
			e = p.expr()
		}
		m.items = append(m.items, item{kind: itemDefine, pos: t.pos, name: pathText(left), left: left, right: e})
		p.expect(";", "after the DEFINE")
	}
}

// array reads [e, …] or [[e, …], …].
func (p *parser) array() *expr {
	defer p.nest()()
	e := &expr{op: opArray, pos: p.expect("[", "before the array's elements")}
	for {
		if p.peek().is("[") {
			e.args = append(e.args, p.array())
		} else {
			e.args = append(e.args, p.expr())
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("]", "after the array's elements")
	return e
}

func (p *parser) assigns(m *module) {
	for !p.endOfList() {
		it := item{kind: itemPlain, pos: p.peek().pos}
		wrapped := true
		switch {
		case p.acceptKeyword("init"):
			it.kind = itemInit
		case p.acceptKeyword("next"):
			it.kind = itemNext
		default:
			wrapped = false
		}
		if wrapped {
			p.expect("(", "before the assigned variable")
		}
		it.left = p.path("an assigned variable")
		if wrapped {
			p.expect(")", "after the assigned variable")
		}
		p.expect(":=", "in the assignment")
		it.right = p.expr()
		p.expect(";", "after the assignment")
		m.items = append(m.items, it)
	}
}

// path reads a reference: a name or self, followed by .name and [index].
func (p *parser) path(what string) *expr {
	defer p.nest()()
	t := p.peek()
	e := &expr{op: opIdent, pos: t.pos, text: t.text}
	if p.acceptKeyword("self") {
		e.op = opSelf
	} else {
		p.ident(what)
	}
	for {
		switch t := p.peek(); {
		case p.accept("."):
			e = &expr{op: opDot, pos: t.pos, args: []*expr{e}, text: p.member()}
		case p.accept("["):
			e = &expr{op: opIndex, pos: t.pos, args: []*expr{e, p.expr()}}
			p.expect("]", "after the index")
		default:
			return e
		}
	}
}

// member reads what may follow a dot.
func (p *parser) member() string {
	t := p.peek()
	if t.kind == tokNumber {
		return p.next().text
	}
	return p.ident("a name after '.'").text
}

// declared reads a declared name. Flattened models declare a.b and a[1] too.
func (p *parser) declared(what string) *expr {
	e := p.path(what)
	for x := e; ; x = x.args[0] {
		switch x.op {
		case opSelf:
			fail(x.pos, "self cannot be declared")
		case opIndex:
			if i := x.args[1]; i.op != opInt && (i.op != opNeg || i.args[0].op != opInt) {
				fail(x.pos, "an index in a declared name must be a number")
			}
		case opIdent:
			return e
		}
	}
}

// pathText writes a path as a flat name.
func pathText(e *expr) string {
	var parts []string
	for ; e.op == opDot || e.op == opIndex; e = e.args[0] {
		if e.op == opDot {
			parts = append(parts, "."+e.text)
		} else {
			parts = append(parts, "["+exprText(e.args[1])+"]")
		}
	}
	parts = append(parts, e.text)
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
	}
	return b.String()
}

// exprText writes an index of a declared name.
func exprText(e *expr) string {
	if e.op == opNeg {
		return "-" + exprText(e.args[0])
	}
	return e.text
}

func (p *parser) typ(modules bool) *typeExpr {
	defer p.nest()()
	t := p.peek()
	ty := &typeExpr{pos: t.pos}
	switch {
	case p.acceptKeyword("boolean"):
		return ty
	case modules && p.acceptKeyword("process"):
		if ty = p.typ(true); ty.kind != typeModule {
			fail(t.pos, "process must be followed by a module's name")
		}
		ty.process = true
	case t.key("unsigned"), t.key("signed"), t.key("word"):
		ty.kind, ty.signed = typeWord, t.text == "signed"
		if t.text != "word" {
			p.i++
		}
		if !p.acceptKeyword("word") {
			p.unexpected("word")
		}
		p.expect("[", "before the word's width")
		ty.args = []*expr{p.expr()}
		p.expect("]", "after the word's width")
	case p.accept("{"):
		ty.kind = typeEnum
		for {
			ty.args = append(ty.args, p.enumValue())
			if !p.accept(",") {
				break
			}
		}
		p.expect("}", "after the enumeration's values")
	case p.acceptKeyword("array"):
		return p.arrayType(ty)
	case t.kind == tokIdent && p.namesModule(modules):
		ty.kind, ty.name = typeModule, p.next().text
		if p.accept("(") && !p.accept(")") {
			for {
				ty.args = append(ty.args, p.expr())
				if !p.accept(",") {
					break
				}
			}
			p.expect(")", "after the actual parameters")
		}
	default:
		ty.kind = typeRange
		lo := p.shift()
		p.expect("..", "in the range")
		ty.args = []*expr{lo, p.shift()}
	}
	return ty
}

// namesModule reports whether the name that comes is a module's, not the start
// of a range.
func (p *parser) namesModule(modules bool) bool {
	t, after := p.peek(), p.ahead(1)
	if !after.is(";") && !after.is("(") {
		return false
	}
	switch t.text {
	case "integer", "real", "clock":
		if after.is(";") {
			fail(t.pos, "the unbounded type %s is not supported; give a range such as 0..255", t.text)
		}
	}
	if !modules {
		fail(t.pos, "only VAR declares instances of modules, and not in arrays")
	}
	return true
}

func (p *parser) arrayType(ty *typeExpr) *typeExpr {
	ty.kind = typeArray
	if t := p.peek(); t.key("of") || t.key("word") || t.text == "integer" {
		fail(t.pos, "unbounded arrays and arrays over words are not supported; give bounds such as array 0..3 of boolean")
	}
	lo := p.shift()
	p.expect("..", "in the array's bounds")
	ty.args = []*expr{lo, p.shift()}
	if !p.acceptKeyword("of") {
		p.unexpected("of")
	}
	ty.elem = p.typ(false)
	return ty
}

func (p *parser) enumValue() *expr {
	t := p.peek()
	switch {
	case p.acceptKeyword("TRUE"):
		return &expr{op: opTrue, pos: t.pos}
	case p.acceptKeyword("FALSE"):
		return &expr{op: opFalse, pos: t.pos}
	case t.kind == tokIdent:
		e := p.path("a value")
		return &expr{op: opIdent, pos: e.pos, text: pathText(e)}
	case t.is("-"), t.is("+"), t.kind == tokNumber:
		return p.integer()
	}
	p.unexpected("a symbol or a number")
	return nil
}

// skipCompute skips MIN [p, q] or MAX [p, q].
func (p *parser) skipCompute() {
	if p.acceptKeyword("NAME") {
		p.path("the specification's name")
		p.expect(":=", "after the specification's name")
	}
	if t := p.ident("MIN or MAX"); t.text != "MIN" && t.text != "MAX" {
		fail(t.pos, "expected MIN or MAX, found %s", t)
	}
	p.expect("[", "after MIN or MAX")
	p.expr()
	p.expect(",", "between the two conditions")
	p.expr()
	p.expect("]", "after the two conditions")
	p.accept(";")
}
