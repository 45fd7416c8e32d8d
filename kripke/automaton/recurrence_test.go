package automaton

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

func conjunction(pattern, join string, n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf(pattern, i))
	}
	return strings.Join(parts, join)
}

// Families of fairness and persistence have automata of one or two states, and as
// many edges as there are sets of marks.
func TestRecurrenceSizes(t *testing.T) {
	for _, c := range []struct {
		text                string
		states, edges, sets int
	}{
		{conjunction("G F p%d", " & ", 8), 1, 256, 8},
		{"!((" + conjunction("G F p%d", " & ", 10) + ") -> G !q)", 2, 1026, 10},
		{conjunction("G F p%d", " | ", 10), 1, 2, 1},
		{conjunction("F G p%d", " & ", 10), 2, 3, 1},
		{"G (F p0 & F p1 & q)", 1, 4, 2},
		{"G F (p & X q)", 2, 4, 1},
	} {
		f, err := formula.Parse(c.text, formula.LTL)
		if err != nil {
			t.Fatal(err)
		}
		a, err := FromLTL(f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a.Len() > c.states || a.NumEdges() > c.edges || a.Sets > c.sets {
			t.Errorf("%.40s: %d states, %d edges, %d sets; at most %d, %d, %d are due", c.text, a.Len(), a.NumEdges(), a.Sets, c.states, c.edges, c.sets)
		}
	}
}

// Formulas in which G F stands over, beside and under other operators, on random
// words.
func TestRecurrenceOnWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 3))
	ap := random.Names[:3]
	accepted := [2]int{}
	for range 4 * *count {
		text := "x"
		for strings.Contains(text, "x") {
			shape := []string{"(G F x)", "(F G x)", "(x & x)", "(x | x)", "(x U x)", "(G x)", "(X x)", "(F x)", "(! x)"}[rng.IntN(9)]
			if len(text) > 40 || rng.IntN(4) == 0 {
				shape = ap[rng.IntN(3)]
			}
			text = strings.Replace(text, "x", shape, 1)
		}
		f, err := formula.Parse(text, formula.LTL)
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range []bool{true, false} {
			a, err := FromLTL(f, Options{Raw: raw, MaxStates: 3000, MaxEdges: 30000})
			if err != nil {
				continue
			}
			for range 20 {
				w := randomWord(rng, ap, 3, 4)
				want := w.Satisfies(f)
				if a.Accepts(w) != want {
					t.Fatalf("%s, raw %v: the automaton says %v on %v", text, raw, !want, w)
				}
				if want {
					accepted[1]++
				} else {
					accepted[0]++
				}
			}
		}
	}
	if min(accepted[0], accepted[1]) < 1000 {
		t.Errorf("one-sided: %v", accepted)
	}
}
