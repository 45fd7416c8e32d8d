package netlist

import (
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aig"
	"netcov/mutant"
)

// TestDominance compares the dominators with those that a search without the node finds,
// and what faults do with simulation.
func TestDominance(t *testing.T) {
	over, same := 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 61))
		n := randomNetlist(r)
		var targets []mutant.Target
		for i := range n.Latches {
			targets = append(targets, mutant.Target{Index: i})
		}
		for i := range n.Gates {
			if r.IntN(4) > 0 {
				targets = append(targets, mutant.Target{Gate: true, Index: i})
			}
		}
		bads := []aig.Lit{n.Properties()[0].Bad}
		faults := mutant.Standard()
		if seed%2 == 0 {
			faults = n.FaultsAt(targets)
		}
		m := CompileSet(n, bads, targets, mutant.Mux(r.IntN(2)), faults...)
		d := m.Dominance()
		if len(d.Over) != len(m.Cuts) || len(d.Same) != len(m.Cuts) {
			t.Fatal("a cut is missing")
		}
		for k := range m.Cuts {
			if want := nearestDominator(m, k); d.Over[k] != want {
				t.Fatalf("seed %d, cut %d: %d is over it, want %d", seed, k, d.Over[k], want)
			}
			sim := NewSimulator(m)
			for i := range m.Latches {
				sim.SetState(i, r.Uint64())
			}
			inputs := make([]uint64, len(m.Inputs))
			for i := range inputs {
				inputs[i] = r.Uint64()
			}
			under := func(cut int, value uint64) []uint64 {
				sim.ClearFaults()
				sim.SetFault(cut, ^uint64(0), value)
				sim.Eval(inputs)
				var seen []uint64
				for _, l := range m.Roots() {
					seen = append(seen, sim.Value(l))
				}
				return seen
			}
			if o := d.Over[k]; o >= 0 {
				over++
				seen := under(k, r.Uint64())
				if !slices.Equal(seen, under(o, sim.Value(m.Cuts[o].Lit))) {
					t.Fatalf("seed %d: what cut %d does, cut %d cannot do", seed, k, o)
				}
			}
			for v, s := range d.Same[k] {
				if s.Cut < 0 {
					continue
				}
				same++
				if !slices.Equal(under(k, -uint64(v)), under(s.Cut, spreadOut(s.Ones))) {
					t.Fatalf("seed %d: cut %d stuck at %d is not the same as %+v", seed, k, v, s)
				}
			}
		}
	}
	if over < 1000 || same < 300 {
		t.Fatalf("%d dominators, %d equal faults", over, same)
	}
}

func spreadOut(b bool) uint64 {
	if b {
		return ^uint64(0)
	}
	return 0
}

// nearestDominator finds the first of the cuts, in the order of the graph, without which
// nothing that is seen depends on a cut.
func nearestDominator(m *Model, k int) int {
	from := m.Cuts[k].Lit.Node()
	reached := func(without aig.Node) bool {
		seen := make([]bool, m.Graph.Size())
		var visit func(n aig.Node) bool
		visit = func(n aig.Node) bool {
			switch a, b := m.Graph.Fanins(n); {
			case n == without || seen[n]:
				return false
			case n == from:
				return true
			case m.Graph.Kind(n) == aig.KindAnd:
				seen[n] = true
				return visit(a.Node()) || visit(b.Node())
			case m.Graph.Kind(n) == aig.KindCut:
				seen[n] = true
				return visit(a.Node())
			}
			return false
		}
		return slices.ContainsFunc(m.Roots(), func(l aig.Lit) bool { return visit(l.Node()) })
	}
	if !reached(0) {
		return -1
	}
	for o := k + 1; o < len(m.Cuts); o++ {
		if !reached(m.Cuts[o].Lit.Node()) {
			return o
		}
	}
	return -1
}
