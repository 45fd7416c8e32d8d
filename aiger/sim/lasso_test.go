package sim

import (
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/mutant"
)

// TestLasso replays lassos of a toggle: the latch is 1 in every other step. j0 asks
// for the latch infinitely often; j1 for the latch and its complement; j2 for the
// input. A second latch, which counts for none, is 1 from step 1 on.
func TestLasso(t *testing.T) {
	f := &aiger.File{
		MaxVar: 3, Inputs: []aiger.Lit{2}, Latches: []aiger.Latch{{Lit: 4, Next: 5}, {Lit: 6, Next: 1}},
		Justice: [][]aiger.Lit{{4}, {4, 5}, {2}},
	}
	run := func(rows ...string) *aiger.Witness {
		w := &aiger.Witness{Status: aiger.Fails, Init: make([]aiger.Ternary, 2)}
		for _, row := range rows {
			values := []aiger.Ternary{}
			for _, c := range row {
				values = append(values, aiger.Ternary(c-'0'))
			}
			w.Inputs = append(w.Inputs, values)
		}
		return w
	}
	stuck := func(k mutant.Fault, place mutant.Mux) *Fault { return &Fault{Var: 2, Kind: k, Mux: place} }
	for _, test := range []struct {
		justice int
		run     *aiger.Witness
		fault   *Fault
		want    string
	}{
		{0, run("0", "0"), nil, ""},
		{1, run("0", "0", "0"), nil, ""}, // the loop begins in step 1
		{1, run("0", "0"), nil, ""},
		{0, run("0"), nil, "no earlier step"},
		{2, run("0", "0"), nil, "literal 0 of the justice property never holds in the loop, which begins in step 0"},
		{2, run("0", "1"), nil, ""},
		{2, run("02", "12"), nil, ""}, // a further value
		{3, run("0", "0"), nil, "no justice property 3"},
		{0, run("", ""), nil, "step 0 of the trace has 0 input values"},
		{0, run("000", "000"), nil, "step 0 of the trace has 3 input values"},
		{0, run(), nil, "no trace"},
		{0, run("0"), stuck(mutant.One, mutant.AtOutput), ""},
		{0, run("0"), stuck(mutant.Zero, mutant.AtOutput), "literal 0"},
		{0, run("0"), stuck(mutant.One, mutant.AtNext), "no earlier step"},
		{0, run("0", "0"), stuck(mutant.One, mutant.AtNext), ""},
		{1, run("00", "01"), stuck(mutant.Nondet, mutant.AtOutput), ""},
		{1, run("00", "00"), stuck(mutant.Nondet, mutant.AtOutput), "literal 0"},
		{1, run("0", "0"), stuck(mutant.Nondet, mutant.AtOutput), "input values"},
		{0, run("0"), &Fault{Var: 1}, "neither a latch nor a gate"},
	} {
		err := Lasso(f, test.justice, test.run, test.fault)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if (test.want == "") != (err == nil) || !strings.Contains(got, test.want) {
			t.Errorf("j%d, %v, %v: %q, want %q", test.justice, test.run.Inputs, test.fault, got, test.want)
		}
	}
	f.Constraints = []aiger.Lit{3}
	if err := Lasso(f, 0, run("0", "1"), nil); err == nil || !strings.Contains(err.Error(), "constraint 0 does not hold in step 1") {
		t.Errorf("a broken constraint: %v", err)
	}
	f.Constraints, f.Fairness = nil, []aiger.Lit{2}
	if err := Lasso(f, 0, run("0", "0"), nil); err == nil || !strings.Contains(err.Error(), "fairness constraint 0") {
		t.Errorf("without fairness: %v", err)
	}
	if err := Lasso(f, 0, run("1", "0"), nil); err != nil {
		t.Errorf("with fairness: %v", err)
	}
	wrong := run("0", "0")
	wrong.Init[0] = aiger.True
	if err := Lasso(f, 0, wrong, nil); err == nil || !strings.Contains(err.Error(), "its reset is 0") {
		t.Errorf("a wrong initial state: %v", err)
	}
}
