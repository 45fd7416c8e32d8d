package smv

import "slices"

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
	case it.kind == itemNext && in.process.running != nil && !slices.Contains(v.by, in.process):
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
	if it.kind == itemNext {
		n = p.elab.inProcess(in, v, n, v.next, it.pos)
		v.by = append(v.by, in.process)
	}
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

// vertex of the dependency graph: the value of a variable, or of an expression,
// at a moment.
type vertex struct {
	n  *node     // an expression, or
	v  *variable // a variable
	at moment
}

// reads calls f for what a vertex's value is computed from.
func (x vertex) reads(f func(vertex)) {
	if x.v != nil {
		k := key{x.v, x.at}
		switch def, at := k.source(); {
		case def != nil:
			f(vertex{n: def.value, at: at})
		case x.at == after && x.v.kind == kindFrozen:
			f(vertex{v: x.v, at: now})
		}
		return
	}
	at := x.at
	if x.n.op == opNext {
		at = after
	}
	for _, a := range x.n.args {
		switch {
		case a.flags&hasVar == 0:
		case a.op == opVar:
			f(vertex{v: a.v, at: at})
		default:
			f(vertex{n: a, at: at})
		}
	}
}

// start normalises a vertex of an expression that is a variable.
func start(n *node, at moment) vertex {
	if n.op == opVar {
		return vertex{v: n.v, at: at}
	}
	return vertex{n: n, at: at}
}

// cycle finds variables whose values depend on each other in a circle without
// a delay; nil when there are none. It is one depth-first search.
func (p *Program) cycle() []key {
	type frame struct {
		x    vertex
		todo []vertex
	}
	onPath := map[vertex]bool{} // false: left
	var stack []frame
	push := func(x vertex) {
		onPath[x] = true
		f := frame{x: x}
		x.reads(func(y vertex) {
			if y.n != nil && y.n.op == opVar { // a definition that is a variable
				y = start(y.n, y.at)
			}
			f.todo = append(f.todo, y)
		})
		stack = append(stack, f)
	}
	for _, v := range p.vars {
		for _, at := range []moment{now, after, first} {
			root := vertex{v: v, at: at}
			if _, seen := onPath[root]; seen {
				continue
			}
			for push(root); len(stack) > 0; {
				top := &stack[len(stack)-1]
				if len(top.todo) == 0 {
					onPath[top.x] = false
					stack = stack[:len(stack)-1]
					continue
				}
				y := top.todo[0]
				top.todo = top.todo[1:]
				active, seen := onPath[y]
				if !seen {
					push(y)
				} else if active {
					var on []key
					for i := len(stack) - 1; ; i-- {
						if x := stack[i].x; x.v != nil {
							on = append(on, key{x.v, x.at})
						}
						if stack[i].x == y {
							return on
						}
					}
				}
			}
		}
	}
	return nil
}

// checkAssignments refuses circular assignments.
func (p *Program) checkAssignments() {
	on := p.cycle()
	for i := len(on) - 1; i >= 0; i-- {
		k := on[i]
		if def, _ := k.source(); def != nil {
			fail(def.pos, "the assignment of %s depends on itself without a delay", k.v.name)
		}
	}
}

// extract turns conjuncts of constraints into definitions.
func (p *Program) extract() {
	x := &extractor{p: p, taken: map[*definition]found{}}
	x.run(&p.invars, x.invar)
	x.run(&p.inits, x.init)
	x.run(&p.trans, x.trans)
	x.breakCycles()
}

// found is where a definition comes from.
type found struct {
	slot       **definition
	constraint *node
	list       *[]*node
}

type extractor struct {
	p     *Program
	taken map[*definition]found
}

// maxCycles bounds the definitions that are taken back one by one because they
// close a cycle; after that all definitions of current values are.
const maxCycles = 100

// breakCycles makes definitions that close a cycle constraints again.
func (x *extractor) breakCycles() {
	for round := 0; ; round++ {
		on := x.p.cycle()
		if on == nil {
			return
		}
		for _, k := range on {
			if def, _ := k.source(); def != nil && def.lenient {
				x.takeBack(def)
				break
			}
		}
		if round == maxCycles {
			for def := range x.taken {
				x.takeBack(def)
			}
		}
	}
}

func (x *extractor) takeBack(def *definition) {
	f := x.taken[def]
	delete(x.taken, def)
	*f.slot = nil
	*f.list = append(*f.list, f.constraint)
}

