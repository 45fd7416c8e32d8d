package certify

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"netcov/mutant"
)

// TestInvariantOfSet compares the check of a set of properties on a design, or on a
// mutant, with good and broken invariants, with enumeration for each of them.
func TestInvariantOfSet(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	accepted, refused := 0, 0
	for round := range rounds(3000) {
		f := randomFile(r)
		bads, _, _ := f.Properties()
		var set []int
		for p := range bads {
			if r.IntN(2) == 0 {
				set = append(set, p)
			}
		}
		if len(set) == 0 {
			set = []int{r.IntN(len(bads))}
		}
		k := NewChecker(f, set...)
		k.Solver = Solver(r.IntN(30) / 14)
		n := len(f.Latches) + 1
		var ms []Mutation
		var m *Mutation
		if len(f.Latches) > 0 && r.IntN(2) == 0 {
			m = &Mutation{Index: r.IntN(len(f.Latches)), Fault: mutant.Fault(r.IntN(3)), Mux: mutant.Mux(r.IntN(2))}
			ms = []Mutation{*m}
		}
		reached, _ := newOracle(f, set[0], m).search()
		inv := exact(reached, n, r.IntN(2) == 0)
		if r.IntN(2) == 0 {
			breakIt(r, inv, n)
		}
		want := map[Condition]bool{}
		for _, p := range set {
			for c := range newOracle(f, p, m).fails(inv) {
				want[c] = true
			}
		}
		err := k.Invariant(context.Background(), inv, ms)
		var failure *Failure
		switch {
		case err == nil && len(want) > 0:
			t.Fatalf("round %d: accepted for %v, really %v\n%+v", round, set, want, f)
		case err == nil:
			accepted++
		case !errors.As(err, &failure):
			t.Fatal(err)
		case !want[failure.Condition]:
			t.Fatalf("round %d: %v for %v, really %v\n%+v", round, err, set, want, f)
		default:
			refused++
		}
	}
	t.Log(accepted, refused)
	if accepted < 100 || refused < 100 {
		t.Error("the test says little")
	}
	f := randomFile(r)
	if err := NewChecker(f, 0, 99).Invariant(context.Background(), exact(nil, 1, false), nil); err == nil {
		t.Error("a property that the file does not have is accepted")
	}
}
