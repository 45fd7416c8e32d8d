package structure

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestFairPartAgainstDefinition compares with the fixed point of Emerson and Lei.
func TestFairPartAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	some := 0
	for range 3000 {
		b := NewBuilder(nil)
		n := 1 + rng.IntN(9)
		for s := range n {
			b.AddState(fmt.Sprint(s))
		}
		for s := range n {
			for range 1 + rng.IntN(2) {
				b.AddTransition(s, rng.IntN(n))
			}
		}
		b.AddInitial(rng.IntN(n))
		for range rng.IntN(3) {
			var f []int
			for s := range n {
				if rng.IntN(3) == 0 {
					f = append(f, s)
				}
			}
			b.AddFair(f...)
		}
		k, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		want := FullSet(n)
		for changed := true; changed; {
			changed = false
			for _, f := range append([]Set{FullSet(n)}, k.Fair...) {
				reach := want.Clone() // a path of one step or more inside want to want ∧ f
				for s := range n {
					reach.Remove(s)
				}
				for again := true; again; {
					again = false
					for s := range want.All() {
						for _, x := range k.Successors(s) {
							if !reach.Has(s) && want.Has(int(x)) && (f.Has(int(x)) || reach.Has(int(x))) {
								reach.Add(s)
								again = true
							}
						}
					}
				}
				if !reach.Equal(want) {
					want, changed = reach, true
				}
			}
		}
		if !k.FairStates().Equal(want) {
			t.Fatalf("fair states %v, want %v", k.FairStates().List(), want.List())
		}
		if c := want.Count(); c > 0 && c < n {
			some++
		}
		part := k.FairPart()
		for s := range n {
			if want.Has(s) && len(part.Successors(s)) == 0 {
				t.Fatal("a fair state has lost all successors")
			}
			for _, x := range part.Successors(s) {
				if want.Has(s) && !want.Has(int(x)) {
					t.Fatal("a step out of the fair part")
				}
			}
		}
		for _, s := range part.Initial {
			if !want.Has(s) {
				t.Fatal("an initial state without fair path")
			}
		}
	}
	if some < 300 {
		t.Errorf("only %d cases with both kinds of states", some)
	}
}
