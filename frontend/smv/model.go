package smv

import (
	"context"
	"math/bits"
	"strings"

	"netcov/aig"
	"netcov/frontend/design"
)

// Model is a program as a state graph, with NuSMV's view of a state: a
// valuation of all VARs and FROZENVARs, free ones too. It is for models small
// enough to list their states. A Model is not safe for concurrent use.
type Model struct {
	prog    *Program
	enc     *encoder
	leaves  []aig.Node // of the state bits
	codes   []aig.Lit  // state bits as codes of the variables, now
	fair    []*Prop
	initial *enumerator
	step    *enumerator
}

// ModelOptions say what a state holds.
type ModelOptions struct {
	// InputsAsState makes IVARs part of the state, as LTL specifications that
	// read them need it. Otherwise they only label steps.
	InputsAsState bool
}

// State is a state of a Model: the codes of its variables, one bit after the
// other. States are equal iff their texts are.
type State string

func (s State) bit(i int) byte { return s[i/8] >> (i % 8) & 1 }

func trailing(x uint64) int { return bits.TrailingZeros64(x) }

// Model builds the state graph's functions; no state is listed yet.
func (p *Program) Model(opt ModelOptions) (m *Model, err error) {
	defer catch(p.file, &err)
	m = p.unfairModel(opt)
	for _, f := range p.fair {
		if f.node.flags&hasInput != 0 && !opt.InputsAsState {
			fail(f.pos, "FAIRNESS over an input variable (IVAR) needs inputs in the state")
		}
		m.fair = append(m.fair, m.newProp(f.node))
	}
	m.enc.discharge()
	return m, nil
}

// unfairModel builds the model without its fairness constraints, its
// obligations not yet discharged.
func (p *Program) unfairModel(opt ModelOptions) *Model {
	e := newEncoder(p, true, opt.InputsAsState)
	e.run()
	m := &Model{prog: p, enc: e}
	bitOf := map[aig.Node]bool{}
	for _, v := range p.vars {
		c := &e.cells[v.index]
		if c.class == classWire || c.class == classFree && v.kind == kindInput && !opt.InputsAsState {
			continue
		}
		index := c.raw
		if c.class == classFree {
			index = e.foldIndex(&v.dom, c.raw)
		}
		for i := range c.raw {
			m.leaves = append(m.leaves, c.raw[i].Node())
			m.codes = append(m.codes, index[i])
			bitOf[c.raw[i].Node()] = true
		}
	}
	m.buildInitial()
	m.buildStep(bitOf)
	return m
}

func conjunction(g *aig.Graph, lists ...[]condition) aig.Lit {
	var lits []aig.Lit
	for _, list := range lists {
		for _, c := range list {
			lits = append(lits, c.lit)
		}
	}
	return g.AndAll(lits...)
}

// buildInitial expresses the initial states over the leaves at time 0.
func (m *Model) buildInitial() {
	e := m.enc
	reset := map[aig.Node]aig.Lit{}
	for _, l := range e.latches {
		reset[l.lit.Node()] = l.reset
	}
	r := newRebuilder(e.g, func(n aig.Node) (aig.Lit, bool) {
		self := aig.MkLit(n, false)
		if l, ok := reset[n]; ok && l != self {
			return l, true
		}
		return self, false
	})
	m.initial = newEnumerator(e.g, m.rebuilt(r), r.lit(conjunction(e.g, e.init, e.invar)), nil)
}

// buildStep expresses the successors over the leaves now and the free leaves
// of the next state.
func (m *Model) buildStep(state map[aig.Node]bool) {
	e := m.enc
	next := map[aig.Node]aig.Lit{}
	for _, l := range e.latches {
		next[l.lit.Node()] = l.next
	}
	r := newRebuilder(e.g, func(n aig.Node) (aig.Lit, bool) {
		if l, ok := next[n]; ok {
			return l, false
		}
		return e.g.Input(), false
	})
	invar := r.lit(conjunction(e.g, e.invar))
	m.step = newEnumerator(e.g, m.rebuilt(r), e.g.And(conjunction(e.g, e.trans), invar), m.leaves)
}

func (m *Model) rebuilt(r *rebuilder) []aig.Lit {
	out := make([]aig.Lit, len(m.codes))
	for i, l := range m.codes {
		out[i] = r.lit(l)
	}
	return out
}

// Initial lists the initial states, at most limit of them; more are a
// *LimitError.
func (m *Model) Initial(ctx context.Context, limit int) ([]State, error) {
	return m.initial.run(ctx, "", limit)
}

// Successors lists the successors of a state, at most limit of them.
func (m *Model) Successors(ctx context.Context, s State, limit int) ([]State, error) {
	return m.step.run(ctx, s, limit)
}

// Graph is the reachable part of a model. A state without successors is a
// deadlock.
type Graph struct {
	States  []State
	Initial []int
	Succ    [][]int32 // by state: positions of its successors, ascending
}

