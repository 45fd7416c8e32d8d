package netlist

import (
	"slices"
	"sync"

	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
)

// Reset is the initial value of a model's latch.
type Reset uint8

// The initial values; ResetX is free.
const (
	Reset0 Reset = iota
	Reset1
	ResetX
)

// ModelLatch is a latch of a model.
type ModelLatch struct {
	Lit   aig.Lit
	Next  aig.Lit // False outside of the cone
	Reset Reset
	// InCone reports whether the property or a constraint depends on the latch.
	InCone bool
}

// Cut is the mutation point of one target.
type Cut struct {
	Target mutant.Target
	Lit    aig.Lit // the Cut node of the model's graph
}

// Model is a safety property of a netlist, or a set of them, ready for the
// engines: the graph is hashed and holds only the sequential cone of the bad-state literal and
// of the constraints, resets are 0, 1 or free, and each target inside the cone
// reads through a Cut node.
//
// Inputs and latches keep the positions that they have in the netlist, also in
// all models derived from this one; auxiliary ones come after them. So clauses
// over latches and traces over inputs can be moved between a design and its
// mutants.
type Model struct {
	Graph      *aig.Graph
	Inputs     []aig.Lit
	Latches    []ModelLatch
	Bad        aig.Lit   // some property fails: the disjunction of Bads
	Bads       []aig.Lit // each property's bad-state literal
	Constraint aig.Lit   // conjunction of all constraints
	Cuts       []Cut

	cutOf      map[cutKey]int // see Find
	shapesOnce sync.Once
	shapes     *shapes // how nodes become clauses, made on first use
	opsOnce    sync.Once
	ops        simulatorOps // what a simulator evaluates, made on first use
}

// Compile builds the model of a bad-state literal of n. Targets outside of the
// cone of influence (constraints included) get no cut: no fault there can be
// noticed. There are cuts for the faults given, by default for the standard ones.
func Compile(n *Netlist, bad aig.Lit, targets []mutant.Target, place mutant.Mux, faults ...mutant.Fault) *Model {
	return CompileSet(n, []aig.Lit{bad}, targets, place, faults...)
}

// CompileSet is Compile for several bad-state literals at once: in the order
// given, they are the model's Bads.
func CompileSet(n *Netlist, bads []aig.Lit, targets []mutant.Target, place mutant.Mux, faults ...mutant.Fault) *Model {
	if len(faults) == 0 {
		faults = mutant.Standard()
	}
	c := &compiler{
		from: n, place: place, faults: faults,
		m:      &Model{Graph: aig.NewGraph(), cutOf: map[cutKey]int{}},
		to:     make([]aig.Lit, n.Graph.Size()),
		gateAt: map[aig.Node]int{}, latchAt: map[aig.Node]int{},
		targets: map[mutant.Target]bool{},
		atReset: map[aig.Node]aig.Lit{},
		first:   aig.Undef,
	}
	for _, t := range targets {
		c.targets[t] = true
		if t.Gate {
			c.gateAt[n.Gates[t.Index].Node()] = t.Index
		}
	}
	c.run(bads)
	return c.m
}

// compiler translates the cone of a netlist into a model.
type compiler struct {
	from    *Netlist
	place   mutant.Mux
	faults  []mutant.Fault
	m       *Model
	to      []aig.Lit // node of the netlist → edge of the model
	gateAt  map[aig.Node]int
	latchAt map[aig.Node]int
	targets map[mutant.Target]bool
	atReset map[aig.Node]aig.Lit // node of the netlist → its unmutated value at time 0
	first   aig.Lit              // 1 in frame 0 only
	misses  []aig.Lit            // the switches of missed updates
}