// run splits constraints into conjuncts and keeps those that try does not turn
// into a definition.
func (x *extractor) run(list *[]*node, try func(*node) **definition) {
	var kept []*node
	stack := make([]*node, 0, len(*list))
	for i := len(*list) - 1; i >= 0; i-- {
		stack = append(stack, (*list)[i])
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
		if slot := try(n); slot != nil {
			x.taken[*slot] = found{slot, n, list}
		} else {
			kept = append(kept, n)
		}
	}
	*list = kept
}

// equations reads a conjunct as target = value in all possible ways, until
// yield takes one.
func equations(n *node, yield func(target, value *node, set bool) **definition) **definition {
	u := n.under()
	switch {
	case u.op == opEq || u.op == opIff && u.typ == boolTyp:
		if slot := yield(u.args[0], u.args[1], false); slot != nil {
			return slot
		}
		return yield(u.args[1], u.args[0], false)
	case u.op == opIn && !u.args[0].typ.set:
		return yield(u.args[0], u.args[1], true)
	case u.op == opNot && u.typ == boolTyp:
		return yield(u.args[0], constantNode(opFalse, u), false)
	case u.op == opVar || u.op == opNext:
		return yield(u, constantNode(opTrue, u), false)
	}
	return nil
}

func constantNode(o op, like *node) *node {
	return &node{op: o, typ: boolTyp, pos: like.pos, inst: like.inst, depth: 1}
}

// define fills a slot, unless the value reads the slot's own variable or has
// another type.
func define(slot **definition, k key, value *node, pos Pos) **definition {
	if !assignable(k.v.dom.typ, value.typ) {
		return nil
	}
	if u := value.under(); u.op == opVar && u.v == k.v && k.at != after {
		return nil
	}
	*slot = &definition{value: value, pos: pos, lenient: true}
	return slot
}

func (x *extractor) invar(n *node) **definition {
	return equations(n, func(target, value *node, set bool) **definition {
		v := target.under().v
		if v == nil || target.under().op != opVar || set || v.kind != kindState || v.plain != nil || v.init != nil || v.next != nil {
			return nil
		}
		return define(&v.plain, key{v, now}, value, n.pos)
	})
}

func (x *extractor) init(n *node) **definition {
	return equations(n, func(target, value *node, _ bool) **definition {
		v := target.under().v
		if v == nil || target.under().op != opVar || v.kind == kindInput || v.plain != nil || v.init != nil {
			return nil
		}
		return define(&v.init, key{v, first}, value, n.pos)
	})
}

func (x *extractor) trans(n *node) **definition {
	return equations(n, func(target, value *node, _ bool) **definition {
		t := target.under()
		if t.op != opNext {
			return nil
		}
		u := t.args[0].under()
		if u.op != opVar || u.v.kind != kindState || u.v.plain != nil || u.v.next != nil {
			return nil
		}
		return define(&u.v.next, key{u.v, after}, value, n.pos)
	})
}

// markNextRead finds the variables whose next value something reads.
func (p *Program) markNextRead() {
	seen := map[vertex]bool{}
	var stack []vertex
	push := func(x vertex) {
		if x.n != nil && x.n.op == opVar {
			x = start(x.n, x.at)
		}
		if !seen[x] {
			seen[x] = true
			stack = append(stack, x)
		}
	}
	for _, n := range p.trans {
		push(start(n, now))
	}
	for _, v := range p.vars {
		if v.next != nil {
			push(start(v.next.value, now))
		}
	}
	for _, s := range p.specs {
		if s.kind == itemInvarspec {
			push(start(s.node, now))
		}
	}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x.v != nil {
			x.v.nextRead = x.v.nextRead || x.at == after
			if x.v.plain == nil { // the definitions of registers are roots themselves
				continue
			}
		}
		x.reads(push)
	}
}

// started are the variables with an initial value, and those that INIT reads.
func (p *Program) started() map[*variable]bool {
	out := map[*variable]bool{}
	var stack []*variable
	add := func(n *node) {
		for _, k := range support(n, now) {
			if !out[k.v] {
				out[k.v] = true
				stack = append(stack, k.v)
			}
		}
	}
	for _, n := range p.inits {
		add(n)
	}
	for _, v := range p.vars {
		if v.init != nil {
			out[v] = true
		}
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		if stack = stack[:len(stack)-1]; v.plain != nil {
			add(v.plain.value)
		}
	}
	return out
}
