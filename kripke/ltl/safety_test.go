package ltl

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/kripke/automaton"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

// accepted reports whether a finite run leads the automaton into a state that
// accepts everything.
func accepted(a *automaton.Automaton, c *Computation) bool {
	terminal := a.Terminal()
	now := map[int]bool{}
	for _, s := range a.Initial {
		now[s] = true
	}
	for _, step := range c.Steps {
		next := map[int]bool{}
		for s := range now {
			for _, e := range a.Edges[s] {
				if a.Matches(e.Guard, step.Letter) {
					next[e.To] = true
				}
			}
		}
		now = next
	}
	for s := range now {
		if terminal[s] {
			return true
		}
	}
	return false
}

// TestSafety compares the SAT engines' node coverage with the product algorithm.
func TestSafety(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	ctx := context.Background()
	covered, failing, other := 0, 0, 0
	for done := 0; done < *count; {
		c := random.Circuit(rng, rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(2), true)
		f := random.Formula(rng, formula.LTL, names(c), 2+rng.IntN(2))
		if rng.IntN(2) == 0 {
			f = formula.Unary(formula.OpG, f)
		}
		wrong := negated(t, f)
		counterexample, err := SafetyHolds(ctx, c, wrong)
		if !wrong.IsTerminal() {
			if other++; !errors.Is(err, ErrNotSafety) {
				t.Fatalf("%s: %v", f, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		m, err := FromCircuit(ctx, c, wrong.AP, 0)
		if err != nil {
			t.Fatal(err)
		}
		ck, err := NewChecker(ctx, m, wrong)
		if err != nil {
			t.Fatal(err)
		}
		explicit, err := ck.Holds()
		if err != nil {
			t.Fatal(err)
		}
		if (explicit == nil) != (counterexample == nil) {
			t.Fatalf("%s: explicit %v, SAT %v", f, explicit, counterexample)
		}
		if counterexample != nil {
			if failing++; !accepted(wrong, counterexample) {
				t.Fatalf("%s: the counterexample %v is none", f, counterexample)
			}
			continue
		}
		done++
		signal := c.Signals()[rng.IntN(len(c.Signals()))]
		want := cellNames(m.Cells, byProduct(t, ck, NodeCoverage, signal))
		set, err := NodeBySAT(ctx, c, wrong, Flip{Signal: signal}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range set.Covered {
			got = append(got, s.Name)
			flips := 0
			for _, step := range s.Run.Steps {
				if step.Flipped {
					if flips++; step.State != s.Name {
						t.Fatalf("%s: the flip is in %s, not in %s", f, step.State, s.Name)
					}
				}
			}
			if flips != 1 || !accepted(wrong, s.Run) {
				t.Fatalf("%s: the run %v violates nothing", f, s.Run)
			}
		}
		slices.Sort(got)
		if !set.Complete || !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Fatalf("%s: node coverage of %s: %v, want %v, complete: %v", f, signal, got, want, set.Complete)
		}
		covered += len(got)
	}
	t.Logf("%d covered control states, %d formulas failed, %d are no safety formulas", covered, failing, other)
}
