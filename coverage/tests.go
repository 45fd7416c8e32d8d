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

// The names of the tests. The first five after CONE are those of DAC10,
// section 4; the others are netcov's own and stand beside them.
const (
	TestCone             = "CONE"
	TestSupport          = "SUPPORT"
	TestCore             = "CORE"
	TestCounterexample   = "COUNTEREXAMPLE"
	TestInduction        = "INDUCTION"
	TestInductionRestart = "INDUCTIONRESTART"
	TestInterpolation    = "INTERPOLATION"
	TestGroupInduction   = "GROUPINDUCTION"
	TestSimulation       = "SIMULATION"
	TestLongSimulation   = "LONGSIMULATION"
	TestGroupBMC         = "GROUPBMC"
	TestSubset           = "SUBSET"
	TestJoint            = "JOINT"
	TestFamily           = "FAMILY"
	TestIC3              = "IC3"
	TestNaive            = "NAIVE"
)

// DAC10Tests is the cascade of Algorithm 1 of DAC10, after the test of the cone
// of influence.
var DAC10Tests = []string{
	TestCone, TestCore, TestCounterexample, TestInduction, TestInductionRestart, TestInterpolation,
}

// DefaultTests decides everything, cheap tests first, where registers are mutated:
// next to none that CORE settles is left by SUPPORT, and GROUPINDUCTION settles it
// too.
var DefaultTests = []string{
	TestCone, TestSupport, TestSimulation, TestGroupInduction, TestLongSimulation, TestJoint, TestIC3,
}

// GateTests decides everything where gates are mutated, of which SUPPORT knows
// nothing.
var GateTests = []string{
	TestCone, TestSupport, TestSimulation, TestCore, TestGroupInduction, TestLongSimulation, TestJoint, TestIC3,
}

// AllTests names every test, cheap ones first.
var AllTests = []string{
	TestCone, TestSupport, TestSimulation, TestCore, TestGroupInduction, TestSubset, TestLongSimulation, TestGroupBMC, TestJoint, TestFamily,
	TestCounterexample, TestInduction, TestInductionRestart, TestIC3, TestInterpolation, TestNaive,
}

// runners maps each name to its code.
var runners = map[string]func(context.Context, *session){
	TestCone:             runCone,
	TestSupport:          runSupport,
	TestCore:             runCore,
	TestCounterexample:   runCounterexample,
	TestInduction:        runInduction,
	TestInductionRestart: runInductionRestart,
	TestInterpolation:    runInterpolation,
	TestGroupInduction:   runGroupInduction,
	TestSimulation:       runSimulation,
	TestLongSimulation:   runLongSimulation,
	TestGroupBMC:         runGroupBMC,
	TestSubset:           runSubset,
	TestJoint:            runJoint,
	TestFamily:           runFamily,
	TestIC3:              runIC3,
	TestNaive:            runNaive,
}

// CheckTests says which of the names is no test, if any.
func CheckTests(names []string) error {
	for i, n := range names {
		if _, ok := runners[n]; !ok {
			all := make([]string, 0, len(runners))
			for name := range runners {
				all = append(all, name)
			}
			slices.Sort(all)
			return fmt.Errorf("there is no test %q; the tests are %s", n, strings.Join(all, ", "))
		}
		if slices.Contains(names[:i], n) {
			return fmt.Errorf("the test %s is listed twice; list each test once", n)
		}
	}
	return nil
}

// anyInvariant are the tests that run before the invariant is made smaller.
var anyInvariant = map[string]bool{TestCone: true, TestSupport: true, TestSimulation: true}

// quick are the tests that do not put off the second opinion on the original's
// invariant: one question to the second solver does for all of their verdicts.
var quick = map[string]bool{
	TestCone: true, TestSupport: true, TestCore: true, TestSimulation: true,
	TestGroupInduction: true, TestInduction: true, TestInductionRestart: true,
}

// cascade runs the tests in order until all is decided or ctx ends. The first
// tests take the invariant as the proof left it; before the next one it is made
// smaller.
//
// What waits for the second opinion must not wait until a budget is used up: it
// comes when half of the budget is, and ends the quick test that is running, unless
// that is the last test. Where gates are mutated, GROUPINDUCTION can take long, and
// the opinion comes before it.
func (s *session) cascade(ctx context.Context, original *netlist.Model, budget time.Duration) {
	early, cancel := clock.Limit(ctx, budget/2)
	defer cancel()
	for i, name := range s.opt.Tests {
		if ctx.Err() != nil || len(s.open()) == 0 {
			return
		}
		if early.Err() != nil || i == len(s.opt.Tests)-1 {
			s.confirm()
			early = ctx
		}
		if !anyInvariant[name] && !s.small {
			s.makeSmall(early, original)
		}
		if !quick[name] || name == TestGroupInduction && s.tests[TestCore] != nil {
			s.confirm()
		}
		if !quick[name] {
			s.test(ctx, name)
			continue
		}
		s.test(early, name)
		if name == TestCore && s.short != nil {
			s.test(early, TestSimulation)
		}
	}
}

