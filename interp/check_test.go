package interp

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/cert"
	"netcov/netlist"
)

// TestCheckAgainstEnumeration compares verdicts, depths and invariants with
// explicit enumeration.
func TestCheckAgainstEnumeration(t *testing.T) {
	count := map[cert.Status]int{}
	for seed := range uint64(tries(1000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := randomModel(r, seed%2 == 0)
		if len(m.Cuts) > 0 && r.IntN(2) == 0 {
			m = m.Mutant(r.IntN(len(m.Cuts)), netlist.Force(r.IntN(netlist.Forces)))
		}
		e := newExplicit(m)
		want := e.depth()
		for _, opt := range variants() {
			res, err := Check(context.Background(), m, opt)
			if err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, opt, err)
			}
			count[res.Status]++
			switch {
			case res.Status == cert.Unknown:
				t.Fatalf("seed %d, %+v: unknown", seed, opt)
			case res.Status == cert.Fails && want < 0, res.Status == cert.Holds && want >= 0:
				t.Fatalf("seed %d, %+v: %v, but the shortest counterexample is %d", seed, opt, res.Status, want)
			case res.Status == cert.Fails && res.Trace.Depth() != want:
				t.Fatalf("seed %d, %+v: counterexample of %d steps, the shortest has %d", seed, opt, res.Trace.Depth(), want)
			case res.Status == cert.Fails && netlist.Replay(m, res.Trace) != want:
				t.Fatalf("seed %d, %+v: replay", seed, opt)
			}
			if res.Status == cert.Holds {
				if fault := e.invariantFault(res.Invariant); fault != "" {
					t.Fatalf("seed %d, %+v: the invariant lacks %s", seed, opt, fault)
				}
			}
		}
	}
	t.Log(count)
	if count[cert.Holds] == 0 || count[cert.Fails] == 0 {
		t.Fatalf("one-sided sample: %v", count)
	}
}

// variants lists the options that each model is checked with.
func variants() []Options {
	return []Options{
		{},
		{method: Clauses},
		{method: Proofs},
		{method: Proofs, backward: true},
	}
}
