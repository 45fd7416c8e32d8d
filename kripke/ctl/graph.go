package ctl

import (
	"context"
	"slices"
)

// The graph G_{K,φ} of CKV01 section 3.2: the product of the structure and the
// formula as an and-or graph whose leaves are the mutations. Gates of one
// instruction form a stratum; a stratum of a fixpoint instruction may have
// cycles, which stand for its least or greatest solution. Strata are ordered
// so that a gate's children are in its own stratum or in an earlier one.
//
// A leaf is a literal of a mutation variable: x_s is true when cell s is
// mutated. A label literal (w, q) is then x_s or its negation, depending on
// the original label. A transition into cell s under redirection is
// (¬x_s ∧ there) ∨ (x_s ∧ twin) ∨ (there ∧ twin); the last term lets three-valued
// evaluation see that the mutation does not matter. A transition into cell s that
// is merged with its twin goes to both when x_s is true: for an operator that asks
// for some successor it is there ∨ (x_s ∧ twin), for the others there ∧ (¬x_s ∨ twin).
// Where both cells can be mutated, their mutants are the same, and x_s stands for both.

type gateKind uint8

const (
	gateAnd gateKind = iota
	gateOr
	gateTrue
	gateFalse
	leafPositive // x_s; the only child is s, no gate
	leafNegative // ¬x_s
)

type graph struct {
	kind    []gateKind
	stratum []int32 // increasing
	offset  []int32
	child   []int32
	root    int32
	vars    []int32 // mutation variables that some leaf has
}

func (g *graph) len() int { return len(g.kind) }

func (g *graph) children(i int32) []int32 { return g.child[g.offset[i]:g.offset[i+1]] }

func (g *graph) leaf(i int32) bool { return g.kind[i] >= leafPositive }

func (g *graph) reset() {
	g.kind, g.stratum, g.child, g.vars = g.kind[:0], g.stratum[:0], g.child[:0], g.vars[:0]
	g.offset = append(g.offset[:0], 0)
}

// product builds the graph from the root down, so that it holds only what the
// root depends on.
type product struct {
	f      *frame
	p      program
	change mutantKind

	g     graph
	order []item // what each gate stands for
	// The number of an item's gate plus one: by role, instruction and index for
	// the common items, in a map for the few about initial states.
	dense  [roles][][]int32
	sparse map[item]int32
	hubs   []mergedHub // of each hub, when cells are merged with their twins
}

// mutantKind is the change that all mutants of a run have in common.
type mutantKind struct {
	flip     string
	redirect bool
	merge    bool
}

func (k mutantKind) at(cell int32) mutant {
	return mutant{cell: cell, flip: k.flip, redirect: k.redirect, merge: k.merge}
}

type role uint8

const (
	roleRoot        role = iota
	roleState            // the instruction's value in a state
	roleStep             // the inner gate of a fixpoint in a state
	roleHubs             // all or some hubs of a state, where it has several
	roleHub              // all or some members of a hub satisfy the step's body
	roleTarget           // the same after redirection
	roleInitial          // the program's value in all initial states of a cell, redirected
	roleStart            // the program's value in a cell's initial states
	roleTwinStart        // the same of what replaces them
	roleThere            // ¬x ∧ there, for roleTarget and roleInitial
	roleTwin             // x ∧ twin
	roleBoth             // there ∧ twin
	roleMerged           // the same as roleHub after merging
	roleMergedWith       // what merging adds to it
	roleMergedStart      // the program's value in the initial states that merging adds
	roleLeafTrue         // x
	roleLeafFalse        // ¬x
)

const roles = roleLeafFalse + 1

// item is what a gate stands for. For the roles of redirection, of tells
// whether index is a hub (roleTarget) or an initial cell (roleInitial).
type item struct {
	role  role
	of    role
	ins   int32
	index int32
}

func buildGraph(ctx context.Context, f *frame, p program, change mutantKind) (*graph, error) {
	b := &product{f: f, p: p, change: change, sparse: map[item]int32{}}
	if change.merge {
		b.hubs = f.mergedHubs()
	}
	b.gate(item{role: roleRoot, ins: int32(len(p) - 1)})
	b.g.offset = append(b.g.offset, 0)
	for i := 0; i < len(b.order); i++ {
		if i&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b.expand(b.order[i])
		b.g.offset = append(b.g.offset, int32(len(b.g.child)))
	}
	return b.sorted(), nil
}

