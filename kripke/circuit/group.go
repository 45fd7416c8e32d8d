package circuit

import (
	"fmt"
	"slices"
	"strings"

	"netcov/aig"
	"netcov/kripke/bdd"
)

// Classes of input valuations in one control state. With few inputs all valuations
// are simulated; with more, the functions become decision diagrams over the inputs,
// with the control state put in, and the set of all valuations is split on the value
// of one function after the other (as Coudert, Berthet and Madre 1989 split for an
// image). What a class costs is about one operation for each function that still
// depends on the inputs, however many valuations are in it.

// simulatedInputs is the most inputs whose valuations are simulated: one word.
const simulatedInputs = 6

// classNodes bounds the diagrams of one control state.
const classNodes = 1 << 20

// class is a set of input valuations that agree on the atoms and on the steps that the
// choices can make: the next control state, and after it the values of the marks.
type class struct {
	inputs []bool // one of them
	atoms  []bool
	next   [][]bool
}

// grouper finds the classes of input valuations for ρ and some atoms.
type grouper struct {
	c     *Circuit
	roots []aig.Lit  // ρ and the marks; the atoms, which read no choices
	step  int        // roots before the atoms
	eval  *Evaluator // with few inputs

	m       *bdd.Manager
	vars    []int      // of the inputs
	choices []int      // variables of the choices
	cube    bdd.Ref    // of the choices
	order   []aig.Node // gates
	value   []bdd.Ref  // by node
}

func newGrouper(c *Circuit, atoms, marks []aig.Lit) grouper {
	g := grouper{c: c, step: len(c.Controls) + len(marks)}
	for _, r := range c.Controls {
		g.roots = append(g.roots, r.Next)
	}
	g.roots = append(append(g.roots, marks...), atoms...)
	if len(c.Inputs)+len(c.Choices) <= simulatedInputs {
		g.eval = NewEvaluator(c, g.roots...)
		return g
	}
	return g.withDiagrams()
}

// withDiagrams prepares the diagrams: the inputs stand in the order in which the
// functions' cones have them.
func (g grouper) withDiagrams() grouper {
	g.eval, g.m = nil, bdd.New(len(g.c.Inputs)+len(g.c.Choices), bdd.Options{NodeLimit: classNodes})
	g.value = make([]bdd.Ref, g.c.Graph.Size())
	position := map[aig.Node]int{}
	for _, n := range g.c.Graph.Cone(g.roots...) {
		switch g.c.Graph.Kind(n) {
		case aig.KindInput:
			position[n] = len(position)
		case aig.KindAnd, aig.KindCut:
			g.order = append(g.order, n)
		}
	}
	variable := func(s Signal) int {
		n := s.Lit.Node()
		if _, ok := position[n]; !ok {
			position[n] = len(position)
		}
		return position[n]
	}
	for _, s := range g.c.Inputs {
		g.vars = append(g.vars, variable(s))
	}
	for _, s := range g.c.Choices {
		g.choices = append(g.choices, variable(s))
	}
	g.cube = g.m.Protect(g.m.Cube(g.choices...))
	return g
}

// classes finds the classes in a control state, or the one that has a valuation of the
// inputs; nil when there are more than most.
func (g *grouper) classes(bit func(i int) bool, inputs []bool, most int) ([]class, error) {
	if g.eval != nil {
		return g.simulate(bit, inputs, most), nil
	}
	return g.split(bit, inputs, most)
}

// simulate runs all valuations at once and puts equal ones together.
func (g *grouper) simulate(bit func(i int) bool, inputs []bool, most int) []class {
	for i := range g.c.Controls {
		lanes := uint64(0)
		if bit(i) {
			lanes = ^lanes
		}
		g.eval.SetControl(i, lanes)
	}
	width := len(g.c.Inputs)
	for i := range g.c.Inputs {
		g.eval.SetInput(i, inputLanes(i, 0))
	}
	for i := range g.c.Choices {
		g.eval.SetChoice(i, inputLanes(width+i, 0))
	}
	g.eval.Run()
	values := func(lane int) []bool {
		v := make([]bool, len(g.roots))
		for r, l := range g.roots {
			v[r] = g.eval.Value(l)>>lane&1 != 0
		}
		return v
	}
	wanted := func(lane int) bool {
		for i, v := range inputs {
			if v != (lane>>i&1 != 0) {
				return false
			}
		}
		return true
	}
	var out []class
	seen := map[string]bool{}
	for lane := range 1 << width {
		if !wanted(lane) {
			continue
		}
		v := values(lane)
		c := class{atoms: v[g.step:], next: [][]bool{v[:g.step]}}
		for d := 1; d < 1<<len(g.c.Choices); d++ {
			c.next = append(c.next, values(lane | d<<width)[:g.step])
		}
		key := c.key()
		if seen[key] {
			continue
		}
		if most -= len(c.next); most < 0 {
			return nil
		}
		seen[key] = true
		for i := range width {
			c.inputs = append(c.inputs, lane>>i&1 != 0)
		}
		out = append(out, c)
	}
	return out
}

