package circuit

import (
	"fmt"
	"slices"

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

// class is a set of input valuations that agree on the roots.
type class struct {
	inputs []bool // one of them
	values []bool // of the roots
}

// grouper finds the classes of input valuations for some functions.
type grouper struct {
	c     *Circuit
	roots []aig.Lit
	eval  *Evaluator // with few inputs

	m     *bdd.Manager
	vars  []int      // of the inputs
	order []aig.Node // gates
	value []bdd.Ref  // by node
}

func newGrouper(c *Circuit, roots []aig.Lit) grouper {
	g := grouper{c: c, roots: roots}
	if len(c.Inputs) <= simulatedInputs {
		g.eval = NewEvaluator(c, roots...)
		return g
	}
	return g.withDiagrams()
}

// withDiagrams prepares the diagrams: the inputs stand in the order in which the
// functions' cones have them.
func (g grouper) withDiagrams() grouper {
	g.eval, g.m = nil, bdd.New(len(g.c.Inputs), bdd.Options{NodeLimit: classNodes})
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
	for _, s := range g.c.Inputs {
		n := s.Lit.Node()
		if _, ok := position[n]; !ok {
			position[n] = len(position)
		}
		g.vars = append(g.vars, position[n])
	}
	return g
}

// classes finds the classes in a control state; nil when there are more than most.
func (g *grouper) classes(bit func(i int) bool, most int) ([]class, error) {
	if g.eval != nil {
		return g.simulate(bit, most), nil
	}
	return g.split(bit, most)
}

// simulate runs all valuations at once and puts equal ones together.
func (g *grouper) simulate(bit func(i int) bool, most int) []class {
	for i := range g.c.Controls {
		lanes := uint64(0)
		if bit(i) {
			lanes = ^lanes
		}
		g.eval.SetControl(i, lanes)
	}
	for i := range g.c.Inputs {
		g.eval.SetInput(i, inputLanes(i, 0))
	}
	g.eval.Run()
	var out []class
	seen := map[string]bool{}
	key := make([]byte, len(g.roots))
	for j := range 1 << len(g.c.Inputs) {
		for r, l := range g.roots {
			key[r] = byte(g.eval.Value(l) >> j & 1)
		}
		if seen[string(key)] {
			continue
		}
		if len(out) == most {
			return nil
		}
		seen[string(key)] = true
		c := class{make([]bool, len(g.c.Inputs)), make([]bool, len(g.roots))}
		for i := range c.inputs {
			c.inputs[i] = j>>i&1 != 0
		}
		for r, v := range key {
			c.values[r] = v != 0
		}
		out = append(out, c)
	}
	return out
}

// split is the partition by decision diagrams.
func (g *grouper) split(bit func(i int) bool, most int) ([]class, error) {
	g.m.CollectIfLarge()
	for i, r := range g.c.Controls {
		g.set(r.Lit, bdd.Constant(bit(i)))
	}
	for i, s := range g.c.Inputs {
		g.set(s.Lit, g.m.Var(g.vars[i]))
	}
	for _, n := range g.order {
		x, y := g.c.Graph.Fanins(n)
		f := g.edge(x)
		if g.c.Graph.Kind(n) == aig.KindAnd {
			f = g.m.And(f, g.edge(y))
		}
		g.value[n] = f
	}
	// Different functions that are no constants, without their complements.
	p := partition{m: g.m, most: most}
	at := map[bdd.Ref]int{}
	for _, l := range g.roots {
		f := g.edge(l) &^ 1
		if _, ok := at[f]; !ok && f != bdd.False {
			at[f] = len(p.functions)
			p.functions = append(p.functions, f)
		}
	}
	p.value = make([]bool, len(p.functions))
	fits := p.split(0, bdd.True)
	if err := g.m.Err(); err != nil {
		g.m.Recover()
		return nil, fmt.Errorf("the inputs' diagrams in one control state: %w: %w", err, ErrTooLarge)
	}
	if !fits {
		return nil, nil
	}
	out := make([]class, len(p.sets))
	for n, set := range p.sets {
		out[n] = class{g.m.PickOne(set, g.vars), make([]bool, len(g.roots))}
		for r, l := range g.roots {
			f := g.edge(l)
			v := f&1 != 0
			if k, ok := at[f&^1]; ok {
				v = v != p.values[n][k]
			}
			out[n].values[r] = v
		}
	}
	return out, nil
}

func (g *grouper) set(l aig.Lit, f bdd.Ref) { g.value[l.Node()] = f ^ sign(l) }

func (g *grouper) edge(l aig.Lit) bdd.Ref { return g.value[l.Node()] ^ sign(l) }

func sign(l aig.Lit) bdd.Ref {
	if l.Neg() {
		return 1
	}
	return 0
}

// partition splits the set of all valuations.
type partition struct {
	m         *bdd.Manager
	functions []bdd.Ref
	most      int
	value     []bool // of the functions, in the set at hand
	sets      []bdd.Ref
	values    [][]bool
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
	p.sets, p.values = append(p.sets, set), append(p.values, slices.Clone(p.value))
	return true
}
