package automaton

import (
	"math/rand/v2"
	"testing"

	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

// weakOf is the weak deterministic automaton of a formula, nil without one.
func weakOf(t *testing.T, f formula.Formula) *Automaton {
	t.Helper()
	raw, err := FromLTL(f, Options{Raw: true, MaxStates: 300, MaxEdges: 3000})
	if err != nil {
		return nil
	}
	w, err := raw.weak(func() (*Automaton, error) {
		no, err := FromLTL(formula.Not(f), Options{Raw: true, MaxStates: 300, MaxEdges: 3000})
		if err != nil {
			return nil, nil
		}
		// The same diagrams for both.
		for s := range no.Edges {
			for i, e := range no.Edges[s] {
				no.Edges[s][i].Guard = guardOf(raw.Guards, indexOf(raw.AP), no.GuardFormula(e.Guard))
			}
		}
		return no, nil
	}, never)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func indexOf(ap []string) map[string]int {
	index := map[string]int{}
	for i, p := range ap {
		index[p] = i
	}
	return index
}

// TestWeak compares weak deterministic automata with their formulas on random
// words, and looks for words that tell any two of their states apart, so that none
// of them is too many.
func TestWeak(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	found, accepted, refused, alike := 0, 0, 0, 0
	for range 3 * *count {
		ap := random.Names[:1+rng.IntN(2)]
		f := random.Formula(rng, formula.LTL, ap, 2+rng.IntN(3))
		w := weakOf(t, f)
		if w == nil {
			continue
		}
		found++
		for range 40 {
			word := randomWord(rng, ap, 4, 4)
			want := word.Satisfies(f)
			if want {
				accepted++
			} else {
				refused++
			}
			if w.Accepts(word) != want {
				t.Fatalf("%s: the weak automaton says %v on %v", f, !want, word)
			}
		}
		for _, es := range w.Edges {
			if w.overlap(es) {
				t.Fatalf("%s: not deterministic", f)
			}
		}
		if w.Len() > 6 {
			continue
		}
		for s := range w.Len() {
			for u := range s {
				differ := false
				for range 400 {
					word := randomWord(rng, ap, 4, 4)
					if w.sub([]int{s}, w.Sets, w.Edges).Accepts(word) != w.sub([]int{u}, w.Sets, w.Edges).Accepts(word) {
						differ = true
						break
					}
				}
				if !differ {
					alike++
					t.Logf("%s: states %d and %d of %d seem to be one", f, s, u, w.Len())
				}
			}
		}
	}
	t.Logf("%d of %d formulas are obligations; %d words accepted, %d refused", found, 3**count, accepted, refused)
	if found < *count || accepted < 1000 || refused < 1000 || alike > 0 {
		t.Errorf("%d obligations, %d and %d words, %d pairs of equal states", found, accepted, refused, alike)
	}
}

// TestObligations tells obligations from other properties.
func TestObligations(t *testing.T) {
	for _, c := range []struct {
		text   string
		states int // 0: no obligation
	}{
		{"G p", 1},
		{"F p", 2},
		{"G p | F q", 3},
		{"G (p -> X X q)", 4},
		{"G F p", 0},
		{"F G p", 0},
		{"G (p -> F q)", 0},
		{"G (q & F r -> (p U r))", 3},
	} {
		f, err := formula.Parse(c.text, formula.LTL)
		if err != nil {
			t.Fatal(err)
		}
		states := 0
		if w := weakOf(t, f); w != nil {
			states = w.Len()
		}
		if states != c.states {
			t.Errorf("%s: %d states, %d expected", c.text, states, c.states)
		}
	}
}

// TestManyStates reduces an automaton of a thousand states, none of which has an
// equal future, to the two that are needed.
func TestManyStates(t *testing.T) {
	f, err := formula.Parse(conjunction("F G p%d", " & ", 10), formula.LTL)
	if err != nil {
		t.Fatal(err)
	}
	a, err := FromLTL(f, Options{Raw: true})
	if err != nil {
		t.Fatal(err)
	}
	if r := must(a.reduce(never)); a.Len() != 1024 || r.Len() != 2 {
		t.Errorf("%d states became %d; 1024 should become 2", a.Len(), r.Len())
	}
}
