package ltl

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

// TestNodeThreeWays compares node coverage by the product algorithm, by the
// instrumented model with decision diagrams, and by the indicator, on larger
// structures than the naive algorithm is compared on.
func TestNodeThreeWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	ctx := context.Background()
	covered, some := 0, 0
	var times [3]time.Duration
	for done := 0; done < *count; {
		k := withFairness(rng, random.Structure(rng, 8+rng.IntN(40), 3, 3))
		f := random.Formula(rng, formula.LTL, k.AP, 3+rng.IntN(3))
		wrong := negated(t, f)
		if wrong.Len() == 0 || len(wrong.AP) == 0 {
			continue
		}
		begin := time.Now()
		ck, err := NewChecker(ctx, mustModel(t, k, wrong.AP), wrong)
		if err != nil {
			t.Fatal(err)
		}
		if counterexample, err := ck.Holds(); err != nil {
			t.Fatal(err)
		} else if counterexample != nil {
			continue
		}
		done++
		signal := wrong.AP[rng.IntN(len(wrong.AP))]
		want := cellNames(k.States, byProduct(t, ck, NodeCoverage, signal))
		times[0] += time.Since(begin)

		begin = time.Now()
		c, err := EncodeStructure(k)
		if err != nil {
			t.Fatal(err)
		}
		if got := bySymbolic(t, c, wrong, NodeCoverage, signal); !slices.Equal(got, want) {
			t.Fatalf("node coverage of %s: %v by the instrumented model, %v by the product\n%s", signal, got, want, describe(k, f))
		}
		times[1] += time.Since(begin)

		begin = time.Now()
		set, err := IndicatorStates(ctx, k, NewIndicator(wrong, signal, len(k.Fair)))
		if err != nil {
			t.Fatal(err)
		}
		if got := cellNames(k.States, set); !slices.Equal(got, want) {
			t.Fatalf("node coverage of %s: %v by the indicator, %v by the product\n%s", signal, got, want, describe(k, f))
		}
		times[2] += time.Since(begin)
		covered += len(want)
		if len(want) > 0 {
			some++
		}
	}
	t.Logf("%d cases, %d with covered states, %d covered states; product %v, symbolic %v, indicator %v", *count, some, covered,
		times[0].Round(time.Millisecond), times[1].Round(time.Millisecond), times[2].Round(time.Millisecond))
}
