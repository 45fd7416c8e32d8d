package coverage

import (
	"context"
	"math/rand/v2"
	"testing"
)

// TestProgress: the first call comes before any property is proved, answers and decided
// mutants only grow, and all properties are answered before a test begins.
func TestProgress(t *testing.T) {
	randomSets(t, 41, 40, func(o *setOracle, _ *rand.Rand) {
		var seen []Progress
		opt := Options{Targets: o.targets, Faults: o.n.FaultsAt(o.targets), Mux: o.place, Progress: func(p Progress) { seen = append(seen, p) }}
		if _, err := RunSet(context.Background(), o.f, o.n, o.properties, opt); err != nil {
			t.Fatal(err)
		}
		if len(seen) == 0 || seen[0] != (Progress{Stage: StageProving, Properties: len(o.properties)}) {
			t.Fatalf("the first is %+v", seen)
		}
		for i, p := range seen[1:] {
			before := seen[i]
			switch {
			case p.Stage == StageProving && (p.Answered < before.Answered || before.Mutants > 0),
				p.Stage != StageProving && before.Stage == StageProving && before.Answered != before.Properties,
				p.Stage != StageProving && p.Decided < before.Decided:
				t.Fatalf("%+v after %+v", p, before)
			}
		}
	})
}
