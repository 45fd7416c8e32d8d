package certify

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"netcov/aiger/sim"
	"netcov/mutant"
)

// TestMissed compares the check of invariants of mutants that remember with enumeration
// of the mutant's own file, in which the memory is a latch like any other; also where
// such a mutant is checked together with others, whose memory stays at 0.
func TestMissed(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 21))
	accepted, refused := 0, 0
	for round := range rounds(6000) {
		f := randomFile(r)
		if len(f.Latches) == 0 || len(f.Latches) > 3 {
			continue
		}
		n := len(f.Latches)
		m := Mutation{Index: r.IntN(n), Fault: mutant.Missed, Mux: mutant.Mux(r.IntN(2))}
		g, err := sim.Mutant(f, sim.Fault{Var: f.Latches[m.Index].Lit >> 1, Kind: m.Fault, Mux: m.Mux})
		if err != nil {
			t.Fatal(err)
		}
		o := newOracle(g, 0, nil)
		reached, _ := o.search()
		inv := exact(reached, n+2, r.IntN(2) == 0)
		if r.IntN(2) == 0 {
			breakIt(r, inv, n+2)
		}
		want := o.fails(inv)
		// In the mutant's file the memory comes before "first frame".
		asked := inv.Renamed(func(i int) int { return map[int]int{n: n + 1, n + 1: n}[i] + map[bool]int{true: i}[i < n] })
		k := NewChecker(f, 0)
		k.Solver = Solver(r.IntN(30) / 14)
		err = k.Invariant(context.Background(), asked, []Mutation{m})
		var failure *Failure
		switch {
		case err == nil && len(want) > 0:
			t.Fatalf("round %d: accepted for %v, really %v\n%+v", round, m, want, f)
		case err == nil:
			accepted++
		case !errors.As(err, &failure):
			t.Fatal(err)
		case !want[failure.Condition]:
			t.Fatalf("round %d: %v, really %v\n%+v", round, err, want, f)
		default:
			refused++
		}
		other := Mutation{Index: r.IntN(n), Fault: []mutant.Fault{mutant.Zero, mutant.Nondet, mutant.Inverted}[r.IntN(3)], Mux: m.Mux}
		alone := k.Invariant(context.Background(), asked, []Mutation{other})
		both := k.Invariant(context.Background(), asked, []Mutation{m, other})
		if (both == nil) != (err == nil && alone == nil) {
			t.Fatalf("round %d: %v and %v together: %v, alone: %v, %v", round, m, other, both, err, alone)
		}
		family := []Member{{asked, []Mutation{m}}, {asked, []Mutation{other}}}
		if ok := k.Invariants(context.Background(), family) == nil; ok != (both == nil) {
			t.Fatalf("round %d: %v and %v as a family: %v, together: %v", round, m, other, ok, both)
		}
	}
	t.Log(accepted, refused)
	if accepted < rounds(500) || refused < rounds(500) {
		t.Error("the test says little")
	}
}
