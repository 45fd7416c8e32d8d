package smv

import (
	"fmt"
	"strings"

	"netcov/aig"
)

// elaborator turns syntax trees into typed expressions.
type elaborator struct {
	symbols symbolTable
	root    *instance
	vars    []*variable
	level   int
	flat    bool // some declared name holds a dot or an index

	oldStyle     int // constants 0 and 1 read as booleans
	oldStyleLine int32
}

// declareAbroad declares DEFINEs of names in other instances: above.x := e adds
// x to the instance that above stands for, with e read in the scope at hand.
func (e *elaborator) declareAbroad(symbols []*symbol) {
	for _, s := range symbols {
		path := s.item.left
		r := e.refer(path.args[0], s.from)
		if r.inst == nil {
			fail(s.item.pos, "what stands before .%s is no instance of a module", path.text)
		}
		s.name, s.scope = path.text, r.inst
		r.inst.declare(s, s.item.pos)
	}
}

// reference is what a path stands for: a value or an instance, or both when a
// symbolic constant has the instance's name.
type reference struct {
	node *node
	inst *instance
}

// enter bounds the recursion over expressions and DEFINEs.
func (e *elaborator) enter(pos Pos) func() {
	e.level++
	if e.level > maxDepth {
		fail(pos, "the expression is more than %d levels deep with its DEFINEs opened", maxDepth)
	}
	return func() { e.level-- }
}

