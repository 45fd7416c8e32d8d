package coverage

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/internal/randaig"
	"netcov/mutant"
	"netcov/netlist"
)

// TestCompact: what a compact result goes through are the mutants that there were.
func TestCompact(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 2))
	left := 0
	for range 400 {
		f := randaig.New(r, randaig.Shape{Inputs: 2, Latches: 6, Ands: 8, Bads: 2, ResetOne: true})
		n := netlist.FromAIGER(f)
		for p := range n.Properties() {
			opt := Options{Tests: []string{TestCone, TestSimulation, TestIC3}}
			if r.IntN(3) == 0 {
				opt.Tests = opt.Tests[1:]
			}
			if r.IntN(2) == 0 {
				opt.Faults = []mutant.Fault{mutant.One, mutant.Nondet}
			}
			res, err := Run(context.Background(), f, n, p, opt)
			if err != nil {
				t.Fatal(err)
			}
			var want, got []Mutant
			for _, m := range res.Mutants {
				want = append(want, *m)
			}
			res.Compact()
			for m := range res.All() {
				got = append(got, *m)
			}
			for i := range want {
				want[i].decided = 0
			}
			for i := range got {
				got[i].decided = 0
			}
			if !slices.Equal(got, want) {
				t.Fatalf("property %d: %v\nwant %v", p, got, want)
			}
			for _, n := range res.Left {
				left += n
			}
		}
	}
	if left < 20 {
		t.Errorf("only %d mutants were left out", left)
	}
}
