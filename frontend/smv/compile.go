package smv

import (
	"fmt"
	"strings"

	"netcov/aig"
	"netcov/frontend/design"
	"netcov/netlist"
)

// Options say how a program becomes a netlist. The zero value is fine.
type Options struct {
	// DeadlockStates bounds the explicit search for reachable states without a
	// successor; 0 means 10000, -1 no search.
	DeadlockStates int
	// MaxGates bounds the netlist; 0 is 10 million.
	MaxGates int
	// Registers makes registers of variables that only have an initial value or stand in
	// INIT, as a circuit needs it; else they are inputs under a constraint.
	Registers bool
}

// Netlist is a compiled program.
type Netlist struct {
	Design *design.Design

	prog *Program
	enc  *encoder

	rewritten *rewriting
}

// Compile builds the netlist.
func (p *Program) Compile(opt Options) (n *Netlist, err error) {
	defer catch(p.file, &err)
	e := newEncoder(p, false, false)
	e.registers = opt.Registers
	if opt.MaxGates > 0 {
		e.ev.maxGates = opt.MaxGates
	}
	e.run()
	c := &compiler{prog: p, enc: e, net: &netlist.Netlist{Graph: e.g}}
	c.design = &design.Design{
		File: p.file, SHA256: p.sha256, Format: "smv", Netlist: c.net,
		Notes: append([]string(nil), p.notes...),
	}
	c.leaves()
	c.specs()
	e.discharge()
	c.gates()
	c.design.Notes = append(c.design.Notes, e.notes...)
	if opt.DeadlockStates >= 0 && len(e.init)+len(e.invar)+len(e.trans) > 0 {
		c.deadlocks(opt.DeadlockStates)
	}
	return &Netlist{Design: c.design, prog: p, enc: e}, nil
}

type compiler struct {
	prog   *Program
	enc    *encoder
	net    *netlist.Netlist
	design *design.Design
}

// leaves moves latches, inputs and constraints into the netlist, with the
// latches that remember whether the last step was legal and whether it is the
// first.
func (c *compiler) leaves() {
	e := c.enc
	for _, in := range e.inputs {
		c.net.Inputs = append(c.net.Inputs, netlist.Input{Lit: in.lit, Name: in.name})
	}
	for _, l := range e.latches {
		c.net.Latches = append(c.net.Latches, netlist.Latch{Lit: l.lit, Next: l.next, Reset: l.reset, Name: l.name})
		c.design.Latches = append(c.design.Latches, c.origin(l))
	}
	for _, x := range e.invar {
		c.constrain(x.lit, x.name)
	}
	if len(e.init) > 0 {
		begin := c.artefact("$first", aig.False, aig.True)
		for _, x := range e.init {
			c.constrain(e.g.Or(begin.Not(), x.lit), x.name)
		}
	}
	if len(e.trans) > 0 {
		lits := make([]aig.Lit, len(e.trans))
		for i, x := range e.trans {
			lits[i] = x.lit
		}
		c.constrain(c.artefact("$legal", e.g.AndAll(lits...), aig.True), "TRANS, one step late")
	}
	for i, f := range c.prog.fair {
		l, fails := e.ev.truth(f.node, now)
		e.mayFail(fails, f.node)
		c.net.Fairness = append(c.net.Fairness, netlist.Signal{Lit: l, Name: fmt.Sprintf("fairness%d", i)})
	}
}

func (c *compiler) constrain(l aig.Lit, name string) {
	c.net.Constraints = append(c.net.Constraints, netlist.Signal{Lit: l, Name: name})
}

// artefact adds a latch of the translation's own.
func (c *compiler) artefact(name string, next, reset aig.Lit) aig.Lit {
	l := c.enc.g.Latch()
	c.net.Latches = append(c.net.Latches, netlist.Latch{Lit: l, Next: next, Reset: reset, Name: name})
	c.design.Latches = append(c.design.Latches, design.Origin{Register: name, Bit: -1, Instance: "main", Module: "main", File: c.prog.file, Artefact: true})
	return l
}

func (c *compiler) origin(l latchBit) design.Origin {
	v := l.v
	o := design.Origin{Register: v.name, Bit: -1, Instance: v.inst.label(), Module: v.inst.module.name, File: c.prog.file, Line: int(v.pos.Line)}
	switch {
	case v.array != "":
		o.Register, o.Bit = v.array, v.arrayIndex
	case l.name != v.name:
		o.Bit = l.bit
	}
	return o
}

