package coverage

import (
	"context"
	"time"
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
// on the smaller one would, and so long with ever longer walks. It goes on when it is
// taken up again.
func runSimulation(ctx context.Context, s *session) {
	if s.walks == nil {
		s.walks = &shortWalks{sim: newFaultSimulator(s.stock.model, s.opt.Seed), rest: spreadOut(s.ledger.inside())}
	}
	w := s.walks
	rate, frames := 0.0, shortFrames // mutants a second
	before := !s.stock.small && s.runsSome(func(t test) bool { return t.class > early })
	if before {
		rate = s.rateWhenSmall(len(w.rest))
		step := nodeTime * time.Duration(s.stock.model.Graph.Size())
		frames = min(max(int(probeTime*float64(s.proof.Time)/float64(step)), probeFrames), shortFrames)
	}
	if s.besides(len(w.rest), shortFrames) {
		w.rest = s.walkBeside(ctx, TestSimulation, w.sim, w.rest, shortFrames)
		w.found = true
	}
	for len(w.rest) > 0 && ctx.Err() == nil {
		var batch []*Mutant
		for len(w.rest) > 0 && len(batch) < 64 {
			if s.ledger.isOpen(w.rest[0]) {
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
	for frames := 2 * shortFrames; w.found; frames = min(2*frames, longestWalk) {
		y := s.measure(func() { s.walk(ctx, TestSimulation, w.sim, frames) })
		open := len(s.ledger.inside())
		w.found = before && y.settled > 0 && open > 0 && ctx.Err() == nil && float64(y.settled) >= s.rateWhenSmall(open)*y.time.Seconds()
	}
	*w = shortWalks{} // nothing is left
}

// rateWhenSmall is how many of some mutants the tests on the smaller invariant are expected
// to settle in a second.
func (s *session) rateWhenSmall(open int) float64 {
	return smallSettles * float64(open) / (smallTime*s.proof.Time.Seconds() + smallMinimum.Seconds())
}

// spreadOut orders mutants for simulation in batches: neighbours, which often
// share their fate, stand apart, and nondet mutants come last, since a stuck-at
// mutant that is covered covers its node's.
func spreadOut(ms []*Mutant) []*Mutant {
	var stuck, free []*Mutant
	for _, m := range ms {
		if m.free() {
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
