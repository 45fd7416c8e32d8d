package certify

import (
	"fmt"
	"strings"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/mutant"
)

// Names of what a model has beside the design's inputs and latches.
const (
	nameFree    = "netcov_free"
	nameStarted = "netcov_started"
	nameFirst   = "netcov_first"
	nameMissed  = "netcov_missed"
)

// Mutant returns the design under a mutation as a file on which traces of the
// property are replayed. It is the Model of a safety property. That of a justice
// property has it, and fairness, as they are.
func (k *Checker) Mutant(m Mutation) (*aiger.File, error) {
	if k.live != nil {
		return k.live.design.Model([]Mutation{m})
	}
	return k.Model([]Mutation{m})
}

// Model returns a file with one bad-state literal, the checker's property or the
// disjunction of its properties, that behaves as the design under the mutations ms.
// For a justice property it is about the file that searches for a lasso.
//
//   - none: the design itself;
//   - one: the mutant, in which the node's readers see the forced value;
//   - several: all of these mutants in one. Each has a selector, an
//     uninitialised latch that keeps its value, and a constraint lets exactly one
//     selector be 1 (multiplexers as in DAC10, figure 1).
//
// The inputs are those of the design, then, for nondet, the free value. The
// latches are those of the design, then, where a gate is mutated with AtNext or a
// fault knows the first frame, one that is 0 in frame 0 only, then, where a fault
// remembers, what it does, then the selectors. Constraints and names are
// kept; other outputs and properties are left out. Variables are numbered as in
// the binary form.
func (k *Checker) Model(ms []Mutation) (*aiger.File, error) {
	if k.err != nil {
		return nil, k.err
	}
	m := &modeller{builder: newBuilder(), k: k, at: make(map[site][]chosen, len(ms))}
	for _, mutation := range ms {
		v, err := k.variable(mutation)
		if err != nil {
			return nil, err
		}
		m.free = m.free || mutation.HasFree()
		m.started = m.started || mutation.Gate && mutation.place() == mutant.AtNext || sim.ReadsOf(mutation.Fault).First
		m.remembers = m.remembers || mutation.Fault.Remembers()
		s := site{v, mutation.place() == mutant.AtNext}
		m.at[s] = append(m.at[s], chosen{fault: mutation.Fault, sel: 1})
	}
	m.build(ms)
	return &m.File, nil
}

// modeller translates the design, gate by gate.
type modeller struct {
	*builder
	k             *Checker
	at            map[site][]chosen
	free, started bool      // whether they are needed
	freeLit       aiger.Lit // free value
	startedLit    aiger.Lit
	remembers     bool
	missedLit     aiger.Lit

	seen []aiger.Lit // by variable of the design: what its readers see
	pure []aiger.Lit // by variable: its value without faults, for reset functions
}

// site is a node, and the side of it on which the multiplexer stands.
type site struct {
	variable uint32
	next     bool
}

// chosen is a fault with its selector (1: the only one).
type chosen struct {
	fault mutant.Fault
	sel   aiger.Lit
}

func (m *modeller) build(ms []Mutation) {
	f := m.k.file
	m.seen = make([]aiger.Lit, f.MaxVar+1)
	m.pure = make([]aiger.Lit, f.MaxVar+1)
	for i, l := range f.Inputs {
		m.pure[l>>1] = m.input(f.Symbols.Inputs[i])
		m.seen[l>>1] = m.pure[l>>1]
	}
	if m.free {
		m.freeLit = m.input(nameFree)
	}
	for i, l := range f.Latches {
		m.pure[l.Lit>>1] = m.latch(f.Symbols.Latches[i])
	}
	if m.started {
		m.startedLit = m.latch(nameStarted)
		m.Latches[len(f.Latches)].Next = 1
	}
	if m.remembers {
		m.missedLit = m.latch(nameMissed)
	}
	m.selectors(ms)
	for _, l := range f.Latches { // multiplexers may be gates: all latches first
		m.seen[l.Lit>>1] = m.force(site{l.Lit >> 1, false}, modelNode{m: m, value: m.pure[l.Lit>>1]})
	}
	m.translateGates()
	edge := func(l aiger.Lit) aiger.Lit { return m.seen[l>>1] ^ l&1 }
	for i, l := range f.Latches {
		m.Latches[i].Next = m.force(site{l.Lit >> 1, true}, modelNode{m: m, value: edge(l.Next), shown: m.seen[l.Lit>>1]})
		m.Latches[i].Reset = m.pure[l.Reset>>1] ^ l.Reset&1
	}
	m.remember()
	for i, l := range f.Constraints {
		m.Symbols.Constraints = named(m.Symbols.Constraints, len(m.Constraints), f.Symbols.Constraints[i])
		m.Constraints = append(m.Constraints, edge(l))
	}
	if len(ms) > 1 {
		m.Constraints = append(m.Constraints, m.exactlyOne())
	}
	m.property(edge)
	m.Comment = m.describe(ms)
}

// property adds the property: the disjunction of the bad-state literals, or the
// justice property with the fairness constraints.
func (m *modeller) property(edge func(aiger.Lit) aiger.Lit) {
	if len(m.k.bads) == 0 {
		own := []aiger.Lit{}
		for _, l := range m.k.justice {
			own = append(own, edge(l))
		}
		m.Justice = [][]aiger.Lit{own}
		for _, l := range m.k.fairness {
			m.Fairness = append(m.Fairness, edge(l))
		}
		return
	}
	if len(m.k.bads) == 1 {
		_, names, _ := m.k.file.Properties()
		m.Symbols.Bads = named(m.Symbols.Bads, 0, names[m.k.properties[0]])
	}
	holds := make([]aiger.Lit, len(m.k.bads))
	for i, l := range m.k.bads {
		holds[i] = edge(l) ^ 1
	}
	m.Bads = []aiger.Lit{m.all(holds) ^ 1}
}

