package explore

import (
	"math/bits"
	"slices"

	"netcov/cert"
	"netcov/netlist"
)

// trace returns the run of a burst's lane up to a step, from an initial state on:
// the bursts that led to its start come first.
func (s *Search) trace(b *burst, lane, step int) *cert.Trace {
	t := &cert.Trace{Latches: make([]bool, len(s.m.Latches))}
	for i, l := range s.m.Latches {
		t.Latches[i] = l.Reset == netlist.Reset1
	}
	var start int32
	for b != nil {
		for i := step; i >= 0; i-- {
			frame := make([]bool, len(b.inputs[i]))
			for k, w := range b.inputs[i] {
				frame[k] = w>>lane&1 == 1
			}
			t.Inputs = append(t.Inputs, frame)
		}
		start = b.from[lane]
		c := b.archive.cells[start]
		if c.burst == nil {
			initial := b.archive.at(start)
			for i, latch := range s.cone {
				t.Latches[latch] = initial[i/64]>>(i%64)&1 == 1
			}
		}
		b, lane, step = c.burst, int(c.lane), int(c.step)
	}
	slices.Reverse(t.Inputs)
	return t
}

// lowest returns the position of the lowest bit that is set.
func lowest(w uint64) int { return bits.TrailingZeros64(w) }
