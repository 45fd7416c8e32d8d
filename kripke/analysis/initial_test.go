package analysis

import (
	"context"
	"testing"

	"netcov/kripke/formula"
	"netcov/kripke/ltl"
	"netcov/kripke/report"
)

// outcome is the report of node coverage.
func outcome(t *testing.T, text, spec, algorithm string, signals ...string) *report.LTL {
	t.Helper()
	f, err := formula.Parse(spec, formula.LTL)
	if err != nil {
		t.Fatal(err)
	}
	r, err := LTL{
		Source: opened(t, "m.smv", text), Specs: []formula.Formula{f}, Signals: signals, Algorithm: algorithm, Coverage: []ltl.Kind{ltl.NodeCoverage},
		Room: Room{Progress: func(string) {}},
	}.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestInitialStatesOfLargeFunctions: a next-state function of more nodes than a diagram
// has before it collects leaves the initial states as they are.
func TestInitialStatesOfLargeFunctions(t *testing.T) {
	const text = `MODULE main
VAR
  s : boolean;
  p : boolean;
  n : unsigned word[15];
ASSIGN
  init(s) := FALSE;
  init(p) := FALSE;
  init(n) := 0ud15_0;
  next(s) := p;
  next(p) := {TRUE, FALSE};
  next(n) := n * n + 0ud15_3 + (p ? n : 0ud15_1);
`
	want := outcome(t, text, "G (p -> X s)", "product", "p", "s").Specs[0]
	got := outcome(t, text, "G (p -> X s)", "symbolic", "p", "s").Specs[0]
	for i, w := range want.Signals {
		g := got.Signals[i]
		same := g.Name == w.Name
		for _, key := range []string{"node", "uncovered"} {
			same = same && g.Counts[key] != nil && g.Counts[key].Cmp(w.Counts[key]) == 0
		}
		if !same {
			t.Errorf("%s: by product counts %v, by diagrams %v", w.Name, w.Counts, g.Counts)
		}
	}
}

// TestCubesWithChosenStart: the first value of a register is a choice, so the model of
// the proof has a register more than the run that a cube is grown from.
func TestCubesWithChosenStart(t *testing.T) {
	const text = `MODULE main
VAR
  s : boolean;
  b : boolean;
ASSIGN
  init(s) := {FALSE, TRUE};
  init(b) := FALSE;
  next(s) := b | s;
  next(b) := {FALSE, TRUE};
`
	outcome(t, text, "G (b -> X s)", "sat", "s", "b")
}
