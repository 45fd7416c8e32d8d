package lasso

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/aiger/sim"
	"netcov/certify"
	"netcov/liveness"
	"netcov/mutant"
	"netcov/netlist"
)

// TestAgainstEnumeration compares the answers about random designs and their mutants with
// those of another enumeration, and lets the second opinion confirm what they rest on.
func TestAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	ctx := context.Background()
	holds, fails, declined, ranked := 0, 0, 0, 0
	for range 400 {
		shape := randaig.Everything()
		shape.ResetFunction = r.IntN(8) == 0
		shape.Ands, shape.Constraints = 16, r.IntN(2)
		f := randaig.New(r, shape)
		n := netlist.FromAIGER(f)
		gates := f.GateLiterals()
		for j := range f.Justice {
			number := len(n.Properties()) - len(f.Justice) + j
			rounds := r.IntN(3)
			translated, err := liveness.Safety(f, j, rounds)
			if err != nil {
				t.Fatal(err)
			}
			layout := liveness.LayoutOf(f, j, rounds)
			targets := []mutant.Target{}
			for i := range f.Latches {
				targets = append(targets, mutant.Target{Index: i})
			}
			for i := range f.Ands {
				targets = append(targets, mutant.Target{Gate: true, Index: i})
			}
			mux := mutant.Mux(r.IntN(2))
			tn := netlist.FromAIGER(translated)
			model := netlist.Compile(tn, tn.Properties()[0].Bad, targets, mux)
			second := certify.NewJusticeChecker(f, j, rounds)
			answer := func(m *netlist.Model, fault sim.Fault, ms []certify.Mutation, truth bool) {
				s := New(m, layout)
				if s == nil {
					declined++
					return
				}
				trace, inv, done := s.Run(ctx)
				switch {
				case !done || trace == nil && inv == nil:
					t.Fatal("no answer")
				case (trace != nil) != truth:
					t.Fatalf("fails: %v, enumeration says %v", trace != nil, truth)
				case trace != nil:
					fails++
					if netlist.Replay(m, trace) != len(trace.Inputs)-1 {
						t.Fatal("the translation does not fail at the end of the trace")
					}
					if err := second.Trace(trace, ms...); err != nil {
						t.Fatal(err)
					}
				default:
					holds++
					if len(inv.Formulas) > 1 && len(s.states) > 2 {
						ranked++
					}
					if err := second.Invariant(ctx, inv, ms); err != nil {
						t.Fatal(err)
					}
				}
			}
			answer(model.Original(), sim.Fault{}, nil, explicit.Fails(f, number))
			for k, cut := range model.Cuts {
				force := netlist.Force(r.IntN(netlist.Forces))
				kind := []mutant.Fault{netlist.ForceZero: mutant.Zero, netlist.ForceOne: mutant.One, netlist.ForceFree: mutant.Nondet}[force]
				fault := sim.Fault{Kind: kind, Mux: mux}
				if cut.Target.Gate {
					fault.Var = gates[cut.Target.Index] >> 1
				} else {
					fault.Var = f.Latches[cut.Target.Index].Lit >> 1
				}
				covered, err := explicit.Covered(f, number, fault)
				if err != nil {
					t.Fatal(err)
				}
				answer(model.Mutant(k, force), fault, []certify.Mutation{{Gate: cut.Target.Gate, Index: cut.Target.Index, Fault: kind, Mux: mux}}, covered)
			}
		}
	}
	t.Log(holds, fails, declined, ranked)
	if holds < 500 || fails < 500 || declined == 0 || ranked < 200 {
		t.Error("the test says little")
	}
}

// TestManySteps: a counter of eight bits that stops at its end has 255 steps in which a
// literal may hold, and none for ever; one that goes round has a lasso.
func TestManySteps(t *testing.T) {
	for _, round := range []bool{false, true} {
		f := counter(8, round)
		tn, err := liveness.Safety(f, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		n := netlist.FromAIGER(tn)
		m := netlist.Compile(n, n.Properties()[0].Bad, nil, mutant.AtOutput)
		trace, inv, _ := New(m, liveness.LayoutOf(f, 0, 0)).Run(context.Background())
		second := certify.NewJusticeChecker(f, 0, 0)
		switch {
		case round && trace != nil:
			err = second.Trace(trace)
		case !round && inv != nil:
			err = second.Invariant(context.Background(), inv, nil)
		default:
			t.Fatalf("round %v: %v, %v", round, trace != nil, inv != nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// counter counts where its input is 1, and has the justice property that it is odd and
// counts. It stops where all bits are 1, or goes round.
func counter(bits int, round bool) *aiger.File {
	f := &aiger.File{MaxVar: uint32(1 + bits), Inputs: []aiger.Lit{2}}
	and := func(a, b aiger.Lit) aiger.Lit {
		f.MaxVar++
		f.Ands = append(f.Ands, aiger.And{Lhs: 2 * f.MaxVar, Rhs0: a, Rhs1: b})
		return 2 * f.MaxVar
	}
	bit := func(i int) aiger.Lit { return aiger.Lit(4 + 2*i) }
	top := bit(0)
	for i := 1; i < bits; i++ {
		top = and(top, bit(i))
	}
	carry := aiger.Lit(2)
	if !round {
		carry = and(2, top^1)
	}
	f.Justice = [][]aiger.Lit{{and(bit(0), carry)}}
	for i := range bits {
		both := and(bit(i), carry)
		either := and(bit(i)^1, carry^1)
		f.Latches = append(f.Latches, aiger.Latch{Lit: bit(i), Next: and(both^1, either^1)})
		carry = both
	}
	return f
}
