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
// Where one run each is to follow, for gates, the test ends when a walk of all mutants
// settles less than half of what it has settled on average, and goes on in turn with those
// runs: see keepPace. Else it goes on as long as it finds, and its patience is a share of
// what all tests before it have taken: a set may have many small designs.
const (
	deepFirst    = 256 // frames; walks grow while they find nothing
	deepLast     = 4096
	deepInputs   = 8 << 20               // words of inputs that a walk may keep
	deepIdle     = 50 * time.Millisecond // without a find, and so much more for each open mutant:
	deepEach     = 4 * time.Millisecond
	deepEachHere = deepEach / 8 // where it goes on later
	deepBefore   = 3            // that part, where it is short
	deepPast     = 1            // times what it took to the last find
	deepSmall    = 1 << 20      // evaluations of a node in a first walk that is never cut short
	deepFalls    = 2            // the average over the yield of a walk that ends a first turn
)

// deepWalks are the walks under way.
type deepWalks struct {
	sim    *faultSimulator
	frames int
	most   int       // frames
	rest   []*Mutant // of the walk of all open mutants
	found  bool      // that walk covered one
	walks  yield     // from the initial states
	near   yield     // along traces: see near
	traces yield     // what traces do on other mutants
	beside
}

func newDeepWalks(s *session) *deepWalks {
	d := &deepWalks{sim: newFaultSimulator(s.stock.model, s.opt.Seed+2), frames: deepFirst, beside: beside{fades: true}}
	d.sim.habits = true
	d.most = min(deepLast, max(deepFirst, deepInputs/max(1, len(s.stock.model.Inputs))))
	return d
}

// runDeepSimulation walks the open mutants until that finds no more, or less than before.
func runDeepSimulation(ctx context.Context, s *session) {
	d := newDeepWalks(s)
	each := deepEach
	if len(s.properties) == 1 && s.runs(TestIC3) {
		s.deep, each = d, deepEachHere
	}
	before := time.Since(s.ledger.start)
	before = max(before/deepBefore, before-deepIdle)
	work := clock.StartWork()
	found := time.Duration(0) // when the last mutant was
	var all yield
	batches := (len(s.ledger.inside()) + 63) / 64
	whole := batches*d.frames*s.stock.model.Graph.Size() <= deepSmall
	for ctx.Err() == nil {
		open := len(s.ledger.inside())
		idle := min(deepIdle+each*time.Duration(open), before) + time.Duration(deepPast*float64(found))
		limit := max(1, found+idle-work.Elapsed())
		if whole {
			limit, whole = 0, false // none
		}
		limited, cancel := clock.LimitWork(ctx, limit)
		y := s.measure(func() { s.deepWalk(limited, d) })
		over := limited.Err() != nil
		cancel()
		all.add(y)
		switch {
		case y.settled > 0:
			found = work.Elapsed()
		case over:
			return
		}
		if len(s.ledger.inside()) == 0 || s.deep != nil && deepFalls*y.rate() < all.rate() {
			return
		}
	}
}

// deepWalk goes on with the walk of all open mutants, to its end.
func (s *session) deepWalk(ctx context.Context, d *deepWalks) {
	if len(d.rest) == 0 {
		d.rest, d.found = s.ledger.inside(), false
	}
	for len(d.rest) > 0 && ctx.Err() == nil {
		var batch []*Mutant
		for len(d.rest) > 0 && len(batch) < 64 {
			if s.ledger.isOpen(d.rest[0]) {
				batch = append(batch, d.rest[0])
			}
			d.rest = d.rest[1:]
		}
		if len(batch) == 0 {
			break
		}
		hits := s.deepBatch(ctx, d, batch)
		d.found = d.found || len(hits) > 0
		if len(hits) > 0 && d.due() {
			d.traces.add(s.measure(func() { s.tryTrace(ctx, TestDeepSimulation, hits[len(hits)-1].trace) }))
		}
		fade(&d.walks, &d.traces, &d.near)
	}
	if !d.found && len(d.rest) == 0 {
		d.frames = min(2*d.frames, d.most)
	}
}

// deepBatch walks up to 64 mutants, from the initial states or along a trace.
func (s *session) deepBatch(ctx context.Context, d *deepWalks, batch []*Mutant) (hits []hit) {
	kind, walk := &d.walks, func() []hit { return d.sim.random(ctx, batch, d.frames) }
	if due(d.near, d.walks, leastNear, mostNear) >= 0 {
		if t := s.stock.found.draw(d.sim.rng); t != nil {
			kind, walk = &d.near, func() []hit { return d.sim.near(ctx, batch, t) }
		}
	}
	kind.add(s.measure(func() {
		hits = walk()
		s.coverAll(TestDeepSimulation, hits)
	}))
	return hits
}

// leastTraces is the share of the time of walks that traces get however little they settle.
const leastTraces = 0.1

// due reports whether a trace is worth to be tried on all.
func (d *deepWalks) due() bool {
	share := leastTraces
	if d.traces.time > 0 {
		share = pace(d.traces, d.walks, leastTraces, 1)
	}
	return d.traces.time.Seconds() <= share*d.walks.time.Seconds()
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