// gate is the number of an item's gate; the first call queues its expansion.
func (b *product) gate(it item) int32 {
	if it.of == roleInitial || it.role == roleMergedStart || it.role == roleInitial || it.role == roleStart || it.role == roleTwinStart || it.role == roleRoot {
		n, ok := b.sparse[it]
		if !ok {
			n = b.queue(it)
			b.sparse[it] = n
		}
		return n
	}
	byIns := b.dense[it.role]
	if byIns == nil {
		byIns = make([][]int32, len(b.p))
		b.dense[it.role] = byIns
	}
	if byIns[it.ins] == nil {
		byIns[it.ins] = make([]int32, max(b.f.states, b.f.members.len()))
	}
	entry := &byIns[it.ins][it.index]
	if *entry == 0 {
		*entry = b.queue(it) + 1
	}
	return *entry - 1
}

func (b *product) queue(it item) int32 {
	b.order = append(b.order, it)
	return int32(len(b.order)) - 1
}

func (b *product) emit(k gateKind, ins int32, children ...int32) {
	b.g.kind = append(b.g.kind, k)
	b.g.stratum = append(b.g.stratum, ins)
	b.g.child = append(b.g.child, children...)
}

func (b *product) truth(v bool) {
	k := gateFalse
	if v {
		k = gateTrue
	}
	b.emit(k, 0)
}

// expand emits one gate; expansions happen in the order of numbers.
func (b *product) expand(it item) {
	ins := b.p[it.ins]
	switch it.role {
	case roleRoot:
		b.emit(gateAnd, int32(len(b.p)))
		last := int32(len(b.p) - 1)
		for _, w := range b.f.init {
			if cell := b.f.cellOf(w); !b.change.redirect || !b.f.candidates.Has(int(cell)) {
				b.g.child = append(b.g.child, b.gate(item{role: roleState, ins: last, index: w}))
			}
		}
		for _, cell := range b.redirectedStarts() {
			b.g.child = append(b.g.child, b.gate(item{role: roleInitial, ins: last, index: cell}))
		}
		for _, cell := range b.mergedStarts() {
			b.g.child = append(b.g.child, b.gate(item{role: roleMergedStart, ins: last, index: cell}))
		}
	case roleStart, roleTwinStart:
		b.emit(gateAnd, int32(len(b.p)))
		states := b.f.twinInit[it.index]
		if it.role == roleStart {
			states = slices.DeleteFunc(slices.Clone(b.f.init), func(w int32) bool { return b.f.cellOf(w) != it.index })
		}
		for _, w := range states {
			b.g.child = append(b.g.child, b.gate(item{role: roleState, ins: it.ins, index: w}))
		}
	case roleState:
		b.state(it, ins)
	case roleStep:
		k := gateAnd
		if ins.greatest() {
			k = gateOr
		}
		b.emit(k, it.ins, b.gate(item{role: roleState, ins: ins.a, index: it.index}), b.successors(it.ins, it.index))
	case roleHubs:
		b.emit(ins.quantifier(), it.ins)
		for _, h := range b.f.hubs.of(it.index) {
			b.g.child = append(b.g.child, b.target(it.ins, h))
		}
	case roleHub:
		body := it.ins
		if ins.op == ex || ins.op == ax {
			body = ins.a
		}
		b.emit(ins.quantifier(), it.ins)
		for _, u := range b.f.members.of(it.index) {
			b.g.child = append(b.g.child, b.gate(item{role: roleState, ins: body, index: u}))
		}
	case roleTarget, roleInitial:
		stratum := it.ins
		if it.role == roleInitial {
			stratum = int32(len(b.p))
		}
		part := func(r role) int32 { return b.gate(item{role: r, of: it.role, ins: it.ins, index: it.index}) }
		b.emit(gateOr, stratum, part(roleThere), part(roleTwin), part(roleBoth))
	case roleThere, roleTwin, roleBoth:
		b.redirected(it)
	case roleMerged, roleMergedWith, roleMergedStart:
		b.merged(it, ins)
	case roleLeafTrue:
		b.emit(leafPositive, 0, it.index)
	case roleLeafFalse:
		b.emit(leafNegative, 0, it.index)
	}
}

