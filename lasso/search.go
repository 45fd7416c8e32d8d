package lasso

import (
	"context"
	"math/rand/v2"
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/liveness"
	"netcov/netlist"
)

// Limits of the enumeration.
const (
	mostBits    = 64      // of a state
	mostFree    = 10      // latches without a reset
	mostInputs  = 12      // that the steps depend on
	mostDue     = 16      // literals
	mostStates  = 1 << 20 // of the search
	mostSteps   = 1 << 22 // that differ in their state or in the literals that hold
	mostInProof = 1 << 17 // states
)

// step leads to a state; in due are the literals that hold in it.
type step struct {
	to  int32
	due uint16
}

// seen is a step that is known.
type seen struct {
	from int32
	due  uint16
}

// Search enumerates the states of a model.
type Search struct {
	m      *netlist.Model
	layout liveness.Layout
	bits   []int  // the latches of a state
	turned []bool // [bit]: the copy has the opposite value, since readers see that
	inputs []int  // that the steps depend on
	all    uint16
	sim    *netlist.Simulator
	part   *netlist.Part

	index  map[uint64]int32
	states []uint64
	from   []int32 // [state]: the one from which it was reached; -1 for initial ones
	steps  [][]step
	count  int    // of all steps
	last   []seen // [state]: the last step that led there
	looked int    // states when components were looked at last
	ended  bool
}

// New returns the enumeration of a translation, or of a mutant of it, without cuts; nil
// where it is no case for it.
func New(m *netlist.Model, layout liveness.Layout) *Search {
	s := &Search{m: m, layout: layout, index: map[uint64]int32{}, all: uint16(1)<<len(layout.Seen) - 1}
	if len(layout.Seen) > mostDue {
		return nil
	}
	roots := []aig.Lit{m.Constraint}
	var free []int // bits
	for i, l := range m.Latches {
		if !l.InCone || i >= layout.Latches && i < layout.Latches+layout.Added {
			continue
		}
		if i >= layout.Latches { // a further latch of the model: the first step differs
			return nil
		}
		if l.Reset == netlist.ResetX {
			free = append(free, len(s.bits))
		}
		if _, copied := layout.Copies[i]; !copied {
			return nil
		}
		s.bits = append(s.bits, i)
		roots = append(roots, l.Next)
	}
	for _, i := range layout.Seen {
		roots = append(roots, m.Latches[i].Next)
	}
	s.sim = netlist.NewSimulator(m)
	if !s.readCopies() {
		return nil
	}
	s.part = netlist.NewPart(m, roots...)
	for _, i := range s.part.Inputs {
		if i != layout.Save {
			s.inputs = append(s.inputs, i)
		}
	}
	if len(s.bits) > mostBits || len(free) > mostFree || len(s.inputs) > mostInputs {
		return nil
	}
	var start uint64
	for k, i := range s.bits {
		if m.Latches[i].Reset == netlist.Reset1 {
			start |= 1 << k
		}
	}
	for choice := range 1 << len(free) {
		x := start
		for k, bit := range free {
			x |= uint64(choice) >> k & 1 << bit
		}
		s.reach(x, -1)
	}
	// The literals hold where the flags of a search that has begun would be set.
	s.sim.SetState(layout.Started, ^uint64(0))
	s.sim.SetState(layout.Saved, ^uint64(0))
	return s
}

// readCopies looks at what a copy takes over of each latch: on random states, when the
// state is to be remembered. False: it depends on more than the latch.
func (s *Search) readCopies() bool {
	r := rand.New(rand.NewPCG(0, 0))
	for i := range s.m.Latches {
		s.sim.SetState(i, r.Uint64())
	}
	in := make([]uint64, len(s.m.Inputs))
	for i := range in {
		in[i] = r.Uint64()
	}
	in[s.layout.Save] = ^uint64(0)
	s.sim.SetState(s.layout.Started, ^uint64(0))
	s.sim.SetState(s.layout.Saved, 0)
	if s.layout.Rounds > 0 { // there were so many
		s.sim.SetState(s.layout.Latches+s.layout.Added-1, ^uint64(0))
	}
	s.sim.Eval(in)
	s.turned = make([]bool, len(s.bits))
	for k, i := range s.bits {
		switch s.sim.Value(s.m.Latches[s.layout.Copies[i]].Next) {
		case s.sim.State(i):
		case ^s.sim.State(i):
			s.turned[k] = true
		default:
			return false
		}
	}
	for i := range s.m.Latches {
		s.sim.SetState(i, 0)
	}
	return true
}

