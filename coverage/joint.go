package coverage

import (
	"context"
	"slices"
	"time"

	"netcov/cert"
	"netcov/ic3"
	"netcov/internal/clock"
)

// TestJoint is the name of this test.
const TestJoint = "JOINT"

// The joint test: many open mutants are free at the same time, and one
// invariant settles all that can be. A counterexample covers the mutants that
// repeat it alone; one that needs several faults is a conflict, and one of its
// mutants leaves the run. Those that left are the next round, without the
// conflicts that are known. What fails in conflict with itself is for the tests
// that treat mutants apart.
const (
	jointSize    = 256 // mutants in one run
	jointShare   = 0.5 // of the model checking time, for the first slice
	jointMinimum = 2 * time.Millisecond
	// jointOfBudget: the first slice takes no more than this part of a budget.
	jointOfBudget = 3
	jointFew      = 4 // fewer mutants than that get runs of their own first
	// patience is the time, as a share of the model checking time, after which
	// a round goes on with half of its mutants.
	patience        = 2.0
	patienceMinimum = 20 * time.Millisecond
	// jointIdle is the number of rounds in a row that settle nothing, after
	// which there are no more.
	jointIdle = 6
)

// joint is the work on joint runs: the one that is under way, if any, and what
// is known from those before.
type joint struct {
	ms        []*Mutant // of the run
	run       *ic3.Joint
	used      time.Duration // by the run, since it began or was halved
	conflicts [][]*Mutant
	barred    map[*Mutant]bool // in conflict with itself
	opened    int              // mutants that were open when the round began
	idle      int              // rounds in a row that settled nothing
	done      bool             // nothing is left to be tried together

	beside
}

// runJoint spends the first slice on joint runs. Where the single runs are not
// to follow, it goes on until nothing is left to be tried.
func runJoint(ctx context.Context, s *session) {
	slice := jointMinimum + time.Duration(jointShare*float64(s.proof.Time))
	if s.budget > 0 {
		slice = min(slice, s.budget/jointOfBudget)
	}
	if slices.Index(s.opt.Tests, TestIC3) < slices.Index(s.opt.Tests, TestJoint) {
		slice = 0
	}
	s.joint = &joint{barred: map[*Mutant]bool{}, beside: beside{fades: s.gates()}}
	if slice > 0 && len(s.joint.choose(s.ledger.inside())) < jointFew {
		return
	}
	s.advanceJoint(ctx, TestJoint, slice)
}

// advanceJoint spends a slice on the joint runs; 0 is no limit.
func (s *session) advanceJoint(ctx context.Context, test string, slice time.Duration) {
	limited, cancel := clock.Limit(ctx, slice)
	defer cancel()
	for j := s.joint; j != nil && !j.done && limited.Err() == nil; {
		if j.run == nil && !j.start(s) {
			j.done = true
			return
		}
		var settled []int
		for i, m := range j.ms {
			if !s.ledger.isOpen(m) {
				settled = append(settled, i)
			}
		}
		j.run.Exclude(settled...)
		begin := time.Now()
		limit := patienceMinimum + time.Duration(patience*float64(s.proof.Time))
		inv, err := j.run.Run(limited, ic3.Budget{Time: limit - j.used}, func(v ic3.Failure) {
			s.refutedBy(limited, test, j.ms[v.Index], v.Trace)
		})
		j.used += time.Since(begin)
		switch {
		case err != nil:
			s.fail(err)
			return
		case inv != nil:
			j.settle(ctx, s, test, inv)
		case j.run.Left() > 1 && j.used >= limit:
			j.run.Halve()
			j.used = 0
			continue
		case j.run.Left() == 1 && j.used >= limit:
			for i, m := range j.ms {
				if j.run.In(i) {
					j.barred[m] = true
				}
			}
		case j.run.Left() > 0:
			continue
		}
		j.end(s)
	}
}

// start begins a round; false says that there are no two mutants to be tried
// together.
func (j *joint) start(s *session) bool {
	open := s.ledger.inside()
	j.opened = len(open)
	j.ms = j.choose(open)
	if len(j.ms) < 2 {
		return false
	}
	j.run = ic3.NewJoint(s.stock.model, mutations(j.ms), s.probes().ic3(s.stock.pool.all()))
	return true
}

// choose takes mutants in the order of the file as long as they do not complete
// a known conflict. A node's nondet mutant stands for its stuck-at mutants.
func (j *joint) choose(open []*Mutant) []*Mutant {
	free := map[int]bool{}
	for _, m := range open {
		if m.free() {
			free[m.cut] = true
		}
	}
	missing := make([]int, len(j.conflicts)) // by conflict: mutants not taken
	in := map[*Mutant][]int{}
	for i, c := range j.conflicts {
		missing[i] = len(c)
		for _, m := range c {
			in[m] = append(in[m], i)
		}
	}
	var out []*Mutant
	for _, m := range open {
		if len(out) == jointSize {
			break
		}
		if j.barred[m] || !m.free() && free[m.cut] ||
			slices.ContainsFunc(in[m], func(i int) bool { return missing[i] == 1 }) {
			continue
		}
		for _, i := range in[m] {
			missing[i]--
		}
		out = append(out, m)
	}
	return out
}

// settle uses the invariant of a round.
func (j *joint) settle(ctx context.Context, s *session, test string, inv *cert.Invariant) {
	s.stock.pool.add(inv)
	in := map[*Mutant]bool{}
	for i, m := range j.ms {
		in[m] = j.run.In(i)
	}
	var inside, others []*Mutant
	for _, m := range s.ledger.inside() {
		if in[m] {
			inside = append(inside, m)
		} else {
			others = append(others, m)
		}
	}
	kept := s.keeping(ctx, inv, others)
	s.exclude(test, inv, append(inside, kept...))
}

// end closes a round and takes note of its conflicts.
func (j *joint) end(s *session) {
	for _, c := range j.run.Conflicts() {
		var ms []*Mutant
		for _, i := range c {
			ms = append(ms, j.ms[i])
		}
		if len(ms) == 1 {
			j.barred[ms[0]] = true
			continue
		}
		j.conflicts = append(j.conflicts, ms)
	}
	open := len(s.ledger.inside())
	if j.idle++; open < j.opened {
		j.idle = 0
	}
	j.done = j.idle >= jointIdle
	s.opt.Log.Debug("joint round", "mutants", len(j.ms), "left", j.run.Left(), "conflicts", len(j.conflicts), "barred", len(j.barred), "open", open)
	j.ms, j.run, j.used = nil, nil, 0
}

// mutations names mutants as IC3 does.
func mutations(ms []*Mutant) []ic3.Mutation {
	out := make([]ic3.Mutation, len(ms))
	for i, m := range ms {
		out[i] = ic3.Mutation{Cut: m.cut, Force: m.force}
	}
	return out
}
