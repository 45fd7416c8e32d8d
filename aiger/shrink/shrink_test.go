package shrink

import (
	"math/rand/v2"
	"testing"

	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
)

// TestSmall: a failing property shrinks to a file with hardly anything in it,
// which still fails.
func TestSmall(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for seen := 0; seen < 50; {
		f := randaig.New(r, randaig.Everything())
		fails := func(f *aiger.File) bool {
			return len(f.Bads) > 0 && explicit.Fails(f, 0)
		}
		if !fails(f) {
			continue
		}
		seen++
		g := File(f, fails)
		if !fails(g) {
			t.Fatal("the small file does not fail")
		}
		if len(g.Bads) != 1 || len(g.Ands)+len(g.Latches)+len(g.Inputs)+len(g.Constraints) != 0 {
			t.Errorf("%d gates, %d latches, %d inputs left", len(g.Ands), len(g.Latches), len(g.Inputs))
		}
	}
}
