package proof

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestFewestTrue compares the optimum with all assignments.
func TestFewestTrue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	for range 1000 {
		vars := 1 + r.IntN(8)
		var clauses [][]int
		for range r.IntN(12) {
			var c []int
			for v := 1; v <= vars; v++ {
				switch r.IntN(6) {
				case 0, 1:
					c = append(c, v)
				case 2:
					c = append(c, -v)
				}
			}
			if len(c) > 0 {
				clauses = append(clauses, c)
			}
		}
		least := -1
		for x := range 1 << vars {
			model := make([]bool, vars)
			for v := range model {
				model[v] = x>>v&1 == 1
			}
			if n := bits.OnesCount(uint(x)); isModel(model, clauses) && (least < 0 || n < least) {
				least = n
			}
		}
		model, best := FewestTrue(context.Background(), vars, clauses)
		got := -1
		if model != nil {
			got = 0
			for _, b := range model {
				if b {
					got++
				}
			}
		}
		if got != least || !best {
			t.Fatalf("%v over %d variables: %d true, the optimum has %d", clauses, vars, got, least)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if model, best := FewestTrue(ended, 1, [][]int{{1}}); model != nil || best {
		t.Error("an answer after the end of time")
	}
}
