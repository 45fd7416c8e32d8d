package ltl

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/kripke/automaton"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

// TestHalvingOnLargerStructures compares structure and tree coverage with one model
// checking for each state, on structures with enough states for several halvings,
// most of which are not covered.
func TestHalvingOnLargerStructures(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 2))
	ctx := context.Background()
	covered, uncovered := map[Kind]int{}, map[Kind]int{}
	for range 6 * *count {
		k := withFairness(rng, random.Structure(rng, 12+rng.IntN(30), 2, 2))
		var wrong *automaton.Automaton
		if rng.IntN(2) == 0 {
			wrong = randomAutomaton(rng, k.AP)
		} else {
			wrong = negated(t, random.Formula(rng, formula.LTL, k.AP, 3))
		}
		if holds, err := satisfies(ctx, k, wrong); err != nil {
			t.Fatal(err)
		} else if !holds {
			continue
		}
		ck := checkedModel(t, k, wrong)
		for _, signal := range k.AP {
			for _, kind := range []Kind{StructureCoverage, TreeCoverage} {
				want, err := Naive(ctx, k, wrong, kind, signal, identity(k), k.Len())
				if err != nil {
					t.Fatal(err)
				}
				if got := byProduct(t, ck, kind, signal); !got.Equal(want) {
					t.Fatalf("%s coverage of %s: %v, naively %v\n%s", kind, signal, got.List(), want.List(), describe(k, formula.Formula{}))
				}
				covered[kind] += want.Count()
				uncovered[kind] += k.Len() - want.Count()
			}
		}
	}
	t.Logf("covered %v, uncovered %v", covered, uncovered)
	if covered[StructureCoverage] < 20 || uncovered[StructureCoverage] < 20 {
		t.Errorf("one-sided: covered %v, uncovered %v", covered, uncovered)
	}
}