// order puts the steps in order, each once.
func (c *class) order() {
	if len(c.next) > 1 {
		slices.SortFunc(c.next, func(a, b []bool) int { return strings.Compare(BitString(a), BitString(b)) })
		c.next = slices.CompactFunc(c.next, slices.Equal)
	}
}

// key orders the steps and says which class it is.
func (c *class) key() string {
	c.order()
	k := BitString(c.atoms)
	for _, n := range c.next {
		k += "," + BitString(n)
	}
	return k
}

// split is the partition by decision diagrams.
func (g *grouper) split(bit func(i int) bool, inputs []bool, most int) ([]class, error) {
	g.m.CollectIfLarge()
	for i, r := range g.c.Controls {
		g.set(r.Lit, bdd.Constant(bit(i)))
	}
	for i, s := range g.c.Inputs {
		if inputs != nil {
			g.set(s.Lit, bdd.Constant(inputs[i]))
		} else {
			g.set(s.Lit, g.m.Var(g.vars[i]))
		}
	}
	for i, s := range g.c.Choices {
		g.set(s.Lit, g.m.Var(g.choices[i]))
	}
	for _, n := range g.order {
		x, y := g.c.Graph.Fanins(n)
		f := g.edge(x)
		if g.c.Graph.Kind(n) == aig.KindAnd {
			f = g.m.And(f, g.edge(y))
		}
		g.value[n] = f
	}
	roots := make([]bdd.Ref, len(g.roots))
	for r, l := range g.roots {
		roots[r] = g.edge(l)
	}
	p, fits := newPartition(g.m, roots, most)
	out := make([]class, len(p.sets))
	if fits && len(g.choices) > 0 {
		out, fits = g.project(p, most)
	} else {
		for n, set := range p.sets {
			v := p.values(n)
			out[n] = class{g.m.PickOne(set, g.vars), v[g.step:], [][]bool{v[:g.step]}}
		}
	}
	if err := g.m.Err(); err != nil {
		g.m.Recover()
		return nil, fmt.Errorf("the inputs' diagrams in one control state: %w: %w", err, ErrTooLarge)
	}
	if !fits {
		return nil, nil
	}
	return out, nil
}

// project makes the classes of inputs from those of inputs and choices: the inputs are
// split on which of the latter some choice gives them.
func (g *grouper) project(joint *partition, most int) ([]class, bool) {
	some := make([]bdd.Ref, len(joint.sets))
	for n, set := range joint.sets {
		some[n] = g.m.Exists(set, g.cube)
	}
	p, fits := newPartition(g.m, some, most)
	if !fits {
		return nil, false
	}
	out := make([]class, len(p.sets))
	for n, set := range p.sets {
		c := class{inputs: g.m.PickOne(set, g.vars)}
		for k, there := range p.values(n) {
			if there {
				v := joint.values(k)
				c.atoms, c.next = v[g.step:], append(c.next, v[:g.step])
			}
		}
		c.order()
		if most -= len(c.next); most < 0 {
			return nil, false
		}
		out[n] = c
	}
	return out, true
}

func (g *grouper) set(l aig.Lit, f bdd.Ref) { g.value[l.Node()] = f ^ sign(l) }

func (g *grouper) edge(l aig.Lit) bdd.Ref { return g.value[l.Node()] ^ sign(l) }

func sign(l aig.Lit) bdd.Ref {
	if l.Neg() {
		return 1
	}
	return 0
}

// partition is the set of all valuations, split so that each of some functions is
// constant in each part.
type partition struct {
	sets []bdd.Ref

	m         *bdd.Manager
	given     []bdd.Ref
	functions []bdd.Ref       // different ones that are no constants, without their complements
	at        map[bdd.Ref]int // in functions
	most      int
	value     []bool // of the functions, in the set at hand
	in        [][]bool
}

// newPartition is false when there are more sets than most, or the manager has failed.
func newPartition(m *bdd.Manager, functions []bdd.Ref, most int) (*partition, bool) {
	p := &partition{m: m, given: functions, at: map[bdd.Ref]int{}, most: most}
	for _, f := range functions {
		f &^= 1
		if _, ok := p.at[f]; !ok && f != bdd.False {
			p.at[f] = len(p.functions)
			p.functions = append(p.functions, f)
		}
	}
	p.value = make([]bool, len(p.functions))
	return p, p.split(0, bdd.True)
}

// values are those of the given functions in a set.
func (p *partition) values(n int) []bool {
	out := make([]bool, len(p.given))
	for i, f := range p.given {
		out[i] = f&1 != 0
		if k, ok := p.at[f&^1]; ok {
			out[i] = out[i] != p.in[n][k]
		}
	}
	return out
}

// split partitions a set by the functions from number k on; false when the sets
// become too many.
func (p *partition) split(k int, set bdd.Ref) bool {
	for ; k < len(p.functions); k++ {
		high := p.m.And(set, p.functions[k])
		p.value[k] = high == set
		if high == bdd.False || high == set {
			continue
		}
		p.value[k] = true
		if !p.split(k+1, high) {
			return false
		}
		p.value[k] = false
		set = p.m.Diff(set, high)
	}
	if p.m.Err() != nil || len(p.sets) == p.most {
		return false
	}
	p.sets, p.in = append(p.sets, set), append(p.in, slices.Clone(p.value))
	return true
}
