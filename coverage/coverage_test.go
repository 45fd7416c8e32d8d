package coverage

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// oracle holds a random design's true verdicts.
type oracle struct {
	f        *aiger.File
	n        *netlist.Netlist
	property int
	targets  []mutant.Target
	place    mutant.Mux
	verdicts map[mutantKey]mutant.Verdict
}

// randomOracles calls use with count designs and properties that hold on them.
func randomOracles(t *testing.T, seed uint64, count int, use func(*oracle)) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	shape := randaig.Everything()
	shape.Justice, shape.Fairness = 0, 0
	for done := 0; done < count; {
		shape.Ands = 6 + r.IntN(14)
		shape.Constraints = r.IntN(2)
		f := randaig.New(r, shape)
		n := netlist.FromAIGER(f)
		ps := n.Properties()
		if len(ps) == 0 {
			continue
		}
		o := &oracle{f: f, n: n, property: r.IntN(len(ps)), place: mutant.Mux(r.IntN(2))}
		if explicit.Fails(f, o.property) {
			continue
		}
		for i := range n.Latches {
			o.targets = append(o.targets, mutant.Target{Index: i})
		}
		if r.IntN(2) == 0 {
			for i := range n.Gates {
				o.targets = append(o.targets, mutant.Target{Gate: true, Index: i})
			}
		}
		if len(o.targets) == 0 {
			continue
		}
		o.verdicts = map[mutantKey]mutant.Verdict{}
		for _, x := range o.targets {
			for _, fault := range mutant.Faults() {
				if n.Has(x, fault) {
					o.verdicts[mutantKey{x, fault}] = truth(f, o.property, x, fault, o.place)
				}
			}
		}
		done++
		use(o)
	}
}

// run judges the design with some tests and compares. It returns the numbers of
// decided and of all mutants.
func (o *oracle) run(t *testing.T, opt Options) (decided, all int) {
	t.Helper()
	opt.Targets, opt.Mux = o.targets, o.place
	if len(opt.Faults) == 0 {
		opt.Faults = o.n.FaultsAt(o.targets)
	}
	res, err := Run(context.Background(), o.f, o.n, o.property, opt)
	if err != nil {
		t.Fatal(err)
	}
	if res.Proof.Status != cert.Holds {
		t.Fatalf("%v: the engine %s says %s, enumeration says it holds", opt.Tests, res.Proof.Engine, res.Proof.Status)
	}
	for _, m := range res.Mutants {
		all++
		if m.Verdict == mutant.Unknown {
			continue
		}
		decided++
		if want := o.verdicts[mutantKey{m.Target, m.Fault}]; m.Verdict != want {
			t.Fatalf("%v: %+v %s by %s: got %s, want %s", opt.Tests, m.Target, m.Fault, m.Test, m.Verdict, want)
		}
		if m.Evidence.Trace == nil && m.Evidence.Invariant == nil {
			t.Fatalf("%s without evidence", m.Verdict)
		}
	}
	return decided, all
}

