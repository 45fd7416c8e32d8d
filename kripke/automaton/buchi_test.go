package automaton

import (
	"math/rand/v2"
	"testing"

	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

// TestBuchi compares automata whose states accept with those that they come from, on
// random words: the automata of formulas and random ones, with up to five sets.
func TestBuchi(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	accepted, refused, several := 0, 0, 0
	for n := range 6 * *count {
		var a *Automaton
		if n%2 == 0 {
			ap := random.Names[:1+rng.IntN(3)]
			a = must(FromLTL(random.Formula(rng, formula.LTL, ap, 2+rng.IntN(4)), Options{}))
		} else {
			a = randomAutomaton(rng)
		}
		if a.Sets > 1 {
			several++
		}
		b := must(a.Buchi(never))
		if b.Sets != 1 || !b.StateBased() {
			t.Fatalf("%d sets, on states %v", b.Sets, b.StateBased())
		}
		for range 30 {
			word := randomWord(rng, a.AP, 4, 5)
			want := a.Accepts(word)
			if b.Accepts(word) != want {
				t.Fatalf("case %d: %v is accepted %v, want %v", n, word, !want, want)
			}
			if want {
				accepted++
			} else {
				refused++
			}
		}
	}
	if several < *count || accepted < 10**count || refused < 10**count {
		t.Errorf("%d automata with several sets, %d words accepted, %d refused", several, accepted, refused)
	}
}
