package why

import (
	"context"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// A node that only a liveness property depends on is no part of the model of pairs:
// its mutants stay open.
func TestOnlyInALivenessCone(t *testing.T) {
	// one register, a bad state that is never reached, and a gate in a justice set
	f, err := aiger.Read(strings.NewReader("aag 3 1 1 0 1 1 0 1 0\n2\n4 4\n4\n1\n6\n6 2 4\n"), "d", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := Problem{File: f, Netlist: netlist.FromAIGER(f), Properties: []int{0, 1}, Invariant: &cert.Invariant{Clauses: []cert.Clause{{cert.MkStateLit(0, true)}}}}
	var ms []Mutant
	for _, fault := range mutant.Standard() {
		ms = append(ms, Mutant{Target: mutant.Target{Gate: true}, Fault: fault})
	}
	found, err := Explain(context.Background(), p, ms, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range found {
		if x.Reason != Open {
			t.Errorf("%s is %s", ms[i].Fault, x.Reason)
		}
	}
}
