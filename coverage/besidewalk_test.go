package coverage

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/cert"
	"netcov/netlist"
)

// TestBesideTraces replays each run that walks beside the design find on the mutant
// alone, also as one of the nondet mutant.
func TestBesideTraces(t *testing.T) {
	found, moved, shared := 0, 0, 0
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 47))
		m, sim := randomWalker(r, seed)
		if m == nil {
			continue
		}
		var all []*Mutant
		for cut := range m.Cuts {
			for force := range netlist.Force(netlist.Forces) {
				all = append(all, &Mutant{cut: cut, force: force})
			}
		}
		rows := map[*bool]bool{}
		ends := func(cut int, force netlist.Force, tr *cert.Trace) {
			found++
			if at := netlist.Replay(m.Mutant(cut, force), tr); at != len(tr.Inputs)-1 {
				t.Fatalf("seed %d, cut %d, %v: the trace of %d steps ends at %d", seed, cut, force, len(tr.Inputs), at)
			}
		}
		for range 2 {
			hits, _ := sim.beside(context.Background(), all, 24)
			for _, h := range hits {
				ends(h.m.cut, h.m.force, h.trace)
				if h.held != nil {
					ends(h.m.cut, netlist.ForceFree, h.held)
				}
				if row := h.trace.Inputs[0]; len(row) > 0 {
					if rows[&row[0]] {
						shared++
					}
					rows[&row[0]] = true
				}
			}
			moved += len(sim.moves)
		}
	}
	if found < 1000 || moved < 1000 || shared < 300 {
		t.Fatalf("%d runs, %d lanes went on, %d rows shared", found, moved, shared)
	}
}

// TestBesideAgainstEnumeration has the simulation tests walk all mutants beside the
// design, and those that change too much in lanes of their own.
func TestBesideAgainstEnumeration(t *testing.T) {
	before := besideFrom
	defer func() { besideFrom = before }()
	besideFrom = 1
	covered := 0
	randomOracles(t, 11, rounds(t, 400), func(o *oracle) {
		for _, name := range []string{TestSimulation, TestLongSimulation} {
			decided, _ := o.run(t, Options{Tests: []string{name}})
			covered += decided
		}
		if decided, all := o.run(t, Options{}); decided != all {
			t.Fatalf("%d of %d mutants are decided", decided, all)
		}
	})
	if covered == 0 {
		t.Error("no mutant was covered")
	}
}
