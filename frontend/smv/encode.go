package smv

import (
	"fmt"
	"math/bits"
	"time"

	"netcov/aig"
)

// class is what a variable becomes in the netlist.
type class uint8

const (
	classFree     class = iota // inputs
	classRegister              // latches
	classWire                  // combinational
)

// cell is the encoding of a variable. A scalar is coded by its position in its
// domain; a range that starts at 0 or needs as many bits by the number itself.
type cell struct {
	class class
	raw   []aig.Lit // inputs or latches
	// limited marks raw codes outside of the domain as possible: such inputs
	// are folded into it, such latches never arise.
	limited bool

	firstLatch int  // position of the register's first latch
	chosen     bool // a wire that a choice among a set drives
	// constrained marks a set assignment that stands as a constraint.
	constrained bool

	cur, next       value
	hasCur, hasNext bool
	nextIndex       []aig.Lit
	nextOutside     aig.Lit
	resets          []aig.Lit
}

// latchBit and inputBit are the leaves of the graph.
type latchBit struct {
	lit, next, reset aig.Lit
	v                *variable // nil for an artefact
	bit              int
	name             string
}

// inputUse tells what an input is for.
type inputUse uint8

const (
	inputState  inputUse = iota // value of a free VAR
	inputIVAR                   // value of an IVAR
	inputNext                   // chooses next values
	inputInit                   // chooses initial values
	inputChoice                 // chooses a current value
)

type inputBit struct {
	lit  aig.Lit
	v    *variable
	bit  int
	use  inputUse
	name string
}

// condition is a constraint, or what is left of one.
type condition struct {
	lit  aig.Lit
	pos  Pos
	name string
}

// encoder turns a program into latches, inputs and constraints.
type encoder struct {
	prog *Program
	g    *aig.Graph
	ev   *evaluator
	// relational keeps free variables with a set assignment as state inputs
	// under a constraint, so that a state determines its inputs.
	relational    bool
	inputsAsState bool // IVARs are state inputs too
	registers     bool // see Options
	started       map[*variable]bool

	cells   []cell
	latches []latchBit
	inputs  []inputBit

	init, invar, trans []condition

	obligations []obligation
	sat         *satGraph
	deadline    time.Time
	notes       []string
	depth       int
}

func newEncoder(p *Program, relational, inputsAsState bool) *encoder {
	e := &encoder{prog: p, g: aig.NewGraph(), relational: relational, inputsAsState: inputsAsState, cells: make([]cell, len(p.vars))}
	e.ev = newEvaluator(e.g, e)
	return e
}

// run encodes everything but the specifications.
func (e *encoder) run() {
	if e.registers {
		e.started = e.prog.started()
	}
	for _, v := range e.prog.vars {
		e.allocate(v)
	}
	for _, v := range e.prog.vars {
		e.finish(v)
	}
	e.constraints(&e.invar, "INVAR", e.prog.invars)
	e.constraints(&e.init, "INIT", e.prog.inits)
	e.constraints(&e.trans, "TRANS", e.prog.trans)
}

func (e *encoder) constraints(to *[]condition, what string, nodes []*node) {
	for _, n := range nodes {
		holds, fails := e.ev.truth(n, now)
		e.mayFail(fails, n)
		e.require(to, holds, n.pos, what)
	}
}

// require adds a constraint.
func (e *encoder) require(to *[]condition, holds aig.Lit, pos Pos, what string) {
	if holds != aig.True {
		*to = append(*to, condition{holds, pos, fmt.Sprintf("%s, line %d", what, pos.Line)})
	}
}

// size is the number of index bits of a domain, and whether all codes are used.
func (d *domain) code() (width int, full bool) {
	switch d.typ.kind {
	case kBool:
		return 1, true
	case kWord:
		return d.typ.width, true
	}
	n := d.size()
	w := indexWidth(n)
	return w, n == int64(1)<<w
}

// natural reports whether a range is coded by its numbers themselves.
func (d *domain) natural() bool {
	return d.typ.kind == kInt && d.values == nil && d.lo >= 0 && bits.Len64(uint64(d.hi)) == indexWidth(d.size())
}

func (e *encoder) input(v *variable, use inputUse, bit int, format string, args ...any) aig.Lit {
	l := e.g.Input()
	e.inputs = append(e.inputs, inputBit{l, v, bit, use, fmt.Sprintf(format, args...)})
	return l
}

// choiceInputs makes the inputs of one choice on demand.
func (e *encoder) choiceInputs(v *variable, use inputUse, form string) *choices {
	return &choices{make: func(i int) aig.Lit {
		return e.input(v, use, i, form+"[%d]", v.name, i)
	}}
}

// bitName names a bit of a variable.
func bitName(v *variable, bit, width int) string {
	if v.dom.typ.kind != kWord && width == 1 {
		return v.name
	}
	return fmt.Sprintf("%s[%d]", v.name, bit)
}

