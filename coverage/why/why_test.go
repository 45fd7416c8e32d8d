package why

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"netcov/aig"
	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/aiger/sim"
	"netcov/certify"
	"netcov/ic3"
	"netcov/mutant"
	"netcov/netlist"
)

// sample is a random design with the properties that hold on it and the mutants that
// none of them notices.
type sample struct {
	Problem
	mutants []Mutant
}

// draw makes a sample; false where the design has no property that holds, or none but
// covered mutants. Invariants come from IC3; some are left out.
func draw(t *testing.T, r *rand.Rand) (*sample, bool) {
	shape := randaig.Everything()
	shape.Symbols = false
	if r.IntN(2) == 0 {
		shape.Justice, shape.Fairness = 0, 0
	}
	shape.Constraints = r.IntN(3)
	f := randaig.New(r, shape)
	n := netlist.FromAIGER(f)
	s := &sample{Problem: Problem{File: f, Netlist: n, Mux: mutant.Mux(r.IntN(2)), Observe: certify.Observation(r.IntN(3))}}
	if s.Observe == certify.ObserveOutputs && len(f.Bads) == 0 {
		s.Observe = certify.ObserveDefault
	}
	var bads []aig.Lit
	for i, p := range n.Properties() {
		if !explicit.Fails(f, i) {
			s.Properties = append(s.Properties, i)
			if p.Kind != netlist.PropertyJustice {
				bads = append(bads, p.Bad)
			}
		}
	}
	if len(s.Properties) == 0 {
		return nil, false
	}
	var targets []mutant.Target
	for i := range n.Latches {
		targets = append(targets, mutant.Target{Index: i})
	}
	for i := range n.Gates {
		targets = append(targets, mutant.Target{Gate: true, Index: i})
	}
	model := netlist.CompileSet(n, bads, targets, s.Mux, mutant.Faults()...)
	invariants := len(bads) > 0 && r.IntN(3) > 0
	if invariants {
		s.Invariant = ic3.New(model.Original(), ic3.Options{}).Run(context.Background(), ic3.Budget{}).Invariant
	}
	for _, target := range targets {
		for _, fault := range n.FaultsAt([]mutant.Target{target}) {
			m := Mutant{Target: target, Fault: fault}
			sf := sim.Fault{Var: variable(f, target), Kind: fault, Mux: s.Mux}
			covered := false
			for _, p := range s.Properties {
				c, err := explicit.Covered(f, p, sf)
				if err != nil {
					t.Fatal(err)
				}
				covered = covered || c
			}
			if covered {
				continue
			}
			if cut, force, inside := model.Find(target, fault); inside && invariants && r.IntN(3) > 0 {
				m.Invariant = ic3.New(model.Mutant(cut, force), ic3.Options{}).Run(context.Background(), ic3.Budget{}).Invariant
			}
			s.mutants = append(s.mutants, m)
		}
	}
	return s, len(s.mutants) > 0
}

func variable(f *aiger.File, t mutant.Target) uint32 {
	if !t.Gate {
		return f.Latches[t.Index].Lit >> 1
	}
	for i, a := range f.Ands {
		if f.AndPosition(i) == t.Index {
			return a.Lhs >> 1
		}
	}
	panic("no such gate")
}

// truth is the reason by enumeration, and the last step of the shortest gap.
func (s *sample) truth(t *testing.T, m Mutant) (mutant.Reason, int) {
	t.Helper()
	fault := sim.Fault{Var: variable(s.File, m.Target), Kind: m.Fault, Mux: s.Mux}
	x, err := explicit.Compare(s.File, s.Properties, fault, s.Observe.Points(s.File, fault.Var))
	if err != nil {
		t.Fatal(err)
	}
	return x.Reason(), x.Shortest
}

