package coverage

import (
	"context"
	"time"
)

// How single runs and joint runs share the time, and within single runs IC3 and
// bounded search: each gets it as it settles mutants, but none is ever given up
// while it has something to do.

// keepPace spends time on joint runs beside the single runs, the more the more
// mutants they settle in it. One worker at a time does so.
func (s *session) keepPace(ctx context.Context, single yield) {
	j := s.joint
	if j == nil || !j.mu.TryLock() {
		return
	}
	defer j.mu.Unlock()
	j.apart.add(single)
	due := time.Duration(pace(j.together, j.apart, leastJoint, mostJoint)*float64(j.apart.time)) - j.together.time
	if due <= 0 || j.done {
		return
	}
	j.together.add(s.measure(func() { s.advanceJoint(ctx, TestIC3, max(due, 10*time.Millisecond)) }))
}

// yield is what some work settled in some time.
type yield struct {
	time    time.Duration
	settled int
}

func (y *yield) add(o yield) {
	y.time += o.time
	y.settled += o.settled
}

// measure does some work and tells what it settled. With several workers, what
// the others settle meanwhile counts too.
func (s *session) measure(work func()) yield {
	before, begin := s.ledger.settledSoFar(), time.Now()
	work()
	return yield{time.Since(begin), s.ledger.settledSoFar() - before}
}

// Bounds of the time for joint runs over that for single runs, and for bounded
// search over that for IC3.
const (
	leastJoint, mostJoint     = 0.25, 3
	leastBounded, mostBounded = 0.5, 3

	leastExplored, mostExplored = 0.02, 2

	// exploredEach is the least for one mutant, when it is its turn.
	exploredEach = 0.25
)

// pace is the time for one kind of work over that for another: as much as it
// settles more in it, within bounds; even where nothing is known of one.
func pace(one, other yield, least, most float64) float64 {
	if one.time == 0 || other.time == 0 {
		return 1
	}
	a := float64(one.settled+1) / one.time.Seconds()
	b := float64(other.settled+1) / other.time.Seconds()
	return min(max(a/b, least), most)
}
