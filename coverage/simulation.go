package coverage

import (
	"context"

	"netcov/netlist"
)

// The simulation test: random walks over all open mutants, as long as they
// find something.
const (
	simFrames   = 64 // frames of the first walks; later ones are longer
	simIdle     = 3  // rounds without a find that end the test
	simMaxRound = 24
)

// runSimulation walks the open mutants at random.
func runSimulation(ctx context.Context, s *session) {
	sim := newFaultSimulator(s.model, s.opt.Seed)
	idle, frames := 0, simFrames
	for round := 0; round < simMaxRound && idle < simIdle; round++ {
		found := 0
		open := s.openInside()
		for len(open) > 0 && ctx.Err() == nil {
			n := min(64, len(open))
			hits := sim.random(ctx, open[:n], frames)
			s.coverAll(TestSimulation, hits)
			found += len(hits)
			open = open[n:]
		}
		if found == 0 {
			idle++
			frames *= 2
		} else {
			idle = 0
		}
	}
}

// tryTrace replays a counterexample on all open mutants.
func (s *session) tryTrace(ctx context.Context, test string, t *netlist.Trace) {
	if s.sim == nil {
		s.sim = newFaultSimulator(s.model, s.opt.Seed+1)
	}
	open := s.openInside()
	for len(open) > 0 && ctx.Err() == nil {
		n := min(64, len(open))
		s.coverAll(test, s.sim.try(ctx, open[:n], t))
		open = open[n:]
	}
}

// openInside returns the open mutants inside of the cone.
func (s *session) openInside() []*Mutant {
	var out []*Mutant
	for _, m := range s.open() {
		if m.cut >= 0 {
			out = append(out, m)
		}
	}
	return out
}

// bound records that a mutant has no counterexample of at most depth steps.
func (s *session) bound(m *Mutant, depth int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Verdict == Unknown && depth > m.Depth {
		m.Depth = depth
	}
}

// query returns the one-step query of the original's invariant, made once.
func (s *session) query() *oneStep {
	if s.step == nil {
		s.step = newOneStep(s.model, s.core, defaultSolver)
	}
	return s.step
}
