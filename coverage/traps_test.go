package coverage

import (
	"context"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// Each of the traps that a reading of DAC10 against the definition shows has a
// design here on which the paper's text gives a wrong answer.

// judged runs tests on an ASCII file and returns the mutants by latch and fault.
func judged(t *testing.T, text string, opt Options) (map[int]map[mutant.Fault]*Mutant, *Result) {
	t.Helper()
	f, err := aiger.Read(strings.NewReader(text), "trap", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := Run(context.Background(), f, netlist.FromAIGER(f), 0, opt)
	if err != nil {
		t.Fatal(err)
	}
	if res.Proof.Status != cert.Holds {
		t.Fatalf("the property %s on the original", res.Proof.Status)
	}
	out := map[int]map[mutant.Fault]*Mutant{}
	for _, m := range res.Mutants {
		if out[m.Target.Index] == nil {
			out[m.Target.Index] = map[mutant.Fault]*Mutant{}
		}
		out[m.Target.Index][m.Fault] = m
	}
	return out, res
}

// cascades is no variable: the table of tests is there after those.
func cascades() map[string][]string {
	return map[string][]string{
		"full": DefaultTests(), "gates": GateTests(), "dac10": DAC10Tests(), "naive": {TestNaive}, "all": AllTests(),
		"induction only": {TestSupport, TestCore, TestInduction, TestInductionRestart, TestGroupInduction},
	}
}

func expect(t *testing.T, text string, latch int, fault mutant.Fault, want mutant.Verdict) {
	t.Helper()
	for name, tests := range cascades() {
		for _, engine := range []string{EngineInterp, EngineIC3} {
			ms, _ := judged(t, text, Options{Tests: tests, Engine: engine})
			got := ms[latch][fault]
			if got.Verdict == want || got.Verdict == mutant.Unknown && name == "induction only" {
				continue
			}
			t.Errorf("%s, %s: latch %d %s is %s by %s, want %s", name, engine, latch, fault, got.Verdict, got.Test, want)
		}
	}
}

// v = 0 forever, bad = v: the invariant ¬v stays inductive under stuck-at-1 of
// v, but the mutant is bad in frame 0.
const badReadsNode = "aag 1 0 1 0 0 1\n2 0\n2\n"

func TestTrap1Lemma4IsIncomplete(t *testing.T) {
	expect(t, badReadsNode, 0, mutant.One, mutant.Covered)
	expect(t, badReadsNode, 0, mutant.Nondet, mutant.Covered)
	expect(t, badReadsNode, 0, mutant.Zero, mutant.NotCovered)
}

// bad = x ∧ y, x: 0 → 0, y: 1 → 0. A proof over frames 1…k needs y's next state
// only, yet a free x is bad in frame 0.
const badInFrame0 = "aag 3 0 2 0 1 1\n2 0\n4 0 1\n6\n6 4 2\n"

func TestTrap2InitialStates(t *testing.T) {
	expect(t, badInFrame0, 0, mutant.Nondet, mutant.Covered)
	expect(t, badInFrame0, 0, mutant.One, mutant.Covered)
	expect(t, badInFrame0, 1, mutant.Nondet, mutant.NotCovered)
}

// A chain a → b → c with bad = c: the first image step's proof speaks of c and
// b only. Cutting a is noticed two steps later.
const chain = "aag 4 0 3 0 0 1\n2 0\n4 2\n6 4\n6\n"

func TestTrap3ImageChain(t *testing.T) {
	for latch := range 3 {
		expect(t, strings.Replace(chain, "aag 4", "aag 3", 1), latch, mutant.One, mutant.Covered)
		expect(t, strings.Replace(chain, "aag 4", "aag 3", 1), latch, mutant.Zero, mutant.NotCovered)
	}
}

// The invariant speaks of latches alone, never of a selector.
func TestTrap4InvariantHasNoSelectors(t *testing.T) {
	for _, engine := range []string{EngineInterp, EngineIC3} {
		_, res := judged(t, badInFrame0, Options{Engine: engine})
		for _, m := range append(res.Mutants, &Mutant{Evidence: Evidence{Invariant: res.Proof.Invariant}}) {
			inv := m.Evidence.Invariant
			if inv == nil {
				continue
			}
			for _, c := range inv.Clauses {
				for _, l := range c {
					if l.Latch() >= 2 {
						t.Errorf("%s: the invariant speaks of position %d", engine, l.Latch())
					}
				}
			}
			for _, s := range inv.Support {
				if s.Latch >= 2 {
					t.Errorf("%s: the invariant speaks of position %d", engine, s.Latch)
				}
			}
		}
	}
}

// bad = p ∧ x where p holds the last value of x, inverted: v toggles every
// step, and v now against v before are never equal. A stuck-at v makes them
// equal; with bad = v ∧ ¬before ∧ step 1 … only a value that changes is bad.
//
// Latches: v (toggles), before (v of the last frame), started (0, then 1).
// bad = started ∧ (v xor before) is true on the original; so bad = started ∧
// ¬(v xor before) holds on it, is bad under each stuck-at, and under nondet.
// Its complement design (v constant 0) tells constant from changing: bad =
// started ∧ (v xor before) is bad under nondet only.
const changing = `aag 6 0 3 0 3 1
2 0
4 2
6 1
12
8 4 3
10 5 2
12 6 15
14 9 11
`

func TestTrap5StuckIsConstantInTime(t *testing.T) {
	text := strings.Replace(strings.Replace(changing, "aag 6 0 3 0 3", "aag 7 0 3 0 4", 1), "", "", 1)
	expect(t, text, 0, mutant.Zero, mutant.NotCovered)
	expect(t, text, 0, mutant.One, mutant.NotCovered)
	expect(t, text, 0, mutant.Nondet, mutant.Covered)
}

// The constraint v = 1 has no run once v is stuck at 0.
const constrained = "aag 3 1 2 0 0 1 1\n2\n4 1 1\n6 2\n5\n4\n"

func TestTrap6VacuousConstraints(t *testing.T) {
	expect(t, constrained, 0, mutant.Zero, mutant.NotCovered)
	// the constraint and the bad state read the same node: never bad
	expect(t, constrained, 0, mutant.Nondet, mutant.NotCovered)
}

// TestConstraintsWithoutRun: a design whose constraints contradict each other
// checks nothing.
func TestConstraintsWithoutRun(t *testing.T) {
	ms, _ := judged(t, "aag 2 1 1 0 0 1 2\n2\n4 2\n4\n2\n3\n", Options{})
	for _, m := range ms[0] {
		if m.Verdict != mutant.NotCovered {
			t.Errorf("%s is %s", m.Fault, m.Verdict)
		}
	}
}

// v ≡ 0: stuck-at-0 is the design itself.
func TestTrap7ConstantLatch(t *testing.T) {
	expect(t, badReadsNode, 0, mutant.Zero, mutant.NotCovered)
}

// The constraint's cone counts as the property's: bad = in ∧ v … with v free
// of the property's own cone but read by the constraint.
const constraintCone = "aag 2 1 1 0 0 1 1\n2\n4 4\n2\n3\n"

func TestTrap8ConstraintCone(t *testing.T) {
	// constraint ¬in, bad = in: the latch is outside of both cones
	ms, _ := judged(t, constraintCone, Options{})
	if m := ms[0][mutant.One]; m.Verdict != mutant.NotCovered || m.Test != TestCone {
		t.Errorf("outside: %s by %s", m.Verdict, m.Test)
	}
	// constraint: v (reset 1, keeps 1) or ¬in; bad = in; v stuck at 0 keeps bad out,
	// stuck at 1 lets it in — and so does the design, so flip it: v is always 0.
	text := "aag 3 1 1 0 1 1 1\n2\n4 4\n2\n7\n6 5 2\n"
	expect(t, text, 0, mutant.One, mutant.Covered)
	expect(t, text, 0, mutant.Nondet, mutant.Covered)
	expect(t, text, 0, mutant.Zero, mutant.NotCovered)
}

// Two latches with equal functions: merging them would lose the mutants.
// bad = a xor b.
const twins = `aag 6 1 2 0 3 1
2
4 2
6 2
13
8 6 4
10 7 5
12 11 9
`

func TestTrap9NoMergingOfMutatedNodes(t *testing.T) {
	text := strings.Replace(twins, "\n13\n", "\n12\n", 1)
	for latch := range 2 {
		for f := range mutant.Fault(3) {
			expect(t, text, latch, f, mutant.Covered)
		}
	}
}

// x starts free, y starts as ¬x, C = ¬x, bad = ¬y. The invariant of the design
// need not speak of x, since C says all of it. But y's reset function sees x
// without the fault, the constraint with it: stuck-at-0 and nondet of x are bad
// in frame 0.
func TestResetFunctionsSeeNoFault(t *testing.T) {
	const text = "aag 3 0 2 1 0 0 1\n2 0 2\n6 3 3\n7\n3\n"
	expect(t, text, 0, mutant.Zero, mutant.Covered)
	expect(t, text, 0, mutant.One, mutant.NotCovered)
	expect(t, text, 0, mutant.Nondet, mutant.Covered)
}
