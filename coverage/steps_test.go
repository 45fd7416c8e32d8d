package coverage

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/cert"
	"netcov/netlist"
)

// randomClauses is an invariant of no design in particular.
func randomClauses(r *rand.Rand, m *netlist.Model) *cert.Invariant {
	inv := &cert.Invariant{}
	for range 1 + r.IntN(3) {
		var c cert.Clause
		for range 1 + r.IntN(3) {
			c = append(c, cert.MkStateLit(r.IntN(len(m.Latches)), r.IntN(2) == 1))
		}
		inv.Clauses = append(inv.Clauses, c)
	}
	return inv
}

// TestKeptSteps compares what kept steps break with a simulation of each step and fault
// by itself.
func TestKeptSteps(t *testing.T) {
	broken, kept := 0, 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 53))
		m := constrainedModel(r)
		if len(m.Cuts) == 0 || len(m.Latches) == 0 {
			continue
		}
		steps := &stepStock{}
		keeps, want := make([]cases, len(m.Cuts)), make([]cases, len(m.Cuts))
		for k := range keeps {
			keeps[k] = cases{r.IntN(4) > 0, r.IntN(4) > 0}
		}
		copy(want, keeps)
		inv := randomClauses(r, m)
		sim := netlist.NewSimulator(m)
		for range r.IntN(90) {
			latches, inputs := make([]bool, len(m.Latches)), make([]bool, len(m.Inputs))
			for i := range latches {
				latches[i] = r.IntN(2) == 1
				sim.SetState(i, spread(latches[i]))
			}
			words := make([]uint64, len(inputs))
			for i := range inputs {
				inputs[i] = r.IntN(2) == 1
				words[i] = spread(inputs[i])
			}
			steps.add(latches, inputs)
			sim.ClearFaults()
			if sim.Eval(words); !inv.Holds(latches) || sim.Value(m.Constraint) == 0 || sim.Value(m.Bad) != 0 {
				continue
			}
			for k := range want {
				for v := range 2 {
					sim.ClearFaults()
					sim.SetFault(k, ^uint64(0), spread(v == 1))
					sim.Eval(words)
					next := make([]bool, len(m.Latches))
					for i, l := range m.Latches {
						next[i] = l.InCone && sim.Value(l.Next) != 0
					}
					if sim.Value(m.Constraint) != 0 && (sim.Value(m.Bad) != 0 || !inv.Holds(next)) {
						want[k][v] = false
					}
				}
			}
		}
		asked := append([]cases(nil), keeps...)
		steps.drop(context.Background(), m, inv, keeps)
		for k := range keeps {
			if keeps[k] != want[k] {
				t.Fatalf("seed %d, cut %d: %v of %v is kept, want %v", seed, k, keeps[k], asked[k], want[k])
			}
			for v := range 2 {
				switch {
				case want[k][v]:
					kept++
				case asked[k][v]:
					broken++
				}
			}
		}
	}
	if broken < 1000 || kept < 1000 {
		t.Fatalf("%d broken, %d kept", broken, kept)
	}
}

// TestStepsAreReplaced keeps more steps than there is room for.
func TestStepsAreReplaced(t *testing.T) {
	steps := &stepStock{}
	at := func(i int) bool {
		n := 0
		for _, b := range steps.blocks {
			for lane := range b.lanes {
				same := true
				for bit, w := range b.latches {
					same = same && w>>lane&1 == uint64(i)>>bit&1
				}
				if same {
					n++
				}
			}
		}
		return n == 1
	}
	const more = 130
	for i := range 64*mostBlocks + more {
		latches := make([]bool, 13)
		for bit := range latches {
			latches[bit] = i>>bit&1 == 1
		}
		steps.add(latches, nil)
	}
	if at(0) || at(64+63) || !at(3*64) || !at(64*mostBlocks+more-1) || len(steps.blocks) != mostBlocks {
		t.Fatal("the oldest steps are to be replaced")
	}
}
