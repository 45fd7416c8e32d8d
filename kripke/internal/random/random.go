// Package random makes small random structures, circuits and formulas for
// tests and benchmarks of the Kripke-level algorithms.
package random

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"netcov/aig"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/structure"
)

// Names are the propositions that random objects use, in this order.
var Names = []string{"p", "q", "r", "s", "t"}

// Structure is a structure of n states over the first ap names, each state
// with 1 to degree successors, and one or two initial states.
func Structure(rng *rand.Rand, n, ap, degree int) *structure.Structure {
	b := structure.NewBuilder(Names[:ap])
	for s := range n {
		var holds []string
		for _, p := range Names[:ap] {
			if rng.IntN(2) == 0 {
				holds = append(holds, p)
			}
		}
		b.AddState(fmt.Sprintf("s%d", s), holds...)
	}
	for s := range n {
		for range 1 + rng.IntN(degree) {
			b.AddTransition(s, rng.IntN(n))
		}
	}
	b.AddInitial(rng.IntN(n))
	if rng.IntN(3) == 0 {
		b.AddInitial(rng.IntN(n))
	}
	k, err := b.Build()
	if err != nil {
		panic(err) // the construction above is always total
	}
	return k
}

// Formula is a random formula of CTL or LTL over the given propositions, at
// most depth operators high, that uses every operator of the logic.
func Formula(rng *rand.Rand, logic formula.Logic, names []string, depth int) formula.Formula {
	if depth <= 0 || rng.IntN(7) == 0 {
		if rng.IntN(12) == 0 {
			return formula.Constant(rng.IntN(2) == 0)
		}
		return formula.Atom(names[rng.IntN(len(names))])
	}
	ops := []formula.Op{formula.OpNot, formula.OpAnd, formula.OpOr, formula.OpXor, formula.OpXnor, formula.OpImplies, formula.OpIff}
	first, last := formula.OpX, formula.OpR
	if logic != formula.LTL {
		first, last = formula.OpAX, formula.OpER
	}
	op := first + formula.Op(rng.IntN(int(last-first)+1))
	if rng.IntN(5) < 2 {
		op = ops[rng.IntN(len(ops))]
	}
	l := Formula(rng, logic, names, depth-1)
	if op.Arity() == 1 {
		return formula.Unary(op, l)
	}
	return formula.Binary(op, l, Formula(rng, logic, names, depth-1))
}

// WithChoices is a circuit of which the last inputs have become choices; what outputs
// and constraint read of them is 0.
func WithChoices(c *circuit.Circuit, choices int) *circuit.Circuit {
	d := *c
	first := len(c.Inputs) - choices
	d.Inputs, d.Choices = c.Inputs[:first], c.Inputs[first:]
	memo := map[aig.Node]aig.Lit{0: aig.False}
	for _, s := range d.Choices {
		memo[s.Lit.Node()] = aig.False
	}
	without := func(root aig.Lit) aig.Lit {
		for _, n := range c.Graph.Cone(root) {
			if _, ok := memo[n]; ok {
				continue
			}
			memo[n] = aig.MkLit(n, false)
			if c.Graph.Kind(n) == aig.KindAnd {
				x, y := c.Graph.Fanins(n)
				memo[n] = c.Graph.And(memo[x.Node()].XorSign(x.Neg()), memo[y.Node()].XorSign(y.Neg()))
			}
		}
		return memo[root.Node()].XorSign(root.Neg())
	}
	d.Outputs = slices.Clone(c.Outputs)
	for i := range d.Outputs {
		d.Outputs[i].Lit = without(d.Outputs[i].Lit)
	}
	d.Constraint = without(c.Constraint)
	done, err := circuit.New(d)
	if err != nil {
		panic(err) // the names are those of the given circuit
	}
	return done
}

// Circuit is a circuit with the given numbers of inputs i0, i1, …, registers
// c0, c1, … and pure outputs o0, o1, …; each register is visible with
// probability one half. Outputs depend on inputs only when mealy is set.
func Circuit(rng *rand.Rand, inputs, controls, outputs int, mealy bool) *circuit.Circuit {
	g := aig.NewGraph()
	c := circuit.Circuit{Graph: g, Constraint: aig.True}
	var registers, all []aig.Lit
	for i := range inputs {
		l := g.Input()
		all = append(all, l)
		c.Inputs = append(c.Inputs, circuit.Signal{Name: fmt.Sprint("i", i), Lit: l})
	}
	for range controls {
		l := g.Latch()
		all, registers = append(all, l), append(registers, l)
	}
	gate := func(from []aig.Lit) aig.Lit {
		pick := func() aig.Lit { return from[rng.IntN(len(from))].XorSign(rng.IntN(2) == 0) }
		l := pick()
		for range 1 + rng.IntN(4) {
			switch rng.IntN(3) {
			case 0:
				l = g.And(l, pick())
			case 1:
				l = g.Or(l, pick())
			default:
				l = g.Xor(l, pick())
			}
		}
		return l
	}
	for i, l := range registers {
		if rng.IntN(4) == 0 {
			l = l.Not() // the graph stores the register inverted
		}
		reset := aig.False
		switch rng.IntN(8) {
		case 0:
			reset = l
		case 1:
			if inputs > 0 {
				reset = all[rng.IntN(inputs)]
			}
		case 2, 3:
			reset = aig.True
		}
		c.Controls = append(c.Controls, circuit.Control{Name: fmt.Sprint("c", i), Lit: l, Next: gate(all), Reset: reset})
		if rng.IntN(2) == 0 {
			c.Outputs = append(c.Outputs, circuit.Signal{Name: fmt.Sprint("c", i), Lit: l})
		}
	}
	from := registers
	if mealy {
		from = all
	}
	for i := range outputs {
		c.Outputs = append(c.Outputs, circuit.Signal{Name: fmt.Sprint("o", i), Lit: gate(from)})
	}
	done, err := circuit.New(c)
	if err != nil {
		panic(err) // the names above are all different
	}
	return done
}
