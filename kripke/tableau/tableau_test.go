package tableau

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/hoa"
	"netcov/kripke/internal/random"
	"netcov/kripke/similarity"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
)

func rounds(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

func satisfies(t *testing.T, k *structure.Structure, f formula.Formula) bool {
	t.Helper()
	m, err := ctl.StructureModel(k)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ctl.NewProblem(m, f, ctl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ok, err := p.Holds(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// clean forgets what the oracle and the algorithms cannot agree on.
func clean(c *Comparison) *Comparison {
	x := *c
	x.Why, x.reach, x.label = nil, nil, nil
	x.Variables, x.PeakNodes, x.Bytes, x.Iterations = 0, 0, 0, 0
	for _, s := range []*[]int{&x.UnImplementedStartState, &x.UnImplementedState, &x.ManyToOne, &x.OneToMany} {
		if len(*s) == 0 {
			*s = nil
		}
	}
	return &x
}

// TestRandom compares both algorithms with the definitions, the tableau with
// model checking (a structure satisfies ψ iff T(ψ) simulates it), and checks
// KGG99's Theorem 2.
func TestRandom(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(5, 6))
	holds, empty, bisim, violated := 0, 0, 0, map[Criterion]int{}
	n := rounds(2000)
	for round := range n {
		k, f := instance(rng)
		tab, err := New(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		want := satisfies(t, k, f)
		var ap []string
		if rng.IntN(2) == 0 {
			ap = formula.Atoms(f)
		}
		compared := ap
		if len(ap) == 0 {
			compared = k.AP
		}
		oracle := byDefinition(k, tab, compared)
		if oracle.Holds != want {
			t.Fatalf("%s: simulated %v, model checking %v", f, oracle.Holds, want)
		}
		for _, opt := range []Options{{AP: ap}, {AP: ap, Algorithm: Symbolic}, {AP: ap, Algorithm: Symbolic, Plain: true}} {
			if opt.Plain && round%4 != 0 {
				continue
			}
			c, err := Compare(ctx, k, tab, opt)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(clean(c), clean(oracle)) {
				t.Fatalf("%s, %+v:\n got %+v\nwant %+v", f, opt, clean(c), clean(oracle))
			}
			bits := max(symbolic.BitsFor(k.Len()), symbolic.BitsFor(max(1, tab.Len())))
			tracks := map[Algorithm]int{Symbolic: 2}[opt.Algorithm]
			if opt.Plain {
				tracks = 4
			}
			if tab.Len() > 0 && c.Variables != tracks*bits {
				t.Fatalf("%d variables, want %d·%d", c.Variables, tracks, bits)
			}
			if (c.Why == nil) != want {
				t.Fatalf("%s: reason %+v", f, c.Why)
			}
			checkEvidence(t, c)
		}
		if !want {
			continue
		}
		holds++
		for _, x := range Criteria {
			if oracle.Count(x) > 0 {
				violated[x]++
			}
		}
		same := bisimilar(k, tab)
		if same {
			bisim++
		}
		if oracle.Count(UnImplementedStartState)+oracle.Count(UnImplementedState)+oracle.Count(UnImplementedTransition) == 0 {
			empty++
			if !same {
				t.Fatalf("%s: criteria 1-3 hold and the tableau is not bisimilar", f)
			}
		}
	}
	if holds < n/3 || holds > n*9/10 || empty < n/20 || bisim > holds*9/10 {
		t.Errorf("of %d: %d hold, %d without violation, %d bisimilar: one-sided", n, holds, empty, bisim)
	}
	for _, x := range Criteria {
		if violated[x] < n/100 {
			t.Errorf("%s is violated in %d cases only", x, violated[x])
		}
	}
}

// checkEvidence follows all evidence by the definitions.
func checkEvidence(t *testing.T, c *Comparison) {
	t.Helper()
	k, tab := c.Impl, c.Tableau
	fits := fitting(k, tab)
	walk := func(path []Step) {
		for n, s := range path {
			ok := slices.Contains(tab.Initial, s.Tableau) && (s.Impl < 0 || slices.Contains(k.Initial, s.Impl))
			if n > 0 {
				last := path[n-1]
				ok = slices.Contains(tab.Successors(last.Tableau), int32(s.Tableau)) &&
					(s.Impl < 0 || last.Impl >= 0 && slices.Contains(k.Successors(last.Impl), int32(s.Impl)))
			}
			if !ok || s.Impl >= 0 && !fits[[2]int{s.Impl, s.Tableau}] {
				t.Fatalf("step %d of %v is none", n, path)
			}
		}
	}
	for _, criterion := range Criteria {
		list := entries(t, c, criterion, nil)
		if c.Holds && len(list) != c.Count(criterion) || !c.Holds && list != nil {
			t.Fatalf("%s: %d entries", criterion, len(list))
		}
		for _, e := range list {
			walk(e.Path)
			walk(e.Other)
			end := e.Path[len(e.Path)-1]
			ok := false
			switch criterion {
			case UnImplementedStartState, UnImplementedState:
				ok = end == Step{-1, e.Tableau[0]}
			case UnImplementedTransition:
				ok = end == Step{-1, e.Tableau[1]} && e.Path[len(e.Path)-2] == Step{e.Impl[0], e.Tableau[0]}
				for _, i := range k.Successors(e.Impl[0]) {
					ok = ok && !slices.Contains(c.reach.implementations(e.Tableau[1]), int(i))
				}
			case ManyToOne:
				ok = e.Impl[0] != e.Impl[1] && c.label[e.Impl[0]] == c.label[e.Impl[1]] &&
					end == Step{e.Impl[0], e.Tableau[0]} && e.Other[len(e.Other)-1] == Step{e.Impl[1], e.Tableau[0]}
			case OneToMany:
				ok = len(e.Tableau) > 1 && end == Step{e.Impl[0], e.Tableau[0]} && e.Other[len(e.Other)-1] == Step{e.Impl[0], e.Tableau[1]}
			}
			if !ok {
				t.Fatalf("%s: evidence %+v", criterion, e)
			}
		}
	}
}

// TestTheorem2Counterexample has the structure for which the reading that no
// pair at all is a transition breaks Theorem 2.
func TestTheorem2Counterexample(t *testing.T) {
	k := read(t, "ap p\ninit a b\nstate a -> a\nstate b {p} -> b\n")
	c := compare(t, k, "AX (p | !p) | !p")
	if len(c.UnImplementedTransition) == 0 && len(c.UnImplementedState) == 0 && len(c.UnImplementedStartState) == 0 {
		t.Error("no violation of criteria 1-3, although the tableau is not bisimilar")
	}
}

func read(t *testing.T, text string) *structure.Structure {
	t.Helper()
	k, err := structure.Read("k", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func compare(t *testing.T, k *structure.Structure, spec string) *Comparison {
	t.Helper()
	f, err := formula.Parse(spec, formula.ACTL)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := New(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compare(context.Background(), k, tab, Options{})
	if err != nil || !c.Holds {
		t.Fatalf("%v %+v", err, c)
	}
	return c
}

// TestOrthogonality: full coverage in one sense does not imply it in the other
// (CK02 section 5).
func TestOrthogonality(t *testing.T) {
	ctx := context.Background()
	// Figure 4: the criteria are empty and nothing is covered by mutants.
	k := read(t, "ap q\ninit a b\nstate a {q} -> a\nstate b -> b\n")
	c := compare(t, k, "AG q | AG !q")
	for _, x := range Criteria {
		if n := c.Count(x); n > 0 {
			t.Errorf("figure 4: %d %s", n, x)
		}
	}
	p, err := similarity.NewProblem(k, k)
	if err != nil {
		t.Fatal(err)
	}
	cover, err := p.Cover(ctx, p.MutantsOf("q"), similarity.Options{})
	if err != nil || slices.Contains(cover.Covered, true) {
		t.Errorf("figure 4: covered %v (%v)", cover, err)
	}

	// Figure 5, first part: all labels matter, and an initial state and a
	// transition between implemented states are missing. What a state of the
	// figure leaves open is chosen here so that its states stay apart.
	impl := read(t, "ap p q r z\ninit t0 t1\nstate t0 {q} -> t2\nstate t1 {r} -> t3\nstate t2 {p q} -> t2\nstate t3 {q z} -> t3\n")
	automaton, err := hoa.Read("s2", strings.NewReader(`HOA: v1
name: "s2"
States: 5
Start: 0
Start: 1
Start: 4
AP: 4 "p" "q" "r" "z"
acc-name: all
Acceptance: 0 t
--BODY--
State: [1] 0
2 3
State: [2] 1
3
State: [0] 2
2
State: [3] 3
3
State: [!1] 4
4
--END--
`))
	if err != nil {
		t.Fatal(err)
	}
	s2, err := FromHOA(automaton)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = Compare(ctx, impl, s2, Options{}); err != nil || !c.Holds {
		t.Fatalf("figure 5: %v %+v", err, c)
	}
	start := entries(t, c, UnImplementedStartState, nil)
	steps := entries(t, c, UnImplementedTransition, nil)
	if len(start) != 1 || s2.States[start[0].Tableau[0]].Name != "4" || len(steps) != 1 ||
		s2.States[steps[0].Tableau[0]].Name != "0" || s2.States[steps[0].Tableau[1]].Name != "3" {
		t.Errorf("figure 5: %+v %+v", start, steps)
	}
	for _, flip := range []struct {
		state  int
		signal string
	}{{0, "q"}, {1, "r"}, {2, "p"}, {3, "z"}} {
		q, _ := impl.Proposition(flip.signal)
		m, err := Compare(ctx, impl.Flip(q, flip.state), s2, Options{})
		if err != nil || m.Holds {
			t.Errorf("figure 5: flipping %s in t%d goes unnoticed (%v)", flip.signal, flip.state, err)
		}
	}

	// Figure 5, second part: two states for one of AG q.
	two := read(t, "ap q\ninit u0\nstate u0 {q} -> u1\nstate u1 {q} -> u0\n")
	one := read(t, "ap q\ninit t\nstate t {q} -> t\n")
	if c = compare(t, two, "AG q"); !slices.Equal(c.ManyToOne, []int{0}) || c.Count(UnImplementedState)+c.Count(UnImplementedTransition)+c.Count(UnImplementedStartState) > 0 {
		t.Errorf("figure 5: %+v", c)
	}
	if p, err = similarity.NewProblem(two, one); err != nil {
		t.Fatal(err)
	}
	cover, err = p.Cover(ctx, p.MutantsOf("q"), similarity.Options{})
	if err != nil || slices.Contains(cover.Covered, false) {
		t.Errorf("figure 5: covered %v (%v)", cover, err)
	}
}

func TestUnsupported(t *testing.T) {
	for spec, want := range map[string]string{
		"AG AF p":            "AF p is a liveness property",
		"A[p U q]":           "liveness property",
		"EX p":               "no ACTL formula",
		"!AG p":              "no ACTL formula",
		"AG (p -> AX (q|p))": "",
		"A[p V q] | !p":      "",
	} {
		f, err := formula.Parse(spec, formula.CTL)
		if err != nil {
			t.Fatal(err)
		}
		_, err = New(t.Context(), f)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", spec, err, want)
		}
	}
	k := read(t, "ap p\ninit a\nstate a -> a\n")
	tab, err := New(t.Context(), formula.Atom("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Compare(context.Background(), k, tab, Options{}); err == nil || !strings.Contains(err.Error(), "names x, which is no signal of the implementation; there are p") {
		t.Error(err)
	}
	// A contradictory specification has an empty tableau.
	tab, err = New(t.Context(), formula.And(formula.Atom("p"), formula.Not(formula.Atom("p"))))
	if err != nil || tab.Len() != 0 {
		t.Fatalf("%v %v", tab, err)
	}
	if c, err := Compare(context.Background(), k, tab, Options{}); err != nil || c.Holds || c.Why == nil {
		t.Errorf("%+v %v", c, err)
	}
}

// TestFromStructure: comparing with a structure's own copy shows nothing but
// what the copy repeats.
func TestFromStructure(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range rounds(300) {
		k := random.Structure(rng, 1+rng.IntN(6), 2, 2)
		tab, err := FromStructure(k, nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Compare(context.Background(), k, tab, Options{})
		if err != nil || !c.Holds || c.Count(UnImplementedStartState)+c.Count(UnImplementedState) > 0 {
			t.Fatalf("%+v %v", c, err)
		}
		if tab.Len() != k.Reachable().Count() {
			t.Fatalf("%d states, want %d", tab.Len(), k.Reachable().Count())
		}
	}
}

func entries(t *testing.T, c *Comparison, k Criterion, f *Filter) []Entry {
	t.Helper()
	out, err := c.Entries(t.Context(), k, f)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestFilter(t *testing.T) {
	k := read(t, "ap p q\ninit a\nstate a {p} -> a\n")
	c := compare(t, k, "p & AX ((p & AX TRUE) | (q & !p & AX (q & !p & AX AX TRUE)))")
	all := entries(t, c, UnImplementedState, nil)
	if len(all) < 2 {
		t.Fatalf("entries %+v", all)
	}
	if first := entries(t, c, UnImplementedState, &Filter{First: true}); len(first) == 0 || len(first) >= len(all) || first[0].Consequence {
		t.Errorf("first: %+v of %+v", first, all)
	}
	if one := entries(t, c, UnImplementedState, &Filter{Most: 1}); len(one) != 1 {
		t.Errorf("most: %+v", one)
	}
	for _, e := range entries(t, c, UnImplementedState, &Filter{Signals: []string{"q"}}) {
		if _, ok := c.Tableau.States[e.Tableau[0]].Literals["q"]; !ok {
			t.Errorf("signals: %+v", e)
		}
	}
	if x := entries(t, c, UnImplementedState, &Filter{Known: c}); len(x) != 0 {
		t.Errorf("known: %+v", x)
	}
	if x := entries(t, c, UnImplementedState, &Filter{Known: compare(t, k, "AG p")}); len(x) != len(all) {
		t.Errorf("known: %+v", x)
	}
}
