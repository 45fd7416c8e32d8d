package coverage

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/cert"
	"netcov/netlist"
)

// TestWalksAlongTraces replays what walks along traces find on the mutant alone.
func TestWalksAlongTraces(t *testing.T) {
	found, others := 0, 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 59))
		m, sim := randomWalker(r, seed)
		if m == nil {
			continue
		}
		var batch []*Mutant
		for range 8 {
			batch = append(batch, &Mutant{cut: r.IntN(len(m.Cuts)), force: netlist.Force(r.IntN(netlist.Forces))})
		}
		traces := &foundTraces{}
		check := func(hits []hit) {
			replayHits(t, seed, m, hits)
			found += len(hits)
			for _, h := range hits {
				traces.add(h.trace)
			}
		}
		if check(sim.random(context.Background(), batch, 24)); traces.draw(r) != nil {
			others++
		}
		for range 4 {
			if tr := traces.draw(r); tr != nil {
				check(sim.near(context.Background(), batch, tr))
			}
		}
	}
	if found < 1000 || others < 100 {
		t.Fatalf("%d runs, %d designs with traces", found, others)
	}
}

func TestFoundTraces(t *testing.T) {
	f := &foundTraces{}
	for i := range mostFound + 10 {
		f.add(&cert.Trace{Inputs: make([][]bool, i)})
	}
	seen := map[int]bool{}
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 * mostFound {
		seen[len(f.draw(r).Inputs)] = true
	}
	if seen[9] || !seen[10] || !seen[mostFound+9] {
		t.Error("the oldest traces are to be replaced")
	}
}
