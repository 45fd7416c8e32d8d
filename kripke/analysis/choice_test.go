package analysis

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
	"netcov/kripke/ltl"
	"netcov/kripke/report"
)

// TestChoices: whatever auto chooses, diagrams at once, the product after diagrams that
// were given too little work, or diagrams and then SAT, has the verdicts and states of the
// product. Paths to uncovered states are as long as its paths.
func TestChoices(t *testing.T) {
	ctx := context.Background()
	defer func(few int) { fewStates = few }(fewStates)
	names := []string{"a", "b", "c", "go"}
	holds, paths, equal := 0, 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 77))
		text, _ := randomSMV(rng)
		spec := formula.Or(formula.Atom("o"), random.Formula(rng, formula.LTL, names, 2+rng.IntN(2)))
		if rng.IntN(2) == 0 {
			spec = formula.Unary(formula.OpG, formula.Or(formula.Atom("o"), random.Formula(rng, formula.LTL, names, 2)))
		}
		run := func(algorithm string, few, maxStates, nodes int) *report.LTL {
			fewStates = few
			r, err := LTL{
				Source: opened(t, "m.smv", text), Specs: []formula.Formula{spec}, Signals: []string{"o", "a"}, Algorithm: algorithm, Coverage: ltl.Kinds,
				MaxStates: maxStates, Room: Room{NodeLimit: nodes, Progress: func(string) {}},
			}.Run(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		want := run("product", 0, 0, 0)
		if want.Specs[0].Signals == nil {
			continue
		}
		for _, choice := range [][3]int{{1, 0, 0}, {1, 0, 40}, {1, 0, 200}, {1, 1, 0}} {
			got := run("auto", choice[0], choice[1], choice[2])
			if *want.Holds != *got.Holds {
				t.Fatalf("%v: %v, want %v of %s\n%s", choice, *got.Holds, *want.Holds, spec, text)
			}
			if !*got.Holds {
				continue
			}
			holds++
			for i, w := range want.Specs[0].Signals {
				g := got.Specs[0].Signals[i]
				sets := func(s report.LTLSignal) string {
					out := fmt.Sprint("no witness: ", s.Witness == nil && choice[2] == 0, s.Counts["uncovered"])
					for _, list := range []*[]string{s.Structure, s.Node, s.Tree, s.Uncovered} {
						out += fmt.Sprint(slices.Sorted(slices.Values(*list)))
					}
					return out
				}
				if len(*w.Node) > 0 && reflect.DeepEqual(w.Structure, w.Node) && reflect.DeepEqual(w.Node, w.Tree) {
					equal++
				}
				if sets(w) != sets(g) {
					t.Fatalf("%v: %+v\nwant %+v of %s for %s\n%s", choice, sets(g), sets(w), w.Name, spec, text)
				}
				if choice[2] > 0 {
					continue // there may be no room for paths
				}
				if (w.FirstUncovered == nil) != (g.FirstUncovered == nil) || w.FirstUncovered != nil && len(w.FirstUncovered.Steps) != len(g.FirstUncovered.Steps) {
					t.Fatalf("%v: path %+v, want %+v", choice, g.FirstUncovered, w.FirstUncovered)
				}
				if w.FirstUncovered != nil {
					paths++
				}
			}
		}
	}
	if holds < 40 || paths < 40 || equal < 40 {
		t.Errorf("%d specifications hold, %d paths, %d signals with equal notions", holds, paths, equal)
	}
}
