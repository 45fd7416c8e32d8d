package netlist

import (
	"math/rand/v2"
	"testing"

	"netcov/aiger/randaig"
	"netcov/mutant"
)

// TestBeside compares mutants beside the design with a simulation of each.
func TestBeside(t *testing.T) {
	bads, breaks, apart := 0, 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 77))
		shape := randaig.Everything()
		shape.Justice, shape.Fairness, shape.Inputs, shape.Latches, shape.Ands = 0, 0, 4, 6, 10+r.IntN(30)
		f := randaig.New(r, shape)
		n := FromAIGER(f)
		if len(n.Properties()) == 0 {
			continue
		}
		var targets []mutant.Target
		for i := range n.Latches {
			targets = append(targets, mutant.Target{Index: i})
		}
		for i := range n.Gates {
			targets = append(targets, mutant.Target{Gate: true, Index: i})
		}
		m := Compile(n, n.Properties()[0].Bad, targets, mutant.Mux(r.IntN(2)))
		design := NewSimulator(m)
		b := NewBeside(m, design)
		type side struct {
			Divergence
			sim  *Simulator
			cut  int
			live uint64
		}
		var sides []*side
		for cut := range m.Cuts {
			sides = append(sides, &side{sim: NewSimulator(m), cut: cut, live: ^uint64(0)})
		}
		for i := range m.Latches {
			w := r.Uint64()
			design.SetState(i, w)
			for _, s := range sides {
				s.sim.SetState(i, w)
			}
		}
		in := make([]uint64, len(m.Inputs))
		live := ^uint64(0)
		for range 6 {
			for i := range in {
				in[i] = r.Uint64()
			}
			design.Eval(in)
			live &= design.Value(m.Constraint) &^ design.Value(m.Bad)
			for _, s := range sides {
				value := r.Uint64()
				s.sim.SetFault(s.cut, ^uint64(0), value)
				s.sim.Eval(in)
				s.live &= live
				bad, broken := b.Step(&s.Divergence, s.cut, value, s.live)
				wantBad, wantBroken := s.sim.Value(m.Bad)&s.live, s.live&^s.sim.Value(m.Constraint)
				if bad != wantBad || broken != wantBroken {
					t.Fatalf("seed %d, cut %d: bad %x, want %x; broken %x, want %x", seed, s.cut, bad, wantBad, broken, wantBroken)
				}
				if bad != 0 {
					bads++
				}
				if broken != 0 {
					breaks++
				}
				s.live &^= bad | broken
				s.sim.Step()
			}
			design.Step()
			for _, s := range sides {
				differ := make([]uint64, len(m.Latches))
				for _, l := range s.Latches {
					differ[l.Latch] |= l.Lanes
				}
				for i := range m.Latches {
					if m.Latches[i].InCone && (design.State(i)^s.sim.State(i)^differ[i])&s.live != 0 {
						t.Fatalf("seed %d, cut %d: latch %d differs", seed, s.cut, i)
					}
					if differ[i] != 0 {
						apart++
					}
				}
			}
		}
	}
	if bads < 100 || breaks < 100 || apart < 100 {
		t.Fatalf("weak test: %d bad, %d broken, %d latches that differ", bads, breaks, apart)
	}
}