// Run goes on until ctx ends. It returns a counterexample of the model, or an invariant;
// done says that nothing more will come.
func (s *Search) Run(ctx context.Context) (t *cert.Trace, inv *cert.Invariant, done bool) {
	for !s.ended && len(s.steps) < len(s.states) {
		if ctx.Err() != nil {
			return nil, nil, false
		}
		if len(s.states) > mostStates || s.count > mostSteps {
			s.ended = true
			break
		}
		s.expand()
		if len(s.steps) >= 2*s.looked+64 {
			if t := s.look(); t != nil {
				return t, nil, true
			}
		}
	}
	if s.ended && s.looked == len(s.steps) {
		return nil, nil, true
	}
	complete := !s.ended
	s.ended = true
	if t := s.look(); t != nil {
		return t, nil, true
	}
	if complete && len(s.states) <= mostInProof {
		return nil, s.invariant(), true
	}
	return nil, nil, true
}

// look looks for a lasso among the steps that are known.
func (s *Search) look() *cert.Trace {
	s.looked = len(s.steps)
	all, _ := s.components()
	for _, c := range all {
		if c.loops && c.due == s.all {
			return s.trace(c)
		}
	}
	return nil
}

// reach returns the number of a state.
func (s *Search) reach(x uint64, from int32) int32 {
	i, known := s.index[x]
	if !known {
		i = int32(len(s.states))
		s.index[x] = i
		s.states, s.from, s.last = append(s.states, x), append(s.from, from), append(s.last, seen{-1, 0})
	}
	return i
}

// lanesOf are the values of an input in 64 steps that differ in the first six inputs.
var lanesOf = [6]uint64{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000}

// expand adds the steps from the next states: with few inputs several states at a time.
func (s *Search) expand() {
	low := min(len(s.inputs), 6)
	first := len(s.steps)
	states := min(64>>low, len(s.states)-first)
	for k, i := range s.bits {
		var lanes uint64
		for j := range states {
			if s.states[first+j]>>k&1 == 1 {
				lanes |= (1<<(1<<low) - 1) << (j << low)
			}
		}
		s.sim.SetState(i, lanes)
	}
	for range states {
		s.steps = append(s.steps, nil)
	}
	for high := range 1 << (len(s.inputs) - low) {
		s.sim.EvalPart(s.part, s.lanes(high, low))
		valid := s.sim.Value(s.m.Constraint)
		for lane := range states << low {
			if valid>>lane&1 == 0 {
				continue
			}
			x, due := s.after(lane)
			from := int32(first + lane>>low)
			to := s.reach(x, from)
			if last := &s.last[to]; last.from != from || last.due != due {
				again := last.from == from
				*last = seen{from, due}
				if next := (step{to, due}); !again || !slices.Contains(s.steps[from], next) {
					s.steps[from] = append(s.steps[from], next)
					s.count++
				}
			}
		}
	}
}

// lanes are the values of the model's inputs in 64 steps.
func (s *Search) lanes(high, low int) []uint64 {
	in := make([]uint64, len(s.m.Inputs))
	for k, i := range s.inputs {
		switch {
		case k < low:
			in[i] = lanesOf[k]
		case high>>(k-low)&1 == 1:
			in[i] = ^uint64(0)
		}
	}
	return in
}

// after is the state after the step of a lane, and the literals that hold in it.
func (s *Search) after(lane int) (x uint64, due uint16) {
	for k, i := range s.bits {
		x |= s.sim.Value(s.m.Latches[i].Next) >> lane & 1 << k
	}
	for k, i := range s.layout.Seen {
		due |= uint16(s.sim.Value(s.m.Latches[i].Next)>>lane&1) << k
	}
	return x, due
}