func (b *product) state(it item, ins instruction) {
	sub := func(i int32) int32 { return b.gate(item{role: roleState, ins: i, index: it.index}) }
	switch ins.op {
	case constant:
		b.truth(!ins.negated)
	case literal:
		v := b.f.labels[ins.atom].Has(int(it.index)) != ins.negated
		cell := b.f.cellOf(it.index)
		if ins.atom != b.change.flip || !b.f.candidates.Has(int(cell)) {
			b.truth(v)
		} else if v {
			b.emit(leafNegative, 0, cell)
		} else {
			b.emit(leafPositive, 0, cell)
		}
	case and:
		b.emit(gateAnd, it.ins, sub(ins.a), sub(ins.b))
	case or:
		b.emit(gateOr, it.ins, sub(ins.a), sub(ins.b))
	case ex, ax:
		b.emit(gateAnd, it.ins, b.successors(it.ins, it.index))
	case eu, au:
		b.emit(gateOr, it.ins, sub(ins.b), b.gate(item{role: roleStep, ins: it.ins, index: it.index}))
	case er, ar:
		b.emit(gateAnd, it.ins, sub(ins.b), b.gate(item{role: roleStep, ins: it.ins, index: it.index}))
	}
}

// quantifier is the kind of the gates that stand for some or for all successors.
func (ins instruction) quantifier() gateKind {
	if ins.universal() {
		return gateAnd
	}
	return gateOr
}

// successors is the gate of a state's hubs as a mutant sees them.
func (b *product) successors(ins, state int32) int32 {
	if hubs := b.f.hubs.of(state); len(hubs) == 1 {
		return b.target(ins, hubs[0])
	}
	return b.gate(item{role: roleHubs, ins: ins, index: state})
}

// target is the gate of a hub as a mutant sees it.
func (b *product) target(ins, hub int32) int32 {
	if b.change.redirect && b.f.candidates.Has(int(hub)) {
		return b.gate(item{role: roleTarget, ins: ins, index: hub})
	}
	if b.hubs != nil && b.hubs[hub].cell >= 0 {
		return b.gate(item{role: roleMerged, ins: ins, index: hub})
	}
	return b.gate(item{role: roleHub, ins: ins, index: hub})
}

// redirectedStarts lists the cells whose initial states a mutant replaces.
func (b *product) redirectedStarts() []int32 {
	if !b.change.redirect {
		return nil
	}
	var out []int32
	for cell := range b.f.twinInit {
		if b.f.candidates.Has(int(cell)) {
			out = append(out, cell)
		}
	}
	slices.Sort(out)
	return out
}

// redirected emits one of the three terms of a redirection.
func (b *product) redirected(it item) {
	stratum, cell := it.ins, it.index
	there := func() int32 { return b.gate(item{role: roleHub, ins: it.ins, index: cell}) }
	away := func() int32 { return b.gate(item{role: roleHub, ins: it.ins, index: b.f.twin[cell]}) }
	if it.of == roleInitial {
		stratum = int32(len(b.p))
		there = func() int32 { return b.gate(item{role: roleStart, ins: it.ins, index: cell}) }
		away = func() int32 { return b.gate(item{role: roleTwinStart, ins: it.ins, index: cell}) }
	}
	switch it.role {
	case roleThere:
		b.emit(gateAnd, stratum, b.gate(item{role: roleLeafFalse, index: cell}), there())
	case roleTwin:
		b.emit(gateAnd, stratum, b.gate(item{role: roleLeafTrue, index: cell}), away())
	default:
		b.emit(gateAnd, stratum, there(), away())
	}
}

// sorted renumbers the gates by stratum.
func (b *product) sorted() *graph {
	n := b.g.len()
	start := make([]int32, len(b.p)+2)
	for _, s := range b.g.stratum {
		start[s+1]++
	}
	for i := range start[:len(start)-1] {
		start[i+1] += start[i]
	}
	to, from := make([]int32, n), make([]int32, n)
	for i, s := range b.g.stratum {
		to[i] = start[s]
		from[to[i]] = int32(i)
		start[s]++
	}
	g := &graph{root: to[0]}
	g.reset()
	for _, old := range from {
		g.kind = append(g.kind, b.g.kind[old])
		g.stratum = append(g.stratum, b.g.stratum[old])
		for _, c := range b.g.children(old) {
			if !b.g.leaf(old) {
				c = to[c]
			}
			g.child = append(g.child, c)
		}
		g.offset = append(g.offset, int32(len(g.child)))
	}
	return g
}
