package mu

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
)

func evaluate(t *testing.T, k *structure.Structure, f *Formula) structure.Set {
	t.Helper()
	s, err := Evaluate(Explicit{k, context.Background()}, f)
	if err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	return s
}

// TestFixpoints compares well-known fixpoints with graph searches.
func TestFixpoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	x := Var("X")
	for range 300 {
		k := random.Structure(rng, 1+rng.IntN(8), 2, 3)
		// Forward reachability looks into the past.
		if got := evaluate(t, k, Bind(Least, "X", Or(Init(), EY(x)))); !got.Equal(k.Reachable()) {
			t.Fatalf("reachable: %v, want %v", got.List(), k.Reachable().List())
		}
		// EF p by a search backwards; AG !p is its complement.
		want := structure.NewSet(k.Len())
		stack := k.Where(0).List()
		for len(stack) > 0 {
			s := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if want.Has(s) {
				continue
			}
			want.Add(s)
			for _, v := range k.Predecessors(s) {
				stack = append(stack, int(v))
			}
		}
		ef := Bind(Least, "X", Or(Atom("p"), EX(x)))
		if got := evaluate(t, k, ef); !got.Equal(want) {
			t.Fatalf("EF p: %v, want %v", got.List(), want.List())
		}
		ag := Bind(Greatest, "X", And(Not(Atom("p")), AX(x)))
		complement := structure.FullSet(k.Len())
		complement.Subtract(want)
		if got := evaluate(t, k, ag); !got.Equal(complement) {
			t.Fatalf("AG !p: %v, want %v", got.List(), complement.List())
		}
		// E GF p: νZ. µY. EX((p ∧ Z) ∨ Y), against cycles through p.
		z, y := Var("Z"), Var("Y")
		egf := Bind(Greatest, "Z", Bind(Least, "Y", EX(Or(And(Atom("p"), z), y))))
		got := evaluate(t, k, egf)
		if want := reachesCycle(k); !got.Equal(want) {
			t.Fatalf("EGF p: %v, want %v", got.List(), want.List())
		}
		sys := &System{Groups: []Group{{{"Z", Greatest, y}, {"Y", Least, EX(Or(And(Atom("p"), z), y))}}}, Result: z}
		solved, err := Solve(Explicit{k, context.Background()}, sys)
		if err != nil || !solved.Equal(got) {
			t.Fatalf("%v: the system gives %v, the formula %v", err, solved.List(), got.List())
		}
		if d := sys.AlternationDepth(); d != 2 {
			t.Fatalf("alternation depth %d", d)
		}
	}
}

// reachesCycle is the set of states from which a cycle through a p-state can be
// reached, by reachability of pairs.
func reachesCycle(k *structure.Structure) structure.Set {
	n := k.Len()
	reach := make([]structure.Set, n) // in one or more steps
	for s := range n {
		reach[s] = structure.NewSet(n)
		var stack []int
		for _, v := range k.Successors(s) {
			stack = append(stack, int(v))
		}
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if reach[s].Has(v) {
				continue
			}
			reach[s].Add(v)
			for _, w := range k.Successors(v) {
				stack = append(stack, int(w))
			}
		}
	}
	out := structure.NewSet(n)
	for s := range n {
		for v := range n {
			if k.Holds(v, 0) && reach[v].Has(v) && reach[s].Has(v) {
				out.Add(s)
			}
		}
	}
	return out
}

// TestPast checks EY and AY on a chain.
func TestPast(t *testing.T) {
	b := structure.NewBuilder([]string{"p"})
	for _, name := range []string{"a", "b", "c"} {
		b.AddState(name)
	}
	b.AddTransition(0, 1)
	b.AddTransition(1, 2)
	b.AddTransition(2, 2)
	b.AddInitial(0)
	k, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		f    *Formula
		want []int
	}{
		{EY(True()), []int{1, 2}},
		{AY(False()), []int{0}},
		{EY(Init()), []int{1}},
		{AY(EY(Init())), []int{0}},
		{EY(EY(Init())), []int{2}},
		{Not(EX(Atom("p"))), []int{0, 1, 2}},
	} {
		if got := evaluate(t, k, test.f); !got.Equal(structure.SetOf(3, test.want...)) {
			t.Errorf("%s: %v, want %v", test.f, got.List(), test.want)
		}
	}
	for _, bad := range []*Formula{Var("X"), Atom("q"), Fair(0)} {
		if _, err := Evaluate(Explicit{k, context.Background()}, bad); err == nil {
			t.Errorf("%s is no error", bad)
		}
	}
}

// TestPrinting pins the notation.
func TestPrinting(t *testing.T) {
	p, x := Atom("p"), Var("X")
	for _, test := range []struct {
		f    *Formula
		want string
	}{
		{Or(And(p, Atom("state = s1")), Not(p)), "p & (state = s1) | !p"},
		{And(Or(p, x), EX(And(p, x))), "(p | X) & EX (p & X)"},
		{Bind(Greatest, "X", And(p, AX(x))), "nu X. p & AX X"},
		{EY(Bind(Least, "X", Or(Fair(1), EY(x)))), "EY (mu X. fair1 | EY X)"},
		{Bind(Least, "X", p), "p"},
		{And(), "TRUE"},
		{Or(), "FALSE"},
		{Not(Not(p)), "p"},
		{AY(True()), "AY TRUE"},
	} {
		if got := test.f.String(); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}
