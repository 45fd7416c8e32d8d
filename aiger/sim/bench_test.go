package sim

import (
	"math/rand/v2"
	"testing"

	"netcov/aiger/randaig"
)

// BenchmarkReplayMany replays 100 steps on 64 mutants of a design of up to
// 20,000 gates.
func BenchmarkReplayMany(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 1))
	f := randaig.New(r, randaig.Shape{Inputs: 200, Latches: 2000, Ands: 40000, Bads: 4})
	w := randaig.Trace(r, f, 1, 1)
	for len(w.Inputs) < 100 {
		w.Inputs = append(w.Inputs, randaig.Trace(r, f, 1, 1).Inputs...)
	}
	faults := allFaults(f)[:64]
	b.ReportMetric(float64(len(f.Ands)), "gates")
	for b.Loop() {
		if _, err := ReplayMany(f, w, faults); err != nil {
			b.Fatal(err)
		}
	}
}