func (c *compiler) run(bads []aig.Lit) {
	n, m := c.from, c.m
	for _, in := range n.Inputs {
		l := m.Graph.Input()
		m.Inputs = append(m.Inputs, l)
		c.to[in.Lit.Node()] = l
	}
	for i, l := range n.Latches {
		ml := ModelLatch{Lit: m.Graph.Latch(), Reset: Reset0}
		switch l.Reset {
		case aig.False:
		case aig.True:
			ml.Reset = Reset1
		default:
			ml.Reset = ResetX
		}
		m.Latches = append(m.Latches, ml)
		c.latchAt[l.Lit.Node()] = i
	}
	roots := slices.Clone(bads)
	for _, s := range n.Constraints {
		roots = append(roots, s.Lit)
	}
	cone := c.sequentialCone(roots)

	for i, l := range n.Latches {
		ml := &m.Latches[i]
		if !cone[l.Lit.Node()] {
			continue
		}
		ml.InCone = true
		value := ml.Lit
		if !l.Reset.Const() && l.Reset != l.Lit {
			ml.Reset = Reset0 // never read in frame 0
			value = m.Graph.Mux(c.firstFrame(), c.resetValue(l.Lit.Node()), ml.Lit)
		}
		c.to[l.Lit.Node()] = c.mutated(mutant.Target{Index: i}, mutant.AtOutput, site{value: value})
	}
	for node, in := range cone {
		if in && n.Graph.Kind(aig.Node(node)) == aig.KindAnd {
			c.to[node] = c.gate(aig.Node(node))
		}
	}
	for i, l := range n.Latches {
		if m.Latches[i].InCone {
			m.Latches[i].Next = c.mutated(mutant.Target{Index: i}, mutant.AtNext, site{value: c.edge(l.Next), shown: c.to[l.Lit.Node()]})
		}
	}
	c.remember()
	for _, bad := range bads {
		m.Bads = append(m.Bads, c.edge(bad))
	}
	m.Bad = m.Graph.OrAll(m.Bads...)
	constraints := make([]aig.Lit, len(n.Constraints))
	for i, s := range n.Constraints {
		constraints[i] = c.edge(s.Lit)
	}
	m.Constraint = m.Graph.AndAll(constraints...)
}

func (c *compiler) edge(l aig.Lit) aig.Lit { return c.to[l.Node()] ^ l&1 }

func (c *compiler) gate(node aig.Node) aig.Lit {
	a, b := c.from.Graph.Fanins(node)
	operands := [2]aig.Lit{c.edge(a), c.edge(b)}
	l := c.m.Graph.And(operands[0], operands[1])
	i, ok := c.gateAt[node]
	if !ok {
		return l
	}
	t, at := mutant.Target{Gate: true, Index: i}, site{value: l, operands: operands}
	if late := c.mutated(t, mutant.AtNext, at); late != l {
		at.value = c.m.Graph.Mux(c.firstFrame(), l, late)
	}
	return c.mutated(t, mutant.AtOutput, at)
}

// firstFrame returns a literal that holds in frame 0 only.
func (c *compiler) firstFrame() aig.Lit {
	if c.first == aig.Undef {
		c.first = c.m.Graph.Latch()
		c.m.Latches = append(c.m.Latches, ModelLatch{Lit: c.first, Next: aig.False, Reset: Reset1, InCone: true})
	}
	return c.first
}

// resetValue returns the value at time 0 of a node of the netlist. Faults do
// not reach it: mutations do not affect the initial state (DAC10, section 3).
func (c *compiler) resetValue(root aig.Node) aig.Lit {
	g := c.from.Graph
	stack := []aig.Node{root}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		if _, done := c.atReset[n]; done {
			stack = stack[:len(stack)-1]
			continue
		}
		ready := true
		value := func(l aig.Lit) aig.Lit {
			v, ok := c.atReset[l.Node()]
			if !ok {
				stack = append(stack, l.Node())
				ready = false
			}
			return v ^ l&1
		}
		var v aig.Lit
		switch g.Kind(n) {
		case aig.KindConst:
			v = aig.False
		case aig.KindInput:
			v = c.to[n]
		case aig.KindLatch:
			i := c.latchAt[n]
			switch l := c.from.Latches[i]; {
			case l.Reset.Const():
				v = l.Reset
			case l.Reset == l.Lit:
				v = c.m.Latches[i].Lit
			default:
				v = value(l.Reset)
			}
		case aig.KindAnd:
			a, b := g.Fanins(n)
			x, y := value(a), value(b)
			if ready {
				v = c.m.Graph.And(x, y)
			}
		}
		if ready {
			c.atReset[n] = v
			stack = stack[:len(stack)-1]
		}
	}
	return c.atReset[root]
}

// sequentialCone marks the nodes of the netlist that the roots depend on, in
// any number of steps.
func (c *compiler) sequentialCone(roots []aig.Lit) []bool {
	return c.from.SequentialCone(roots...)
}

