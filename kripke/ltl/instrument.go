package ltl

import (
	"fmt"

	"netcov/aig"
	"netcov/kripke/automaton"
	"netcov/kripke/circuit"
)

// Coverage as one model checking of an instrumented model (CKKV01 section 3): the
// system, the automaton of wrong behaviours, and an automaton that reads
//
//	node        q ⊕ (flip ∧ flag), flag true until the step after the first flip
//	tree        q ⊕ (flip ∧ at_w), w some control state, chosen at the start
//	structure   q ⊕ at_w
//
// with flip free in each step. The model has a fair path iff some state is
// covered: the one where flip and flag hold, or w.
//
// The instrumented model is a circuit again, so that any model checker can take
// it. The system's inputs and registers come first, in their order. The
// automaton's state is a binary number in registers; 0 means that its run has
// ended. Where it has a choice, inputs choose. Each acceptance set is a fairness
// constraint.
//
// A flip changes what the automaton reads and nothing else, or, with the scope
// InDesign, what everything reads that reads the register.

// Instrumented is an instrumented model.
type Instrumented struct {
	Circuit *circuit.Circuit
	// Registers of the system, in its order, and of w where there is one.
	State, W []aig.Lit
	Flip     aig.Lit // q is flipped now; False without instrumentation
	Flag     aig.Lit // no flip has happened before (node coverage)
	Alive    aig.Lit // the automaton can read the present letter
	// Win holds when the automaton moves to a state from which it accepts
	// everything.
	Win aig.Lit
	// Automaton has the registers of the automaton's state.
	Automaton []aig.Lit
	// AutomatonBits and ChoiceBits count what the automaton added.
	AutomatonBits, ChoiceBits int

	flip Flip
}

// Instrument builds the model for a notion of coverage and a signal; without
// instrumentation when the flip has no signal. The circuit has no constraint (see
// Unconstrain).
func Instrument(c *circuit.Circuit, a *automaton.Automaton, kind Kind, flip Flip) (*Instrumented, error) {
	if c.Constraint != aig.True {
		return nil, circuit.ErrConstraint
	}
	return instrument(c, a, kind, flip, nil)
}

// instrument keeps a constraint, and lets no flip happen in the given cubes.
func instrument(c *circuit.Circuit, a *automaton.Automaton, kind Kind, flip Flip, spared []Cube) (*Instrumented, error) {
	b := &instrumenter{
		from: c, g: aig.NewGraph(), to: map[aig.Node]aig.Lit{0: aig.False},
		out: &Instrumented{Flip: aig.False, Flag: aig.True, flip: flip}, spared: spared,
	}
	if err := b.build(a, kind, flip); err != nil {
		return nil, err
	}
	return b.out, nil
}

type instrumenter struct {
	from   *circuit.Circuit
	g      *aig.Graph
	to     map[aig.Node]aig.Lit
	out    *Instrumented
	made   circuit.Circuit
	spared []Cube
}

func (b *instrumenter) edge(l aig.Lit) aig.Lit { return b.to[l.Node()].XorSign(l.Neg()) }

func (b *instrumenter) input(name string) aig.Lit {
	l := b.g.Input()
	b.made.Inputs = append(b.made.Inputs, circuit.Signal{Name: name, Lit: l})
	return l
}

func (b *instrumenter) build(a *automaton.Automaton, kind Kind, flip Flip) error {
	b.copyLeaves()
	if flip.Signal != "" {
		if _, ok := b.from.Lit(flip.Signal); !ok {
			return &UnknownSignalError{flip.Signal, names(b.from)}
		}
		b.out.Flip = b.flip(kind)
	}
	if err := b.copyFunctions(flip); err != nil {
		return err
	}
	read := make([]aig.Lit, len(a.AP))
	for v, name := range a.AP {
		l, ok := b.from.Lit(name)
		if !ok {
			return &UnknownSignalError{name, names(b.from)}
		}
		read[v] = b.edge(l)
		if name == flip.Signal && flip.Scope == InSpec {
			read[v] = b.g.Xor(read[v], b.out.Flip)
		}
	}
	b.automaton(a, read)
	b.made.Graph = b.g
	b.made.Constraint = b.edge(b.from.Constraint)
	for _, q := range b.spared {
		if !q.Whole { // whether the automaton is where it was depends on the flip
			there := b.g.AndAll(q.edges(b.out.State)...)
			for i, l := range b.out.Automaton {
				there = b.g.And(there, l.XorSign(q.Automaton>>i&1 == 0))
			}
			b.made.Constraint = b.g.And(b.made.Constraint, b.g.And(there, b.out.Flip).Not())
		}
	}
	b.made.Name = b.from.Name
	done, err := circuit.New(b.made)
	b.out.Circuit = done
	return err
}

// copyLeaves takes over the system's registers and inputs.
func (b *instrumenter) copyLeaves() {
	for _, s := range b.from.Inputs {
		b.to[s.Lit.Node()] = b.input(s.Name).XorSign(s.Lit.Neg())
	}
	for _, s := range b.from.Controls {
		l := b.g.Latch()
		b.to[s.Lit.Node()] = l.XorSign(s.Lit.Neg())
		b.out.State = append(b.out.State, l)
		b.made.Controls = append(b.made.Controls, circuit.Control{Name: s.Name, Lit: l})
	}
}

