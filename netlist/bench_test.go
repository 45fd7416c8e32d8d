package netlist

import (
	"math/rand/v2"
	"testing"

	"netcov/aig"
	"netcov/mutant"
)

// randomModel is a design of the given size in which every latch and gate can
// be mutated.
func randomModel(latches, gates int) *Model {
	r := rand.New(rand.NewPCG(1, 2))
	n := &Netlist{Graph: aig.NewGraph()}
	var lits []aig.Lit
	for range 32 {
		l := n.Graph.Input()
		n.Inputs = append(n.Inputs, Input{Lit: l})
		lits = append(lits, l)
	}
	for range latches {
		l := n.Graph.Latch()
		n.Latches = append(n.Latches, Latch{Lit: l})
		lits = append(lits, l)
	}
	pick := func() aig.Lit { return lits[r.IntN(len(lits))] ^ aig.Lit(r.IntN(2)) }
	for range gates {
		l := n.Graph.RawAnd(pick(), pick())
		n.Gates = append(n.Gates, l)
		lits = append(lits, l)
	}
	for i := range n.Latches {
		n.Latches[i].Next = pick()
	}
	n.Bads = []Signal{{Lit: lits[len(lits)-1]}}
	var targets []mutant.Target
	for i := range n.Latches {
		targets = append(targets, mutant.Target{Index: i})
	}
	return Compile(n, n.Bads[0].Lit, targets, mutant.AtOutput)
}

// BenchmarkSimulate measures a frame of 64 lanes, a fault in each.
func BenchmarkSimulate(b *testing.B) {
	m := randomModel(500, 10000)
	s := NewSimulator(m)
	in := make([]uint64, len(m.Inputs))
	r := rand.New(rand.NewPCG(3, 4))
	for lane := range min(64, len(m.Cuts)) {
		s.SetFault(lane, 1<<lane, r.Uint64())
	}
	b.ReportMetric(float64(len(s.ops.list)), "nodes")
	for b.Loop() {
		for i := range in {
			in[i] = r.Uint64()
		}
		s.Eval(in)
		s.Step()
	}
}

// BenchmarkMutant measures the building of a mutant's model.
func BenchmarkMutant(b *testing.B) {
	m := randomModel(500, 10000)
	for i := 0; b.Loop(); i++ {
		m.Mutant(i%len(m.Cuts), Force(i%Forces))
	}
}
