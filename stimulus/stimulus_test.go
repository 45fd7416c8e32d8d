package stimulus

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/aig"
	"netcov/aiger/randaig"
	"netcov/mutant"
	"netcov/netlist"
)

// TestChoose compares with enumeration of states and inputs: where some inputs satisfy
// the constraint, and lead to states in which some do again, those chosen satisfy it.
func TestChoose(t *testing.T) {
	designs := 20000
	if testing.Short() {
		designs = 4000
	}
	r := rand.New(rand.NewPCG(1, 2))
	chosen, mattered := 0, 0
	for range designs {
		f := randaig.New(r, randaig.Shape{Inputs: 3, Latches: 3, Ands: 20, Bads: 1, Constraints: 4, ResetOne: true})
		n := netlist.FromAIGER(f)
		if len(n.Bads) == 0 || len(n.Inputs) == 0 {
			continue
		}
		var targets []mutant.Target
		for i := range n.Latches {
			targets = append(targets, mutant.Target{Index: i})
		}
		m := netlist.Compile(n, n.Bads[0].Lit, targets, mutant.AtOutput)
		c := New(context.Background(), m)
		if c == nil || len(newConditions(m).needed()) > 0 { // those are for TestStickyLatch
			continue
		}
		first, later := flags(m)
		e := enumerate(m)
		sim := netlist.NewSimulator(m)
		var buffer []uint64
		in := make([]uint64, len(m.Inputs))
		for state := range e.next {
			if (state^first)&(first^later) != 0 && (state^later)&(first^later) != 0 {
				continue // some latches are as in the first step, others as later
			}
			for i := range m.Latches {
				sim.SetState(i, -uint64(state>>i&1))
			}
			for i := range in {
				in[i] = r.Uint64()
			}
			c.Choose(sim, in, &buffer)
			sim.Eval(in)
			legal := sim.Value(m.Constraint)
			if e.lives(state, rounds+1) && legal != ^uint64(0) {
				t.Fatalf("state %b: the inputs of lanes %b violate the constraint", state, ^legal)
			}
			if chosen++; e.lives(state, rounds+1) && !e.all(state) {
				mattered++
			}
		}
	}
	if mattered < designs/20 {
		t.Errorf("a choice mattered in %d of %d states: the test shows too little", mattered, chosen)
	}
}

// flags returns the values of latches that change once, after the first step, in and
// after it. The values are 0 where other latches are.
func flags(m *netlist.Model) (first, later int) {
	for i, l := range m.Latches {
		switch {
		case l.Next == aig.True && l.Reset == netlist.Reset0:
			later |= 1 << i
		case l.Next == aig.False && l.Reset == netlist.Reset1:
			first |= 1 << i
		}
	}
	return first, later
}

// enumeration has, for each state, the next states under inputs that satisfy the
// constraint, and whether there are others.
type enumeration struct {
	next    [][]int
	illegal []bool
}

func enumerate(m *netlist.Model) *enumeration {
	e := &enumeration{next: make([][]int, 1<<len(m.Latches)), illegal: make([]bool, 1<<len(m.Latches))}
	sim := netlist.NewSimulator(m)
	in := make([]uint64, len(m.Inputs))
	for state := range e.next {
		for v := range 1 << len(m.Inputs) {
			for i := range m.Latches {
				sim.SetState(i, uint64(state>>i&1))
			}
			for i := range in {
				in[i] = uint64(v >> i & 1)
			}
			sim.Eval(in)
			if sim.Value(m.Constraint)&1 == 0 {
				e.illegal[state] = true
				continue
			}
			sim.Step()
			next := 0
			for i := range m.Latches {
				next |= int(sim.State(i)&1) << i
			}
			e.next[state] = append(e.next[state], next)
		}
	}
	return e
}

// lives reports whether some run of so many steps starts in a state.
func (e *enumeration) lives(state, steps int) bool {
	if steps == 0 {
		return true
	}
	for _, next := range e.next[state] {
		if e.lives(next, steps-1) {
			return true
		}
	}
	return false
}

// all reports whether all inputs satisfy the constraint.
func (e *enumeration) all(state int) bool { return !e.illegal[state] }

// TestStickyLatch has a transition relation in a latch, as designs from SMV do: the
// latch is 0 before the first step, and again from the first violation on.
func TestStickyLatch(t *testing.T) {
	const width, steps = 12, 40
	r := rand.New(rand.NewPCG(3, 4))
	n := &netlist.Netlist{Graph: aig.NewGraph()}
	g := n.Graph
	started, valid := g.Latch(), g.Latch()
	relation, initial := aig.True, aig.True
	var state []aig.Lit
	for range width {
		in, l := g.Input(), g.Latch()
		n.Inputs = append(n.Inputs, netlist.Input{Lit: in})
		state = append(state, l)
		n.Latches = append(n.Latches, netlist.Latch{Lit: l, Next: in, Reset: aig.False})
		initial = g.And(initial, in.XorSign(r.IntN(2) == 0))
	}
	for i := range width { // each bit is to be a function of two others
		a, b := state[r.IntN(width)], state[r.IntN(width)]
		relation = g.And(relation, g.Xor(n.Inputs[i].Lit, g.Or(a, b.Not())))
	}
	n.Latches = append(
		n.Latches,
		netlist.Latch{Lit: started, Next: aig.True, Reset: aig.False},
		netlist.Latch{Lit: valid, Next: g.Mux(started, g.And(valid, relation), initial), Reset: aig.False},
	)
	m := netlist.Compile(n, g.AndAll(append(state, valid)...), nil, mutant.AtOutput)
	c := New(context.Background(), m)
	if c == nil {
		t.Fatal("the relation is not found")
	}
	sim := netlist.NewSimulator(m)
	sim.Reset(nil)
	var buffer []uint64
	in := make([]uint64, len(m.Inputs))
	for step := range steps {
		for i := range in {
			in[i] = r.Uint64()
		}
		c.Choose(sim, in, &buffer)
		sim.Eval(in)
		sim.Step()
		if sim.State(width+1) != ^uint64(0) {
			t.Fatalf("step %d violates the relation in lanes %b", step, ^sim.State(width+1))
		}
	}
}

// TestGivesUp asks that conditions too large to be solved leave inputs as drawn.
func TestGivesUp(t *testing.T) {
	g := newGraph()
	var inputs []aig.Lit
	for range 6 {
		inputs = append(inputs, g.Input())
	}
	all := []aig.Lit{g.Or(inputs[0], inputs[1]), g.Or(inputs[1], g.And(inputs[2], inputs[3]))}
	e := newElimination(g, inputs, all, 0)
	if !e.run(context.Background()) || len(e.solved) != 0 || len(e.given) != 4 {
		t.Errorf("%d solved, %d given up; want none and 4", len(e.solved), len(e.given))
	}
}