// selectors adds the selectors of several mutations, in the given order.
func (m *modeller) selectors(ms []Mutation) {
	if len(ms) < 2 {
		return
	}
	used := make(map[site]int, len(m.at))
	for _, mutation := range ms {
		v, _ := m.k.variable(mutation) // checked before
		s := site{v, mutation.place() == mutant.AtNext}
		l := m.latch("netcov_select " + mutation.String())
		at := len(m.Latches) - 1
		m.Latches[at].Next, m.Latches[at].Reset = l, l
		m.at[s][used[s]].sel = l
		used[s]++
	}
}

// exactlyOne returns a literal that is 1 where one selector is.
func (m *modeller) exactlyOne() aiger.Lit {
	ok, any := aiger.Lit(1), aiger.Lit(0)
	for _, l := range m.Latches[len(m.k.file.Latches):] {
		if l.Lit != m.startedLit && l.Lit != m.missedLit {
			ok = m.and(ok, m.and(l.Lit, any)^1)
			any = m.or(any, l.Lit)
		}
	}
	return m.and(ok, any)
}

// force returns what is seen behind the multiplexers of a site.
func (m *modeller) force(s site, n modelNode) aiger.Lit {
	seen := n.value
	for _, c := range m.at[s] {
		seen = m.mux(c.sel, sim.Seen[aiger.Lit](c.fault, &n), seen)
	}
	return seen
}

// remember gives the latch of faults that remember its next-state function: that of the
// mutant that is selected.
func (m *modeller) remember() {
	if !m.remembers {
		return
	}
	next := m.missedLit
	for _, l := range m.k.file.Latches {
		for _, c := range m.at[site{l.Lit >> 1, true}] {
			if c.fault.Remembers() {
				next = m.mux(c.sel, sim.Remembered[aiger.Lit](&modelNode{m: m}), next)
			}
		}
	}
	for i := range m.Latches {
		if m.Latches[i].Lit == m.missedLit {
			m.Latches[i].Next = next
		}
	}
}

// modelNode is a mutated node in the model.
type modelNode struct {
	m        *modeller
	value    aiger.Lit
	operands [2]aiger.Lit
	shown    aiger.Lit // of a latch
}

func (n *modelNode) Const(b bool) aiger.Lit {
	if b {
		return 1
	}
	return 0
}

func (n *modelNode) Not(a aiger.Lit) aiger.Lit    { return a ^ 1 }
func (n *modelNode) And(a, b aiger.Lit) aiger.Lit { return n.m.and(a, b) }
func (n *modelNode) Value() aiger.Lit             { return n.value }
func (n *modelNode) Operand(i int) aiger.Lit      { return n.operands[i] }
func (n *modelNode) Free() aiger.Lit              { return n.m.freeLit }
func (n *modelNode) Shown() aiger.Lit             { return n.shown }
func (n *modelNode) Missed() aiger.Lit            { return n.m.missedLit }
func (n *modelNode) First() aiger.Lit             { return n.m.startedLit ^ 1 }

// translateGates copies the gates, with a second, faultless copy of those that
// reset functions read behind a fault.
func (m *modeller) translateGates() {
	f := m.k.file
	resets := m.resetCone()
	for _, a := range f.Ands {
		v := a.Lhs >> 1
		x, y := m.seen[a.Rhs0>>1]^a.Rhs0&1, m.seen[a.Rhs1>>1]^a.Rhs1&1
		own := m.gate(x, y)
		if resets != nil && resets[v] {
			m.pure[v] = own
			if p, q := m.pure[a.Rhs0>>1]^a.Rhs0&1, m.pure[a.Rhs1>>1]^a.Rhs1&1; p != x || q != y {
				m.pure[v] = m.gate(p, q)
			}
		}
		n := modelNode{m: m, value: own, operands: [2]aiger.Lit{x, y}}
		if len(m.at) > 0 {
			if late := (site{v, true}); len(m.at[late]) > 0 {
				n.value = m.mux(m.startedLit, m.force(late, n), own)
			}
			n.value = m.force(site{v, false}, n)
		}
		m.seen[v] = n.value
	}
}

// resetCone marks the variables that reset functions read; nil for none.
func (m *modeller) resetCone() []bool {
	f := m.k.file
	var cone []bool
	for _, l := range f.Latches {
		if l.HasResetFunction() {
			if cone == nil {
				cone = make([]bool, f.MaxVar+1)
			}
			cone[l.Reset>>1] = true
		}
	}
	for i := len(f.Ands) - 1; cone != nil && i >= 0; i-- {
		if a := f.Ands[i]; cone[a.Lhs>>1] {
			cone[a.Rhs0>>1], cone[a.Rhs1>>1] = true, true
		}
	}
	return cone
}

// describe is the comment: what the model is.
func (m *modeller) describe(ms []Mutation) string {
	var s strings.Builder
	f, what := m.k.file, m.k.what
	if v := m.k.live; v != nil {
		f, what = v.design.file, v.design.what+", as a search for a lasso,"
	}
	fmt.Fprintf(&s, "%s of a design with %d inputs, %d latches and %d gates\n", what, len(f.Inputs), len(f.Latches), len(f.Ands))
	for _, mutation := range ms {
		fmt.Fprintf(&s, "mutant %v\n", mutation)
	}
	return s.String()
}