// Explore lists the reachable states in the order of a breadth-first search.
func (m *Model) Explore(ctx context.Context, limit int) (*Graph, error) {
	g := &Graph{}
	at := map[State]int32{}
	add := func(s State) (int32, error) {
		i, ok := at[s]
		if !ok {
			if len(g.States) == limit {
				return 0, &LimitError{"reachable states", limit}
			}
			i = int32(len(g.States))
			at[s] = i
			g.States = append(g.States, s)
		}
		return i, nil
	}
	first, err := m.Initial(ctx, limit)
	if err != nil {
		return nil, err
	}
	for _, s := range first {
		i, err := add(s)
		if err != nil {
			return nil, err
		}
		g.Initial = append(g.Initial, int(i))
	}
	for k := 0; k < len(g.States); k++ {
		succ, err := m.Successors(ctx, g.States[k], limit)
		if err != nil {
			return nil, err
		}
		row := make([]int32, len(succ))
		for j, s := range succ {
			if row[j], err = add(s); err != nil {
				return nil, err
			}
		}
		g.Succ = append(g.Succ, row)
	}
	return g, nil
}

// Prop is a boolean expression over the state.
type Prop struct {
	Text string
	lit  aig.Lit
	ands []aig.Node
	m    *Model
}

// Prop reads a boolean expression with names as they are seen from main.
func (m *Model) Prop(expr string) (p *Prop, err error) {
	defer catch("proposition", &err)
	p = m.newProp(m.prog.proposition(expr, m.enc.inputsAsState))
	p.Text = expr
	m.enc.discharge()
	return p, nil
}

func (m *Model) newProp(n *node) *Prop {
	l, fails := m.enc.ev.truth(n, now)
	m.enc.mayFail(fails, n)
	p := &Prop{Text: m.prog.text(n), lit: l, m: m}
	for _, n := range m.enc.g.Cone(l) {
		if m.enc.g.Kind(n) == aig.KindAnd {
			p.ands = append(p.ands, n)
		}
	}
	return p
}

// Holds evaluates the expression in each of the states.
func (p *Prop) Holds(states []State) []bool {
	out := make([]bool, 0, len(states))
	v := make([]uint64, p.m.enc.g.Size())
	for len(out) < len(states) {
		block := states[len(out):min(len(out)+64, len(states))]
		for i, n := range p.m.leaves {
			v[n] = 0
			for k, s := range block {
				v[n] |= uint64(s.bit(i)) << k
			}
		}
		evaluate(p.m.enc.g, p.ands, v)
		w := word(v, p.lit)
		for k := range block {
			out = append(out, w>>k&1 == 1)
		}
	}
	return out
}

// Fairness lists the model's fairness constraints.
func (m *Model) Fairness() []*Prop { return m.fair }

// Specs lists the CTL and LTL specifications.
func (p *Program) Specs() []design.Spec {
	var out []design.Spec
	for _, s := range p.specs {
		switch s.kind {
		case itemCTL:
			out = append(out, design.Spec{Kind: design.SpecCTL, Text: p.formulaText(s.node), Line: int(s.pos.Line), Name: s.name})
		case itemLTL:
			out = append(out, design.Spec{Kind: design.SpecLTL, Text: p.formulaText(s.node), Line: int(s.pos.Line), Name: s.name})
		}
	}
	return out
}

// Variable describes a variable of a program.
type Variable struct {
	Name   string // full name
	Kind   string // VAR, IVAR or FROZENVAR
	Values string // its domain, as text
	Line   int
	// Register tells that the variable holds its value from step to step; other
	// VARs are free in each step, or Defined by the others.
	Register bool
	Defined  bool
}

// Vars lists the model's variables in the order of their declarations, array
// elements one by one.
func (m *Model) Vars() []Variable {
	out := make([]Variable, len(m.prog.vars))
	for i, v := range m.prog.vars {
		c := m.enc.cells[i].class
		out[i] = Variable{v.name, v.kind.String(), m.prog.domainText(v), int(v.pos.Line), c == classRegister, c == classWire}
	}
	return out
}

// Value writes the value that a variable (by its position in Vars) has in a
// state, in NuSMV's spelling. The value of an IVAR that is no part of the state
// is "".
func (m *Model) Value(s State, variable int) string {
	return m.valueText(m.valuation(s), variable)
}

func (m *Model) valuation(s State) func(aig.Lit) bool {
	leaf := map[aig.Node]bool{}
	for i, n := range m.leaves {
		leaf[n] = s.bit(i) == 1
	}
	return graphValues(m.enc.g, leaf)
}

func (m *Model) valueText(vals func(aig.Lit) bool, variable int) string {
	v := m.prog.vars[variable]
	if v.kind == kindInput && !m.enc.inputsAsState {
		return ""
	}
	return m.prog.valueText(v.dom.typ, m.enc.variable(v, now), vals)
}

// Name writes a state: the value of its only variable, or name=value for each
// variable that no other ones define (for each variable when there is none).
func (m *Model) Name(s State) string {
	vals := m.valuation(s)
	if parts := m.parts(vals, false); len(parts) > 0 {
		return strings.Join(parts, " ")
	}
	return strings.Join(m.parts(vals, true), " ")
}

func (m *Model) parts(vals func(aig.Lit) bool, wires bool) []string {
	var parts, values []string
	for i, v := range m.prog.vars {
		if !wires && m.enc.cells[i].class == classWire {
			continue
		}
		if text := m.valueText(vals, i); text != "" {
			parts, values = append(parts, v.name+"="+text), append(values, text)
		}
	}
	if len(parts) == 1 {
		return values
	}
	return parts
}
