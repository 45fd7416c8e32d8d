package coverage

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"netcov/internal/clock"
	"netcov/internal/memlimit"
	"netcov/netlist"
)

// test is one test of the cascade. The table below is all that the cascade knows
// of a test; its name stands beside its code.
type test struct {
	name string
	// source is the paper and section; empty for netcov's own.
	source string
	class  class
	sets   set
	// apart tests treat mutants one by one, or some together: several runs can
	// share the mutants. The others look at all of them at once.
	apart bool
	// heavy tests can take long where gates are mutated: the second opinion on what
	// is settled comes before them there.
	heavy bool
	// again says when a test that has run is taken up again. It goes on where it
	// stopped, if there is anything left for it to do.
	again moment
	// from is the model checking time from which the test is run where the tests are the
	// default ones: where a proof takes less, IC3 decides a mutant sooner than this finds
	// anything.
	from time.Duration
	run  func(context.Context, *session)
	// spare is run where the memory limit ended the test; nil: nothing.
	spare func(context.Context, *session)
}

// class says when a test runs and what it may rest on.
type class uint8

const (
	// early tests take the design's invariant as the proof left it; before the first
	// of another class it is made smaller.
	early class = iota
	// cheap tests on the small invariant cost less than random runs.
	cheap
	// quick tests do not put off the second opinion on the shared invariant: one
	// question to the second solver serves all of their verdicts.
	quick
	// slow tests run after that opinion.
	slow
)

// moment is when tests are taken up again.
type moment uint8

const (
	never      moment = iota
	whenSmall         // after the invariant was made smaller
	afterCheap        // the same, or after the cheap tests of the run where it has any
)

// set is a choice of tests.
type set uint8

const (
	forLatches set = 1 << iota // decides everything where registers are mutated
	forGates                   // the same for gates, of which SUPPORT knows nothing
	dac10                      // Algorithm 1 of DAC10, after the test of the cone
	forSets                    // beside those, for several properties at once
	forLassos                  // beside those, for justice properties
)

// table lists the tests, cheap ones first.
var table []test

func init() {
	table = []test{
		{name: TestCone, class: early, sets: forLatches | forGates | dac10, run: runCone},
		{name: TestSupport, class: early, sets: forLatches | forGates, again: whenSmall, run: runSupport},
		{name: TestBaseline, class: early, run: runBaseline},
		{name: TestSimulation, class: early, sets: forLatches | forGates, again: afterCheap, run: runSimulation},
		{name: TestCore, source: "DAC10, Lemma 2", class: cheap, sets: forGates | dac10, run: runCore},
		{name: TestGroupInduction, source: "DAC10, Lemmas 3 and 4, in groups", class: quick, sets: forLatches | forGates, heavy: true, run: runGroupInduction},
		{name: TestLongSimulation, class: slow, sets: forLatches | forGates, run: runLongSimulation},
		{name: TestGroupBMC, class: slow, sets: forLatches | forGates | forSets, run: runGroupBMC},
		{name: TestDeepSimulation, class: slow, sets: forSets | forGates, run: runDeepSimulation},
		{name: TestKInduction, class: slow, sets: forSets, apart: true, run: runKInduction},
		{name: TestEnumeration, class: slow, sets: forLassos, apart: true, run: runEnumeration},
		{name: TestExplore, source: "Ecoffet et al., Nature 590", class: slow, sets: forLatches | forGates, apart: true, from: 8 * time.Millisecond, run: runExplore},
		{name: TestJoint, class: slow, sets: forLatches | forGates, apart: true, from: 40 * time.Millisecond, run: runJoint},
		{name: TestCounterexample, source: "DAC10, section 4.4", class: slow, sets: dac10, apart: true, run: runCounterexample},
		{name: TestInduction, source: "DAC10, Lemma 3", class: quick, sets: dac10, apart: true, run: runInduction},
		{name: TestInductionRestart, source: "DAC10, Lemma 4", class: quick, sets: dac10, apart: true, run: runInductionRestart},
		{name: TestIC3, class: slow, sets: forLatches | forGates, apart: true, run: runIC3, spare: spareIC3},
		{name: TestInterpolation, source: "DAC10, section 4", class: slow, sets: dac10, apart: true, run: runInterpolation},
		{name: TestNaive, source: "DAC10, section 5", class: slow, apart: true, run: runNaive},
	}
}

// testsOf returns the names of the tests of a set, in the order of the table.
func testsOf(s set) []string {
	var out []string
	for _, t := range table {
		if t.sets&s != 0 {
			out = append(out, t.name)
		}
	}
	return out
}

// DefaultTests decides everything where registers are mutated: SUPPORT already
// settles nearly everything that CORE would, and GROUPINDUCTION the rest.
func DefaultTests() []string { return testsOf(forLatches) }

// GateTests decides everything where gates are mutated.
func GateTests() []string { return testsOf(forGates) }

// SetTests returns tests for several properties at once, which cover more than one:
// those given by DefaultTests or GateTests, and bounded search for all mutants.
func SetTests(gates bool) []string {
	if gates {
		return testsOf(forGates | forSets)
	}
	return testsOf(forLatches | forSets)
}

// WithLassos returns, in the place of DefaultTests, GateTests or SetTests, those for a justice
// property; other choices stay as they are.
func WithLassos(names []string) []string {
	for _, s := range []set{forLatches, forGates} {
		if slices.Equal(names, testsOf(s)) || slices.Equal(names, testsOf(s|forSets)) {
			return testsOf(s | forLassos)
		}
	}
	return names
}

