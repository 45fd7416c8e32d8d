package coverage

import (
	"context"
	"math/rand/v2"

	"netcov/cert"
	"netcov/netlist"
	"netcov/stimulus"
)

// Bit-parallel fault simulation: a lane a mutant. Random walks from the initial
// states find most covered mutants at once, and every counterexample that any
// test finds is tried on all mutants that are still open.

// faultLane is one lane's mutant.
type faultLane struct {
	m     *Mutant
	value uint64 // the stuck value in this lane's bit; drawn anew per frame where it is free
}

// faultSimulator runs open mutants in batches of 64.
type faultSimulator struct {
	m      *netlist.Model
	sim    *netlist.Simulator
	rng    *rand.Rand
	lanes  []faultLane
	inputs [][]uint64 // [frame][input]
	free   []uint64   // [frame]: the lanes' forced values
	init   []uint64   // [latch]

	// chooser makes random inputs satisfy the constraints; nil: they are as drawn.
	chooser *stimulus.Chooser
	buffer  []uint64 // the chooser's
}

func newFaultSimulator(m *netlist.Model, seed uint64) *faultSimulator {
	return &faultSimulator{
		m: m, sim: netlist.NewSimulator(m), rng: rand.New(rand.NewPCG(seed, 0x6e6574636f76)),
		init: make([]uint64, len(m.Latches)),
	}
}

// hit is a covered mutant and the run that shows it.
type hit struct {
	m        *Mutant
	trace    *cert.Trace
	property int // that fails at its end: see opinion.traces
}

// random walks frames steps with up to 64 mutants (repeated over the lanes
// when there are fewer) and returns those that reach a bad state.
func (f *faultSimulator) random(ctx context.Context, batch []*Mutant, frames int) []hit {
	f.start(batch)
	for i, l := range f.m.Latches {
		switch l.Reset {
		case netlist.Reset0:
			f.init[i] = 0
		case netlist.Reset1:
			f.init[i] = ^uint64(0)
		default:
			f.init[i] = f.rng.Uint64()
		}
	}
	bias := make([]uint8, len(f.m.Inputs)) // how an input is drawn in this walk
	for i := range bias {
		bias[i] = uint8(f.rng.IntN(5))
	}
	return f.walk(ctx, frames, f.chooser, func(frame int, in []uint64) uint64 {
		for i := range in {
			in[i] = f.draw(bias[i], frame, i)
		}
		return f.rng.Uint64()
	})
}

// draw returns 64 lanes of a random input: fair, rarely 1, rarely 0, or mostly
// what it was in the frame before.
func (f *faultSimulator) draw(bias uint8, frame, input int) uint64 {
	w := f.rng.Uint64()
	switch bias {
	case 0:
		return w & f.rng.Uint64() & f.rng.Uint64()
	case 1:
		return w | f.rng.Uint64() | f.rng.Uint64()
	case 2:
		if frame > 0 {
			change := f.rng.Uint64() & f.rng.Uint64() & f.rng.Uint64()
			return f.inputs[frame-1][input]&^change | w&change
		}
	}
	return w
}

// try replays one trace on up to 64 mutants. A nondet mutant's first lane sees
// the trace's own free value where it has one; other lanes draw it.
func (f *faultSimulator) try(ctx context.Context, batch []*Mutant, t *cert.Trace) []hit {
	f.start(batch)
	for i := range f.m.Latches {
		f.init[i] = spread(i < len(t.Latches) && t.Latches[i])
	}
	return f.walk(ctx, len(t.Inputs), nil, func(frame int, in []uint64) uint64 {
		bits := t.Inputs[frame]
		for i := range in {
			in[i] = spread(bits[i])
		}
		if len(bits) == len(in) {
			return f.rng.Uint64()
		}
		first := ^uint64(0) >> (64 - len(batch))
		return spread(bits[len(in)])&first | f.rng.Uint64()&^first
	})
}

// start assigns the lanes.
func (f *faultSimulator) start(batch []*Mutant) {
	f.lanes = f.lanes[:0]
	for i := range 64 {
		m := batch[i%len(batch)]
		l := faultLane{m: m}
		if m.force == netlist.ForceOne {
			l.value = 1 << i
		}
		f.lanes = append(f.lanes, l)
	}
	f.inputs, f.free = f.inputs[:0], f.free[:0]
	f.sim.ClearFaults()
}

func (f *faultSimulator) walk(ctx context.Context, frames int, chooser *stimulus.Chooser, draw func(frame int, in []uint64) uint64) []hit {
	for i, w := range f.init {
		f.sim.SetState(i, w)
	}
	var free, stuck uint64
	masks := map[int]uint64{}
	for i, l := range f.lanes {
		masks[l.m.cut] |= 1 << i
		if l.m.free() {
			free |= 1 << i
		}
		stuck |= l.value
	}
	var hits []hit
	live := ^uint64(0)
	found := map[*Mutant]bool{}
	for frame := 0; frame < frames && live != 0 && ctx.Err() == nil; frame++ {
		f.inputs = append(f.inputs, make([]uint64, len(f.m.Inputs)))
		values := draw(frame, f.inputs[frame])&free | stuck&^free
		f.free = append(f.free, values)
		for cut, mask := range masks {
			f.sim.SetFault(cut, mask, values)
		}
		if chooser != nil {
			chooser.Choose(f.sim, f.inputs[frame], &f.buffer)
		}
		f.sim.Eval(f.inputs[frame])
		live &= f.sim.Value(f.m.Constraint)
		bad := live & f.sim.Value(f.m.Bad)
		for i := range f.lanes {
			if bad>>i&1 == 1 && !found[f.lanes[i].m] {
				found[f.lanes[i].m] = true
				hits = append(hits, hit{m: f.lanes[i].m, trace: f.trace(i, frame)})
			}
		}
		live &^= bad
		if len(found) > 0 {
			for i := range f.lanes {
				if found[f.lanes[i].m] {
					live &^= 1 << i
				}
			}
		}
		f.sim.Step()
	}
	return hits
}

// trace extracts a lane's run up to a frame.
func (f *faultSimulator) trace(lane, last int) *cert.Trace {
	t := &cert.Trace{Latches: make([]bool, len(f.init))}
	for i, w := range f.init {
		t.Latches[i] = w>>lane&1 == 1
	}
	for frame := 0; frame <= last; frame++ {
		bits := make([]bool, len(f.m.Inputs), len(f.m.Inputs)+1)
		for i, w := range f.inputs[frame] {
			bits[i] = w>>lane&1 == 1
		}
		if f.lanes[lane].m.free() {
			bits = append(bits, f.free[frame]>>lane&1 == 1)
		}
		t.Inputs = append(t.Inputs, bits)
	}
	return t
}
