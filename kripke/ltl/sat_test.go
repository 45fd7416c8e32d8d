package ltl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aig"
	"netcov/kripke/automaton"
	"netcov/kripke/circuit"
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

// TestSAT compares the SAT engines' coverage with the product algorithm.
func TestSAT(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	ctx := context.Background()
	tally := map[string]int{}
	for done := 0; done < 8**count; {
		c := random.Circuit(rng, rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(2), true)
		if rng.IntN(4) == 0 {
			c = fairCircuit(t, rng, c)
		}
		f := random.Formula(rng, formula.LTL, names(c), 2+rng.IntN(2))
		if rng.IntN(2) == 0 {
			f = formula.Unary(formula.OpG, f)
		}
		wrong := negated(t, f)
		p := NewSAT(c, wrong)
		counterexample, err := p.Holds(ctx)
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
			if tally["fails"]++; !violates(wrong, counterexample) {
				t.Fatalf("%s: the counterexample %v is none", f, counterexample)
			}
			continue
		}
		done++
		if !wrong.IsTerminal() || len(c.Fairness) > 0 {
			tally["lasso"]++
		}
		signal := c.Signals()[rng.IntN(len(c.Signals()))]
		kind := Kinds[rng.IntN(len(Kinds))]
		if rng.IntN(2) == 0 {
			kind = NodeCoverage
		}
		want := cellNames(m.Cells, byProduct(t, ck, kind, signal))
		set, err := p.Cover(ctx, kind, Flip{Signal: signal}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !set.Complete {
			t.Fatalf("%s: not complete", f)
		}
		sameSet(t, wrong, set, m.Reachable(), want, fmt.Sprintf("%s: %s coverage of %s", f, kind, signal))
		tally[kind.String()] += len(want)
		path, err := p.Uncovered(ctx, cubesOf(set))
		if err != nil {
			t.Fatal(err)
		}
		outside := func(name string) bool {
			return !slices.ContainsFunc(cubesOf(set), func(q Cube) bool { return q.Has(bitsOf(name)) })
		}
		nearest := m.Nearest(func(cell int) bool { return outside(m.Cells[cell]) })
		switch {
		case (path == nil) != (nearest == nil) || path != nil && len(path.Steps) != len(nearest.Steps):
			t.Fatalf("%s: the nearest uncovered state is at %v, by SAT at %v", f, nearest, path)
		case path == nil:
			tally["all covered"]++
		default:
			if last := path.Steps[len(path.Steps)-1].State; !outside(last) || !slices.Contains(m.Reachable(), last) {
				t.Fatalf("%s: %s is covered or unreachable", f, last)
			}
			tally["paths"]++
			if len(path.Steps) > 1 {
				tally["longer paths"]++
			}
		}
		for _, s := range set.Covered {
			if tally["cubes"]++; s.Cube.Whole {
				tally["whole cubes"]++
			}
		}
	}
	t.Log(tally)
	if !testing.Short() && (tally["fails"] < 20 || tally["lasso"] < 20 || tally["whole cubes"] < 20 || tally["cubes"] < tally["whole cubes"]+5 || tally["structure"] < 5) {
		t.Errorf("the cases are one-sided: %v", tally)
	}
}

// fairCircuit gives a circuit a fairness literal.
func fairCircuit(t *testing.T, rng *rand.Rand, c *circuit.Circuit) *circuit.Circuit {
	t.Helper()
	d := *c
	l := c.Controls[rng.IntN(len(c.Controls))].Lit
	if len(c.Inputs) > 0 {
		l = c.Graph.Or(l, c.Inputs[rng.IntN(len(c.Inputs))].Lit)
	}
	d.Fairness = []aig.Lit{l}
	done, err := circuit.New(d)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// violates reports whether an automaton of wrong behaviours accepts a run, finite or not.
func violates(wrong *automaton.Automaton, run *Computation) bool {
	if run.Loop == len(run.Steps) {
		return accepted(wrong, run)
	}
	return wrong.Accepts(run.Word())
}

// sameSet checks what the SAT engines found against the covered control states.
func sameSet(t *testing.T, wrong *automaton.Automaton, set *SATSet, reachable, want []string, what string) {
	t.Helper()
	if set.Doubt != nil || set.Refused > 0 {
		t.Fatalf("%s: %v, %d cubes refused", what, set.Doubt, set.Refused)
	}
	if !set.Complete {
		t.Fatalf("%s: not complete", what)
	}
	for _, s := range set.Covered {
		for _, step := range s.Run.Steps {
			if step.Flipped && step.State != s.Name {
				t.Fatalf("%s: a flip is in %s, not in %s", what, step.State, s.Name)
			}
		}
		if !violates(wrong, s.Run) || !slices.Contains(want, s.Name) {
			t.Fatalf("%s: %s is none of %v, by %v", what, s.Name, want, s.Run)
		}
	}
	for _, name := range reachable {
		state := make([]bool, len(name))
		for i := range name {
			state[i] = name[i] == '1'
		}
		whole, some := false, false
		for _, s := range set.Covered {
			some = some || s.Cube.Has(state)
			whole = whole || s.Cube.Whole && s.Cube.Has(state)
		}
		if covered := slices.Contains(want, name); whole && !covered || covered && !some {
			t.Fatalf("%s: %v by cubes %v", what, want, set.Covered)
		}
	}
}

func cubesOf(set *SATSet) []Cube {
	var out []Cube
	for _, s := range set.Covered {
		out = append(out, s.Cube)
	}
	return out
}
