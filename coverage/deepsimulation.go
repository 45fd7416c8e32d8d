package coverage

import (
	"context"
	"math/bits"
	"time"

	"netcov/internal/clock"
)

// TestDeepSimulation is the name of this test.
const TestDeepSimulation = "DEEPSIMULATION"

// Deep random walks, for mutants of several properties, or of gates, that bounded search
// does not reach: their counterexamples have hundreds of steps. In such a walk a request that is
// made every few steps, or a reset, lets nothing come to its end; so each lane has habits
// of its own, for each input: to hold a value, to change it rarely, to keep it mostly, or
// none. In three of four lanes most inputs hold a value, often the same one, as the
// surroundings of a design do that is busy with one thing for long. A run that is found
// is tried on all open mutants, as often as that settles more of them than walks do.
//
// The test goes on as long as it finds, and its walks grow while they find nothing. On
// small designs, of which a set may have many, its patience is a share of what all tests
// before it have taken.
const (
	deepFirst  = 256 // frames
	deepLast   = 4096
	deepInputs = 8 << 20               // words of inputs that a walk may keep
	deepIdle   = 50 * time.Millisecond // without a find, and so much more for each open mutant:
	deepEach   = 4 * time.Millisecond
	deepBefore = 3 // that part, where it is short
	deepPast   = 1 // times what it took to the last find
)

// runDeepSimulation walks the open mutants until that finds no more.
func runDeepSimulation(ctx context.Context, s *session) {
	sim := newFaultSimulator(s.stock.model, s.opt.Seed+2)
	sim.habits = true
	most := min(deepLast, max(deepFirst, deepInputs/max(1, len(s.stock.model.Inputs))))
	before := time.Since(s.ledger.start)
	before = max(before/deepBefore, before-deepIdle)
	work := clock.StartWork()
	found := time.Duration(0) // when the last mutant was
	var d deepYields
	for frames := deepFirst; ; {
		open := s.ledger.inside()
		if len(open) == 0 {
			return
		}
		idle := min(deepIdle+deepEach*time.Duration(len(open)), before) + time.Duration(deepPast*float64(found))
		limited, cancel := clock.LimitWork(ctx, max(1, found+idle-work.Elapsed()))
		n := s.deepWalk(limited, sim, &d, open, frames)
		over := limited.Err() != nil
		cancel()
		switch {
		case n > 0:
			found = work.Elapsed()
		case over:
			return
		default:
			frames = min(2*frames, most)
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// deepYields are what walks settle, and what the traces do that they find.
type deepYields struct{ walks, traces yield }

// leastTraces is the share of the time of walks that traces get however little they settle.
const leastTraces = 0.1

// due reports whether a trace is worth to be tried on all.
func (d *deepYields) due() bool {
	share := leastTraces
	if d.traces.time > 0 {
		share = pace(d.traces, d.walks, leastTraces, 1)
	}
	return d.traces.time.Seconds() <= share*d.walks.time.Seconds()
}

// deepWalk runs one walk per open mutant and returns how many that covered.
func (s *session) deepWalk(ctx context.Context, sim *faultSimulator, d *deepYields, open []*Mutant, frames int) int {
	before := len(open)
	for len(open) > 0 && ctx.Err() == nil {
		var batch []*Mutant
		for len(open) > 0 && len(batch) < 64 {
			if s.ledger.isOpen(open[0]) {
				batch = append(batch, open[0])
			}
			open = open[1:]
		}
		if len(batch) == 0 {
			break
		}
		var hits []hit
		d.walks.add(s.measure(func() {
			hits = sim.random(ctx, batch, frames)
			s.coverAll(TestDeepSimulation, hits)
		}))
		if len(hits) > 0 && d.due() {
			d.traces.add(s.measure(func() { s.tryTrace(ctx, TestDeepSimulation, hits[len(hits)-1].trace) }))
		}
	}
	return before - len(s.ledger.inside())
}

// habit is how the lanes draw an input: each bit is a lane's.
type habit struct {
	hold, rare, keep uint64 // the first of these that is 1 tells
	value            uint64 // that is held, or mostly there
}

// Lanes whose inputs idle: three in four hold some value, or 15 in 16, of which seven in
// eight hold this one. In the fourth quarter of the lanes nothing is in common.
const (
	heldLanes uint64 = 0x2222222222222222
	zeroLanes uint64 = 0x4444444444444444
	oneLanes  uint64 = 0x8888888888888888
)

// drawHabits chooses habits for a walk.
func (f *faultSimulator) drawHabits() []habit {
	draw := f.rng.Uint64
	once := func(n int) uint64 { // in 2^n bits
		w := draw()
		for range n - 1 {
			w &= draw()
		}
		return w
	}
	h := make([]habit, len(f.m.Inputs))
	for i := range h {
		eighth := once(3)
		h[i] = habit{
			hold: draw() | heldLanes&^once(2) | (zeroLanes|oneLanes)&^once(4), rare: draw(), keep: draw(),
			value: zeroLanes&eighth | oneLanes&^eighth | draw()&^(zeroLanes|oneLanes),
		}
	}
	return h
}

// follow returns 64 lanes of an input, last being those of the frame before.
func (f *faultSimulator) follow(h habit, last uint64) uint64 {
	w := f.rng.Uint64()
	eighth := w & f.rng.Uint64() & bits.RotateLeft64(w, 23)
	seldom := eighth & f.rng.Uint64() & f.rng.Uint64()
	free := h.keep&(last^eighth) | ^h.keep&w
	return h.hold&h.value | ^h.hold&(h.rare&(h.value^seldom)|^h.rare&free)
}
