package certify

import (
	"math/rand/v2"
	"testing"

	"netcov/aiger"
	"netcov/aiger/explicit"
)

// TestOpen: what is accepted as the disjuncts of a property fails where it does, by
// enumeration; without one of those that it needs it is refused.
func TestOpen(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 3))
	accepted, refused, fails := 0, 0, 0
	for range rounds(4000) {
		f := randomFile(r)
		bads, _, _ := f.Properties()
		p := r.IntN(len(bads))
		var lits []aiger.Lit // of a random way to open the property
		stack := []aiger.Lit{bads[p]}
		for len(stack) > 0 {
			l := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			opened := false
			for _, a := range f.Ands {
				if l == a.Lhs^1 && (len(lits) == 0 || r.IntN(4) > 0) {
					stack, opened = append(stack, a.Rhs0^1, a.Rhs1^1), true
				}
			}
			if !opened && l != 0 {
				lits = append(lits, l)
			}
		}
		g, err := Open(f, p, lits)
		if err != nil {
			t.Fatal(err)
		}
		accepted++
		one := false
		for i := range lits {
			one = one || explicit.Fails(g, i)
		}
		if own := explicit.Fails(f, p); one != own || explicit.Fails(g, len(lits)) != own {
			t.Fatalf("property %d fails: %v, of its disjuncts %v one does: %v", p, own, lits, one)
		}
		if one {
			fails++
		}
		if len(lits) == 0 {
			continue
		}
		some := append([]aiger.Lit{}, lits...)
		some[r.IntN(len(some))] = aiger.Lit(r.IntN(int(2*f.MaxVar + 4)))
		g, err = Open(f, p, some)
		if err != nil {
			refused++
			continue
		}
		one = false
		for i := range some {
			one = one || explicit.Fails(g, i)
		}
		if !one && explicit.Fails(f, p) {
			t.Fatalf("the disjuncts %v of property %d are accepted, and miss bad states", some, p)
		}
	}
	t.Log(accepted, refused, fails)
	if refused < 100 || fails < 100 || fails == accepted {
		t.Error("the test says little")
	}
	if _, err := Open(&aiger.File{Bads: []aiger.Lit{1}}, 1, nil); err == nil {
		t.Error("a property that the file has not is accepted")
	}
}
