package coverage

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"

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
	first  []bool     // [latch]: of the last trace

	// chooser makes random inputs satisfy the constraints; nil: they are as drawn.
	chooser *stimulus.Chooser
	buffer  []uint64 // the chooser's

	repair *repair         // where they still do not; nil: there is none
	habits bool            // of random walks: see habit
	net    *netlist.Beside // see beside; nil: not made yet
	moves  []move          // in the order of frames
}

// move is a lane that goes on, from a frame on, in the place of another one of the same
// mutant, which had come to an end.
type move struct{ frame, lane, from int }

func newFaultSimulator(m *netlist.Model, seed uint64) *faultSimulator {
	return &faultSimulator{
		m: m, sim: netlist.NewSimulator(m), rng: rand.New(rand.NewPCG(seed, 0x6e6574636f76)),
		init: make([]uint64, len(m.Latches)), repair: newRepair(m),
	}
}

// hit is a covered mutant and the run that shows it.
type hit struct {
	m        *Mutant
	trace    *cert.Trace
	property int // that fails at its end: see opinion.traces

	held *cert.Trace // the run as one of the nondet mutant, where that is there: see heldConstant
}

// random walks frames steps with up to 64 mutants (repeated over the lanes
// when there are fewer) and returns those that reach a bad state.
func (f *faultSimulator) random(ctx context.Context, batch []*Mutant, frames int) []hit {
	f.start(batch)
	f.drawInitial()
	return f.walk(ctx, frames, true, f.drawing())
}

// drawInitial draws an initial state for each lane.
func (f *faultSimulator) drawInitial() {
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
}

// drawing returns what draws the inputs of a random walk, and the free values.
func (f *faultSimulator) drawing() func(frame int, in []uint64) uint64 {
	if f.habits {
		habits := f.drawHabits()
		last := make([]uint64, len(habits))
		return func(frame int, in []uint64) uint64 {
			if frame > 0 {
				last = f.inputs[frame-1]
			}
			for i := range in {
				in[i] = f.follow(habits[i], last[i])
			}
			return f.rng.Uint64()
		}
	}
	bias := stimulus.DrawBiases(f.rng, len(f.m.Inputs))
	return func(frame int, in []uint64) uint64 {
		for i := range in {
			last := (*uint64)(nil)
			if frame > 0 {
				last = &f.inputs[frame-1][i]
			}
			in[i] = bias[i].Draw(f.rng, last)
		}
		return f.rng.Uint64()
	}
}

// try replays one trace on up to 64 mutants. A nondet mutant's first lane sees
// the trace's own free value where it has one; other lanes draw it.
func (f *faultSimulator) try(ctx context.Context, batch []*Mutant, t *cert.Trace) []hit {
	f.startAt(batch, t)
	return f.walk(ctx, len(t.Inputs), false, func(frame int, in []uint64) uint64 {
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

// narrowFrom is the number of frames from which it pays to leave other cuts out.
const narrowFrom = 64

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
	f.inputs, f.free, f.moves = f.inputs[:0], f.free[:0], f.moves[:0]
	f.sim.ClearFaults()
}

// startAt assigns the lanes, which begin where a trace does.
func (f *faultSimulator) startAt(batch []*Mutant, t *cert.Trace) {
	f.start(batch)
	for i := range f.m.Latches {
		f.init[i] = spread(i < len(t.Latches) && t.Latches[i])
	}
}

// release gives back what the last walk has kept.
func (f *faultSimulator) release() { f.inputs, f.free, f.moves = nil, nil, nil }

// walk runs the lanes for some frames. Random ones may be repaired where they do not
// satisfy the constraint, and go on from where another lane of the mutant is.
func (f *faultSimulator) walk(ctx context.Context, frames int, random bool, draw func(frame int, in []uint64) uint64) []hit {
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
	if frames >= narrowFrom {
		for cut, mask := range masks {
			f.sim.SetFault(cut, mask, stuck)
		}
		f.sim.Narrow()
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
		if random {
			f.choose(frame, live)
		}
		f.sim.Eval(f.inputs[frame])
		ended := live &^ f.sim.Value(f.m.Constraint)
		live &^= ended
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
		if random && ended != 0 {
			live |= f.goOn(frame+1, live, ended)
		}
	}
	return hits
}

// goOn lets lanes that have come to an end go on where another one of the same mutant
// is. It returns those that do.
func (f *faultSimulator) goOn(frame int, live, ended uint64) (again uint64) {
	for i := range f.lanes {
		if ended>>i&1 == 0 {
			continue
		}
		for k := 1; k < 64; k++ {
			j := (i + k) % 64
			if live>>j&1 == 1 && f.lanes[j].m == f.lanes[i].m {
				f.moves = append(f.moves, move{frame, i, j})
				again |= 1 << i
				break
			}
		}
	}
	if again == 0 {
		return 0
	}
	for l := range f.m.Latches {
		w := f.sim.State(l)
		for _, m := range f.moves[len(f.moves)-bits.OnesCount64(again):] {
			w = w&^(1<<m.lane) | w>>m.from&1<<m.lane
		}
		f.sim.SetState(l, w)
	}
	return again
}

// choose makes a frame's random inputs satisfy the constraints, as far as it can.
func (f *faultSimulator) choose(frame int, live uint64) {
	if f.chooser != nil {
		f.chooser.Choose(f.sim, f.inputs[frame], &f.buffer)
	}
	if f.repair != nil {
		var before []uint64
		if frame > 0 {
			before = f.inputs[frame-1]
		}
		f.repair.inputs(f.sim, f.rng, live, f.inputs[frame], before)
	}
}

// trace extracts a lane's run up to a frame.
func (f *faultSimulator) trace(lane, last int) *cert.Trace {
	t := &cert.Trace{Inputs: make([][]bool, last+1)}
	free := f.lanes[lane].m.free()
	begins := f.back(lane, last, 0, func(frame, lane int) {
		row := f.row(frame, lane)
		if free {
			row = append(row, f.free[frame]>>lane&1 == 1)
		}
		t.Inputs[frame] = row
	})
	t.Latches = f.initial(begins)
	return t
}

// back follows a run back from a frame to an earlier one: it visits each frame with the
// lane that the run was in then, and returns the lane in which it began.
func (f *faultSimulator) back(lane, last, first int, visit func(frame, lane int)) int {
	next := len(f.moves) - 1
	for frame := last; frame >= first; frame-- {
		visit(frame, lane)
		for ; next >= 0 && f.moves[next].frame >= frame; next-- {
			if f.moves[next].frame == frame && f.moves[next].lane == lane {
				lane = f.moves[next].from
			}
		}
	}
	return lane
}

// row returns a lane's inputs in a frame, with room for a free value.
func (f *faultSimulator) row(frame, lane int) []bool {
	row := make([]bool, len(f.m.Inputs), len(f.m.Inputs)+1)
	for i, w := range f.inputs[frame] {
		row[i] = w>>lane&1 == 1
	}
	return row
}

// initial returns the initial state of a lane. Of a large design the initial states of
// all traces weigh more than the rest, and they seldom differ: equal ones are the same
// memory.
func (f *faultSimulator) initial(lane int) []bool {
	latches := make([]bool, len(f.init))
	for i, w := range f.init {
		latches[i] = w>>lane&1 == 1
	}
	if slices.Equal(latches, f.first) {
		return f.first
	}
	f.first = latches
	return latches
}
