package report

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
)

// TestMerged: each box of a merged picture stands for states of one kind, and has their
// steps and no others; no state is lost.
func TestMerged(t *testing.T) {
	merged := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 22))
		g := random.Structure(rng, 5+rng.IntN(40), 1, 2)
		p := &picture{graph: g, signals: []string{"a", "b"}}
		for range g.Len() {
			class, covered := structure.Uncovered, []int(nil)
			if rng.IntN(4) == 0 {
				class, covered = structure.Covered, []int{rng.IntN(2)}
			}
			p.class, p.covered = append(p.class, class), append(p.covered, covered)
		}
		most := 3 + rng.IntN(20)
		q := p.merged(most)
		if q == p {
			continue
		}
		merged++
		if q.graph.Len() > most || q.whole != g.Len() {
			t.Fatalf("seed %d: %d boxes, at most %d are due; %d states of %d", seed, q.graph.Len(), most, q.whole, g.Len())
		}
		// The box of each state by names: a box of one state has its name, another one
		// counts its states.
		kinds := map[string]int{}
		initial := g.InitialSet()
		kind := func(p *picture, s int, first bool) string { return fmt.Sprint(p.class[s], p.covered[s], first) }
		for s := range g.Len() {
			kinds[kind(p, s, initial.Has(s))]++
		}
		boxes := q.graph.InitialSet()
		for s, name := range q.graph.States {
			var number, n int
			if _, err := fmt.Sscanf(name, "%d: %d states", &number, &n); err != nil {
				n = 1
			}
			kinds[kind(q, s, boxes.Has(s))] -= n
		}
		for k, n := range kinds {
			if n != 0 {
				t.Fatalf("seed %d: %d states of kind %s are lost", seed, n, k)
			}
		}
		steps := func(p *picture, first structure.Set) []string {
			var out []string
			for s := range p.graph.Len() {
				for _, to := range p.graph.Successors(s) {
					if a, b := kind(p, s, first.Has(s)), kind(p, int(to), first.Has(int(to))); a != b {
						out = append(out, a+" → "+b)
					}
				}
			}
			slices.Sort(out)
			return slices.Compact(out)
		}
		if got, want := steps(q, boxes), steps(p, initial); !slices.Equal(got, want) {
			t.Fatalf("seed %d: steps between kinds %v, not %v", seed, got, want)
		}
	}
	if merged < 50 {
		t.Errorf("only %d pictures were merged", merged)
	}
}
