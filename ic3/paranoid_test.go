package ic3

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// TestChecksPass runs engines, with seeds too, and minimisation with all checks on.
func TestChecksPass(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 40
	}
	r := rand.New(rand.NewPCG(31, 7))
	ctx := context.Background()
	checked := Options{Check: func(err error) { t.Error(err) }}
	proved := 0
	for range rounds {
		n := randomNetlist(r, 6, 40)
		var targets []mutant.Target
		for i := range n.Latches {
			targets = append(targets, mutant.Target{Index: i})
		}
		m := netlist.Compile(n, n.Bads[0].Lit, targets, mutant.Mux(r.IntN(2)))
		e := New(m, checked)
		res := e.Run(ctx, Budget{})
		if res.Status != cert.Holds {
			continue
		}
		e.Minimise(ctx)
		Minimise(ctx, m, res.Invariant, checked)
		opt := checked
		opt.Seed = append(randomClauses(r, m), res.Invariant.Clauses...)
		New(m, opt).Run(ctx, Budget{})
		proved++
	}
	if proved < rounds/4 {
		t.Errorf("%d proved in %d rounds", proved, rounds)
	}
}

// TestChecksNotice lets an engine announce an invariant that is none.
func TestChecksNotice(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 7))
	found, failing := 0, 0
	for range 50 {
		n := randomNetlist(r, 6, 40)
		m := netlist.Compile(n, n.Bads[0].Lit, nil, mutant.AtOutput)
		if explicit(m) < 0 {
			continue
		}
		failing++
		e := New(m, Options{Check: func(error) { found++ }})
		e.hold(0)
	}
	if found != failing || failing == 0 {
		t.Errorf("%d of %d wrong invariants were noticed", found, failing)
	}
}

// TestChecksPassJoint does the same with joint runs.
func TestChecksPassJoint(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 40
	}
	r := rand.New(rand.NewPCG(33, 7))
	ctx := context.Background()
	runs := 0
	for range rounds {
		n := randomNetlist(r, 6, 40)
		var targets []mutant.Target
		for i := range n.Latches {
			targets = append(targets, mutant.Target{Index: i})
		}
		m := netlist.Compile(n, n.Bads[0].Lit, targets, mutant.Mux(r.IntN(2)))
		if New(m, Options{}).Run(ctx, Budget{}).Status != cert.Holds {
			continue
		}
		var muts []Mutation
		for cut := range m.Cuts {
			muts = append(muts, Mutation{cut, netlist.Force(r.IntN(netlist.Forces))})
		}
		opt := Options{Seed: randomClauses(r, m), Check: func(err error) { t.Error(err) }}
		if _, err := NewJoint(m, muts, opt).Run(ctx, Budget{}, func(Failure) {}); err != nil {
			t.Fatal(err)
		}
		runs++
	}
	if runs < rounds/4 {
		t.Errorf("%d runs in %d rounds", runs, rounds)
	}
}