// allocate gives a variable its leaves.
func (e *encoder) allocate(v *variable) {
	c := &e.cells[v.index]
	width, full := v.dom.code()
	c.limited = !full
	set := v.plain != nil && v.plain.value.typ.set
	switch {
	case v.plain != nil && !set:
		c.class = classWire
		return
	case v.kind == kindFrozen || v.next != nil || v.nextRead || e.started[v]:
		c.class = classRegister
		c.constrained = set
	case set && !e.relational:
		c.class, c.chosen = classWire, true
		return
	default:
		c.constrained = set
	}
	c.raw = make([]aig.Lit, width)
	c.firstLatch = len(e.latches)
	for i := range c.raw {
		if c.class == classRegister {
			c.raw[i] = e.g.Latch()
			e.latches = append(e.latches, latchBit{lit: c.raw[i], v: v, bit: i, name: bitName(v, i, width)})
			continue
		}
		use := inputState
		if v.kind == kindInput && !e.inputsAsState {
			use = inputIVAR
		}
		c.raw[i] = e.input(v, use, i, "%s", bitName(v, i, width))
	}
	index := c.raw
	if c.class == classFree {
		index = e.foldIndex(&v.dom, c.raw)
	}
	c.cur, c.hasCur = e.decode(v, index), true
}

// foldIndex maps raw codes of inputs into the domain.
func (e *encoder) foldIndex(d *domain, raw []aig.Lit) []aig.Lit {
	if _, full := d.code(); full {
		return raw
	}
	if !d.natural() || d.lo == 0 {
		return e.ev.fold(raw, d.size())
	}
	// lo..hi by its numbers: those above hi lose their top bit if the rest is
	// at least lo, and all others outside become hi.
	v := intValue(append(append([]aig.Lit(nil), raw...), aig.False), 0, int64(1)<<len(raw)-1)
	return e.ev.mux(e.ev.between(v, d.lo, d.hi), raw, constBits(uint64(d.hi), len(raw)))
}

// variable gives the value of a variable to the evaluator.
func (e *encoder) variable(v *variable, at moment) value {
	if e.depth++; e.depth > maxDepth {
		fail(v.pos, "a chain of more than %d variables that are defined by each other", maxDepth)
	}
	defer func() { e.depth-- }()
	c := &e.cells[v.index]
	if at == after && c.class != classWire {
		e.nextState(v)
		return c.next
	}
	switch {
	case at == after:
		if !c.hasNext {
			c.next, c.hasNext = e.ev.eval(v.plain.value, after), true
		}
		return c.next
	case !c.hasCur:
		n := v.plain.value
		if c.chosen {
			c.cur = e.ev.choose(n, now, e.choiceInputs(v, inputChoice, "set(%s)"), 0, n.typ.kind)
		} else {
			c.cur = e.ev.eval(n, now)
		}
		c.hasCur = true
	}
	return c.cur
}

// nextState works out the next value of a register and its code.
func (e *encoder) nextState(v *variable) {
	c := &e.cells[v.index]
	if c.hasNext {
		return
	}
	switch {
	case v.kind == kindFrozen:
		c.next, c.nextIndex = c.cur, c.raw
	case v.next == nil:
		raw := make([]aig.Lit, len(c.raw))
		for i := range raw {
			raw[i] = e.input(v, inputNext, i, "next(%s)[%d]", v.name, i)
		}
		c.nextIndex = e.foldIndex(&v.dom, raw)
		c.next = e.decode(v, c.nextIndex)
	default:
		n := v.next.value
		c.next = e.ev.choose(n, now, e.choiceInputs(v, inputNext, "next(%s)"), 0, n.typ.kind)
		c.nextIndex, c.nextOutside = e.encode(v, c.next)
	}
	c.hasNext = true
}

// finish works out what is left of a variable: codes of next and initial
// values, constraints and obligations.
func (e *encoder) finish(v *variable) {
	c := &e.cells[v.index]
	switch {
	case c.class == classWire:
		e.variable(v, now)
		_, outside := e.encode(v, c.cur)
		e.assigned(v, v.plain, c.cur.fail, outside, &e.invar, "INVAR")
	case c.constrained:
		e.memberOf(v, v.plain, &e.invar, "assignment of "+v.name)
	}
	if c.class == classRegister {
		e.nextState(v)
		if v.next != nil {
			e.assigned(v, v.next, c.next.fail, c.nextOutside, &e.trans, "TRANS")
		}
		e.reset(v)
		for i := range c.raw {
			l := &e.latches[c.firstLatch+i]
			l.next, l.reset = c.nextIndex[i], c.resets[i]
		}
	} else if v.init != nil && v.plain == nil {
		e.memberOf(v, v.init, &e.init, "initial value of "+v.name)
	}
}

// reset works out the initial code of a register.
func (e *encoder) reset(v *variable) {
	c := &e.cells[v.index]
	switch {
	case v.init != nil:
		n := v.init.value
		val := e.ev.choose(n, now, e.choiceInputs(v, inputInit, "init(%s)"), 0, n.typ.kind)
		var outside aig.Lit
		c.resets, outside = e.encode(v, val)
		e.assigned(v, v.init, val.fail, outside, &e.init, "INIT")
	case c.limited:
		raw := make([]aig.Lit, len(c.raw))
		for i := range raw {
			raw[i] = e.input(v, inputInit, i, "init(%s)[%d]", v.name, i)
		}
		c.resets = e.foldIndex(&v.dom, raw)
	default:
		c.resets = c.raw
	}
}

