package coverage

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/internal/explicit"
	"netcov/internal/randaig"
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
