package coverage

import (
	"context"
	"time"
)

// Of several properties, and of gates, single runs have short slices in turn, with joint runs
// beside them. With registers and one property there is another way to work: one run after
// the other that is long enough for a proof. Each starts from what those before have found,
// where short slices in turn start all of them from little. That pays where the mutants look
// uncovered; where most are covered, short slices and joint runs find more. What each way has
// settled lately decides.

// proofSlice is a slice that is long enough for most proofs, over the model checking time:
// they start from the clauses of earlier ones.
const (
	proofSlice = 3
	// proofMost bounds the first long slices, for proofs that take minutes, and
	// proofOfBudget is the part of a budget that one takes at most.
	proofMost     = 4 * time.Second
	proofOfBudget = 10
)

// longSliceOf is the long slice in the place of a short one, of which the first is firstSlice.
func (s *session) longSliceOf(slice time.Duration) time.Duration {
	long := min(proofSlice*s.proof.Time, proofMost*max(1, slice/firstSlice))
	if s.budget > 0 {
		long = min(long, s.budget/proofOfBudget)
	}
	return max(slice, long)
}

// arm is one of the two ways: what it has settled lately, and the time that it took in all.
type arm struct {
	settled, lately float64 // mutants, seconds: what was before counts less and less
	time            time.Duration
}

func (a *arm) add(y yield) {
	a.time += y.time
	a.settled = armMemory*a.settled + float64(y.settled)
	a.lately = armMemory*a.lately + y.time.Seconds()
}

// rate is the number of mutants a second.
func (a *arm) rate() float64 { return (a.settled + 1) / a.lately }

const (
	armMemory = 0.95
	leastArm  = 0.1 // of the time of the other way
)

// longRuns reports whether the next mutant is to have a slice that is long enough for a proof.
func (s *session) longRuns() bool {
	return !s.gates() && len(s.properties) == 1 && s.singles.proofs()
}

func (r *singles) proofs() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch long, short := r.long.time.Seconds(), r.short.time.Seconds(); {
	case long <= leastArm*short:
		return true
	case short <= leastArm*long:
		return false
	}
	return r.long.rate() >= r.short.rate()
}

// takeTurn works on a mutant: a long slice, or a short one and what goes on beside it.
func (s *session) takeTurn(ctx context.Context, a *attempt, slice time.Duration) {
	way := &s.singles.short
	if a.long = s.longRuns(); a.long {
		way, slice = &s.singles.long, s.longSliceOf(slice)
	}
	y := s.measure(func() { s.attempt(ctx, a, slice) })
	if !a.long {
		y.add(s.measure(func() { s.keepPace(ctx, y) }))
	}
	s.singles.mu.Lock()
	defer s.singles.mu.Unlock()
	way.add(y)
}
