package coverage

import (
	"context"
	"time"
)

// How single runs and joint runs share the time: each gets it as it settles
// mutants, but neither is ever given up while it has something to do.

// Bounds of the time for joint runs over that for single runs.
const slowest, fastest = 0.25, 3

// keepPace spends time on joint runs beside the single runs, the more the more
// mutants they settle in it. One worker at a time does so.
func (s *session) keepPace(ctx context.Context, single yield) {
	j := s.joint
	if j == nil || !j.mu.TryLock() {
		return
	}
	defer j.mu.Unlock()
	j.apart.add(single)
	due := time.Duration(j.pace()*float64(j.apart.time)) - j.together.time
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
	count := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.decided
	}
	before, begin := count(), time.Now()
	work()
	return yield{time.Since(begin), count() - before}
}

// pace is the time for joint runs over that for single runs: as much as they
// settle more in it, within bounds.
func (j *joint) pace() float64 {
	if j.together.time == 0 || j.apart.time == 0 {
		return 1
	}
	together := float64(j.together.settled+1) / j.together.time.Seconds()
	apart := float64(j.apart.settled+1) / j.apart.time.Seconds()
	return min(max(together/apart, slowest), fastest)
}