// specs makes bad-state literals of INVARSPEC, and of CTLSPEC AG p and LTLSPEC G p with
// a propositional p where they mean the same: no fairness, and for LTL no TRANS or INVAR
// that could leave a state without a successor. The others stay formulas.
func (c *compiler) specs() {
	total := len(c.enc.trans)+len(c.enc.invar) == 0
	for _, s := range c.prog.specs {
		n := s.node
		switch u := n.under(); {
		case s.kind == itemInvarspec:
			c.bad(s, n)
			continue
		case len(c.prog.fair)+len(c.prog.compassion) == 0 && (u.op == opAG || u.op == opG && total && u.name == ""):
			if p := u.args[0]; p.flags&hasTemporal == 0 {
				c.bad(s, p)
				continue
			}
		}
		kind := design.SpecLTL
		if s.kind == itemCTL {
			kind = design.SpecCTL
		}
		c.design.Specs = append(c.design.Specs, design.Spec{Kind: kind, Text: c.prog.formulaText(n), Line: int(s.pos.Line), Name: s.name})
	}
}

// bad adds a bad-state literal. A property of steps is reported one step late,
// when the step is known to be legal.
func (c *compiler) bad(s spec, p *node) {
	e := c.enc
	holds, fails := e.ev.truth(p, now)
	e.mayFail(fails, p)
	bad := holds.Not()
	if p.flags&(hasNext|hasInput) != 0 {
		bad = c.artefact(fmt.Sprintf("$bad%d", len(c.net.Bads)), bad, aig.False)
	}
	name := s.name
	if name == "" {
		name = shorten(c.prog.text(p))
	}
	c.net.Bads = append(c.net.Bads, netlist.Signal{Lit: bad, Name: name})
	c.design.Properties = append(c.design.Properties, design.Origin{
		Register: name, Bit: -1, Instance: s.inst.label(), Module: s.inst.module.name, File: c.prog.file, Line: int(s.pos.Line),
	})
}

// shorten cuts a text that serves as a name.
func shorten(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return strings.TrimSpace(s)
}

// gates lists the AND gates that something reads, with their source lines.
func (c *compiler) gates() {
	var roots []aig.Lit
	for _, l := range c.net.Latches {
		roots = append(roots, l.Next, l.Reset)
	}
	for _, list := range [][]netlist.Signal{c.net.Bads, c.net.Constraints, c.net.Fairness} {
		for _, s := range list {
			roots = append(roots, s.Lit)
		}
	}
	for _, n := range c.net.Graph.Cone(roots...) {
		if c.net.Graph.Kind(n) != aig.KindAnd {
			continue
		}
		c.net.Gates = append(c.net.Gates, aig.MkLit(n, false))
		o := design.Origin{Bit: -1, File: c.prog.file}
		if src := c.enc.ev.lines; int(n) < len(src) && src[n].inst != nil {
			o.Instance, o.Module, o.Line = src[n].inst.label(), src[n].inst.module.name, int(src[n].pos.Line)
		}
		c.design.Gates = append(c.design.Gates, o)
	}
}

// deadlocks notes reachable states without a successor, and a model without
// initial states.
func (c *compiler) deadlocks(limit int) {
	if limit == 0 {
		limit = 10_000
	}
	c.design.Notes = append(c.design.Notes, c.prog.deadlockNotes(limit)...)
}

// Lit gives a boolean expression over current values and IVARs, with names as they are
// seen from main, as a literal of the netlist's graph. Gates that it needs are
// added to the graph, not to the list of gates.
func (n *Netlist) Lit(expr string) (l aig.Lit, err error) {
	defer catch("expression", &err)
	node := n.prog.proposition(expr, true)
	l, fails := n.enc.ev.truth(node, now)
	n.enc.mayFail(fails, node)
	n.enc.discharge()
	return l, nil
}

// Signals lists the boolean DEFINEs and the boolean combinational variables of
// a model by full name: its outputs, when it is read as a circuit. Those that
// read next() or an IVAR are left out.
func (n *Netlist) Signals() []netlist.Signal {
	var out []netlist.Signal
	for stack := []*instance{n.prog.elab.root}; len(stack) > 0; {
		in := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range in.ordered {
			if s.kind == symInstance {
				stack = append(stack, s.inst)
				continue
			}
			wire := s.node != nil && s.node.op == opVar && n.enc.cells[s.node.v.index].class == classWire
			if s.node == nil || s.kind == symParam || s.kind == symVariable && !wire || s.node.typ != boolTyp || s.node.flags&(hasNext|hasInput) != 0 {
				continue
			}
			l, fails := n.enc.ev.truth(s.node, now)
			if fails == aig.False {
				out = append(out, netlist.Signal{Lit: l, Name: s.fullName()})
			}
		}
	}
	return out
}

// proposition reads a boolean expression in the scope of main.
func (p *Program) proposition(text string, inputs bool) *node {
	ps := &parser{toks: scan(text)}
	x := ps.expr()
	if ps.peek().kind != tokEnd {
		ps.unexpected("an operator or the end of the expression")
	}
	n := p.formula(x, p.elab.root, where{"a proposition", false, inputs})
	if n.flags&hasTemporal != 0 {
		fail(n.pos, "a temporal operator cannot stand in a proposition")
	}
	return n
}
