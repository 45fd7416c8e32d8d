package certify

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"netcov/aiger"
	"netcov/mutant"
)

// TestConjuncts: an invariant that was written as a circuit and read again holds in the
// same states, and one that is no circuit is refused.
func TestConjuncts(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 6))
	clauses, formulas := 0, 0
	for round := range rounds(2000) {
		f := randomFile(r)
		pair := r.IntN(2) == 0
		n := len(f.Latches) + 2
		if pair {
			n = 2*len(f.Latches) + 3
		}
		if n > 9 {
			continue
		}
		states := map[int]bool{}
		for range r.IntN(1 << n) {
			states[r.IntN(1<<n)] = true
		}
		inv := exact(states, n, r.IntN(2) == 0)
		if r.IntN(2) == 0 {
			breakIt(r, inv, n)
		}
		c := NewComparison(f, ObserveRegisters, Gini, 0)
		circuit, err := c.Circuit(inv, pair)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := aiger.WriteBinary(&text, circuit); err != nil {
			t.Fatal(err)
		}
		stored, err := aiger.Read(&text, "v.aig", aiger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := c.ReadCircuit(stored, pair)
		if err != nil {
			t.Fatal(err)
		}
		for s := range 1 << n {
			if state := decode(s, n); inv.Holds(state) != again.Holds(state) {
				t.Fatalf("round %d: %v: %v, read again %v\n%+v\n%+v", round, state, inv.Holds(state), again.Holds(state), inv, again)
			}
		}
		clauses, formulas = clauses+len(again.Clauses), formulas+len(again.Formulas)
		for name, change := range map[string]func(f *aiger.File){
			"a latch":       func(f *aiger.File) { f.Latches = append(f.Latches, aiger.Latch{Lit: 2}) },
			"a bad state":   func(f *aiger.File) { f.Bads = append(f.Bads, 0) },
			"a constraint":  func(f *aiger.File) { f.Constraints = append(f.Constraints, 1) },
			"no such latch": func(f *aiger.File) { f.Inputs, f.Symbols.Inputs = []aiger.Lit{2}, aiger.Names{0: "design 17"} },
			"no name":       func(f *aiger.File) { f.Inputs, f.Symbols.Inputs = []aiger.Lit{2}, nil },
			"one name twice": func(f *aiger.File) {
				f.Inputs, f.Symbols.Inputs = []aiger.Lit{2, 4}, aiger.Names{0: "first", 1: "first"}
			},
		} {
			odd := *stored
			change(&odd)
			if _, err := c.ReadCircuit(&odd, pair); err == nil {
				t.Fatalf("a circuit with %s is read", name)
			}
		}
	}
	t.Log(clauses, formulas)
	if clauses < 100 || formulas < 20 {
		t.Error("the test says little")
	}
}

// TestNoRun compares the check with enumeration of the first step.
func TestNoRun(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 7))
	none, some := 0, 0
	for round := range rounds(3000) {
		f := randomFile(r)
		o := newOracle(f, 0, nil)
		want := true
		for _, s := range o.initials() {
			o.each(func(in int, free bool) bool {
				ok, _, _ := o.step(s, in, free)
				want = want && !ok
				return false
			})
		}
		if got := NewComparison(f, ObserveRegisters, Solver(r.IntN(3)), 0).NoRun(context.Background()); want != (got == nil) {
			t.Fatalf("round %d: %v, really %v\n%+v", round, got, want, f)
		}
		if want {
			none++
		} else {
			some++
		}
	}
	t.Log(none, some)
	if none < 5 || some < 50 {
		t.Error("the test says little")
	}
}

// TestComparisonOf: properties are safety, then justice; what is none makes every check
// fail, and a node in the cone of a justice property alone is inside.
func TestComparisonOf(t *testing.T) {
	f := &aiger.File{
		MaxVar: 2, Latches: []aiger.Latch{{Lit: 2, Next: 2}, {Lit: 4, Next: 4}},
		Bads: []aiger.Lit{2}, Justice: [][]aiger.Lit{{4}},
	}
	m := Mutation{Index: 1, Fault: mutant.One}
	for _, c := range []struct {
		properties []int
		outside    bool
		fails      bool
	}{{[]int{0}, true, false}, {[]int{1}, false, false}, {[]int{0, 1}, false, false}, {nil, false, true}, {[]int{2}, false, true}, {[]int{-1}, false, true}} {
		k := NewComparison(f, ObserveDefault, Gini, c.properties...)
		if outside, err := k.Outside(m); outside != c.outside || (err != nil) != c.fails {
			t.Errorf("%v: %v, %v", c.properties, outside, err)
		}
		if err := k.NoRun(context.Background()); err == nil {
			t.Errorf("%v: the design has no run", c.properties)
		}
	}
}
