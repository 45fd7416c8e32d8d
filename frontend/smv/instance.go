package smv

import (
	"maps"
	"slices"
	"strings"
)

// instance is a module's instance: a scope.
type instance struct {
	name    string // full name; "" for main
	module  *module
	parent  *instance
	pos     Pos
	syms    map[string]*symbol
	items   []*item // the module's, ISA opened
	ordered []*symbol
	// process is the innermost process that the instance is in, itself or main at the
	// outermost; running says of a process that it runs, nil in a model without processes.
	process *instance
	running *node
}

// prefix is what stands before the names of the instance's symbols.
func (in *instance) prefix() string {
	if in.name == "" {
		return ""
	}
	return in.name + "."
}

// label names the instance for a user.
func (in *instance) label() string {
	if in.name == "" {
		return "main"
	}
	return in.name
}

type symbolKind uint8

const (
	symVariable symbolKind = iota
	symDefine
	symInstance
	symParam
)

// symbol is what a name of a scope stands for. What it means is worked out on
// first use.
type symbol struct {
	kind  symbolKind
	name  string // in its scope
	scope *instance
	from  *instance // symDefine: the scope of its expression
	item  *item     // symVariable, symDefine
	inst  *instance // symInstance
	arg   *expr     // symParam: the actual parameter, in the scope of scope.parent
	node  *node     // meaning, once worked out
	ref   *instance // meaning of a parameter that is an instance
	busy  bool
}

// fullName is the name from main.
func (s *symbol) fullName() string { return s.scope.prefix() + s.name }

// modules holds the modules of a file by name.
type modules map[string]*module

func collectModules(ms []*module) modules {
	by := modules{}
	for _, m := range ms {
		if other, ok := by[m.name]; ok {
			fail(m.pos, "module %s is declared twice; the first is on line %d", m.name, other.pos.Line)
		}
		by[m.name] = m
	}
	return by
}

// instantiate builds the tree of instances below main. Symbolic constants are
// entered in the table. DEFINEs of names in other instances (DEFINE a.x := …)
// are returned, to be declared when the instances are known, and the processes, main first.
func (ms modules) instantiate(symbols *symbolTable) (processes []*instance, abroad []*symbol) {
	main, ok := ms["main"]
	if !ok {
		names := slices.Sorted(maps.Keys(ms))
		if len(names) > 5 {
			names = append(names[:5], "…")
		}
		fail(Pos{}, "there is no module main, only %s: this is a part of a model; give the file with MODULE main", strings.Join(names, ", "))
	}
	if len(main.params) > 0 {
		fail(main.pos, "module main cannot have parameters")
	}
	root := &instance{module: main, pos: main.pos, syms: map[string]*symbol{}}
	root.process = root
	processes = append(processes, root)
	count := 0
	for work := []*instance{root}; len(work) > 0; work = work[1:] {
		in := work[0]
		if count++; count > maxInstances {
			fail(in.pos, "more than %d instances of modules", maxInstances)
		}
		in.items = ms.open(in.module, map[*module]bool{})
		for _, it := range in.items {
			switch it.kind {
			case itemVar:
				s := &symbol{kind: symVariable, name: it.name, scope: in, item: it}
				if it.typ.kind == typeModule {
					s.kind = symInstance
					s.inst = ms.child(in, it)
					work = append(work, s.inst)
					if s.inst.process == s.inst {
						processes = append(processes, s.inst)
					}
				} else {
					addConstants(it.typ, symbols)
				}
				in.declare(s, it.pos)
			case itemDefine:
				s := &symbol{kind: symDefine, name: it.name, scope: in, from: in, item: it}
				if in.outer(it) {
					abroad = append(abroad, s)
				} else {
					in.declare(s, it.pos)
				}
			case itemConstant:
				symbols.add(it.name)
			}
		}
	}
	return processes, abroad
}

// outer reports whether a DEFINE's name starts with an instance or a parameter.
func (in *instance) outer(it *item) bool {
	x := it.left
	if x.op != opDot {
		return false
	}
	for ; x.op == opDot || x.op == opIndex; x = x.args[0] {
		if x.op == opIndex {
			return false
		}
	}
	if s := in.lookup(x.text); s != nil {
		return s.kind == symParam || s.kind == symInstance
	}
	for _, other := range in.items { // declared below
		if other.kind == itemVar && other.name == x.text && other.typ.kind == typeModule {
			return true
		}
	}
	return false
}

// open lists a module's items with ISA replaced by the other module's items.
func (ms modules) open(m *module, above map[*module]bool) []*item {
	above[m] = true
	var out []*item
	for i := range m.items {
		it := &m.items[i]
		if it.kind != itemISA {
			out = append(out, it)
			continue
		}
		other := ms.find(it.name, it.pos)
		switch {
		case above[other]:
			fail(it.pos, "module %s includes itself by ISA", it.name)
		case len(other.params) > 0:
			fail(it.pos, "ISA cannot include module %s, which has parameters", it.name)
		}
		out = append(out, ms.open(other, above)...)
	}
	delete(above, m)
	return out
}

func (ms modules) find(name string, pos Pos) *module {
	m, ok := ms[name]
	if !ok {
		fail(pos, "there is no module %s", name)
	}
	return m
}

func (ms modules) child(in *instance, it *item) *instance {
	m := ms.find(it.typ.name, it.typ.pos)
	depth := 0
	for up := in; up != nil; up = up.parent {
		if depth++; up.module == m {
			fail(it.typ.pos, "module %s contains an instance of itself", m.name)
		}
	}
	if len(it.typ.args) != len(m.params) {
		fail(it.typ.pos, "module %s has %d parameters, but %d are given", m.name, len(m.params), len(it.typ.args))
	}
	child := &instance{name: in.prefix() + it.name, module: m, parent: in, pos: it.pos, syms: map[string]*symbol{}, process: in.process}
	if it.typ.process {
		child.process = child
	}
	for i, p := range m.params {
		child.declare(&symbol{kind: symParam, name: p.name, scope: child, arg: it.typ.args[i]}, p.pos)
	}
	return child
}

func (in *instance) declare(s *symbol, pos Pos) {
	if _, ok := in.syms[s.name]; ok {
		fail(pos, "%s is declared twice in module %s", s.name, in.module.name)
	}
	in.syms[s.name] = s
	in.ordered = append(in.ordered, s)
}

// addConstants enters the symbols of an enumeration.
func addConstants(t *typeExpr, symbols *symbolTable) {
	for ; t.kind == typeArray; t = t.elem {
	}
	if t.kind == typeEnum {
		for _, v := range t.args {
			if v.op == opIdent {
				symbols.add(v.text)
			}
		}
	}
}

// lookup finds a name of the scope.
func (in *instance) lookup(name string) *symbol { return in.syms[name] }
