package scorr

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aig"
	"netcov/aiger/randaig"
	"netcov/mutant"
	"netcov/netlist"
)

// randomModel draws a model with several properties; some of its registers are
// made copies, or opposites, of others.
func randomModel(r *rand.Rand) *netlist.Model {
	shape := randaig.Everything()
	shape.Justice, shape.Fairness, shape.Latches, shape.Ands, shape.Bads = 0, 0, 6, 20, 4
	for {
		f := randaig.New(r, shape)
		if len(f.Latches) < 2 || len(f.Bads) == 0 {
			continue
		}
		for range r.IntN(3) {
			a, b := r.IntN(len(f.Latches)), r.IntN(len(f.Latches))
			flip := r.Uint32N(2)
			if f.Latches[a].Reset <= 1 && f.Latches[b].Reset <= 1 {
				f.Latches[a].Next, f.Latches[a].Reset = f.Latches[b].Next^flip, f.Latches[b].Reset^flip
			}
		}
		n := netlist.FromAIGER(f)
		var bads []aig.Lit
		for _, s := range n.Bads {
			bads = append(bads, s.Lit)
		}
		return netlist.CompileSet(n, bads, nil, mutant.AtOutput)
	}
}

// stepper enumerates the steps of a small model.
type stepper struct {
	m   *netlist.Model
	sim *netlist.Simulator
}

// steps calls f with the successors of a state under the inputs that satisfy the
// constraint.
func (e *stepper) steps(state int, f func(next int)) {
	in := make([]uint64, len(e.m.Inputs))
	for v := range 1 << len(in) {
		for i := range e.m.Latches {
			e.sim.SetState(i, uint64(state>>i&1))
		}
		for i := range in {
			in[i] = uint64(v >> i & 1)
		}
		e.sim.Eval(in)
		if e.sim.Value(e.m.Constraint)&1 == 0 {
			continue
		}
		next := 0
		for i, l := range e.m.Latches {
			if l.InCone {
				next |= int(e.sim.Value(l.Next)&1) << i
			}
		}
		f(next)
	}
}

// naive is the greatest fixpoint by enumeration: pairs of registers are taken
// out as long as a step from a state in which all pairs hold breaks one.
func naive(m *netlist.Model) map[[2]int]bool {
	e := &stepper{m, netlist.NewSimulator(m)}
	norm := func(state, member int) int {
		if member == constant {
			return 0
		}
		return state>>member&1 ^ int(m.Latches[member].Reset)
	}
	pairs := map[[2]int]bool{}
	for b, l := range m.Latches {
		if !l.InCone || l.Reset == netlist.ResetX {
			continue
		}
		for a := -1; a < b; a++ {
			if a == constant || m.Latches[a].InCone && m.Latches[a].Reset != netlist.ResetX {
				pairs[[2]int{a, b}] = true
			}
		}
	}
	holds := func(state int) bool {
		for p := range pairs {
			if norm(state, p[0]) != norm(state, p[1]) {
				return false
			}
		}
		return true
	}
	for changed := true; changed; {
		changed = false
		for s := range 1 << len(m.Latches) {
			if !holds(s) {
				continue
			}
			e.steps(s, func(next int) {
				for p := range pairs {
					if norm(next, p[0]) != norm(next, p[1]) {
						delete(pairs, p)
						changed = true
					}
				}
			})
		}
	}
	return pairs
}

// TestClassesAgainstEnumeration compares the classes with the greatest fixpoint,
// and checks that they hold in all reachable states.
func TestClassesAgainstEnumeration(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	merged, units := 0, 0
	for seed := range uint64(rounds) {
		m := randomModel(rand.New(rand.NewPCG(seed, 1)))
		c := Find(context.Background(), m, Options{})
		want := naive(m)
		for b, l := range m.Latches {
			of := l.Lit
			for a := len(m.Latches) - 1; a >= -1; a-- {
				if !want[[2]int{a, b}] {
					continue
				}
				if of = aig.False; a != constant {
					of = m.Latches[a].Lit.XorSign(m.Latches[a].Reset == netlist.Reset1)
				}
				of = of.XorSign(l.Reset == netlist.Reset1)
			}
			if c.of[b] != of {
				t.Fatalf("seed %d: latch %d equals %d, by enumeration %d", seed, b, c.of[b], of)
			}
		}
		merged += c.Merged()
		inv := c.Invariant()
		for _, clause := range inv.Clauses {
			if len(clause) == 1 {
				units++
			}
		}
		checkReachable(t, seed, m, c)
	}
	t.Log(merged, units)
	if units == 0 || merged == units {
		t.Fatal("one-sided sample")
	}
}

// checkReachable checks that the invariant holds in all reachable states, and
// that the merged model has the same properties, constraint and successors there.
func checkReachable(t *testing.T, seed uint64, m *netlist.Model, c *Classes) {
	inv, small := c.Invariant(), c.Apply(m)
	e := &stepper{m, netlist.NewSimulator(m)}
	other := netlist.NewSimulator(small)
	seen := map[int]bool{}
	var work []int
	for s := range 1 << len(m.Latches) {
		if !slices.ContainsFunc(slices.Collect(positions(m)), func(i int) bool {
			l := m.Latches[i]
			return l.Reset != netlist.ResetX && s>>i&1 != int(l.Reset)
		}) {
			seen[s] = true
			work = append(work, s)
		}
	}
	state := make([]bool, len(m.Latches))
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		for i := range state {
			state[i] = s>>i&1 == 1
			other.SetState(i, uint64(s>>i&1))
		}
		if !inv.Holds(state) {
			t.Fatalf("seed %d: the reachable state %b breaks a class", seed, s)
		}
		e.steps(s, func(next int) {
			in := make([]uint64, len(m.Inputs))
			for i, l := range m.Inputs {
				in[i] = e.sim.Value(l) & 1
			}
			for i := range state {
				other.SetState(i, uint64(s>>i&1))
			}
			other.Eval(in)
			if other.Value(small.Constraint)&1 == 0 {
				t.Fatalf("seed %d: the merged model's constraint differs", seed)
			}
			for p := range m.Bads {
				if e.sim.Value(m.Bads[p])&1 != other.Value(small.Bads[p])&1 {
					t.Fatalf("seed %d: property %d of the merged model differs", seed, p)
				}
			}
			for i, l := range small.Latches {
				if l.InCone && int(other.Value(l.Next)&1) != next>>i&1 {
					t.Fatalf("seed %d: latch %d of the merged model differs", seed, i)
				}
			}
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		})
	}
}

// positions are those of the latches in the cone.
func positions(m *netlist.Model) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i, l := range m.Latches {
			if l.InCone && !yield(i) {
				return
			}
		}
	}
}

// TestCancelled ends a run before it begins.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	ended := 0
	for seed := range uint64(200) {
		m := randomModel(rand.New(rand.NewPCG(seed, 2)))
		if Find(ctx, m, Options{}) == nil {
			ended++
		}
	}
	if ended == 0 {
		t.Fatal("no run was ended")
	}
}
