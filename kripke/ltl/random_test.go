package ltl

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"netcov/kripke/automaton"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
)

var count = flag.Int("count", 60, "random cases of each property")

// withFairness adds up to two Büchi sets to half of the structures.
func withFairness(rng *rand.Rand, k *structure.Structure) *structure.Structure {
	if rng.IntN(2) == 0 {
		return k
	}
	for range 1 + rng.IntN(2) {
		f := structure.NewSet(k.Len())
		for s := range k.Len() {
			if rng.IntN(3) == 0 {
				f.Add(s)
			}
		}
		k.Fair = append(k.Fair, f)
	}
	return k
}

// randomCase draws a structure and an automaton of wrong behaviours, from a
// formula or directly, such that the specification holds. The formula is the
// zero value in the second case.
func randomCase(t testing.TB, rng *rand.Rand) (*structure.Structure, formula.Formula, *automaton.Automaton) {
	t.Helper()
	for {
		k := withFairness(rng, random.Structure(rng, 2+rng.IntN(6), 2, 3))
		var f formula.Formula
		var wrong *automaton.Automaton
		if rng.IntN(4) > 0 {
			f = random.Formula(rng, formula.LTL, k.AP, 2+rng.IntN(3))
			wrong = negated(t, f)
		} else {
			wrong = randomAutomaton(rng, k.AP)
		}
		if wrong.Len() == 0 && rng.IntN(20) > 0 {
			continue // valid formulas cover nothing
		}
		holds, err := satisfies(context.Background(), k, wrong)
		if err != nil {
			t.Fatal(err)
		}
		if holds {
			return k, f, wrong
		}
	}
}

func randomAutomaton(rng *rand.Rand, ap []string) *automaton.Automaton {
	n := 1 + rng.IntN(4)
	a := &automaton.Automaton{AP: ap, Sets: rng.IntN(3), Guards: bdd.New(len(ap), bdd.Options{})}
	onStates := rng.IntN(2) == 0
	for range n {
		mark := automaton.Marks(rng.Uint64()) & automaton.AllMarks(a.Sets)
		var es []automaton.Edge
		for range rng.IntN(4) {
			if !onStates {
				mark = automaton.Marks(rng.Uint64()) & automaton.AllMarks(a.Sets)
			}
			guard := bdd.True
			for v := range ap {
				if x := rng.IntN(3); x < 2 {
					guard = a.Guards.And(guard, a.Guards.Literal(v, x == 0))
				}
			}
			es = append(es, automaton.Edge{Guard: guard, To: rng.IntN(n), Acc: mark})
		}
		a.Edges = append(a.Edges, es)
	}
	for range 1 + rng.IntN(2) {
		a.Initial = append(a.Initial, rng.IntN(n))
	}
	return a
}

func describe(k *structure.Structure, f formula.Formula) string {
	s := fmt.Sprintf("formula %s, initial %v, fairness %d\n", f, k.Initial, len(k.Fair))
	for w := range k.Len() {
		s += fmt.Sprintf("  %s %v -> %v", k.States[w], k.Label(w), k.Successors(w))
		for _, f := range k.Fair {
			s += fmt.Sprint(" ", f.Has(w))
		}
		s += "\n"
	}
	return s
}

func identity(k *structure.Structure) []int {
	class := make([]int, k.Len())
	for s := range class {
		class[s] = s
	}
	return class
}

// checkedModel is the checker of a structure that has been model checked.
func checkedModel(t *testing.T, k *structure.Structure, wrong *automaton.Automaton) *Checker {
	t.Helper()
	ck, err := NewChecker(context.Background(), mustModel(t, k, wrong.AP), wrong)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ck.Holds(); err != nil {
		t.Fatal(err)
	}
	return ck
}