func rounds(t *testing.T, n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// TestCascadesDecideAll compares whole cascades with enumeration.
func TestCascadesDecideAll(t *testing.T) {
	mutants := 0
	randomOracles(t, 1, rounds(t, 400), func(o *oracle) {
		for _, tests := range [][]string{DefaultTests(), GateTests(), DAC10Tests(), AllTests(), {TestNaive}, {TestCone, TestIC3}, {TestCone, TestInterpolation}, {TestCone, TestJoint, TestIC3}} {
			for _, engine := range []string{EngineIC3, EngineInterp} {
				decided, all := o.run(t, Options{Tests: tests, Engine: engine, Seed: uint64(mutants)})
				if decided != all {
					t.Fatalf("%v decided %d of %d mutants", tests, decided, all)
				}
				mutants += all
			}
		}
	})
	t.Logf("%d verdicts", mutants)
}

// TestQuickProofs: of the default tests, those that do not pay after a quick proof are left
// out, and all is decided; any other choice of tests is run as it stands.
func TestQuickProofs(t *testing.T) {
	single, together := 0, 0
	randomOracles(t, 12, 500, func(o *oracle) {
		o.targets = slices.DeleteFunc(o.targets, func(x mutant.Target) bool { return x.Gate })
		if decided, all := o.run(t, Options{Tests: DefaultTests()}); decided != all {
			t.Fatalf("%d of %d mutants are decided", decided, all)
		}
		for _, tests := range [][]string{DefaultTests(), {TestCone, TestExplore, TestJoint, TestIC3}} {
			res, err := Run(context.Background(), o.f, o.n, o.property, Options{Targets: o.targets, Mux: o.place, Tests: tests})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range res.Tests {
				switch row, _ := find(r.Name); {
				case r.Time == 0:
				case r.Name == TestIC3 && len(tests) > 4:
					single++
				case r.Name == TestJoint && len(tests) == 4:
					together++
				case res.Proof.Time < row.from && len(tests) > 4:
					t.Errorf("%s was run after a proof of %v", r.Name, res.Proof.Time)
				}
			}
		}
	})
	if single == 0 || together == 0 {
		t.Errorf("%d runs came to %s, %d to %s: the test shows too little", single, TestIC3, together, TestJoint)
	}
	t.Logf("%d runs came to %s, %d to %s", single, TestIC3, together, TestJoint)
}

// TestEachTestAlone runs every test by itself: what it says must be right, and
// it must say something.
func TestEachTestAlone(t *testing.T) {
	settled := map[string]int{}
	randomOracles(t, 2, rounds(t, 300), func(o *oracle) {
		for _, name := range AllTests() {
			decided, _ := o.run(t, Options{Tests: []string{name}, Engine: []string{EngineIC3, EngineInterp}[len(o.f.Ands)%2]})
			settled[name] += decided
		}
	})
	for _, name := range AllTests() {
		// BASELINE needs evidence of an earlier run, ENUMERATION a justice property.
		if settled[name] == 0 && name != TestBaseline && name != TestEnumeration {
			t.Errorf("the test %s settled nothing", name)
		}
	}
	t.Log(settled)
}

// TestQuickTests looks at more designs, for the tests that the cascade begins
// with.
func TestQuickTests(t *testing.T) {
	settled := 0
	randomOracles(t, 4, rounds(t, 4000), func(o *oracle) {
		decided, _ := o.run(t, Options{Tests: []string{TestCone, TestSupport, TestSimulation, TestCore, TestGroupInduction}, Seed: uint64(settled)})
		settled += decided
	})
	t.Logf("%d verdicts", settled)
}

// TestSubsetsOfFaults asks for some faults only.
func TestSubsetsOfFaults(t *testing.T) {
	randomOracles(t, 3, rounds(t, 100), func(o *oracle) {
		there := o.n.FaultsAt(o.targets)
		for mask := 1; mask < 1<<len(there)-1; mask++ {
			var faults []mutant.Fault
			for i, f := range there {
				if mask>>i&1 == 1 {
					faults = append(faults, f)
				}
			}
			if len(faults) > 4 {
				continue
			}
			if decided, all := o.run(t, Options{Faults: faults}); decided != all || all != countMutants(o.n, o.targets, faults) {
				t.Fatalf("faults %v: %d of %d", faults, decided, all)
			}
		}
	})
}

// TestFailingOriginal: a property that fails on the original has no mutants.
func TestFailingOriginal(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	shape := randaig.Everything()
	shape.Justice, shape.Fairness = 0, 0
	for seen := 0; seen < rounds(t, 200); {
		f := randaig.New(r, shape)
		n := netlist.FromAIGER(f)
		for p := range n.Properties() {
			if !explicit.Fails(f, p) {
				continue
			}
			seen++
			for _, engine := range Engines {
				res, err := Run(context.Background(), f, n, p, Options{Engine: engine})
				if err != nil {
					t.Fatal(err)
				}
				if res.Proof.Status != cert.Fails || len(res.Mutants) != 0 {
					t.Fatalf("engine %s: status %s, %d mutants", engine, res.Proof.Status, len(res.Mutants))
				}
			}
		}
	}
}

// TestBudget: the run ends in time and what it says stays right.
func TestBudget(t *testing.T) {
	randomOracles(t, 5, rounds(t, 100), func(o *oracle) {
		for _, b := range []time.Duration{time.Nanosecond, 50 * time.Microsecond, time.Millisecond} {
			o.run(t, Options{Budget: Budget{Limit: b}})
		}
		o.run(t, Options{StopAt: 0.5})
		// Nothing but the tests themselves ends this run.
		r, err := Run(t.Context(), o.f, o.n, o.property, Options{Tests: []string{TestCone}})
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(r.Mutants, func(m *Mutant) bool { return m.Verdict == mutant.Unknown }) != (r.Stopped == "tests") {
			t.Errorf("stopped by %q", r.Stopped)
		}
	})
}

// TestJobs: the verdicts do not depend on the number of workers.
func TestJobs(t *testing.T) {
	randomOracles(t, 6, rounds(t, 60), func(o *oracle) {
		for _, jobs := range []int{2, 4} {
			if decided, all := o.run(t, Options{Tests: []string{TestCone, TestIC3}, Jobs: jobs}); decided != all {
				t.Fatalf("%d jobs decided %d of %d", jobs, decided, all)
			}
		}
	})
}

// TestSolvers: other solvers, and the solver with every answer checked, decide
// the same.
func TestSolvers(t *testing.T) {
	randomOracles(t, 7, rounds(t, 60), func(o *oracle) {
		for _, opt := range []Options{{Paranoid: true}, {Paranoid: true, Tests: DAC10Tests()}, {Solver: SolverGini}, {Solver: SolverGophersat}} {
			if decided, all := o.run(t, opt); decided != all {
				t.Fatalf("%+v decided %d of %d", opt, decided, all)
			}
		}
	})
}