// declareAll gives every variable below the instance its place, in the order
// of the declarations.
func (e *elaborator) declareAll(root *instance) {
	type frame struct {
		in *instance
		k  int
	}
	for in, stack := root, []frame{{root, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		in = top.in
		if top.k == len(in.ordered) {
			stack = stack[:len(stack)-1]
			continue
		}
		s := in.ordered[top.k]
		top.k++
		if strings.ContainsAny(s.name, ".[") {
			e.flat = true
		}
		switch s.kind {
		case symInstance:
			stack = append(stack, frame{s.inst, 0})
		case symVariable:
			e.symbolNode(s, s.item.pos)
		}
	}
}

// value elaborates an expression that must be a value.
func (e *elaborator) value(x *expr, in *instance) *node {
	r := e.refer(x, in)
	if r.node == nil {
		fail(x.pos, "the instance %s is no value; name one of its variables", r.inst.label())
	}
	return r.node
}

// refer elaborates an expression that may also be an instance.
func (e *elaborator) refer(x *expr, in *instance) reference {
	defer e.enter(x.pos)()
	switch x.op {
	case opSelf:
		return reference{inst: in}
	case opIdent:
		return e.name(x.text, in, x.pos)
	case opDot:
		if e.flat && isPath(x) {
			if name := pathText(x); e.known(name, in) {
				return e.name(name, in, x.pos)
			}
		}
		r := e.refer(x.args[0], in)
		if r.inst == nil {
			fail(x.pos, "what stands before .%s is no instance of a module", x.text)
		}
		if r.inst.lookup(x.text) == nil {
			fail(x.pos, "the instance %s of module %s has no %s", r.inst.label(), r.inst.module.name, x.text)
		}
		return e.name(x.text, r.inst, x.pos)
	case opIndex:
		if e.flat && isPath(x) {
			if name := pathText(x); e.known(name, in) {
				return e.name(name, in, x.pos)
			}
		}
	}
	return reference{node: e.operator(x, in)}
}

// isPath reports whether pathText can write the expression.
func isPath(x *expr) bool {
	for ; x.op == opDot || x.op == opIndex; x = x.args[0] {
		if x.op == opIndex && x.args[1].op != opInt && (x.args[1].op != opNeg || x.args[1].args[0].op != opInt) {
			return false
		}
	}
	return x.op == opIdent
}

func (e *elaborator) known(name string, in *instance) bool {
	_, ok := e.symbols.index[name]
	return ok || in.lookup(name) != nil
}

func (e *elaborator) name(name string, in *instance, pos Pos) reference {
	s := in.lookup(name)
	c, constant := e.symbols.index[name]
	switch {
	case s == nil && constant:
		return reference{node: e.symbol(c, in, pos)}
	case s == nil:
		hint := ""
		if strings.ContainsRune(name, '-') {
			hint = "; '-' may be part of an identifier, so a minus needs spaces around it"
		}
		fail(pos, "undefined identifier %s%s", name, hint)
	case constant && s.kind == symInstance: // only what follows tells
		return reference{e.symbol(c, in, pos), s.inst}
	case constant && s.kind != symParam:
		fail(pos, "%s is both a symbolic constant and a name declared in module %s", name, in.module.name)
	case s.kind == symInstance:
		return reference{inst: s.inst}
	}
	n := e.symbolNode(s, pos)
	return reference{usedAt(n, pos, in), s.ref}
}

// usedAt gives a variable's node the place of this use, for messages.
func usedAt(n *node, pos Pos, in *instance) *node {
	if n == nil || n.op != opVar {
		return n
	}
	use := *n
	use.pos, use.inst = pos, in
	return &use
}

func (e *elaborator) symbol(c cst, in *instance, pos Pos) *node {
	return &node{op: opSym, typ: typ{kind: kSym}, pos: pos, inst: in, num: int64(c), depth: 1}
}

// symbolNode works out what a symbol means; nil for a parameter that is an
// instance.
func (e *elaborator) symbolNode(s *symbol, pos Pos) *node {
	if s.node != nil || s.ref != nil {
		return s.node
	}
	if s.busy {
		fail(pos, "%s is defined in terms of itself", s.fullName())
	}
	s.busy = true
	switch s.kind {
	case symVariable:
		s.node = e.variableNode(s.item, s.item.typ, s.fullName(), s.scope, "", 0)
	case symDefine:
		arg := e.value(s.item.right, s.from)
		if arg.flags&hasTemporal != 0 {
			fail(s.item.pos, "the DEFINE %s holds a temporal operator", s.fullName())
		}
		s.node = e.derived(opDef, arg.typ, arg.pos, s.scope, arg)
		s.node.name = s.fullName()
	case symParam:
		r := e.refer(s.arg, s.scope.parent)
		s.node, s.ref = r.node, r.inst
		if r.node != nil && r.node.flags&hasTemporal != 0 {
			fail(s.arg.pos, "the actual parameter %s holds a temporal operator", s.name)
		}
	}
	s.busy = false
	return s.node
}

// variableNode declares a variable, or the elements of an array.
func (e *elaborator) variableNode(it *item, t *typeExpr, name string, in *instance, array string, index int64) *node {
	if t.kind == typeArray {
		lo, hi := e.constant(t.args[0], in, "an array's bound"), e.constant(t.args[1], in, "an array's bound")
		if hi < lo || hi-lo >= maxElements {
			fail(t.pos, "the array %s has the bounds %d..%d; from 1 to %d elements are possible", name, lo, hi, maxElements)
		}
		var elems []*node
		for i := lo; i <= hi; i++ {
			if len(e.vars) > maxNodes/100 {
				fail(t.pos, "the array %s has too many elements", name)
			}
			elems = append(elems, e.variableNode(it, t.elem, fmt.Sprintf("%s[%d]", name, i), in, name, i))
		}
		return e.derived(opArray, typ{kind: kArray, arr: &arrayTyp{lo, hi, elems[0].typ}}, it.pos, in, elems...)
	}
	v := &variable{name: name, kind: it.vkind, inst: in, pos: it.pos, dom: e.domain(t, in), index: len(e.vars)}
	if array != "" && v.dom.typ.kind == kBool && index >= 0 {
		v.array, v.arrayIndex = array, int(index)
	}
	n := &node{op: opVar, typ: v.dom.typ, pos: it.pos, inst: in, v: v, flags: hasVar, depth: 1}
	if v.kind == kindInput {
		n.flags |= hasInput
	}
	e.vars = append(e.vars, v)
	return n
}

func (e *elaborator) domain(t *typeExpr, in *instance) domain {
	switch t.kind {
	case typeEnum:
		return e.enumeration(t)
	case typeRange:
		lo, hi := e.constant(t.args[0], in, "a range's bound"), e.constant(t.args[1], in, "a range's bound")
		if hi < lo {
			fail(t.pos, "the range %d..%d is empty", lo, hi)
		}
		return domain{typ: typ{kind: kInt}, lo: lo, hi: hi}
	case typeWord:
		return domain{typ: typ{kind: kWord, signed: t.signed, width: e.width(t.args[0], in)}}
	}
	return domain{typ: typ{kind: kBool}}
}

func (e *elaborator) width(x *expr, in *instance) int {
	w := e.constant(x, in, "a word's width")
	if w < 1 || w > maxWidth {
		fail(x.pos, "a word's width must be from 1 to %d, not %d", maxWidth, w)
	}
	return int(w)
}

// enumeration reads {…}. {FALSE, TRUE} is boolean; consecutive integers are
// the range that they are.
func (e *elaborator) enumeration(t *typeExpr) domain {
	d := domain{}
	seen := map[cst]bool{}
	ints, syms, bools := false, false, 0
	d.lo, d.hi = maxInt, -maxInt
	for _, x := range t.args {
		var c cst
		switch x.op {
		case opTrue, opFalse:
			c = cst(x.op)
			bools++
		case opInt:
			c, ints = cst(x.num), true
			d.lo, d.hi = min(d.lo, x.num), max(d.hi, x.num)
		default:
			c, syms = e.symbols.add(x.text), true
		}
		if seen[c] {
			fail(x.pos, "the value %s stands twice in the enumeration", x.text)
		}
		seen[c] = true
		d.values = append(d.values, c)
	}
	switch {
	case bools > 0 && (ints || syms):
		fail(t.pos, "TRUE and FALSE cannot stand in an enumeration with other values")
	case bools == 1:
		fail(t.pos, "an enumeration of one boolean value is not supported; declare a boolean")
	case bools > 0:
		return domain{typ: typ{kind: kBool}}
	case len(d.values) > maxElements:
		fail(t.pos, "the enumeration has more than %d values", maxElements)
	case ints && syms:
		d.typ.kind = kMixed
	case syms:
		d.typ.kind = kSym
	default:
		d.typ.kind = kInt
		if d.hi-d.lo+1 == int64(len(d.values)) {
			d.values = nil
		}
	}
	return d
}

// constant evaluates an expression that must be a constant integer.
func (e *elaborator) constant(x *expr, in *instance, what string) int64 {
	n := e.value(x, in)
	if n.typ.kind != kInt || n.typ.set {
		fail(x.pos, "%s must be an integer, not %s", what, n.typ)
	}
	if n.flags&hasVar != 0 {
		fail(x.pos, "%s must be constant", what)
	}
	c, ok := constantOf(n)
	if !ok {
		fail(x.pos, "%s cannot be computed: it divides by zero or no case applies", what)
	}
	return c
}

// constantOf evaluates an integer node without variables.
func constantOf(n *node) (int64, bool) {
	if n.op == opInt {
		return n.num, true
	}
	ev := newEvaluator(aig.NewGraph(), nil)
	v := ev.eval(n, now)
	if v.fail != aig.False {
		return 0, false
	}
	return v.constInt()
}

// lvalue finds the variable that an assignment assigns.
func (e *elaborator) lvalue(x *expr, in *instance) *variable {
	r := e.refer(x, in)
	switch {
	case r.node == nil:
		fail(x.pos, "the instance %s cannot be assigned", r.inst.label())
	case r.node.op == opArray:
		fail(x.pos, "an array cannot be assigned as a whole; assign its elements")
	case r.node.op == opDef:
		fail(x.pos, "%s is a DEFINE and cannot be assigned", r.node.name)
	case r.node.op != opVar:
		fail(x.pos, "what is assigned here is no variable")
	}
	return r.node.v
}