// SequentialCone marks the nodes that the roots depend on, through latches
// (next-state and reset functions) in any number of steps.
func (n *Netlist) SequentialCone(roots ...aig.Lit) []bool {
	seen := make([]bool, n.Graph.Size())
	at := make(map[aig.Node]int, len(n.Latches))
	for i, l := range n.Latches {
		at[l.Lit.Node()] = i
	}
	var stack []aig.Node
	push := func(l aig.Lit) {
		if !seen[l.Node()] {
			seen[l.Node()] = true
			stack = append(stack, l.Node())
		}
	}
	for _, r := range roots {
		push(r)
	}
	for len(stack) > 0 {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch n.Graph.Kind(node) {
		case aig.KindAnd:
			a, b := n.Graph.Fanins(node)
			push(a)
			push(b)
		case aig.KindLatch:
			l := n.Latches[at[node]]
			push(l.Next)
			push(l.Reset)
		}
	}
	return seen
}

// Mutant returns the model with the given cut forced and all other cuts dissolved. A
// free value is one more input, which comes last.
func (m *Model) Mutant(cut int, force Force) *Model {
	return m.MutantUnder(cut, force, &cert.Invariant{})
}

// MutantUnder is Mutant with one more constraint: an invariant of the mutant, which
// takes nothing away from its runs and helps the engines.
func (m *Model) MutantUnder(cut int, force Force, inv *cert.Invariant) *Model {
	r := m.rebuild(cut, force)
	r.constrain(inv)
	r.trimCone()
	return r
}

// Original returns the model with all cuts dissolved.
func (m *Model) Original() *Model {
	r := m.rebuild(-1, ForceZero)
	r.trimCone()
	return r
}

// Only returns the model of some of the properties, by their positions in Bads,
// with all cuts dissolved. Other properties, the lemmas, join its constraint.
func (m *Model) Only(properties, lemmas []int) *Model {
	r := m.Original()
	bads := make([]aig.Lit, len(properties))
	for i, p := range properties {
		bads[i] = r.Bads[p]
	}
	holds := []aig.Lit{r.Constraint}
	for _, p := range lemmas {
		holds = append(holds, r.Bads[p].Not())
	}
	r.Bads, r.Bad, r.Constraint = bads, r.Graph.OrAll(bads...), r.Graph.AndAll(holds...)
	r.trimCone()
	return r
}

// Merge returns the model, all cuts dissolved, in which the readers of latch i see
// the edge of[i]: a constant, or a latch of the model. All latches keep their
// next-state functions, and are in the cone where they were.
func (m *Model) Merge(of []aig.Lit) *Model {
	r := &Model{Graph: aig.NewGraph()}
	to := make([]aig.Lit, m.Graph.Size())
	edge := func(l aig.Lit) aig.Lit { return to[l.Node()] ^ l&1 }
	for _, in := range m.Inputs {
		l := r.Graph.Input()
		r.Inputs = append(r.Inputs, l)
		to[in.Node()] = l
	}
	for _, l := range m.Latches {
		own := r.Graph.Latch()
		to[l.Lit.Node()], l.Lit = own, own
		r.Latches = append(r.Latches, l)
	}
	seen := make([]aig.Lit, len(m.Latches))
	for i := range seen {
		seen[i] = edge(of[i])
	}
	for i, l := range m.Latches {
		to[l.Lit.Node()] = seen[i]
	}
	for n := aig.Node(1); int(n) < m.Graph.Size(); n++ {
		switch a, b := m.Graph.Fanins(n); m.Graph.Kind(n) {
		case aig.KindAnd:
			to[n] = r.Graph.And(edge(a), edge(b))
		case aig.KindCut:
			to[n] = edge(a)
		}
	}
	for i, l := range m.Latches {
		r.Latches[i].Next = edge(l.Next)
	}
	for _, bad := range m.Bads {
		r.Bads = append(r.Bads, edge(bad))
	}
	r.Bad, r.Constraint = edge(m.Bad), edge(m.Constraint)
	return r
}

