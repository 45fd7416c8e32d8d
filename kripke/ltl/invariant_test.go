package ltl

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

// TestInvariantNotions: where the automaton is that of an invariant, structure, node and
// tree coverage are the same, with fairness too; and automata of G p are seen to be.
func TestInvariantNotions(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	ctx := context.Background()
	invariants, covered, others := 0, 0, 0
	for range 3 * *count {
		k, f, wrong := randomCase(t, rng)
		if rng.IntN(2) == 0 { // some invariant that holds
			for {
				f = random.Formula(rng, formula.LTL, k.AP, 2)
				if !f.Propositional() {
					continue
				}
				if p := formula.Unary(formula.OpG, f); rng.IntN(3) == 0 {
					f = formula.And(p, formula.Unary(formula.OpG, formula.Atom(k.AP[0])))
				} else {
					f = p
				}
				wrong = negated(t, f)
				if ok, err := satisfies(ctx, k, wrong); err != nil {
					t.Fatal(err)
				} else if ok {
					break
				}
				k, _, _ = randomCase(t, rng)
			}
			if wrong.Len() == 2 && !wrong.IsInvariant() {
				t.Fatalf("the automaton of ¬(%s) is no invariant", f)
			}
		}
		if !wrong.IsInvariant() {
			others++
			continue
		}
		invariants++
		ck := checkedModel(t, k, wrong)
		for _, signal := range k.AP {
			node := byProduct(t, ck, NodeCoverage, signal)
			covered += node.Count()
			for _, kind := range Kinds {
				naive, err := Naive(ctx, k, wrong, kind, signal, identity(k), k.Len())
				if err != nil {
					t.Fatal(err)
				}
				if !naive.Equal(node) {
					t.Fatalf("%s coverage of %s is %v, node coverage %v\n%s", kind, signal, naive.List(), node.List(), describe(k, f))
				}
			}
		}
	}
	if invariants < *count/2 || covered < *count/4 || others < *count/2 {
		t.Errorf("%d invariants with %d covered states, %d others", invariants, covered, others)
	}
}
