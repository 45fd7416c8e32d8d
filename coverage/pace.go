package coverage

import (
	"context"
	"time"

	"netcov/internal/clock"
)

// How single runs and joint runs share the time, and within single runs IC3 and
// bounded search: each gets it as it settles mutants, but none is ever given up
// while it has something to do.

// keepPace spends time on joint runs, on deep walks and on bounded search for all mutants
// beside the single runs, the more the more mutants they settle in it. One worker at a time
// does so.
func (s *session) keepPace(ctx context.Context, single yield) {
	s.jointPace(ctx, single)
	s.groupPace(ctx, single)
	s.deepPace(ctx, single)
}

func (s *session) groupPace(ctx context.Context, single yield) {
	g := s.group
	if g == nil || !g.mu.TryLock() {
		return
	}
	defer g.mu.Unlock()
	g.apart.add(single)
	left := due(g.turns, g.apart, leastGroup, mostGroup)
	if left < groupTurn || g.over {
		return
	}
	g.turns.add(s.measure(func() {
		work := clock.StartWork()
		s.searchGroup(ctx, g, func(bool) time.Duration { return left - work.Elapsed() })
	}))
	fade(&g.turns, &g.apart)
}

func (s *session) jointPace(ctx context.Context, single yield) {
	j := s.joint
	if j == nil || !j.mu.TryLock() {
		return
	}
	defer j.mu.Unlock()
	j.apart.add(single)
	left := due(j.together, j.apart, leastJoint, mostJoint)
	if left <= 0 || j.done {
		return
	}
	j.together.add(s.measure(func() { s.advanceJoint(ctx, TestIC3, max(left, 10*time.Millisecond)) }))
	if s.gates() {
		fade(&j.together, &j.apart)
	}
}

func (s *session) deepPace(ctx context.Context, single yield) {
	d := s.deep
	if d == nil || !d.mu.TryLock() {
		return
	}
	defer d.mu.Unlock()
	d.apart.add(single)
	left := due(d.turns, d.apart, leastDeep, mostDeep)
	if left < deepTurn {
		return
	}
	limited, cancel := clock.Limit(ctx, left)
	defer cancel()
	d.turns.add(s.measure(func() {
		for limited.Err() == nil && len(s.ledger.inside()) > 0 {
			s.deepWalk(limited, d)
		}
	}))
	fade(&d.turns, &d.apart)
}

// yield is what some work settled in some time.
type yield struct {
	time    time.Duration
	settled int
}

// rate is what it settled in a second.
func (y *yield) rate() float64 { return float64(y.settled) / max(y.time.Seconds(), 1e-9) }

func (y *yield) add(o yield) {
	y.time += o.time
	y.settled += o.settled
}

// fadeAfter is the time after which yields that are compared count half, where gates are
// mutated: of thousands of mutants the easy ones come first, and what work has settled long
// ago says little of what it settles now. With registers alone that gains nothing.
const fadeAfter = 5 * time.Second

// fade lets yields that are compared count half once they are of long ago.
func fade(compared ...*yield) {
	all := time.Duration(0)
	for _, y := range compared {
		all += y.time
	}
	if all < fadeAfter {
		return
	}
	for _, y := range compared {
		y.time, y.settled = y.time/2, y.settled/2
	}
}

// measure does some work and tells what it settled. With several workers, what
// the others settle meanwhile counts too.
func (s *session) measure(work func()) yield {
	before, begin := s.ledger.settledSoFar(), time.Now()
	work()
	return yield{time.Since(begin), s.ledger.settledSoFar() - before}
}

// Bounds of the time for joint runs, for deep walks, and for bounded search for all mutants,
// over that for single runs; for bounded search and exploration of one over that for IC3; and
// for walks along traces over that for other walks.
const (
	leastJoint, mostJoint       = 0.25, 3
	leastDeep, mostDeep         = 0.1, 3
	leastGroup, mostGroup       = 0.05, 3
	leastBounded, mostBounded   = 0.5, 3
	leastExplored, mostExplored = 0.02, 2
	leastNear, mostNear         = 0.25, 4

	// leastOfGates is leastExplored where gates are mutated: more of what is left is covered.
	leastOfGates = 0.2

	// exploredEach is the part of a slice that a gate's mutant is explored, when it is its turn.
	exploredEach = 0.25

	// deepTurn is the least for deep walks: those that are cut short find little.
	deepTurn = 200 * time.Millisecond

	// groupTurn is the least for bounded search for all mutants.
	groupTurn = 20 * time.Millisecond
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

// due is the time that one kind of work is to have still, by its pace over another.
func due(one, other yield, least, most float64) time.Duration {
	return time.Duration(pace(one, other, least, most)*float64(other.time)) - one.time
}
