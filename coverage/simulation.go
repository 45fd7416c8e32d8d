package coverage

import (
	"context"
	"time"

	"netcov/internal/clock"
)

// The names of the simulation tests.
const (
	TestSimulation     = "SIMULATION"
	TestLongSimulation = "LONGSIMULATION"
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

// runLongSimulation walks the open mutants until that finds no more.
func runLongSimulation(ctx context.Context, s *session) {
	limit := longMinimum + time.Duration(longShare*float64(s.proof.Time))
	limit = min(limit, longEach*time.Duration(len(s.ledger.inside())))
	ctx, cancel := clock.Limit(ctx, limit)
	defer cancel()
	sim := newFaultSimulator(s.stock.model, s.opt.Seed+1)
	sim.chooser = s.chooser(ctx)
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
	open := s.ledger.inside()
	if s.besides(len(open), frames) {
		before := s.ledger.settledSoFar()
		open = s.walkBeside(ctx, test, sim, open, frames)
		found = s.ledger.settledSoFar() - before
	}
	for len(open) > 0 && ctx.Err() == nil {
		n := min(64, len(open))
		hits := sim.random(ctx, open[:n], frames)
		s.coverAll(test, hits)
		found += len(hits)
		open = open[n:]
	}
	return found
}
