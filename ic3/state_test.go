package ic3

import (
	"math/rand/v2"
	"testing"

	"netcov/cert"
	"netcov/netlist"
)

// TestState compares both forms of a state with a list of values.
func TestState(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, latches := range []int{1, 64, 200, smallDesign, smallDesign + 70} {
		m := &netlist.Model{Latches: make([]netlist.ModelLatch, latches)}
		values := make([]bool, latches)
		var differs []int32
		for i := range m.Latches {
			m.Latches[i].Reset = []netlist.Reset{netlist.Reset0, netlist.Reset1, netlist.ResetX}[r.IntN(3)]
			values[i] = m.Latches[i].Reset == netlist.Reset1
			if r.IntN(3) == 0 {
				values[i] = !values[i]
				differs = append(differs, int32(i))
			}
		}
		r.Shuffle(len(differs), func(i, j int) { differs[i], differs[j] = differs[j], differs[i] })
		e := &Engine{m: m}
		s := e.newState(differs)
		for i, want := range values {
			if e.at(s, i) != want {
				t.Fatalf("%d latches: latch %d is not %v", latches, i, want)
			}
			inside := &lemma{cube: cube{cert.MkStateLit(i, !want)}}
			if !e.excludes(inside, s) || e.excludes(&lemma{cube: cube{cert.MkStateLit(i, want)}}, s) {
				t.Fatalf("%d latches: a cube of latch %d is on the wrong side", latches, i)
			}
		}
	}
}
