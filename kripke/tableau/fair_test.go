package tableau

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"netcov/kripke/bdd"
	"netcov/kripke/formula"
	"netcov/kripke/hoa"
	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
)

// withFairness gives a structure one or two fairness sets.
func withFairness(rng *rand.Rand, k *structure.Structure) *structure.Structure {
	for range 1 + rng.IntN(2) {
		f := structure.NewSet(k.Len())
		for s := range k.Len() {
			if rng.IntN(5) > 1 {
				f.Add(s)
			}
		}
		k.Fair = append(k.Fair, f)
	}
	return k
}

// fairPart is the part of a structure with fair paths by their definition: a state
// has one iff it reaches a state on a cycle with each fairness set. States keep their
// numbers; nil when no initial state is left.
func fairPart(t *testing.T, k *structure.Structure) *structure.Structure {
	n := k.Len()
	steps := make([][]bool, n) // in one step or more
	for s := range n {
		steps[s] = make([]bool, n)
		for _, u := range k.Successors(s) {
			steps[s][u] = true
		}
	}
	for via := range n {
		for s := range n {
			for u := range n {
				steps[s][u] = steps[s][u] || steps[s][via] && steps[via][u]
			}
		}
	}
	turns := func(s int) bool {
		return steps[s][s] && !slices.ContainsFunc(k.Fair, func(f structure.Set) bool {
			return !slices.ContainsFunc(f.List(), func(u int) bool { return u == s || steps[s][u] && steps[u][s] })
		})
	}
	fair := make([]bool, n)
	for s := range n {
		for u := range n {
			fair[s] = fair[s] || (u == s || steps[s][u]) && turns(u)
		}
	}
	b := structure.NewBuilder(k.AP)
	for s := range n {
		b.AddState(k.States[s], k.Label(s)...)
	}
	none := true
	for s := range n {
		for _, u := range k.Successors(s) {
			if fair[s] && fair[u] || !fair[s] {
				b.AddTransition(s, int(u))
			}
		}
		if fair[s] && slices.Contains(k.Initial, s) {
			b.AddInitial(s)
			none = false
		}
	}
	if none {
		return nil
	}
	part, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return part
}

// TestFair: a specification holds when model checking over fair paths says so, the
// criteria are those of the part with fair paths by their definitions, all algorithms
// agree, and with criteria 1-3 empty that part is bisimilar to the tableau.
func TestFair(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	holds, smaller, none, empty := 0, 0, 0, 0
	n := rounds(2500)
	for range n {
		k, f := instance(rng)
		k = withFairness(rng, k)
		part := fairPart(t, k)
		if part != nil && rng.IntN(3) == 0 {
			f = complete(part, 1)
		}
		tab, err := New(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		want := satisfies(t, k, f)
		var oracle *Comparison
		if part != nil {
			if oracle = byDefinition(part, tab, k.AP); oracle.Holds != want {
				t.Fatalf("%s: the part with fair paths %v, model checking %v", f, oracle.Holds, want)
			}
		} else {
			none++
		}
		for _, algorithm := range []Algorithm{Explicit, Symbolic} {
			c, err := Compare(t.Context(), k, tab, Options{Algorithm: algorithm})
			if err != nil {
				t.Fatal(err)
			}
			if c.Holds != want || (c.Why == nil) != want {
				t.Fatalf("%s: %v, want %v, reason %+v", f, c.Holds, want, c.Why)
			}
			checkEvidence(t, c)
			if oracle == nil {
				if len(c.UnImplementedStartState) != len(tab.Initial) || len(c.UnImplementedState) != tab.Len() || c.Pairs > 0 {
					t.Fatalf("%s: no fair path, %+v", f, c)
				}
				continue
			}
			got, want := clean(c), clean(oracle)
			got.Impl, want.Impl = nil, nil
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, %s:\n got %+v\nwant %+v", f, algorithm, got, want)
			}
		}
		compareFair(t, k, part, tab, f, want, oracle)
		if !want || oracle == nil {
			continue
		}
		holds++
		if part.Reachable().Count() < k.Reachable().Count() {
			smaller++
		}
		if oracle.Count(UnImplementedStartState)+oracle.Count(UnImplementedState)+oracle.Count(UnImplementedTransition) == 0 {
			empty++
			if !bisimilar(part, tab) {
				t.Fatalf("%s: criteria 1-3 are empty and the tableau is not bisimilar", f)
			}
		}
	}
	if holds < n/4 || smaller < n/50 || none < n/20 || empty < n/40 {
		t.Errorf("of %d: %d hold, %d smaller by fairness, %d without a fair path, %d complete: one-sided", n, holds, smaller, none, empty)
	}
}

