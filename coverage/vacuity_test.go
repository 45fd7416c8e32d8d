package coverage

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/netlist"
)

// TestLongestRun compares with the enumeration of all runs.
func TestLongestRun(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 1))
	shape := randaig.Everything()
	shape.Constraints = 4
	seen := map[int]int{}
	for range 6000 {
		f := randaig.New(r, shape)
		want, found := explicit.LongestRun(f, RunSteps)
		steps, ended := LongestRun(context.Background(), netlist.FromAIGER(f))
		if ended != found || ended && steps != want {
			t.Fatalf("%d steps, ended %v; by enumeration %d, %v\n%v", steps, ended, want, found, f)
		}
		if ended {
			seen[steps]++
		}
	}
	for steps := range 3 {
		if seen[steps] < 5 {
			t.Errorf("only %d designs whose runs end after %d steps", seen[steps], steps)
		}
	}
}

// TestConflict: the constraints of a conflict end every run where all of them do, and
// no longer where one of them is left out, by enumeration.
func TestConflict(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 2))
	shape := randaig.Everything()
	shape.Constraints = 5
	conflicts, smaller := 0, 0
	for range 4000 {
		f := randaig.New(r, shape)
		steps, ended := explicit.LongestRun(f, RunSteps)
		if !ended {
			continue
		}
		list := Conflict(context.Background(), netlist.FromAIGER(f), steps)
		ends := func(keep func(i int) bool) bool {
			g := *f
			g.Constraints = nil
			for i, at := range list {
				if keep(i) {
					g.Constraints = append(g.Constraints, f.Constraints[at])
				}
			}
			n, over := explicit.LongestRun(&g, RunSteps)
			return over && n <= steps
		}
		if len(list) == 0 || !ends(func(int) bool { return true }) {
			t.Fatalf("%v does not end every run after %d steps\n%+v", list, steps, f)
		}
		for one := range list {
			if ends(func(i int) bool { return i != one }) {
				t.Fatalf("%v: constraint %d can be left out\n%+v", list, list[one], f)
			}
		}
		conflicts++
		if len(list) < len(f.Constraints) {
			smaller++
		}
	}
	t.Log(conflicts, smaller)
	if conflicts < 100 || smaller < 20 {
		t.Error("the test says little")
	}
}
