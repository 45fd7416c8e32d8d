package coverage

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/aig"
	"netcov/aiger/randaig"
	"netcov/mutant"
	"netcov/netlist"
)

// constrainedModel draws a design with constraints and a mutation at each latch and gate.
func constrainedModel(r *rand.Rand) *netlist.Model {
	for {
		shape := randaig.Everything()
		shape.Justice, shape.Fairness, shape.Inputs, shape.Latches, shape.Ands, shape.Constraints = 0, 0, 5, 5, 10+r.IntN(25), 4
		f := randaig.New(r, shape)
		if bads, _, _ := f.Properties(); len(bads) == 0 || len(f.Constraints) == 0 {
			continue
		}
		n := netlist.FromAIGER(f)
		var targets []mutant.Target
		for i := range n.Latches {
			targets = append(targets, mutant.Target{Index: i})
		}
		for i := range n.Gates {
			targets = append(targets, mutant.Target{Gate: true, Index: i})
		}
		return netlist.Compile(n, n.Properties()[0].Bad, targets, mutant.AtOutput)
	}
}

// TestRepairAgainstEnumeration: where some input satisfies the constraint in a state,
// under the faults of the lanes, repaired inputs nearly always do; inputs that did are
// left alone.
func TestRepairAgainstEnumeration(t *testing.T) {
	possible, repaired, kept := 0, 0, 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 41))
		m := constrainedModel(r)
		fix := newRepair(m)
		if fix == nil || len(m.Inputs) > 8 {
			continue
		}
		sim := netlist.NewSimulator(m)
		for i := range m.Latches {
			sim.SetState(i, r.Uint64())
		}
		for k := range m.Cuts {
			sim.SetFault(k, 1<<r.IntN(64), r.Uint64())
		}
		in := make([]uint64, len(m.Inputs))
		var can uint64
		for x := range 1 << len(in) {
			for i := range in {
				in[i] = spread(x>>i&1 == 1)
			}
			sim.Eval(in)
			can |= sim.Value(m.Constraint)
		}
		before := make([]uint64, len(in))
		for i := range in {
			in[i], before[i] = r.Uint64(), r.Uint64()
		}
		sim.Eval(in)
		right := sim.Value(m.Constraint)
		drawn := append([]uint64{}, in...)
		fix.inputs(sim, r, ^uint64(0), in, before)
		sim.Eval(in)
		now := sim.Value(m.Constraint)
		for lane := range 64 {
			if right>>lane&1 == 1 {
				kept++
				for i := range in {
					if (in[i]^drawn[i])>>lane&1 == 1 {
						t.Fatalf("seed %d: inputs that satisfied the constraint were changed", seed)
					}
				}
				continue
			}
			if can>>lane&1 == 1 {
				possible++
				if now>>lane&1 == 1 {
					repaired++
				}
			}
		}
	}
	if possible < 2000 || kept < 2000 || float64(repaired) < 0.95*float64(possible) {
		t.Fatalf("%d of %d lanes repaired, %d needed none", repaired, possible, kept)
	}
}

// randomWalker returns a random model and what walks it, with habits for every other
// seed; nil where the model has no cut.
func randomWalker(r *rand.Rand, seed uint64) (*netlist.Model, *faultSimulator) {
	m := constrainedModel(r)
	if len(m.Cuts) == 0 {
		return nil, nil
	}
	sim := newFaultSimulator(m, seed)
	sim.habits = seed%2 == 0
	return m, sim
}

// replayHits asks that each run ends in a bad state of its mutant, and not before.
func replayHits(t *testing.T, seed uint64, m *netlist.Model, hits []hit) {
	t.Helper()
	for _, h := range hits {
		if at := netlist.Replay(m.Mutant(h.m.cut, h.m.force), h.trace); at != len(h.trace.Inputs)-1 {
			t.Fatalf("seed %d: the trace of %d steps ends at %d", seed, len(h.trace.Inputs), at)
		}
	}
}

// TestDeepWalkTraces replays each run that random walks find, with their repairs, habits
// and lanes that go on where others are, on the mutant alone.
func TestDeepWalkTraces(t *testing.T) {
	found, moved := 0, 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 43))
		m, sim := randomWalker(r, seed)
		if m == nil {
			continue
		}
		var batch []*Mutant
		for range 1 + r.IntN(8) {
			cut := r.IntN(len(m.Cuts))
			batch = append(batch, &Mutant{cut: cut, force: netlist.Force(r.IntN(3))})
		}
		hits := sim.random(context.Background(), batch, 24)
		replayHits(t, seed, m, hits)
		found += len(hits)
		moved += len(sim.moves)
	}
	if found < 1000 || moved < 1000 {
		t.Fatalf("%d runs, %d lanes went on", found, moved)
	}
}

// TestDeepTimer: a timer of eight bits, which either of two inputs restarts, never runs on
// the design. On the mutant whose register does not stop it any more, it ends after 255
// steps without a restart. Neither bounded search for all mutants nor the other random
// walks come there.
func TestDeepTimer(t *testing.T) {
	n := &netlist.Netlist{Graph: aig.NewGraph()}
	g := n.Graph
	restart := aig.False
	for range 2 {
		in := g.Input()
		n.Inputs = append(n.Inputs, netlist.Input{Lit: in})
		restart = g.Or(restart, in)
	}
	stop := g.Latch()
	carry, end := aig.True, aig.True
	var timer []aig.Lit
	for range 8 {
		timer = append(timer, g.Latch())
	}
	for _, b := range timer {
		sum := g.Or(g.And(b, carry.Not()), g.And(b.Not(), carry))
		n.Latches = append(n.Latches, netlist.Latch{Lit: b, Next: g.And(sum, g.Or(restart, stop).Not()), Reset: aig.False})
		carry, end = g.And(carry, b), g.And(end, b)
	}
	n.Latches = append(n.Latches, netlist.Latch{Lit: stop, Next: aig.True, Reset: aig.True})
	n.Bads = []netlist.Signal{{Lit: end}, {Lit: g.And(end, restart)}}
	n.ListGates()
	f := n.ToAIGER()
	set, err := RunSet(context.Background(), f, netlist.FromAIGER(f), []int{0, 1}, Options{
		Targets: []mutant.Target{{Index: 8}}, Faults: []mutant.Fault{mutant.Zero},
		Tests: []string{TestCone, TestSimulation, TestLongSimulation, TestGroupBMC, TestDeepSimulation},
	})
	if err != nil {
		t.Fatal(err)
	}
	m := set.Groups[0].Mutants[0]
	if m.Verdict != mutant.Covered || m.Test != TestDeepSimulation || len(m.Evidence.Trace.Inputs) < 256 {
		t.Fatalf("%v by %s", m.Verdict, m.Test)
	}
}
