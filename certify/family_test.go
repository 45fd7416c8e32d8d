package certify

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/mutant"
)

// TestFamilyAgainstEnumeration compares the check of several invariants at once, each
// for mutants of its own, good ones and broken ones, with enumeration of each.
func TestFamilyAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 2))
	accepted, refused, atOnce := 0, 0, 0
	for round := range rounds(4000) {
		f := randomFile(r)
		bads, _, _ := f.Properties()
		property := r.IntN(len(bads))
		k := NewChecker(f, property)
		n := len(f.Latches) + 1
		mutations := allMutations(f, mutant.Mux(r.IntN(2)))
		if len(mutations) == 0 {
			continue
		}
		var family []Member
		good := true
		for range 1 + r.IntN(5) {
			m := mutations[r.IntN(len(mutations))]
			reached, _ := newOracle(f, property, &m).search()
			inv := exact(reached, n, r.IntN(2) == 0)
			if r.IntN(4) == 0 {
				breakIt(r, inv, n)
			}
			member := Member{inv, []Mutation{m}}
			if r.IntN(4) == 0 {
				member.Mutants = append(member.Mutants, mutations[r.IntN(len(mutations))])
			}
			for _, m := range member.Mutants {
				good = good && len(newOracle(f, property, &m).fails(inv)) == 0
			}
			family = append(family, member)
		}
		ctx := context.Background()
		if err := k.Invariants(ctx, family); (err == nil) != good {
			t.Fatalf("round %d: %v, but all hold: %v\n%+v\n%+v", round, err, good, f, family)
		}
		if good {
			accepted++
		} else {
			refused++
		}
		if ok, err := k.atOnce(ctx, family); err != nil || ok && !good {
			t.Fatalf("round %d: %v %v, but all hold: %v", round, ok, err, good)
		} else if ok {
			atOnce++
		}
	}
	t.Log(accepted, refused, atOnce)
	if accepted < rounds(400) || refused < rounds(400) || atOnce < rounds(200) {
		t.Error("the test says little")
	}
}
