package ic3

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// TestFamilies compares the verdicts of families, in slices and with seeds, with
// enumeration of each mutant, and checks all evidence.
func TestFamilies(t *testing.T) {
	rounds := 500
	if testing.Short() {
		rounds = 60
	}
	r := rand.New(rand.NewPCG(21, 22))
	count := map[Status]int{}
	excluded := 0
	for range rounds {
		n := randomNetlist(r, 6, 40)
		var targets []mutant.Target
		for i := range n.Latches {
			targets = append(targets, mutant.Target{Index: i})
		}
		for i := range n.Gates {
			if r.IntN(4) == 0 {
				targets = append(targets, mutant.Target{Gate: true, Index: i})
			}
		}
		m := netlist.Compile(n, n.Bads[0].Lit, targets, mutant.Mux(r.IntN(2)))
		original := New(m, Options{}).Run(context.Background(), Budget{})
		var muts []Mutation
		for cut := range m.Cuts {
			for fault := range mutant.Fault(3) {
				if r.IntN(2) == 0 {
					muts = append(muts, Mutation{cut, fault})
				}
			}
		}
		if len(muts) == 0 {
			continue
		}
		if original.Status == Fails {
			f := NewFamily(m, muts, Options{})
			if left, err := f.Run(context.Background(), Budget{}, nil); err == nil && left > 0 {
				t.Fatal("a family of a failing design ended without an error")
			}
			continue
		}
		var seed []cert.Clause
		if r.IntN(2) == 0 {
			seed = append(original.Invariant.Clauses, randomClauses(r, m)...)
		}
		f := NewFamily(m, muts, Options{Seed: seed})
		seen := make([]bool, len(muts))
		report := func(v Verdict) {
			if seen[v.Index] || v.Mutation != muts[v.Index] {
				t.Fatalf("verdict for %d twice, or mixed up", v.Index)
			}
			seen[v.Index] = true
			mutant := m.Mutant(v.Mutation.Cut, v.Mutation.Fault)
			count[v.Status]++
			checkResult(t, mutant, Result{Status: v.Status, Invariant: v.Invariant, Trace: v.Trace}, explicit(mutant))
		}
		left := len(muts)
		for left > 0 {
			b := Budget{}
			if r.IntN(2) == 0 {
				b = Budget{Propagations: 1 + int64(r.IntN(40))}
			}
			var err error
			if left, err = f.Run(context.Background(), b, report); err != nil {
				t.Fatal(err)
			}
			if i := r.IntN(len(muts)); left > 0 && f.Open(i) && r.IntN(3) == 0 {
				f.Exclude(i)
				seen[i] = true
				excluded++
				left--
			}
		}
		for i := range seen {
			if !seen[i] {
				t.Fatalf("no verdict for mutant %d", i)
			}
		}
	}
	if count[Holds] < rounds || count[Fails] < rounds/3 || excluded < rounds/20 {
		t.Fatalf("lopsided sample: %v, %d", count, excluded)
	}
	t.Logf("%v, %d excluded", count, excluded)
}