// copyFunctions takes over the system's functions. Those of the initial state
// never read a flipped value.
func (b *instrumenter) copyFunctions(flip Flip) error {
	c := b.from
	var resets []aig.Lit
	for _, s := range c.Controls {
		resets = append(resets, s.Reset)
	}
	b.copyCone(resets)
	for i, s := range c.Controls {
		b.made.Controls[i].Reset = b.edge(s.Reset)
	}
	if flip.Signal != "" && flip.Scope == InDesign {
		at := c.ControlIndex(flip.Signal)
		if at < 0 {
			return fmt.Errorf("%q is no register, so it cannot be flipped for the design's own readers", flip.Signal)
		}
		leaves := map[aig.Node]aig.Lit{0: aig.False}
		for _, s := range c.Inputs {
			leaves[s.Lit.Node()] = b.to[s.Lit.Node()]
		}
		for _, s := range c.Controls {
			leaves[s.Lit.Node()] = b.to[s.Lit.Node()]
		}
		n := c.Controls[at].Lit.Node()
		leaves[n] = b.g.Xor(leaves[n], b.out.Flip)
		b.to = leaves
	}
	var roots []aig.Lit
	for _, s := range c.Controls {
		roots = append(roots, s.Next)
	}
	for _, s := range c.Outputs {
		roots = append(roots, s.Lit)
	}
	b.copyCone(append(append(roots, c.Fairness...), c.Constraint))
	for i, s := range c.Controls {
		b.made.Controls[i].Next = b.edge(s.Next)
	}
	for _, s := range c.Outputs {
		if c.ControlIndex(s.Name) >= 0 {
			continue // a visible register is there already, under its own value
		}
		b.made.Outputs = append(b.made.Outputs, circuit.Signal{Name: s.Name, Lit: b.edge(s.Lit)})
	}
	for _, f := range c.Fairness {
		b.made.Fairness = append(b.made.Fairness, b.edge(f))
	}
	return nil
}

// copyCone copies the gates that the roots need.
func (b *instrumenter) copyCone(roots []aig.Lit) {
	for _, n := range b.from.Graph.Cone(roots...) {
		if _, ok := b.to[n]; ok {
			continue
		}
		x, y := b.from.Graph.Fanins(n)
		switch b.from.Graph.Kind(n) {
		case aig.KindAnd:
			b.to[n] = b.g.And(b.edge(x), b.edge(y))
		case aig.KindCut:
			b.to[n] = b.edge(x)
		}
	}
}

// flip adds what decides when q is flipped.
func (b *instrumenter) flip(kind Kind) aig.Lit {
	if kind == NodeCoverage {
		flip := b.spare(b.input("netcov_flip"), b.out.State)
		// The register holds "a flip has happened", so that its reset is 0.
		done := b.g.Latch()
		b.out.Flag = done.Not()
		b.made.Controls = append(b.made.Controls, circuit.Control{
			Name: "netcov_flipped", Lit: done, Next: b.g.Or(done, flip), Reset: aig.False,
		})
		return b.g.And(flip, b.out.Flag)
	}
	var equal []aig.Lit
	for i, s := range b.out.State {
		w := b.g.Latch()
		b.out.W = append(b.out.W, w)
		b.made.Controls = append(b.made.Controls, circuit.Control{
			Name: fmt.Sprint("netcov_w", i), Lit: w, Next: w, Reset: w,
		})
		equal = append(equal, b.g.Xor(s, w).Not())
	}
	at := b.spare(b.g.AndAll(equal...), b.out.W)
	if kind == TreeCoverage {
		at = b.g.And(at, b.input("netcov_flip"))
	}
	return at
}

// spare leaves the states of whole cubes out of a condition.
func (b *instrumenter) spare(flip aig.Lit, state []aig.Lit) aig.Lit {
	for _, q := range b.spared {
		if q.Whole {
			flip = b.g.And(flip, b.g.AndAll(q.edges(state)...).Not())
		}
	}
	return flip
}

// automaton adds the automaton, which reads the given edges.
func (b *instrumenter) automaton(a *automaton.Automaton, read []aig.Lit) {
	first := len(b.made.Controls)
	m := automaton.Encode(a, gates{b}, "netcov_", read)
	for _, r := range b.made.Controls[first:] {
		b.out.Automaton = append(b.out.Automaton, r.Lit)
	}
	b.out.Alive, b.out.Win = m.Alive, m.Win
	b.out.AutomatonBits, b.out.ChoiceBits = m.Bits, m.Choices
	if a.Sets == 0 {
		b.made.Fairness = append(b.made.Fairness, m.Alive)
	}
	b.made.Fairness = append(b.made.Fairness, m.Marks...)
}

// gates lets an automaton be built into the circuit.
type gates struct{ *instrumenter }

func (g gates) Constant(v bool) aig.Lit { return aig.False.XorSign(v) }

func (g gates) And(x, y aig.Lit) aig.Lit { return g.g.And(x, y) }

func (g gates) Not(x aig.Lit) aig.Lit { return x.Not() }

func (g gates) Input(name string) aig.Lit { return g.input(name) }

func (g gates) Latch(name string, reset bool) aig.Lit {
	l := g.g.Latch()
	g.made.Controls = append(g.made.Controls, circuit.Control{Name: name, Lit: l, Next: l, Reset: g.Constant(reset)})
	return l
}

func (g gates) SetNext(latch, next aig.Lit) {
	for i := range g.made.Controls {
		if g.made.Controls[i].Lit == latch {
			g.made.Controls[i].Next = next
		}
	}
}
