package explore

import (
	"context"
	"math/rand/v2"

	"netcov/cert"
	"netcov/netlist"
	"netcov/stimulus"
)

// steps is the length of a burst.
const steps = 8

// Search looks for a counterexample of one mutant of a model: the one that forces a
// cut. It can be taken up again.
type Search struct {
	m        *netlist.Model
	free     bool   // the cut's value is drawn in each step
	stuck    uint64 // else this
	sim      *netlist.Simulator
	cut      int
	rng      *rand.Rand
	archives []*archive
	turn     int
	cone     []int // latches in the cone; a state has a bit for each
	features []uint64
	state    []uint64 // [latch]
	chooser  *stimulus.Chooser
	buffer   []uint64 // the chooser's
}

// burst is 64 runs of some steps, from cells of an archive.
type burst struct {
	archive *archive
	from    [64]int32
	inputs  [][]uint64 // [step][input], a word for 64 lanes; a free value comes last
}

// New prepares the search for a counterexample of the mutant of a model that forces
// a cut. The invariant, of the design, helps to tell states apart; it is not believed.
// The chooser makes inputs satisfy the constraints; it may be nil.
func New(m *netlist.Model, cut int, force netlist.Force, inv *cert.Invariant, chooser *stimulus.Chooser, seed uint64) *Search {
	s := &Search{
		m: m, cut: cut, free: force == netlist.ForceFree, sim: netlist.NewSimulator(m), chooser: chooser,
		rng: rand.New(rand.NewPCG(seed, 0x6578706c6f7265)), state: make([]uint64, len(m.Latches)),
	}
	if force == netlist.ForceOne {
		s.stuck = ^uint64(0)
	}
	s.sim.SetFault(cut, ^uint64(0), s.stuck)
	s.sim.Narrow()
	for i, l := range m.Latches {
		if l.InCone {
			s.cone = append(s.cone, i)
		}
	}
	for _, k := range kindsOf(m, inv) {
		s.archives = append(s.archives, newArchive(k, len(s.cone)))
	}
	return s
}

// Run searches until ctx ends or a counterexample is there: a trace of the mutant, a
// free value the last input of each step.
func (s *Search) Run(ctx context.Context) *cert.Trace {
	for ctx.Err() == nil {
		a := s.archives[s.turn%len(s.archives)]
		s.turn++
		if len(a.cells) == 0 {
			s.begin(a)
		}
		if t := s.burst(a); t != nil {
			return t
		}
	}
	return nil
}

// begin puts initial states into an empty archive.
func (s *Search) begin(a *archive) {
	s.sim.Reset(func(int) uint64 { return s.rng.Uint64() })
	for i := range s.state {
		s.state[i] = s.sim.State(i)
	}
	s.keep(a, nil, 0, ^uint64(0))
}

// burst goes some steps from rarely visited cells.
func (s *Search) burst(a *archive) *cert.Trace {
	b := &burst{archive: a}
	for lane := range b.from {
		b.from[lane] = a.choose(s.rng)
	}
	s.restore(a, &b.from)
	bias := stimulus.DrawBiases(s.rng, len(s.m.Inputs))
	live := ^uint64(0)
	for step := 0; step < steps && live != 0; step++ {
		in := make([]uint64, len(s.m.Inputs), len(s.m.Inputs)+1)
		for i := range in {
			last := (*uint64)(nil)
			if step > 0 {
				last = &b.inputs[step-1][i]
			}
			in[i] = bias[i].Draw(s.rng, last)
		}
		value := s.stuck
		if s.free {
			value = s.rng.Uint64()
			in = append(in, value)
		}
		b.inputs = append(b.inputs, in)
		s.sim.SetFault(s.cut, ^uint64(0), value)
		live &= s.legal(in, live)
		if bad := live & s.sim.Value(s.m.Bad); bad != 0 {
			return s.trace(b, lowest(bad), step)
		}
		s.sim.Step()
		for i := range s.state {
			s.state[i] = s.sim.State(i)
		}
		s.keep(a, b, step, live)
	}
	return nil
}

// asDrawn: one burst in so many takes inputs as they are drawn. What the chooser takes
// for a constraint may be none for the mutant.
const asDrawn = 4

// redraws is how often inputs that violate the constraint are drawn anew.
const redraws = 4

// legal evaluates a step, with new inputs in live lanes whose inputs violate the
// constraint, and returns the lanes that satisfy it.
func (s *Search) legal(in []uint64, live uint64) uint64 {
	in = in[:len(s.m.Inputs)]
	if s.chooser != nil && s.turn%asDrawn != 0 {
		s.chooser.Choose(s.sim, in, &s.buffer)
	}
	s.sim.Eval(in)
	for range redraws {
		lost := live &^ s.sim.Value(s.m.Constraint)
		if lost == 0 {
			break
		}
		for i := range in {
			in[i] ^= s.rng.Uint64() & lost
		}
		s.sim.Eval(in)
	}
	return s.sim.Value(s.m.Constraint)
}

// keep counts the states of the live lanes, and takes new cells into the archive.
func (s *Search) keep(a *archive, b *burst, step int, live uint64) {
	s.features = a.kind.features(s.features[:0], s.state)
	keys := hashes(s.features)
	var states []uint64 // [lane * words], on first use
	for lane, key := range keys {
		if live>>lane&1 == 0 || !a.visit(key) {
			continue
		}
		if states == nil {
			states = s.pack(a.words)
		}
		a.add(key, cell{burst: b, lane: uint8(lane), step: uint8(step)}, states[lane*a.words:(lane+1)*a.words])
	}
}

// pack returns the states of all lanes, a bit for each latch of the cone.
func (s *Search) pack(words int) []uint64 {
	out := make([]uint64, 64*words)
	for w := range words {
		var block [64]uint64
		for i, latch := range s.cone[64*w : min(64*w+64, len(s.cone))] {
			block[i] = s.state[latch]
		}
		transpose(&block)
		for lane, bits := range block {
			out[lane*words+w] = bits
		}
	}
	return out
}

// restore puts the simulator into the states of 64 cells.
func (s *Search) restore(a *archive, from *[64]int32) {
	for w := range a.words {
		var block [64]uint64
		for lane, c := range from {
			block[lane] = a.at(c)[w]
		}
		transpose(&block)
		for i, latch := range s.cone[64*w : min(64*w+64, len(s.cone))] {
			s.sim.SetState(latch, block[i])
		}
	}
}
