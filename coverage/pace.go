package coverage

import (
	"context"
	"sync"
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
	if j := s.joint; j != nil {
		s.takeBeside(&j.beside, single, leastJoint, mostJoint, 1, func(left time.Duration) {
			s.advanceJoint(ctx, TestIC3, max(left, 10*time.Millisecond))
		})
	}
	if g := s.group; g != nil {
		s.takeBeside(&g.beside, single, leastGroup, mostGroup, groupTurn, func(left time.Duration) {
			work := clock.StartWork()
			s.searchGroup(ctx, g, func(bool) time.Duration { return left - work.Elapsed() })
		})
	}
	if d := s.deep; d != nil {
		s.takeBeside(&d.beside, single, leastDeep, mostDeep, deepTurn, func(left time.Duration) {
			limited, cancel := clock.Limit(ctx, left)
			defer cancel()
			for limited.Err() == nil && len(s.ledger.inside()) > 0 {
				s.deepWalk(limited, d)
			}
		})
	}
}

// beside is one kind of work on all mutants that goes on beside the single runs.
type beside struct {
	mu    sync.Mutex // of the work, since the single runs began, and of:
	turns yield      // of this work
	apart yield      // of single runs
	fades bool       // what was long ago counts less: see fade
}

// takeBeside notes a single run and does the work for the time that is due, if that is the
// shortest turn or more. The bounds are those of pace.
func (s *session) takeBeside(b *beside, single yield, least, most float64, shortest time.Duration, work func(left time.Duration)) {
	if !b.mu.TryLock() {
		return
	}
	defer b.mu.Unlock()
	b.apart.add(single)
	left := due(b.turns, b.apart, least, most)
	if left < shortest {
		return
	}
	b.turns.add(s.measure(func() { work(left) }))
	if b.fades {
		fade(&b.turns, &b.apart)
	}
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
