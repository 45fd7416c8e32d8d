package coverage

import (
	"context"
	"slices"
	"time"

	"netcov/internal/clock"
	"netcov/netlist"
)

// The simulation tests: random walks over all open mutants. The first is short,
// as it comes before every solver; the second goes on as long as it finds
// something, within a share of the model checking time.
const (
	shortFrames = 32
	longFrames  = 128
	longestWalk = 512 // frames; traces are kept, so that longer ones would take memory
	longIdle    = 2   // rounds of longest walks without a find that end the test
	longRounds  = 24
	longShare   = 0.5
	longMinimum = time.Millisecond
	longEach    = time.Millisecond / 5 // the most for each open mutant
)

// shortWalks is the first simulation test under way.
type shortWalks struct {
	sim   *faultSimulator
	rest  []*Mutant // not walked yet
	found bool      // some walk covered a mutant
}

// What the first walks expect of the tests on the smaller invariant when these
// are still to come: the share of the open mutants that they settle, and their
// share of the model checking time.
const (
	smallSettles = 0.5
	smallTime    = 0.4
	smallMinimum = time.Millisecond / 2
	probeTime    = 0.08                // of the model checking time, for the first walk before them
	probeFrames  = 8                   // at least
	nodeTime     = 4 * time.Nanosecond // of a simulation step, about
)

// runSimulation walks each open mutant once or twice. As long as the invariant is
// not made smaller, it goes on only while it settles mutants faster than the tests
// on the smaller one would; it is taken up again then.
func runSimulation(ctx context.Context, s *session) {
	if s.short == nil {
		s.short = &shortWalks{sim: newFaultSimulator(s.model, s.opt.Seed), rest: spreadOut(s.openInside())}
	}
	w := s.short
	rate, frames := 0.0, shortFrames // mutants a second
	if !s.small && slices.ContainsFunc(s.opt.Tests, func(name string) bool { return !anyInvariant[name] }) {
		rate = smallSettles * float64(len(w.rest)) / (smallTime*s.proof.Time.Seconds() + smallMinimum.Seconds())
		step := nodeTime * time.Duration(s.model.Graph.Size())
		frames = min(max(int(probeTime*float64(s.proof.Time)/float64(step)), probeFrames), shortFrames)
	}
	for len(w.rest) > 0 && ctx.Err() == nil {
		var batch []*Mutant
		for len(w.rest) > 0 && len(batch) < 64 {
			if s.isOpen(w.rest[0]) {
				batch = append(batch, w.rest[0])
			}
			w.rest = w.rest[1:]
		}
		if len(batch) == 0 {
			break
		}
		y := s.measure(func() { s.coverAll(TestSimulation, w.sim.random(ctx, batch, frames)) })
		w.found = w.found || y.settled > 0
		if float64(y.settled) < rate*y.time.Seconds() {
			return
		}
	}
	if w.found {
		s.walk(ctx, TestSimulation, w.sim, 2*shortFrames)
	}
	s.short = nil
}

// spreadOut orders mutants for simulation in batches: neighbours, which often
// share their fate, stand apart, and nondet mutants come last, since a stuck-at
// mutant that is covered covers its node's.
func spreadOut(ms []*Mutant) []*Mutant {
	var stuck, free []*Mutant
	for _, m := range ms {
		if m.nondet() {
			free = append(free, m)
		} else {
			stuck = append(stuck, m)
		}
	}
	out := make([]*Mutant, 0, len(ms))
	for _, list := range [][]*Mutant{stuck, free} {
		batches := (len(list) + 63) / 64
		for first := range batches {
			for i := first; i < len(list); i += batches {
				out = append(out, list[i])
			}
		}
	}
	return out
}

// runLongSimulation walks the open mutants until that finds no more.
func runLongSimulation(ctx context.Context, s *session) {
	limit := longMinimum + time.Duration(longShare*float64(s.proof.Time))
	limit = min(limit, longEach*time.Duration(len(s.openInside())))
	ctx, cancel := clock.Limit(ctx, limit)
	defer cancel()
	sim := newFaultSimulator(s.model, s.opt.Seed+1)
	idle, frames := 0, longFrames
	for round := 0; round < longRounds && idle < longIdle && ctx.Err() == nil; round++ {
		switch {
		case s.walk(ctx, TestLongSimulation, sim, frames) > 0:
			idle = 0
		case frames == longestWalk:
			idle++
		}
		frames = min(2*frames, longestWalk)
	}
}

// walk runs one random walk per open mutant and returns how many it covered.
func (s *session) walk(ctx context.Context, test string, sim *faultSimulator, frames int) (found int) {
	open := s.openInside()
	for len(open) > 0 && ctx.Err() == nil {
		n := min(64, len(open))
		hits := sim.random(ctx, open[:n], frames)
		s.coverAll(test, hits)
		found += len(hits)
		open = open[n:]
	}
	return found
}

// tryTrace replays a counterexample on all open mutants.
func (s *session) tryTrace(ctx context.Context, test string, t *netlist.Trace) {
	s.simLock.Lock()
	defer s.simLock.Unlock()
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
		s.step = newOneStep(s.solver(), s.model, s.core)
	}
	return s.step
}