// TestAgainstEnumeration: the reason of each mutant is the one that enumeration of all
// pairs of states gives.
func TestAgainstEnumeration(t *testing.T) {
	rounds := 1500
	if testing.Short() {
		rounds = 400
	}
	r := rand.New(rand.NewPCG(17, 1))
	count := map[mutant.Reason]int{}
	live := map[mutant.Reason]int{} // of those only justice properties hold for
	for round := range rounds {
		s, ok := draw(t, r)
		if !ok {
			continue
		}
		found, err := Explain(context.Background(), s.Problem, s.mutants, Options{Opinion: certify.Solver(r.IntN(20) / 19)})
		if err != nil {
			t.Fatalf("round %d: %v\n%+v", round, err, s.File)
		}
		for i, m := range s.mutants {
			want, shortest := s.truth(t, m)
			got := found[i]
			count[got.Reason]++
			if bads, _, _ := s.File.Properties(); s.Properties[0] >= len(bads) {
				live[got.Reason]++
			}
			if got.Reason != want {
				t.Fatalf("round %d: %v (mux %v, observed %v) is %v, really %v\n%+v", round, m, s.Mux, s.Observe.In(s.File), got.Reason, want, s.File)
			}
			if want != mutant.Gap {
				continue
			}
			if depth := len(got.Witness.Inputs) - 1; depth != shortest {
				t.Fatalf("round %d: %v has a gap of %d steps, the shortest has %d", round, m, depth, shortest)
			}
			checkWitness(t, s, m, got.Witness)
		}
	}
	t.Log(count, live)
	for _, reason := range []mutant.Reason{mutant.Outside, mutant.Constant, mutant.Equivalent, mutant.Vacuous, mutant.Gap} {
		if count[reason] < 20 || live[reason] < 20 {
			t.Errorf("%d and %d mutants are %v: the test says little", count[reason], live[reason], reason)
		}
	}
	if count[mutant.Open] > 0 {
		t.Errorf("%d mutants are open without a budget", count[mutant.Open])
	}
}

// TestBudget: a run without time leaves mutants open, without evidence, and says nothing
// wrong.
func TestBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 2))
	for range 200 {
		s, ok := draw(t, r)
		if !ok {
			continue
		}
		found, err := Explain(context.Background(), s.Problem, s.mutants, Options{Budget: time.Duration(1 + r.IntN(2_000_000)), Proofs: true})
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range s.mutants {
			if x := &found[i]; x.Reason == mutant.Open && (x.Invariant != nil || x.Witness != nil) {
				t.Fatalf("%v is open, and has evidence", m)
			}
			if want, _ := s.truth(t, m); found[i].Reason != mutant.Open && found[i].Reason != want {
				t.Fatalf("%v is %v, really %v", m, found[i].Reason, want)
			}
		}
	}
}

// checkWitness puts all values in the place of each x, where these are few; each trace
// must show the gap.
func checkWitness(t *testing.T, s *sample, m Mutant, w *aiger.Witness) {
	t.Helper()
	k := certify.NewComparison(s.File, s.Observe, certify.Gini, s.Properties...)
	mutation := certify.Mutation{Gate: m.Target.Gate, Index: m.Target.Index, Fault: m.Fault, Mux: s.Mux}
	var free []*aiger.Ternary
	copied := *w
	copied.Init, copied.Inputs = slices.Clone(w.Init), nil
	for _, row := range w.Inputs {
		copied.Inputs = append(copied.Inputs, slices.Clone(row))
	}
	w = &copied
	for i := range w.Init {
		if w.Init[i] == aiger.Unknown && !s.File.Latches[i].HasResetFunction() {
			free = append(free, &w.Init[i])
		}
	}
	for _, row := range w.Inputs {
		for i := range row {
			if row[i] == aiger.Unknown {
				free = append(free, &row[i])
			}
		}
	}
	if len(free) > 8 {
		free = free[:8]
	}
	for code := range 1 << len(free) {
		for i, p := range free {
			*p = aiger.Ternary(code >> i & 1)
		}
		if err := k.Gap(w, mutation); err != nil {
			t.Fatalf("%v: %v with x as %b\n%+v\n%+v", m, err, code, w, s.File)
		}
	}
}
