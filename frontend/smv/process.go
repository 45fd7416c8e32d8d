package smv

// Processes, as NuSMV composes them. In each step one process runs, which an IVAR of the
// translation's own selects:
//
//	IVAR _process_selector_ : {main, p, p.q, …}
//	DEFINE running := _process_selector_ = p     in each process p, main included
//
// What an instance assigns belongs to the innermost process that it is in. An assignment
// of a next value takes place when that process runs, and a variable with such
// assignments keeps its value when none of them takes place. Assignments of initial
// and current values, and constraints, hold at all times.

const selectorName = "_process_selector_"

// declareProcesses declares the selector and what running means. Processes are main and
// those that were found by instantiate.
func (e *elaborator) declareProcesses(processes []*instance) {
	if len(processes) < 2 {
		return
	}
	root := processes[0]
	v := &variable{name: selectorName, kind: kindInput, inst: root, pos: processes[1].pos, dom: domain{typ: typ{kind: kSym}}, index: len(e.vars)}
	selector := &node{op: opVar, typ: v.dom.typ, pos: v.pos, inst: root, v: v, flags: hasVar | hasInput, depth: 1}
	e.vars = append(e.vars, v)
	declare := func(in *instance, s symbol, pos Pos) {
		if in.lookup(s.name) != nil {
			fail(in.lookup(s.name).item.pos, "%s is NuSMV's own name in a model with processes", s.name)
		}
		s.scope, s.item = in, &item{pos: pos, name: s.name}
		in.declare(&s, pos)
	}
	declare(root, symbol{kind: symVariable, name: selectorName, node: selector}, v.pos)
	for _, p := range processes {
		c := e.symbols.add(p.label())
		v.dom.values = append(v.dom.values, c)
		p.running = e.derived(opDef, boolTyp, p.pos, p, e.derived(opEq, boolTyp, p.pos, p, selector, e.symbol(c, p, p.pos)))
		p.running.name = p.prefix() + "running"
		declare(p, symbol{kind: symDefine, name: "running", node: p.running}, p.pos)
	}
}

// inProcess is the next value of a variable that one assignment of an instance's process
// and those of other processes before it give; old is nil without them.
func (e *elaborator) inProcess(in *instance, v *variable, value *node, old *definition, pos Pos) *node {
	p := in.process
	if p.running == nil {
		return value
	}
	before := &node{op: opVar, typ: v.dom.typ, pos: pos, inst: in, v: v, flags: hasVar, depth: 1}
	if old != nil {
		before = old.value
	}
	t, ok := join(value.typ, before.typ)
	if !ok {
		fail(pos, "%s is assigned %s here and %s by another process", v.name, value.typ, before.typ)
	}
	return e.derived(opIte, t, pos, in, p.running, value, before)
}
