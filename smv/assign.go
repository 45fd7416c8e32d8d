package smv

// Assignments, and the definitions that stand in constraints: a conjunct
//
//	INIT  v = e          TRANS  next(v) = e          INVAR  v = e
//
// (also <->, a bare boolean v or !v, and "in" for INIT and TRANS) defines v
// where no assignment does and no cycle arises. What a definition cannot
// express, a value of e outside of v's domain, stays behind as a constraint.

// assign records one assignment.
func (p *Program) assign(it *item, in *instance) {
	v := p.elab.lvalue(it.left, in)
	w := where{"the assignment of a current value", false, false}
	slot := &v.plain
	switch it.kind {
	case itemInit:
		w.what, slot = "the assignment of an initial value", &v.init
	case itemNext:
		w, slot = where{"the assignment of a next value", true, true}, &v.next
	}
	switch {
	case v.kind == kindInput:
		fail(it.pos, "the input variable (IVAR) %s cannot be assigned", v.name)
	case v.kind == kindFrozen && it.kind != itemInit:
		fail(it.pos, "the frozen variable %s can only be given an initial value", v.name)
	case *slot != nil:
		fail(it.pos, "%s is assigned twice; the first assignment is on line %d", v.name, (*slot).pos.Line)
	}
	n := p.elab.value(it.right, in)
	if v.dom.typ.kind == kBool {
		n = p.elab.boolElements(n)
	}
	if n.flags&hasTemporal != 0 {
		fail(it.pos, "a temporal operator cannot stand in an assignment")
	}
	if !assignable(v.dom.typ, n.typ) {
		fail(it.pos, "%s is %s and cannot be assigned %s", v.name, v.dom.typ, n.typ)
	}
	p.check(n, w)
	*slot = &definition{value: n, pos: it.pos}
	if v.plain != nil && (v.init != nil || v.next != nil) {
		fail(it.pos, "%s has a current value and an initial or next value; one excludes the other", v.name)
	}
}

// moment tells current, next and initial values of variables apart.
type moment uint8

const (
	now moment = iota
	after
	first
)

// key is the value of a variable at a moment.
type key struct {
	v  *variable
	at moment
}

// support lists the values that a node reads when it is evaluated at a moment.
func support(n *node, at moment) []key {
	var keys []key
	seen := map[*node]moment{} // bit at is set when visited
	listed := map[key]bool{}
	type visit struct {
		n  *node
		at moment
	}
	for stack := []visit{{n, at}}; len(stack) > 0; {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x.n.flags&hasVar == 0 || seen[x.n]>>x.at&1 == 1 {
			continue
		}
		seen[x.n] |= 1 << x.at
		if x.n.op == opVar {
			if k := (key{x.n.v, x.at}); !listed[k] {
				listed[k] = true
				keys = append(keys, k)
			}
			continue
		}
		if x.n.op == opNext {
			x.at = after
		}
		for i := len(x.n.args) - 1; i >= 0; i-- {
			stack = append(stack, visit{x.n.args[i], x.at})
		}
	}
	return keys
}

// source is the definition that a key's value comes from, and the moment to
// evaluate it at; nil when the value is given by the state or free.
func (k key) source() (*definition, moment) {
	switch {
	case k.v.plain != nil:
		return k.v.plain, k.at
	case k.at == first && k.v.init != nil:
		return k.v.init, first
	case k.at == after && k.v.next != nil:
		return k.v.next, now
	}
	return nil, now
}

// dependencies finds cycles among definitions.
type dependencies struct {
	reads map[key][]key
}

// inputsOf lists what the value of a key reads.
func (d *dependencies) inputsOf(k key) []key {
	if in, ok := d.reads[k]; ok {
		return in
	}
	def, at := k.source()
	if def == nil {
		if k.at == after && k.v.kind == kindFrozen {
			return []key{{k.v, now}}
		}
		return nil
	}
	in := support(def.value, at)
	d.reads[k] = in
	return in
}

// cycle finds a key on a cycle that can be reached from start.
func (d *dependencies) cycle(start key, done map[key]bool) (key, bool) {
	type frame struct {
		k  key
		in []key
	}
	onPath := map[key]bool{start: true}
	for stack := []frame{{start, d.inputsOf(start)}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if len(top.in) == 0 {
			done[top.k] = true
			delete(onPath, top.k)
			stack = stack[:len(stack)-1]
			continue
		}
		k := top.in[0]
		top.in = top.in[1:]
		if onPath[k] {
			return k, true
		}
		if !done[k] {
			onPath[k] = true
			stack = append(stack, frame{k, d.inputsOf(k)})
		}
	}
	return key{}, false
}

