package automaton

import (
	"flag"
	"math/rand/v2"
	"testing"

	"netcov/kripke/bdd"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

var count = flag.Int("count", 200, "random cases of each property")

func randomWord(rng *rand.Rand, ap []string, prefix, loop int) *Word {
	letter := func() []bool {
		l := make([]bool, len(ap))
		for i := range l {
			l[i] = rng.IntN(2) == 0
		}
		return l
	}
	w := &Word{AP: ap}
	for range rng.IntN(prefix + 1) {
		w.Prefix = append(w.Prefix, letter())
	}
	for range 1 + rng.IntN(loop) {
		w.Loop = append(w.Loop, letter())
	}
	return w
}

// TestTranslationOnWords compares every stage of the translation with the
// formula's own value on random ultimately periodic words.
func TestTranslationOnWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	accepted, refused := 0, 0
	for range *count {
		ap := random.Names[:1+rng.IntN(3)]
		f := random.Formula(rng, formula.LTL, ap, 2+rng.IntN(4))
		raw, err := FromLTL(f, Options{Raw: true, MaxStates: 3000, MaxEdges: 30000})
		if err != nil {
			continue
		}
		reduced, err := FromLTL(f, Options{})
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		stages := map[string]*Automaton{
			"raw": raw, "raw reduced": must(raw.reduce(never)), "reduced": reduced,
		}
		rewritten := newRewriter(bdd.New(len(reduced.AP), bdd.Options{}), map[string]int{}, nil)
		for p, name := range formula.Atoms(f) {
			rewritten.index[name] = p
		}
		g := rewritten.rewrite(f)
		for range 25 {
			w := randomWord(rng, ap, 4, 4)
			want := w.Satisfies(f)
			if want {
				accepted++
			} else {
				refused++
			}
			if w.Satisfies(g) != want {
				t.Fatalf("%s rewritten to %s: differs on %v", f, g, w)
			}
			for name, a := range stages {
				if a.Accepts(w) != want {
					t.Fatalf("%s: %s: the automaton says %v, the formula %v on %v", f, name, !want, want, w)
				}
			}
		}
	}
	t.Logf("%d words satisfy their formula, %d do not", accepted, refused)
	if accepted < 1000 || refused < 1000 {
		t.Errorf("the sample is one-sided")
	}
}