// rebuild copies the model; which latches are in the cone is not computed anew.
func (m *Model) rebuild(cut int, force Force) *Model {
	r := &Model{Graph: aig.NewGraph()}
	to := make([]aig.Lit, m.Graph.Size())
	for _, in := range m.Inputs {
		l := r.Graph.Input()
		r.Inputs = append(r.Inputs, l)
		to[in.Node()] = l
	}
	for _, l := range m.Latches {
		q := r.Graph.Latch()
		to[l.Lit.Node()] = q
		r.Latches = append(r.Latches, ModelLatch{Lit: q, Reset: l.Reset, InCone: l.InCone})
	}
	target := aig.Node(0)
	if cut >= 0 {
		target = m.Cuts[cut].Lit.Node()
	}
	for n := aig.Node(1); int(n) < m.Graph.Size(); n++ {
		a, b := m.Graph.Fanins(n)
		switch m.Graph.Kind(n) {
		case aig.KindAnd:
			to[n] = r.Graph.And(to[a.Node()]^a&1, to[b.Node()]^b&1)
		case aig.KindCut:
			switch {
			case n != target:
				to[n] = to[a.Node()] ^ a&1
			case force == ForceZero:
				to[n] = aig.False
			case force == ForceOne:
				to[n] = aig.True
			default:
				to[n] = r.Graph.Input()
				r.Inputs = append(r.Inputs, to[n])
			}
		}
	}
	edge := func(l aig.Lit) aig.Lit { return to[l.Node()] ^ l&1 }
	for i, l := range m.Latches {
		r.Latches[i].Next = edge(l.Next)
	}
	for _, bad := range m.Bads {
		r.Bads = append(r.Bads, edge(bad))
	}
	r.Bad, r.Constraint = edge(m.Bad), edge(m.Constraint)
	return r
}

// constrain adds an invariant to the constraint.
func (m *Model) constrain(inv *cert.Invariant) {
	g := m.Graph
	holds := []aig.Lit{m.Constraint}
	for _, c := range inv.Clauses {
		some := make([]aig.Lit, len(c))
		for i, l := range c {
			some[i] = m.Latches[l.Latch()].Lit.XorSign(l.Neg())
		}
		holds = append(holds, g.OrAll(some...))
	}
	if len(inv.Formulas) > 0 {
		to := make([]aig.Lit, inv.Graph.Size())
		edge := func(l aig.Lit) aig.Lit { return to[l.Node()] ^ l&1 }
		for _, s := range inv.Support {
			to[s.Lit.Node()] = m.Latches[s.Latch].Lit
		}
		for _, n := range inv.Graph.Cone(inv.Formulas...) {
			if inv.Graph.Kind(n) == aig.KindAnd {
				a, b := inv.Graph.Fanins(n)
				to[n] = g.And(edge(a), edge(b))
			}
		}
		for _, f := range inv.Formulas {
			holds = append(holds, edge(f))
		}
	}
	m.Constraint = g.AndAll(holds...)
}

// trimCone recomputes which latches the properties depend on, and forgets the
// next-state functions of the others.
func (m *Model) trimCone() {
	cone := m.Cone(append([]aig.Lit{m.Bad, m.Constraint}, m.Bads...)...)
	for i := range m.Latches {
		m.Latches[i].InCone = cone[i]
		if !cone[i] {
			m.Latches[i].Next = aig.False
		}
	}
}

// Cone marks the latches that the roots depend on, in any number of steps.
func (m *Model) Cone(roots ...aig.Lit) []bool {
	at := make(map[aig.Node]int, len(m.Latches))
	for i := range m.Latches {
		at[m.Latches[i].Lit.Node()] = i
	}
	cone := make([]bool, len(m.Latches))
	seen := make([]bool, m.Graph.Size())
	stack := slices.Clone(roots)
	for len(stack) > 0 {
		n := stack[len(stack)-1].Node()
		stack = stack[:len(stack)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		switch m.Graph.Kind(n) {
		case aig.KindAnd, aig.KindCut:
			a, b := m.Graph.Fanins(n)
			stack = append(stack, a, b)
		case aig.KindLatch:
			cone[at[n]] = true
			stack = append(stack, m.Latches[at[n]].Next)
		}
	}
	return cone
}

// Roots returns the edges that an engine encodes: the next-state functions
// inside the cone, the bad-state literals and the constraint.
func (m *Model) Roots() []aig.Lit {
	var roots []aig.Lit
	for _, l := range m.Latches {
		if l.InCone {
			roots = append(roots, l.Next)
		}
	}
	roots = append(roots, m.Bads...)
	return append(roots, m.Bad, m.Constraint)
}
