package why

import (
	"context"
	"math/bits"
	"math/rand/v2"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
)

// The design and 63 mutants run side by side on the same random inputs: lane 0 is the
// design. A lane in which an observation point differs from lane 0 while the
// constraints hold on both shows a gap. Walks are short at first, since short traces
// are easier to read.

// walkLengths are the lengths of the walks, and longWalks those of each further round.
var walkLengths = []int{1, 2, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 64, 128}

var longWalks = []int{32, 64, 64, 128, 128, 256}

// moreRounds bounds the further rounds; each must find something for the next but one to
// begin.
const moreRounds = 12

// tries is the number of inputs drawn for a step of which the best one is taken, where
// there are constraints.
const tries = 6

// values are what random runs of the design have shown.
type values struct {
	latchChanged    []bool // by latch: it had another value than at reset
	cutZero, cutOne []bool // by cut: it had this value
}

// walker simulates pairs.
type walker struct {
	d   *design
	sim *netlist.Simulator
	rng *rand.Rand
}

func newWalker(d *design) *walker {
	return &walker{d: d, sim: netlist.NewSimulator(d.model), rng: rand.New(rand.NewPCG(17, 2010))}
}

// watch runs the design alone, 64 random runs at a time.
func (w *walker) watch(ctx context.Context) *values {
	m := w.d.model
	v := &values{
		latchChanged: make([]bool, len(m.Latches)), cutZero: make([]bool, len(m.Cuts)), cutOne: make([]bool, len(m.Cuts)),
	}
	read := make([]bool, m.Graph.Size()) // what the simulator evaluates
	for _, n := range m.Graph.Cone(m.Roots()...) {
		read[n] = true
	}
	w.sim.ClearFaults()
	for range 8 {
		bias := w.biases()
		w.sim.Reset(func(int) uint64 { return w.rng.Uint64() })
		live := ^uint64(0)
		in := make([]uint64, len(m.Inputs))
		for step := 0; step < 64 && ctx.Err() == nil && live != 0; step++ {
			best := uint64(0)
			for range w.tries() {
				try := make([]uint64, len(in))
				for i := range try {
					try[i] = w.word(bias[i])
				}
				w.sim.Eval(try)
				if now := live & w.sim.Value(m.Constraint); best == 0 || bits.OnesCount64(now) > bits.OnesCount64(best) {
					best, in = now, try
				}
			}
			w.sim.Eval(in)
			for i, l := range m.Latches {
				reset := -uint64(l.Reset & 1)
				v.latchChanged[i] = v.latchChanged[i] || (w.sim.State(i)^reset)&live != 0
			}
			live &= w.sim.Value(m.Constraint)
			for k, c := range m.Cuts {
				if !read[c.Lit.Node()] {
					continue
				}
				x := w.sim.Value(c.Lit)
				v.cutOne[k] = v.cutOne[k] || x&live != 0
				v.cutZero[k] = v.cutZero[k] || ^x&live != 0
			}
			w.sim.Step()
		}
	}
	return v
}

func (w *walker) tries() int {
	if w.d.model.Constraint == aig.True {
		return 1
	}
	return tries
}

// pack puts up to 63 mutants into the lanes from 1 on.
func (w *walker) pack(xs []*work) {
	w.sim.ClearFaults()
	for i, x := range xs {
		value := uint64(0)
		if x.force == netlist.ForceOne {
			value = ^value
		}
		w.sim.SetFault(x.cut, 2<<i, value)
	}
}

// release gives the mutants with free values those of the lanes.
func (w *walker) release(xs []*work, free uint64) {
	for i, x := range xs {
		if x.force == netlist.ForceFree {
			w.sim.SetFault(x.cut, 2<<i, free)
		}
	}
}

// search walks with the mutants and calls found with those that show a gap. After idle
// rounds, or when ctx ends, it ends undecided.
func (w *walker) search(ctx context.Context, xs []*work, found func(*work, *cert.Trace)) {
	w.round(ctx, xs, walkLengths, found)
	idle := 0
	for round := 0; round < moreRounds && idle < 2 && ctx.Err() == nil; round++ {
		var open []*work
		for _, x := range xs {
			if x.open() {
				open = append(open, x)
			}
		}
		idle++
		w.round(ctx, open, longWalks, func(x *work, t *cert.Trace) {
			idle = 0
			found(x, t)
		})
	}
}

// round walks once along each of the lengths.
func (w *walker) round(ctx context.Context, xs []*work, lengths []int, found func(*work, *cert.Trace)) {
	for len(xs) > 0 && ctx.Err() == nil {
		n := min(63, len(xs))
		open := xs[:n:n]
		for _, steps := range lengths {
			var left []*work
			for _, x := range open {
				if x.open() {
					left = append(left, x)
				}
			}
			if open = left; len(open) == 0 || ctx.Err() != nil {
				break
			}
			w.walk(open, w.random(steps), found)
		}
		xs = xs[n:]
	}
}

// drive is what drives a walk.
type drive struct {
	latches []bool
	steps   int
	// draw returns a candidate for the inputs of a step and for the lanes' free values.
	draw  func(step int) (in []bool, free uint64)
	tries int
}