// forOne leaves out of some tests those that pay for several properties at once alone,
// unless there are no others.
func forOne(names []string) []string {
	rest := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		t, _ := find(name)
		return t.sets&forSets != 0 && t.sets&forLatches == 0
	})
	if len(rest) == 0 {
		return names
	}
	return rest
}

// DAC10Tests is the cascade of Algorithm 1 of DAC10, after the test of the cone
// of influence.
func DAC10Tests() []string { return testsOf(dac10) }

// AllTests names every test, cheap ones first.
func AllTests() []string {
	out := make([]string, len(table))
	for i, t := range table {
		out[i] = t.name
	}
	return out
}

// SplitTests parts tests into those that look at all mutants at once and those that
// several runs can share (see Role), each in the order given.
func SplitTests(names []string) (together, apart []string) {
	together, apart = []string{}, []string{}
	for _, name := range names {
		if t, _ := find(name); t.apart {
			apart = append(apart, name)
		} else {
			together = append(together, name)
		}
	}
	return together, apart
}

// position is the row of a test in the table, -1 for no test.
func position(name string) int {
	return slices.IndexFunc(table, func(t test) bool { return t.name == name })
}

// find returns the test of a name.
func find(name string) (test, bool) {
	i := position(name)
	if i < 0 {
		return test{}, false
	}
	return table[i], true
}

// CheckTests returns an error that names the first of the names that is no test,
// or that is listed twice.
func CheckTests(names []string) error {
	for i, n := range names {
		if _, ok := find(n); !ok {
			return fmt.Errorf("there is no test %q; the tests are %s", n, strings.Join(AllTests(), ", "))
		}
		if slices.Contains(names[:i], n) {
			return fmt.Errorf("the test %s is listed twice; list each test once", n)
		}
	}
	return nil
}

// cascade runs the tests in order until all is decided or ctx ends. The early
// tests take the invariant as the proof left it; before the next one it is made
// smaller.
//
// Claims must not wait until a budget is used up: their second opinion comes when
// half of the budget is, and ends the quick test that is running, unless that is
// the last test. It comes before a test that can take long.
func (s *session) cascade(ctx context.Context, original *netlist.Model, budget time.Duration) {
	firstHalf, cancel := clock.Limit(ctx, budget/2)
	defer cancel()
	usual := slices.Equal(s.opt.Tests, DefaultTests())
	for i, name := range s.opt.Tests {
		if ctx.Err() != nil || len(s.ledger.open()) == 0 {
			return
		}
		if firstHalf.Err() != nil || i == len(s.opt.Tests)-1 {
			s.confirm()
			firstHalf = ctx
		}
		t, _ := find(name)
		if t.class > early && !s.stock.small {
			s.makeSmall(firstHalf, original)
		}
		if t.class == slow || t.heavy && s.gates() {
			s.confirm()
		}
		if usual && s.proof.Time < t.from {
			continue
		}
		if t.class == slow {
			s.test(ctx, t)
			continue
		}
		s.test(firstHalf, t)
		if t.class == cheap {
			s.runAgain(firstHalf, afterCheap)
		}
	}
}

// runs reports whether a test is among those of the run.
func (s *session) runs(name string) bool { return slices.Contains(s.opt.Tests, name) }

// runsSome reports whether the run has a test of some kind.
func (s *session) runsSome(kind func(test) bool) bool {
	return slices.ContainsFunc(s.opt.Tests, func(name string) bool { t, _ := find(name); return kind(t) })
}

// makeSmall makes the invariant smaller and takes up the tests that gain from it
// or waited for it.
func (s *session) makeSmall(ctx context.Context, original *netlist.Model) {
	s.stock.small = true
	s.minimise(ctx, original)
	if ctx.Err() != nil {
		return
	}
	if s.opt.Role == Alone {
		s.ledger.journal.small(s.stock.shared)
	}
	s.runAgain(ctx, whenSmall)
	if !s.runsSome(func(t test) bool { return t.class == cheap }) {
		s.runAgain(ctx, afterCheap)
	}
}

// runAgain takes up the tests that have waited for a moment.
func (s *session) runAgain(ctx context.Context, m moment) {
	for _, t := range table {
		if t.again == m && s.runs(t.name) && s.ledger.tests[t.name].Time > 0 {
			s.test(ctx, t)
		}
	}
}

// test runs a test within the memory limit and takes note of what it did. What it
// has built is given back when the limit is reached, and the next test goes on.
func (s *session) test(ctx context.Context, t test) {
	begin := time.Now()
	s.ledger.begins(t.name)
	watched, end := memlimit.Watch(ctx, s.opt.MemoryLimit)
	t.run(watched, s)
	end()
	if memlimit.Exceeded(watched) {
		s.outOfMemory = true
		s.release()
		if t.spare != nil {
			t.spare(ctx, s)
		}
	}
	stats := s.ledger.tests[t.name]
	stats.Time += time.Since(begin)
	s.opt.Log.Debug("test done", "test", t.name, "covered", stats.Covered, "notcovered", stats.NotCovered,
		"open", len(s.ledger.open()), "seconds", stats.Time.Seconds())
}

// release gives back what tests have built.
func (s *session) release() {
	s.stock.step, s.stock.kept, s.stock.pooled, s.joint, s.group = nil, nil, nil, nil, nil
	s.stock.sim = nil
	if s.deep != nil {
		s.deep.sim.release()
	}
	memlimit.Collect()
}
