package ic3

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// TestJointRuns compares the verdicts of joint runs, in slices, with seeds and
// with mutants taken out on the way, with enumeration of each mutant, and checks
// all evidence: the invariant of a joint run must serve every mutant that is
// part of it at the end.
func TestJointRuns(t *testing.T) {
	rounds := 600
	if testing.Short() {
		rounds = 100
	}
	r := rand.New(rand.NewPCG(23, 24))
	var failed, held, conflicts, together int
	for range rounds {
		n := randomNetlist(r, 6, 40)
		var targets []mutant.Target
		for i := range n.Latches {
			targets = append(targets, mutant.Target{Index: i})
		}
		for i := range n.Gates {
			if r.IntN(4) == 0 {
				targets = append(targets, mutant.Target{Gate: true, Index: i})
			}
		}
		m := netlist.Compile(n, n.Bads[0].Lit, targets, mutant.Mux(r.IntN(2)))
		original := New(m, Options{}).Run(context.Background(), Budget{})
		if original.Status == cert.Fails {
			continue
		}
		var muts []Mutation
		for cut := range m.Cuts {
			for force := range netlist.Force(netlist.Forces) {
				if r.IntN(2) == 0 {
					muts = append(muts, Mutation{cut, force})
				}
			}
		}
		if len(muts) == 0 {
			continue
		}
		var seed []cert.Clause
		if r.IntN(2) == 0 {
			seed = append(original.Invariant.Clauses, randomClauses(r, m)...)
		}
		j := NewJoint(m, muts, Options{Seed: seed})
		gone := make([]bool, len(muts))
		for j.Left() > 0 {
			b := Budget{}
			if r.IntN(2) == 0 {
				b = Budget{Propagations: 1 + int64(r.IntN(40))}
			}
			inv, err := j.Run(context.Background(), b, func(v Failure) {
				if gone[v.Index] {
					t.Fatalf("verdict for %d, which has left", v.Index)
				}
				gone[v.Index] = true
				failed++
				mutant := m.Mutant(muts[v.Index].Cut, muts[v.Index].Force)
				checkResult(t, mutant, Result{Status: cert.Fails, Trace: v.Trace}, explicit(mutant))
			})
			if err != nil {
				t.Fatal(err)
			}
			if inv == nil {
				if r.IntN(8) == 0 {
					j.Halve()
				}
				continue
			}
			together = max(together, j.Left())
			for i, mut := range muts {
				if !j.In(i) {
					continue
				}
				held++
				mutant := m.Mutant(mut.Cut, mut.Force)
				if bad := explicit(mutant); bad >= 0 {
					t.Fatalf("%v was proved together with others, but fails after %d steps", mut, bad)
				}
				if !serves(m, mut, inv) {
					t.Fatalf("the joint invariant does not serve %v", mut)
				}
			}
			break
		}
		conflicts += len(j.Conflicts())
	}
	t.Logf("%d covered, %d held, %d conflicts, at most %d together", failed, held, conflicts, together)
	if failed == 0 || held == 0 || conflicts == 0 || together < 5 {
		t.Fatal("the random designs do not exercise joint runs")
	}
}

// serves tells by enumeration of all states and inputs whether an invariant is
// inductive on a mutant and keeps its bad states out. All latches of the model
// count, those too that the mutant does not depend on.
func serves(m *netlist.Model, mut Mutation, inv *cert.Invariant) bool {
	s := netlist.NewSimulator(m)
	in := make([]uint64, len(m.Inputs))
	state := make([]bool, len(m.Latches))
	for st := range uint64(1) << len(m.Latches) {
		for i := range state {
			state[i] = st>>i&1 == 1
		}
		holds := inv.Holds(state)
		if !holds && initial(m, state) {
			return false
		}
		for w := range uint64(2) << len(in) {
			for i := range state {
				s.SetState(i, st>>i&1)
			}
			for i := range in {
				in[i] = w >> i & 1
			}
			s.ClearFaults()
			value := w >> len(in)
			if mut.Force != netlist.ForceFree && value != uint64(mut.Force) {
				continue
			}
			s.SetFault(mut.Cut, 1, value)
			s.Eval(in)
			if !holds || s.Value(m.Constraint)&1 == 0 {
				continue
			}
			if s.Value(m.Bad)&1 == 1 {
				return false
			}
			s.Step()
			after := make([]bool, len(state))
			for i := range after {
				after[i] = s.State(i)&1 == 1
			}
			if !inv.Holds(after) {
				return false
			}
		}
	}
	return true
}

func initial(m *netlist.Model, state []bool) bool {
	for i, l := range m.Latches {
		if l.InCone && (l.Reset == netlist.Reset0 && state[i] || l.Reset == netlist.Reset1 && !state[i]) {
			return false
		}
	}
	return true
}