func (w *walker) random(steps int) drive {
	d := drive{steps: steps, tries: w.tries(), latches: make([]bool, len(w.d.model.Latches))}
	for i := range d.latches {
		d.latches[i] = w.rng.IntN(2) == 1
	}
	bias := w.biases()
	d.draw = func(int) ([]bool, uint64) {
		in := make([]bool, len(w.d.model.Inputs))
		for i := range in {
			in[i] = w.word(bias[i])&1 == 1
		}
		return in, w.rng.Uint64()
	}
	return d
}

// biases draws for each input how often it is 1 in a walk: often by half, else seldom or
// mostly. A reset that is random in each step would end whatever begins.
func (w *walker) biases() []int {
	out := make([]int, len(w.d.model.Inputs))
	for i := range out {
		if w.rng.IntN(2) == 0 {
			out[i] = []int{-5, -3, 3, 5}[w.rng.IntN(4)]
		}
	}
	return out
}

// word draws 64 bits: as many ones as zeros, or one in two to the power of the bias, or
// all but one in so many.
func (w *walker) word(bias int) uint64 {
	x := w.rng.Uint64()
	for range bias - 1 {
		x |= w.rng.Uint64()
	}
	for range -bias - 1 {
		x &= w.rng.Uint64()
	}
	return x
}

// replay drives a walk by a trace.
func (w *walker) replay(t *cert.Trace) drive {
	n := len(w.d.model.Inputs)
	return drive{steps: len(t.Inputs), tries: 1, latches: t.Latches, draw: func(step int) ([]bool, uint64) {
		row := t.Inputs[step]
		free := uint64(0)
		if len(row) > n && row[n] {
			free = ^uint64(0)
		}
		return row[:n], free
	}}
}

// walk runs the mutants, at most 63, beside the design.
func (w *walker) walk(xs []*work, by drive, found func(*work, *cert.Trace)) {
	m := w.d.model
	spread := func(b bool) uint64 {
		if b {
			return ^uint64(0)
		}
		return 0
	}
	w.pack(xs)
	w.sim.Reset(func(i int) uint64 { return spread(i < len(by.latches) && by.latches[i]) })
	live := uint64(2)<<len(xs) - 1
	if len(xs) == 63 {
		live = ^uint64(0)
	}
	trace := &cert.Trace{Latches: make([]bool, len(m.Latches))}
	for i := range trace.Latches {
		trace.Latches[i] = w.sim.State(i)&1 == 1
	}
	words := make([]uint64, len(m.Inputs))
	var frees []uint64
	done := uint64(0)
	for step := range by.steps {
		var in []bool
		var free, best uint64
		for try := range by.tries {
			a, f := by.draw(step)
			for i, b := range a {
				words[i] = spread(b)
			}
			w.release(xs, f)
			w.sim.Eval(words)
			now := live & w.sim.Value(m.Constraint)
			if now&1 == 0 {
				now = 0
			}
			if try == 0 || bits.OnesCount64(now) > bits.OnesCount64(best) {
				in, free, best = a, f, now
			}
		}
		if by.tries > 1 {
			for i, b := range in {
				words[i] = spread(b)
			}
			w.release(xs, free)
			w.sim.Eval(words)
		}
		if live = best; live&^(1|done) == 0 {
			return
		}
		trace.Inputs = append(trace.Inputs, in)
		frees = append(frees, free)
		shown := w.shown(xs) & live &^ (1 | done)
		for i, x := range xs {
			if shown>>(i+1)&1 == 1 {
				found(x, w.own(trace, frees, x, i+1))
			}
		}
		done |= shown
		w.sim.Step()
		w.note(xs, live)
	}
}

// shown returns the lanes in which an observation point differs from lane 0.
func (w *walker) shown(xs []*work) uint64 {
	shown := uint64(0)
	for p, l := range w.d.points {
		v := w.sim.Value(l)
		differs := v ^ -(v & 1)
		if latch := w.d.ofLatch[p]; latch >= 0 && differs&^shown != 0 {
			for i, x := range xs {
				if !x.m.Target.Gate && x.m.Target.Index == latch {
					differs &^= 2 << i
				}
			}
		}
		shown |= differs
	}
	return shown
}

// note records which registers differ from the design's.
func (w *walker) note(xs []*work, live uint64) {
	for latch, l := range w.d.model.Latches {
		if !l.InCone {
			continue
		}
		v := w.sim.State(latch)
		if differs := (v ^ -(v & 1)) & live; differs != 0 {
			for i, x := range xs {
				if differs>>(i+1)&1 == 1 {
					x.differed.add(latch)
				}
			}
		}
	}
}

// own is the walk so far as the trace of one lane.
func (w *walker) own(t *cert.Trace, frees []uint64, x *work, lane int) *cert.Trace {
	o := &cert.Trace{Latches: t.Latches}
	for step, in := range t.Inputs {
		row := append([]bool{}, in...)
		if x.m.Fault.Free() {
			row = append(row, frees[step]>>lane&1 == 1)
		}
		o.Inputs = append(o.Inputs, row)
	}
	return o
}
