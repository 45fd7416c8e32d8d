package coverage

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/proof"
)

// TestLemmas compares the clauses of a growing pool that are inductive on each mutant with
// enumeration.
func TestLemmas(t *testing.T) {
	ctx := context.Background()
	mutants, left, dropped := 0, 0, 0
	randomSets(t, 17, rounds(t, 60), func(o *setOracle, r *rand.Rand) {
		p := r.IntN(len(o.properties))
		m := netlist.Compile(o.n, o.n.Properties()[p].Bad, o.targets, o.place)
		if len(m.Latches)+len(m.Inputs) > 10 {
			return
		}
		var all []cert.Clause
		for range 10 {
			all = append(all, randomClauses(r, m).Clauses...)
		}
		l := newLemmas(newSubsetQuery(proof.NewCDCL(proof.Options{}), m, &cert.Invariant{}))
		for _, n := range []int{len(all) / 3, len(all)} {
			pool := all[:n]
			if !l.extend(ctx, pool) {
				t.Fatal("not extended")
			}
			for cut := range m.Cuts {
				for _, fault := range mutant.Faults() {
					_, force, _ := m.Find(m.Cuts[cut].Target, fault)
					x := &Mutant{Target: m.Cuts[cut].Target, Fault: fault, cut: cut, force: force}
					model := m.Mutant(cut, force)
					in := make([]bool, n)
					asked := &cert.Invariant{}
					for i, c := range pool {
						if in[i] = lemmaOf(model, c); in[i] {
							asked.Clauses = append(asked.Clauses, c)
						}
					}
					naive, _ := naiveLargest(m, cut, force, asked)
					var want, got []cert.Clause
					for i, c := range asked.Clauses {
						if naive[i] {
							want = append(want, c)
						}
					}
					if r.IntN(2) == 0 {
						l.q.near.initial(m, x, in)
					}
					if _, ok := l.inductive(ctx, x, in); !ok {
						t.Fatal("the time is over")
					}
					for i, c := range pool {
						if in[i] {
							got = append(got, c)
						}
					}
					if !slices.EqualFunc(got, want, slices.Equal[cert.Clause]) {
						t.Fatalf("%v: %v, enumeration leaves %v", x, got, want)
					}
					mutants, left, dropped = mutants+1, left+len(got), dropped+len(asked.Clauses)-len(got)
				}
			}
		}
	})
	t.Log(mutants, left, dropped)
	if mutants == 0 || left == 0 || dropped == 0 {
		t.Error("the test says little")
	}
}