// checkAssignments refuses circular assignments.
func (p *Program) checkAssignments() {
	d := &dependencies{map[key][]key{}}
	done := map[key]bool{}
	for _, v := range p.vars {
		for _, at := range []moment{now, after, first} {
			k := key{v, at}
			def, _ := k.source()
			if def == nil || done[k] {
				continue
			}
			if on, found := d.cycle(k, done); found {
				def, _ := on.source()
				fail(def.pos, "the assignment of %s depends on itself without a delay", on.v.name)
			}
		}
	}
}

// extract turns conjuncts of constraints into definitions.
func (p *Program) extract() {
	x := &extractor{p: p, d: dependencies{map[key][]key{}}}
	p.invars = x.run(p.invars, x.invar)
	p.inits = x.run(p.inits, x.init)
	p.trans = x.run(p.trans, x.trans)
}

type extractor struct {
	p *Program
	d dependencies
}

// run splits constraints into conjuncts and keeps those that try does not turn
// into a definition.
func (x *extractor) run(constraints []*node, try func(*node) bool) []*node {
	var kept []*node
	stack := make([]*node, 0, len(constraints))
	for i := len(constraints) - 1; i >= 0; i-- {
		stack = append(stack, constraints[i])
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if u := n.under(); u.op == opAnd && u.typ == boolTyp {
			for i := len(u.args) - 1; i >= 0; i-- {
				stack = append(stack, u.args[i])
			}
			continue
		}
		if !try(n) {
			kept = append(kept, n)
		}
	}
	return kept
}

// equations reads a conjunct as target = value in all possible ways.
func equations(n *node, yield func(target, value *node, set bool) bool) bool {
	u := n.under()
	switch {
	case u.op == opEq || u.op == opIff && u.typ == boolTyp:
		return yield(u.args[0], u.args[1], false) || yield(u.args[1], u.args[0], false)
	case u.op == opIn && !u.args[0].typ.set:
		return yield(u.args[0], u.args[1], true)
	case u.op == opNot && u.typ == boolTyp:
		return yield(u.args[0], constantNode(opFalse, u), false)
	case u.op == opVar || u.op == opNext:
		return yield(u, constantNode(opTrue, u), false)
	}
	return false
}

func constantNode(o op, like *node) *node {
	return &node{op: o, typ: boolTyp, pos: like.pos, inst: like.inst, depth: 1}
}

// define tries a definition and takes it back when it closes a cycle.
func (x *extractor) define(slot **definition, k key, value *node, pos Pos) bool {
	if !assignable(k.v.dom.typ, value.typ) {
		return false
	}
	forget := func() {
		for _, at := range []moment{now, after, first} {
			delete(x.d.reads, key{k.v, at})
		}
	}
	*slot = &definition{value: value, pos: pos, lenient: true}
	forget()
	moments := []moment{k.at}
	if slot == &k.v.plain {
		moments = []moment{now, after, first}
	}
	for _, at := range moments {
		if _, found := x.d.cycle(key{k.v, at}, map[key]bool{}); found {
			*slot = nil
			forget()
			return false
		}
	}
	return true
}

func (x *extractor) invar(n *node) bool {
	return equations(n, func(target, value *node, set bool) bool {
		v := target.under().v
		if v == nil || target.under().op != opVar || set || v.kind != kindState || v.plain != nil || v.init != nil || v.next != nil {
			return false
		}
		return x.define(&v.plain, key{v, now}, value, n.pos)
	})
}

func (x *extractor) init(n *node) bool {
	return equations(n, func(target, value *node, _ bool) bool {
		v := target.under().v
		if v == nil || target.under().op != opVar || v.kind == kindInput || v.plain != nil || v.init != nil {
			return false
		}
		return x.define(&v.init, key{v, first}, value, n.pos)
	})
}

func (x *extractor) trans(n *node) bool {
	return equations(n, func(target, value *node, _ bool) bool {
		t := target.under()
		if t.op != opNext {
			return false
		}
		u := t.args[0].under()
		if u.op != opVar || u.v.kind != kindState || u.v.plain != nil || u.v.next != nil {
			return false
		}
		return x.define(&u.v.next, key{u.v, after}, value, n.pos)
	})
}

// markNextRead finds the variables whose next value something reads.
func (p *Program) markNextRead() {
	var work []key
	roots := append([]*node(nil), p.trans...)
	for _, v := range p.vars {
		if v.next != nil {
			roots = append(roots, v.next.value)
		}
	}
	for _, s := range p.specs {
		if s.kind == itemInvarspec {
			roots = append(roots, s.node)
		}
	}
	for _, n := range roots {
		work = append(work, support(n, now)...)
	}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		if k.at != after || k.v.nextRead {
			continue
		}
		k.v.nextRead = true
		if k.v.plain != nil {
			work = append(work, support(k.v.plain.value, after)...)
		}
	}
}