// makeSmall makes the invariant smaller and takes up the tests that gain from it
// or waited for it. Simulation waits for CORE, too.
func (s *session) makeSmall(ctx context.Context, original *netlist.Model) {
	s.small = true
	s.minimise(ctx, original)
	if ctx.Err() != nil {
		return
	}
	if t := s.tests[TestSupport]; t != nil && t.Time > 0 {
		s.test(ctx, TestSupport)
	}
	if s.short != nil && s.tests[TestCore] == nil {
		s.test(ctx, TestSimulation)
	}
}

// test runs a test and takes note of what it did.
func (s *session) test(ctx context.Context, name string) {
	begin := time.Now()
	s.stage = name
	s.bounded(ctx, runners[name])
	stats := s.tests[name]
	stats.Time += time.Since(begin)
	s.opt.Log.Debug("test done", "test", name, "covered", stats.Covered, "notcovered", stats.NotCovered,
		"open", len(s.open()), "seconds", stats.Time.Seconds())
}

// bounded runs a test within the memory limit. What the test has built is
// given back when the limit is reached, and the next test goes on.
func (s *session) bounded(ctx context.Context, test func(context.Context, *session)) {
	s.unwatched = ctx
	watched, end := memlimit.Watch(ctx, s.opt.MemoryLimit)
	defer end()
	test(watched, s)
	if memlimit.Exceeded(watched) {
		s.outOfMemory = true
		s.step, s.families, s.joint = nil, nil, nil
		memlimit.Collect()
	}
}

// runCone settles what lies outside of the property's cone of influence (that
// of the constraints included): the original's invariant serves, since it
// speaks of the cone only.
func runCone(ctx context.Context, s *session) {
	var out []*Mutant
	for _, m := range s.open() {
		if m.cut < 0 {
			m.Note = NoteOutside
			out = append(out, m)
		}
	}
	s.exclude(TestCone, s.core, out)
}

// runCore settles the nodes whose selector the refutation of the one-step query
// does not need (DAC10, Lemma 2, on the query that carries the whole invariant
// and the bad-state literal of frame 0).
func runCore(ctx context.Context, s *session) {
	q := s.query()
	needed, ok := q.core(ctx)
	if !ok {
		return
	}
	var out []*Mutant
	for _, m := range s.open() {
		if m.cut >= 0 && !needed[m.cut] {
			out = append(out, m)
		}
	}
	s.exclude(TestCore, q.inv, out)
}

// runGroupInduction settles all mutants that keep the original's invariant.
func runGroupInduction(ctx context.Context, s *session) {
	q := s.query()
	s.step = nil // group uses it up
	s.induct(ctx, TestGroupInduction, q, s.open())
}

// induct settles those of the mutants that keep the query's invariant.
func (s *session) induct(ctx context.Context, test string, q *oneStep, ms []*Mutant) {
	s.exclude(test, q.inv, s.keeping(ctx, q, ms))
}

// keeping returns those of the mutants that keep the query's invariant; none
// when ctx ended first.
func (s *session) keeping(ctx context.Context, q *oneStep, ms []*Mutant) []*Mutant {
	ask := make([]cases, len(s.model.Cuts))
	for _, m := range ms {
		if m.cut < 0 {
			continue
		}
		switch m.Fault {
		case netlist.FaultZero:
			ask[m.cut][0] = true
		case netlist.FaultOne:
			ask[m.cut][1] = true
		default:
			ask[m.cut] = cases{true, true}
		}
	}
	keeps, ok := q.group(ctx, ask)
	if !ok {
		return nil
	}
	var out []*Mutant
	for _, m := range ms {
		if m.cut < 0 {
			continue
		}
		k := keeps[m.cut]
		if m.Fault == netlist.FaultZero && k[0] || m.Fault == netlist.FaultOne && k[1] || m.nondet() && k[0] && k[1] {
			out = append(out, m)
		}
	}
	return out
}