// assigned records what an assignment demands: that it does not fail, and that
// the value lies in the domain.
func (e *encoder) assigned(v *variable, d *definition, fails, outside aig.Lit, to *[]condition, what string) {
	e.mayFail(fails, d.value)
	outside = e.g.And(outside, fails.Not())
	if !d.lenient {
		e.oblige(outside, d, "the value assigned to %s may lie outside of %s", v.name, e.prog.domainText(v))
		return
	}
	if outside != aig.False && e.possible(outside) {
		e.require(to, outside.Not(), d.pos, what)
	}
}

// memberOf makes v ∈ definition a constraint.
func (e *encoder) memberOf(v *variable, d *definition, to *[]condition, what string) {
	elems, fails := e.ev.elements(d.value, now)
	e.mayFail(fails, d.value)
	holds := make([]aig.Lit, len(elems))
	var outside []aig.Lit
	for i, x := range elems {
		holds[i] = e.ev.member(d.value, e.cells[v.index].cur, x)
		outside = append(outside, e.g.And(x.on, e.outsideOf(v, x)))
	}
	if !d.lenient {
		e.oblige(e.g.And(e.g.OrAll(outside...), fails.Not()), d, "the value assigned to %s may lie outside of %s", v.name, e.prog.domainText(v))
	}
	e.require(to, e.g.OrAll(holds...), d.pos, what)
}

// outsideOf says where an element of a set lies outside of a variable's domain.
func (e *encoder) outsideOf(v *variable, x element) aig.Lit {
	d := &v.dom
	if !x.ranged {
		_, outside := e.encode(v, x.val)
		return outside
	}
	if d.values == nil {
		if x.lo < d.lo || x.hi > d.hi {
			return aig.True
		}
		return aig.False
	}
	inside := int64(0)
	for _, c := range d.values {
		if int64(c) >= x.lo && int64(c) <= x.hi {
			inside++
		}
	}
	if inside < x.hi-x.lo+1 {
		return aig.True
	}
	return aig.False
}

// decode reads a code as a value.
func (e *encoder) decode(v *variable, index []aig.Lit) value {
	d := &v.dom
	switch {
	case d.typ.kind == kBool || d.typ.kind == kWord:
		return value{kind: d.typ.kind, bits: index}
	case d.values == nil:
		w := max(signedWidth(d.lo, d.hi), len(index)+1)
		b := zeroExtend(index, w)
		if !d.natural() {
			b, _ = e.ev.add(b, constBits(uint64(d.lo), w), aig.False)
		}
		return intValue(b, d.lo, d.hi)
	}
	gs := make([]guard, len(d.values))
	for k, c := range d.values {
		gs[k] = guard{c, e.ev.eq(index, constBits(uint64(k), len(index)))}
	}
	if d.typ.kind == kInt {
		return e.ev.fromGuards(gs, aig.False)
	}
	return value{kind: d.typ.kind, guards: gs}
}

// encode turns a value into a code, and says where it lies outside of the
// domain.
func (e *encoder) encode(v *variable, val value) (index []aig.Lit, outside aig.Lit) {
	d := &v.dom
	if d.typ.kind == kBool || d.typ.kind == kWord {
		return val.bits, aig.False
	}
	width, _ := d.code()
	if d.values == nil {
		if val.kind != kInt { // the integers among integers and symbols
			var ints []guard
			for _, g := range val.guards {
				if g.c.isSym() {
					outside = e.g.Or(outside, g.on)
				} else {
					ints = append(ints, g)
				}
			}
			if len(ints) == 0 {
				return make([]aig.Lit, width), aig.True
			}
			val = e.ev.fromGuards(ints, aig.False)
		}
		outside = e.g.Or(outside, e.ev.between(val, d.lo, d.hi).Not())
		w := max(len(val.bits), signedWidth(d.lo, d.hi), width)
		b := signExtend(val.bits, w)
		if !d.natural() {
			b = e.ev.sub(b, constBits(uint64(d.lo), w))
		}
		return b[:width], outside
	}
	on := make([]aig.Lit, len(d.values))
	if val.kind == kInt {
		for k, c := range d.values {
			if !c.isSym() {
				on[k] = e.ev.equals(val, int64(c))
			}
		}
	} else {
		at := make(map[cst]aig.Lit, len(val.guards))
		for _, g := range val.guards {
			at[g.c] = g.on
		}
		for k, c := range d.values {
			on[k] = at[c]
		}
	}
	index = make([]aig.Lit, width)
	for i := range index {
		var set []aig.Lit
		for k := range on {
			if k>>i&1 == 1 {
				set = append(set, on[k])
			}
		}
		index[i] = e.g.OrAll(set...)
	}
	return index, e.g.OrAll(on...).Not()
}
