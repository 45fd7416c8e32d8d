package ltl

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/kripke/automaton"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

// bySymbolic finds the names of the covered states with decision diagrams and
// checks the number of variables.
func bySymbolic(t testing.TB, c *circuit.Circuit, a *automaton.Automaton, kind Kind, signal string) []string {
	t.Helper()
	return bySymbolicIn(t, c, a, kind, Flip{Signal: signal})
}

func bySymbolicIn(t testing.TB, c *circuit.Circuit, a *automaton.Automaton, kind Kind, flip Flip) []string {
	t.Helper()
	set, err := Symbolic(context.Background(), c, a, kind, flip, SymbolicOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v := set.Variables
	bits := len(c.Controls) + len(c.Inputs) + v.Automaton + v.Choice
	switch kind {
	case NodeCoverage:
		bits += 2
	case TreeCoverage:
		bits += len(c.Controls) + 1
	default:
		bits += len(c.Controls)
	}
	if v.Allocated != 2*bits {
		t.Fatalf("%s coverage uses %d variables, want 2 × %d: %+v", kind, v.Allocated, bits, v)
	}
	names := set.Names(1 << 20)
	if set.Count.Int64() != int64(len(names)) {
		t.Fatalf("%d names for %d states", len(names), set.Count)
	}
	slices.Sort(names)
	return names
}

// TestSymbolicStructures compares the instrumented models of structures, checked
// with decision diagrams, with the product algorithm.
func TestSymbolicStructures(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	ctx := context.Background()
	covered := 0
	for range *count {
		k, f, wrong := randomCase(t, rng)
		ck, err := NewChecker(ctx, mustModel(t, k, wrong.AP), wrong)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ck.Holds(); err != nil {
			t.Fatal(err)
		}
		c, err := EncodeStructure(k)
		if err != nil {
			t.Fatal(err)
		}
		if counterexample, err := SymbolicHolds(ctx, c, wrong, SymbolicOptions{}); err != nil || counterexample != nil {
			t.Fatalf("%v %v\n%s", err, counterexample, describe(k, f))
		}
		signal := k.AP[rng.IntN(len(k.AP))]
		for _, kind := range Kinds {
			want := cellNames(k.States, byProduct(t, ck, kind, signal))
			got := bySymbolic(t, c, wrong, kind, signal)
			if !slices.Equal(got, want) {
				t.Fatalf("%s coverage of %s: %v, want %v\n%s", kind, signal, got, want, describe(k, f))
			}
			covered += len(want)
		}
	}
	t.Logf("%d covered states", covered)
}

// TestSymbolicCircuits does the same for circuits, and checks counterexamples by
// the formula's own semantics.
func TestSymbolicCircuits(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	ctx := context.Background()
	covered, failing := 0, 0
	for done := 0; done < *count; {
		c := random.Circuit(rng, rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(2), true)
		if rng.IntN(3) == 0 { // fairness
			free := *c
			free.Fairness = append(free.Fairness, c.Outputs[rng.IntN(len(c.Outputs))].Lit)
			var err error
			if c, err = circuit.New(free); err != nil {
				t.Fatal(err)
			}
		}
		f := random.Formula(rng, formula.LTL, names(c), 2+rng.IntN(3))
		wrong := negated(t, f)
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
		counterexample, err := SymbolicHolds(ctx, c, wrong, SymbolicOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if (explicit == nil) != (counterexample == nil) {
			t.Fatalf("%s: explicit %v, symbolic %v", f, explicit, counterexample)
		}
		if counterexample != nil {
			failing++
			w := counterexample.Word()
			if w.Satisfies(f) || !wrong.Accepts(w) {
				t.Fatalf("%s: the counterexample %v is none", f, counterexample)
			}
			continue
		}
		done++
		signal := c.Signals()[rng.IntN(len(c.Signals()))]
		bySystem, err := IndicatorControlStates(ctx, c, NewIndicator(wrong, signal, len(c.Fairness)), SymbolicOptions{})
		if err != nil {
			t.Fatal(err)
		}
		reached, err := SymbolicReachable(ctx, c, SymbolicOptions{})
		if err != nil {
			t.Fatal(err)
		}
		checkNames(t, "reachable", reached.SymbolicSet, m.Cells)
		checkNames(t, "indicator", bySystem, cellNames(m.Cells, byProduct(t, ck, NodeCoverage, signal)))
		for _, kind := range Kinds {
			want := cellNames(m.Cells, byProduct(t, ck, kind, signal))
			got := bySymbolic(t, c, wrong, kind, signal)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %s coverage of %s: %v, want %v", f, kind, signal, got, want)
			}
			covered += len(want)
		}
	}
	t.Logf("%d covered control states, %d formulas failed", covered, failing)
}

func checkNames(t *testing.T, what string, got *SymbolicSet, want []string) {
	t.Helper()
	names := got.Names(1 << 20)
	slices.Sort(names)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(names, want) && len(names)+len(want) > 0 {
		t.Fatalf("%s: %v, want %v", what, names, want)
	}
}
