package ic3

import (
	"math/rand/v2"
	"slices"
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

// TestAgainst compares the events that may exclude a state of a large design with all
// those that do.
func TestAgainst(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	m := &netlist.Model{Latches: make([]netlist.ModelLatch, smallDesign+1)}
	for i := range m.Latches {
		m.Latches[i].Reset = []netlist.Reset{netlist.Reset0, netlist.Reset1, netlist.ResetX}[r.IntN(3)]
	}
	const some = 12 // latches that cubes and states speak of
	found := 0
	for range 300 {
		e := &Engine{m: m}
		for len(e.events) < 30 {
			var c cube
			for i := range some {
				if r.IntN(4) == 0 {
					c = append(c, cert.MkStateLit(i, r.IntN(2) == 0))
				}
			}
			if !e.meetsInit(c) {
				e.note(&lemma{cube: c})
			}
		}
		var differs []int32
		for i := range int32(some) {
			if r.IntN(2) == 0 {
				differs = append(differs, i)
			}
		}
		s, from := e.newState(differs), r.IntN(len(e.events))
		candidates := slices.Collect(e.against(s, from))
		for i, l := range e.events {
			switch in := slices.Contains(candidates, l); {
			case in && i < from:
				t.Fatalf("event %d is older than %d", i, from)
			case !in && i >= from && e.excludes(l, s):
				t.Fatalf("event %d is left out", i)
			case in && e.excludes(l, s):
				found++
			}
		}
	}
	if found < 300 {
		t.Errorf("%d events exclude a state: the test shows too little", found)
	}
}
