package automaton

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"netcov/kripke/bdd"
	"netcov/kripke/formula"
	"netcov/kripke/hoa"
	"netcov/kripke/internal/random"
)

// randomAutomaton is generalised, with marks on edges or on states.
func randomAutomaton(rng *rand.Rand) *Automaton {
	ap := random.Names[:1+rng.IntN(2)]
	n := 1 + rng.IntN(6)
	a := &Automaton{AP: ap, Sets: rng.IntN(4), Guards: bdd.New(len(ap), bdd.Options{})}
	onStates := rng.IntN(2) == 0
	for range n {
		mark := Marks(rng.Uint64()) & AllMarks(a.Sets)
		var es []Edge
		for range rng.IntN(4) {
			if !onStates {
				mark = Marks(rng.Uint64()) & AllMarks(a.Sets)
			}
			guard := bdd.True
			for v := range ap {
				if x := rng.IntN(3); x < 2 {
					guard = a.Guards.And(guard, a.Guards.Literal(v, x == 0))
				}
			}
			es = append(es, Edge{guard, rng.IntN(n), mark})
		}
		a.Edges = append(a.Edges, normalize(a.Guards, es))
	}
	for range 1 + rng.IntN(2) {
		a.Initial = append(a.Initial, rng.IntN(n))
	}
	return a
}

func never() error { return nil }

func must(a *Automaton, err error) *Automaton {
	if err != nil {
		panic(err)
	}
	return a
}

// TestReductions checks that every reduction keeps the language of random
// automata, and that lassos found in them are accepting runs.
func TestReductions(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	smaller, accepted := 0, 0
	for range 2 * *count {
		a := randomAutomaton(rng)
		var text strings.Builder
		if err := hoa.Write(&text, a.HOA("random")); err != nil {
			t.Fatal(err)
		}
		parsed, err := hoa.Read("written", strings.NewReader(text.String()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text.String())
		}
		again, err := FromHOA(parsed)
		if err != nil {
			t.Fatal(err)
		}
		stages := map[string]*Automaton{
			"trimmed": a.trim(), "bisimulation": must(a.bisimulate(never)),
			"simulation": must(a.simulate(forwards, false, never)), "backwards": must(a.simulate(backwards, false, never)),
			"full simulation": must(a.simulate(forwards, true, never)), "full backwards": must(a.simulate(backwards, true, never)),
			"reduced":          must(a.reduce(never)),
			"written and read": again,
		}
		if stages["reduced"].Len() < a.Len() {
			smaller++
		}
		for range 20 {
			w := randomWord(rng, a.AP, 3, 4)
			want := a.Accepts(w)
			if want {
				accepted++
			}
			for name, b := range stages {
				if b.Accepts(w) != want {
					t.Fatalf("%s: %v instead of %v on %v\n%s", name, !want, want, w, text.String())
				}
			}
		}
		checkLasso(t, a)
	}
	t.Logf("%d automata became smaller, %d words were accepted", smaller, accepted)
}

func checkLasso(t *testing.T, a *Automaton) {
	t.Helper()
	l := FindLasso(a, a.Initial, a.Sets)
	if empty := a.trim().Len() == 0; empty != (l == nil) {
		t.Fatalf("empty: %v, a lasso: %v", empty, l)
	}
	if l == nil {
		return
	}
	w := &Word{AP: a.AP}
	steps := append(append([]Step{}, l.Prefix...), l.Loop...)
	seen := Marks(0)
	for i, s := range steps {
		to := l.Loop[0].From
		if i+1 < len(steps) {
			to = steps[i+1].From
		}
		if i >= len(l.Prefix) {
			seen |= s.Acc
		}
		var letter []bool
		for _, e := range a.Edges[s.From] {
			if e.To == to && e.Acc == s.Acc {
				letter = a.Guards.PickOne(e.Guard, variables(len(a.AP)))
				break
			}
		}
		if letter == nil {
			t.Fatalf("the lasso %v has a step without an edge", l)
		}
		if i < len(l.Prefix) {
			w.Prefix = append(w.Prefix, letter)
		} else {
			w.Loop = append(w.Loop, letter)
		}
	}
	if !seen.Has(AllMarks(a.Sets)) || !a.Accepts(w) {
		t.Fatalf("the lasso %v is not accepting", l)
	}
}

func variables(n int) []int {
	vs := make([]int, n)
	for i := range vs {
		vs[i] = i
	}
	return vs
}

// TestTerminal checks the recognition of co-safety languages.
func TestTerminal(t *testing.T) {
	for _, test := range []struct {
		text     string
		terminal bool
	}{
		{"F p", true},
		{"p U (q & X X p)", true},
		{"!(G (p -> X q))", true},
		{"!(p W q)", true},
		{"G p", false},
		{"G F p", false},
		{"F G p", false},
		{"F (p & G q)", false},
		{"X TRUE", true},
	} {
		f, err := formula.Parse(test.text, formula.LTL)
		if err != nil {
			t.Fatal(err)
		}
		a, err := FromLTL(f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a.IsTerminal() != test.terminal {
			t.Errorf("%s: terminal %v", test.text, !test.terminal)
		}
	}
}

// TestSizes pins the sizes of some well-known automata.
func TestSizes(t *testing.T) {
	for _, test := range []struct {
		text   string
		states int // with marks on edges
	}{
		{"G p", 1},
		{"F p", 2},
		{"G F p", 1},
		{"F G p", 2},
		{"p U q", 2},
		{"G (p -> F q)", 2},
		{"!(G (p -> F q))", 2},
		{"G F p & G F q & G F r", 1},
		{"!(G F p -> G F q)", 2},
		{"FALSE", 0},
		{"TRUE", 1},
	} {
		f, err := formula.Parse(test.text, formula.LTL)
		if err != nil {
			t.Fatal(err)
		}
		a, err := FromLTL(f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a.Len() != test.states {
			t.Errorf("%s: %d states, %d expected", test.text, a.Len(), test.states)
		}
	}
}

// TestInterrupt ends translations and reductions at any moment.
func TestInterrupt(t *testing.T) {
	f, err := formula.Parse("G (p -> F q) & G (q -> F r) & (G F s -> G F t) & (p U (q U (r U s)))", formula.LTL)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	calls, whole := 0, 0
	if _, err := FromLTL(f, Options{Interrupt: func() error { whole++; return nil }}); err != nil {
		t.Fatal(err)
	}
	for at := 0; at < whole; at += 1 + whole/200 {
		calls = 0
		_, err := FromLTL(f, Options{Interrupt: func() error {
			if calls++; calls > at {
				return stop
			}
			return nil
		}})
		if !errors.Is(err, stop) {
			t.Fatalf("after %d of %d calls: %v", at, whole, err)
		}
	}
}

// TestLongChain translates a formula with thousands of nested operators.
func TestLongChain(t *testing.T) {
	f := formula.Atom("p")
	for range 3000 {
		f = formula.Unary(formula.OpX, f)
	}
	a, err := FromLTL(f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Len() != 3002 {
		t.Errorf("%d states", a.Len())
	}
}
