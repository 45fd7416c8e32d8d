package tableau

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"netcov/kripke/bdd"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
)

func implicit(t *testing.T, k *structure.Structure, specs []formula.Formula, ap []string) *Implicit {
	t.Helper()
	sys, err := symbolic.FromStructure(k, bdd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewImplicit(t.Context(), sys, nil, specs, Options{AP: ap})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// content writes what an entry says, whatever the numbers of states are.
func content(e Entry, state func(int) *State, name func(int) string) string {
	var b strings.Builder
	for _, t := range e.Tableau {
		next := []string{}
		for _, f := range state(t).Next {
			next = append(next, f.String())
		}
		slices.Sort(next)
		fmt.Fprintf(&b, "%v %v; ", state(t).Text(), next)
	}
	if e.Criterion == OneToMany {
		parts := strings.Split(b.String(), "; ")
		slices.Sort(parts)
		b.Reset()
		fmt.Fprintf(&b, "%v %s", parts, name(e.Impl[0]))
	}
	return fmt.Sprint(b.String(), e.Consequence)
}

// several is a conjunction of small properties that a structure mostly satisfies.
func several(rng *rand.Rand, k *structure.Structure) []formula.Formula {
	var out []formula.Formula
	for range 1 + rng.IntN(4) {
		f := formula.Unary(formula.OpAG, safety(rng, k.AP, 1+rng.IntN(2)))
		if rng.IntN(3) == 0 {
			f = formula.Binary(formula.OpOr, f, safety(rng, k.AP, 2))
		}
		out = append(out, f)
	}
	return out
}

// TestImplicit compares with the listed tableau: sizes, the number and the contents of
// all entries, and the evidence.
func TestImplicit(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	holds, bits := 0, map[Criterion]int{}
	n := rounds(1500)
	for range n {
		k, f := instance(rng)
		specs := []formula.Formula{f}
		if rng.IntN(2) == 0 {
			k = random.Structure(rng, 1+rng.IntN(6), 1+rng.IntN(3), 1+rng.IntN(2))
			specs = several(rng, k)
			for range 20 {
				if satisfies(t, k, formula.And(specs...)) {
					break
				}
				specs = several(rng, k)
			}
		}
		tab, err := New(t.Context(), specs...)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Compare(t.Context(), k, tab, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := implicit(t, k, specs, k.AP)
		if got.Holds != want.Holds {
			t.Fatalf("%s holds %v, want %v", specs, got.Holds, want.Holds)
		}
		if !got.Holds {
			if satisfies(t, k, specs[got.Failing]) {
				t.Fatalf("%s holds and is said to fail", specs[got.Failing])
			}
			continue
		}
		holds++
		sizes := func(xs ...any) string { return fmt.Sprint(xs...) }
		if g, w := sizes(got.States, got.TableauStates, got.Transitions, got.Initial, got.Pairs),
			sizes(k.Reachable().Count(), tab.Len(), tab.Transitions(), len(tab.Initial), want.Pairs); g != w {
			t.Fatalf("%s: sizes %s, want %s", specs, g, w)
		}
		for _, x := range Criteria {
			if got.Counts[x].Int64() != int64(want.Count(x)) {
				t.Fatalf("%s: %v %s, want %d", specs, got.Counts[x], x, want.Count(x))
			}
			bits[x] += want.Count(x)
			wanted := map[string]int{}
			for _, e := range entries(t, want, x, nil) {
				if x != OneToMany || len(e.Tableau) < mostStates {
					wanted[content(e, want.StateOf, want.ImplName)]++
				}
			}
			found, err := got.Entries(t.Context(), x, nil)
			if err != nil {
				t.Fatal(err)
			}
			have := map[string]int{}
			for _, e := range found {
				if x != OneToMany || len(e.Tableau) < mostStates {
					have[content(e, got.StateOf, got.ImplName)]++
				}
				checkImplicit(t, k, tab, got, e)
			}
			if !maps.Equal(wanted, have) {
				t.Fatalf("%s, %s:\n got %v\nwant %v", specs, x, have, wanted)
			}
			f := &Filter{First: true, Signals: k.AP[:1]}
			mine, err := got.Entries(t.Context(), x, f)
			if err != nil {
				t.Fatal(err)
			}
			if theirs := entries(t, want, x, f); len(mine) != len(theirs) {
				t.Fatalf("%s, %s: %d entries pass the filter, want %d", specs, x, len(mine), len(theirs))
			}
			if f = (&Filter{Known: want}); len(entries(t, want, x, f)) == 0 {
				if mine, err = got.Entries(t.Context(), x, f); err != nil || x != OneToMany && len(mine) > 0 {
					t.Fatalf("%s, %s: %d entries are not known (%v)", specs, x, len(mine), err)
				}
			}
		}
	}
	if holds < n/3 {
		t.Errorf("%d of %d hold", holds, n)
	}
	for _, x := range Criteria {
		if bits[x] < n/20 {
			t.Errorf("%s: %d entries in all", x, bits[x])
		}
	}
}

// checkImplicit follows the paths of an entry in the listed tableau.
func checkImplicit(t *testing.T, k *structure.Structure, tab *Tableau, c *Implicit, e Entry) {
	t.Helper()
	states := map[string]int{}
	for s := range tab.States {
		states[content(Entry{Tableau: []int{s}}, func(s int) *State { return &tab.States[s] }, nil)] = s
	}
	names := map[string]int{}
	for i, name := range k.States {
		names[name] = i
	}
	fits := fitting(k, tab)
	walk := func(path []Step) {
		last := Step{}
		for n, s := range path {
			at, ok := states[content(Entry{Tableau: []int{s.Tableau}}, c.StateOf, nil)]
			i := -1
			if s.Impl >= 0 {
				i = names[c.ImplName(s.Impl)]
				ok = ok && fits[[2]int{i, at}] && (n > 0 || slices.Contains(k.Initial, i))
			}
			if n == 0 {
				ok = ok && slices.Contains(tab.Initial, at)
			} else {
				ok = ok && slices.Contains(tab.Successors(last.Tableau), int32(at)) &&
					(i < 0 || last.Impl >= 0 && slices.Contains(k.Successors(last.Impl), int32(i)))
			}
			if !ok {
				t.Fatalf("step %d of %v of %+v is none", n, path, e)
			}
			last = Step{i, at}
		}
	}
	walk(e.Path)
	walk(e.Other)
	end := e.Path[len(e.Path)-1]
	ok := false
	switch e.Criterion {
	case UnImplementedStartState, UnImplementedState:
		ok = end == Step{-1, e.Tableau[0]}
	case UnImplementedTransition:
		ok = end == Step{-1, e.Tableau[1]} && e.Path[len(e.Path)-2] == Step{e.Impl[0], e.Tableau[0]}
	case ManyToOne:
		ok = e.Impl[0] != e.Impl[1] && end == Step{e.Impl[0], e.Tableau[0]} && e.Other[len(e.Other)-1] == Step{e.Impl[1], e.Tableau[0]}
		for _, name := range k.AP {
			ok = ok && c.Shows(e.Impl[0], name) == c.Shows(e.Impl[1], name)
		}
	case OneToMany:
		ok = len(e.Tableau) > 1 && end == Step{e.Impl[0], e.Tableau[0]} && e.Other[len(e.Other)-1] == Step{e.Impl[0], e.Tableau[1]}
	}
	if !ok {
		t.Fatalf("evidence %+v", e)
	}
}