// compareFair is the comparison with neither side listed.
func compareFair(t *testing.T, k, part *structure.Structure, tab *Tableau, f formula.Formula, holds bool, want *Comparison) {
	t.Helper()
	sys, err := symbolic.FromStructure(k, bdd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var fair []bdd.Ref
	for i := range k.Fair {
		set, _ := sys.Label(structure.FairName(i))
		fair = append(fair, set)
	}
	c, err := NewImplicit(t.Context(), sys, fair, []formula.Formula{f}, Options{AP: k.AP})
	if err != nil {
		t.Fatal(err)
	}
	if c.Holds != holds {
		t.Fatalf("%s: implicit %v, want %v", f, c.Holds, holds)
	}
	if !holds || want == nil {
		return
	}
	reached := part.Reachable().Count()
	left := k.Reachable()
	left.Subtract(k.FairStates())
	if int(c.States.Int64()) != reached || int(c.Unfair.Int64()) != left.Count() || int(c.Pairs.Int64()) != want.Pairs {
		t.Fatalf("%s: %s states, %s left out, %s pairs; want %d, %d, %d", f, c.States, c.Unfair, c.Pairs, reached, left.Count(), want.Pairs)
	}
	for _, x := range Criteria {
		if int(c.Counts[x].Int64()) != want.Count(x) {
			t.Fatalf("%s: %s %s, want %d", f, c.Counts[x], x, want.Count(x))
		}
		found, err := c.Entries(t.Context(), x, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range found {
			checkImplicit(t, part, tab, c, e)
		}
	}
}

// TestFairSpecification: a structure or automaton with fairness, in the place of the
// tableau, stands for the ACTL safety formulas that it satisfies over fair paths.
func TestFairSpecification(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	holds, formulas, n := 0, 0, rounds(2500)
	for range n {
		impl := withFairness(rng, random.Structure(rng, 1+rng.IntN(4), 1, 2))
		spec := withFairness(rng, random.Structure(rng, 1+rng.IntN(4), 1, 3))
		tab, err := FromStructure(spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Compare(t.Context(), impl, tab, Options{})
		if err != nil {
			t.Fatal(err)
		}
		i, s := fairPart(t, impl), fairPart(t, spec)
		want := i == nil
		if i != nil && s != nil {
			plain, err := FromStructure(s, nil)
			if err != nil {
				t.Fatal(err)
			}
			want = byDefinition(i, plain, nil).Holds
		}
		if c.Holds != want {
			t.Fatalf("%v, want %v", c.Holds, want)
		}
		again, err := FromHOA(automatonOf(spec))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Compare(t.Context(), impl, again, Options{})
		if err != nil || again.Len() != tab.Len() || again.Transitions() != tab.Transitions() || d.Holds != c.Holds || d.Pairs != c.Pairs {
			t.Fatalf("as an automaton %v, %d states; want %v, %d (%v)", d.Holds, again.Len(), c.Holds, tab.Len(), err)
		}
		if !c.Holds {
			continue
		}
		holds++
		for range 5 {
			if f := safety(rng, spec.AP, 3); satisfies(t, spec, f) {
				if formulas++; !satisfies(t, impl, f) {
					t.Fatalf("%s holds in the specification and not in the implementation", f)
				}
			}
		}
	}
	if holds < n/5 || holds > n*4/5 || formulas < n/4 {
		t.Errorf("of %d: %d hold, %d formulas: one-sided", n, holds, formulas)
	}
}

// automatonOf writes a structure as a state-labelled automaton.
func automatonOf(k *structure.Structure) *hoa.Automaton {
	a := &hoa.Automaton{AP: k.AP, AccSets: len(k.Fair), Start: k.Initial}
	for s := range k.Len() {
		var lits []formula.Formula
		for p, name := range k.AP {
			l := formula.Atom(name)
			if !k.Holds(s, p) {
				l = formula.Not(l)
			}
			lits = append(lits, l)
		}
		st := hoa.State{Label: formula.And(lits...)}
		for i, f := range k.Fair {
			if f.Has(s) {
				st.Acc = append(st.Acc, i)
			}
		}
		for _, u := range k.Successors(s) {
			st.Edges = append(st.Edges, hoa.Edge{To: int(u)})
		}
		a.States = append(a.States, st)
	}
	return a
}