// TestProductAgainstNaive compares the product algorithm with one model checking
// for each state, on structures with and without fairness. It checks the
// inclusions of CKKV01 section 2.2, and by the formula's own semantics that each
// covered state has a computation on which the specification fails.
func TestProductAgainstNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	ctx := context.Background()
	sizes := map[Kind]int{}
	differ := 0
	for range *count * 4 {
		k, f, wrong := randomCase(t, rng)
		ck := checkedModel(t, k, wrong)
		for _, signal := range k.AP {
			sets := map[Kind]structure.Set{}
			for _, kind := range Kinds {
				want, err := Naive(ctx, k, wrong, kind, signal, identity(k), k.Len())
				if err != nil {
					t.Fatal(err)
				}
				sets[kind] = byProduct(t, ck, kind, signal)
				if !sets[kind].Equal(want) {
					t.Fatalf("%s coverage of %s: %v, naively %v\n%s", kind, signal, sets[kind].List(), want.List(), describe(k, f))
				}
				sizes[kind] += want.Count()
			}
			if !sets[StructureCoverage].SubsetOf(sets[TreeCoverage]) || !sets[NodeCoverage].SubsetOf(sets[TreeCoverage]) {
				t.Fatalf("structure or node covered states of %s are not tree covered\n%s", signal, describe(k, f))
			}
			if !sets[StructureCoverage].Equal(sets[NodeCoverage]) {
				differ++
			}
			checkWitnesses(t, ck, k, f, signal, sets)
		}
	}
	t.Logf("covered states: %v; structure and node coverage differ %d times", sizes, differ)
	if differ == 0 {
		t.Errorf("the sample does not tell structure coverage from node coverage")
	}
}

func checkWitnesses(t *testing.T, ck *Checker, k *structure.Structure, f formula.Formula, signal string, sets map[Kind]structure.Set) {
	t.Helper()
	for _, name := range ck.p.m.AP {
		if name != signal {
			continue
		}
		for kind, set := range sets {
			for w := range k.Len() {
				c, err := ck.Witness(kind, Flip{Signal: signal}, w)
				if err != nil {
					t.Fatal(err)
				}
				if (c != nil) != set.Has(w) {
					t.Fatalf("%s coverage of %s: state %d is covered: %v, but its computation is %v\n%s", kind, signal, w, set.Has(w), c, describe(k, f))
				}
				if c == nil {
					continue
				}
				flips := 0
				for i, s := range c.Steps {
					if s.Flipped {
						flips++
						if i >= c.Loop {
							flips += 100
						}
					}
				}
				if flips == 0 || kind == NodeCoverage && flips != 1 {
					t.Fatalf("%s coverage of %s: %d flips in %v\n%s", kind, signal, flips, c, describe(k, f))
				}
				word := c.Word()
				if !ck.p.a.Accepts(word) || f != (formula.Formula{}) && word.Satisfies(f) {
					t.Fatalf("%s coverage of %s: the computation %v violates nothing\n%s", kind, signal, c, describe(k, f))
				}
			}
		}
	}
}

// TestCircuitsAgainstNaive compares coverage of control states, computed on
// control states with a letter for each input, with the naive algorithm on the
// structure of states ⟨s, i⟩.
func TestCircuitsAgainstNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	ctx := context.Background()
	covered, failing := 0, 0
	for done := 0; done < *count; {
		c := random.Circuit(rng, rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(2), true)
		signals := names(c)
		f := random.Formula(rng, formula.LTL, signals, 2+rng.IntN(3))
		wrong := negated(t, f)
		m, err := FromCircuit(ctx, c, wrong.AP, 0)
		if err != nil {
			t.Fatal(err)
		}
		ck, err := NewChecker(ctx, m, wrong)
		if err != nil {
			t.Fatal(err)
		}
		counterexample, err := ck.Holds()
		if err != nil {
			t.Fatal(err)
		}
		k, err := c.Structure(circuit.StructureOptions{})
		if err != nil {
			t.Fatal(err)
		}
		holds, err := satisfies(ctx, k, wrong)
		if err != nil {
			t.Fatal(err)
		}
		if holds != (counterexample == nil) {
			t.Fatalf("%s: holds %v on the structure, but not on the control states", f, holds)
		}
		if counterexample != nil {
			failing++
			if w := counterexample.Word(); w.Satisfies(f) {
				t.Fatalf("%s: the counterexample %v is none", f, counterexample)
			}
			continue
		}
		done++
		width := 1 << len(c.Inputs)
		class := make([]int, k.Len())
		for s := range class {
			class[s] = s / width
		}
		for _, signal := range c.Signals() {
			for _, kind := range Kinds {
				want, err := Naive(ctx, k, wrong, kind, signal, class, k.Len()/width)
				if err != nil {
					t.Fatal(err)
				}
				got := byProduct(t, ck, kind, signal)
				if !got.Equal(want) {
					t.Fatalf("%s: %s coverage of %s: %v, naively %v", f, kind, signal, got.List(), want.List())
				}
				covered += got.Count()
			}
		}
	}
	t.Logf("%d covered control states, %d formulas failed", covered, failing)
}
