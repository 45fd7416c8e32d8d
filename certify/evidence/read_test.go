package evidence_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/aiger/randaig"
	"netcov/cert"
	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/mutant"
	"netcov/netlist"
)

// TestReadInvariants: what is read back of a certificate allows no state that the invariant
// that was written excludes; and it has formulas where that has some.
func TestReadInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 7))
	shape := randaig.Everything()
	shape.Justice, shape.Fairness, shape.Bads, shape.Latches, shape.Constraints = 0, 0, 5, 5, 1
	formulas, wider := 0, 0
	for range 300 {
		shape.Ands = 6 + r.IntN(12)
		f := randaig.New(r, shape)
		n := netlist.FromAIGER(f)
		functions := false
		for _, l := range f.Latches {
			functions = functions || l.HasResetFunction()
		}
		if len(f.Latches) == 0 || len(f.Bads) == 0 || functions {
			continue // without reset functions a latch stores what its readers see
		}
		var all []int
		for i := range f.Bads {
			all = append(all, i)
		}
		set, err := coverage.RunSet(context.Background(), f, n, all, coverage.Options{Tests: []string{coverage.TestKInduction, coverage.TestIC3}})
		if err != nil {
			t.Fatal(err)
		}
		run := &evidence.Run{Design: f, Name: "d.aag", Scope: evidence.NewScope(true, false, mutant.Standard(), mutant.AtOutput), Properties: set.Records(mutant.AtOutput)}
		back, err := evidence.Read(mustWrite(t, run, evidence.WriteOptions{NoMutants: true}))
		if err != nil {
			t.Fatal(err)
		}
		compare := func(was, is *cert.Invariant) {
			if was == nil || len(is.Clauses)+len(is.Formulas) == 0 {
				return // the latter where nothing satisfies the constraints
			}
			if len(was.Formulas) > 0 {
				formulas++
			}
			for bits := range 1 << len(f.Latches) {
				state := make([]bool, len(f.Latches))
				for i := range state {
					state[i] = bits>>i&1 == 1
				}
				if is.Holds(state) && !was.Holds(state) {
					t.Fatalf("state %v: %+v was written, %+v read", state, was, is)
				}
				if was.Holds(state) && !is.Holds(state) {
					wider++ // the property itself, where it reads no input
				}
			}
		}
		for i, p := range run.Properties {
			compare(p.Invariant, back.Properties[i].Invariant)
			for k, m := range p.Mutants {
				compare(m.Invariant, back.Properties[i].Mutants[k].Invariant)
			}
		}
	}
	t.Log(formulas, wider)
	if formulas < 40 {
		t.Error("the test says little")
	}
}
