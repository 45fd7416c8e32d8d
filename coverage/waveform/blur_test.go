package waveform

import (
	"math/rand/v2"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/aiger/sim"
	"netcov/mutant"
)

// TestBlur: whatever stands for x, the blurred trace is still a counterexample that fails
// in the last step.
func TestBlur(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 9))
	traces, blurred := 0, 0
	for range 4000 {
		f := randaig.New(r, randaig.Everything())
		bads, _, _ := f.Properties()
		if len(f.Latches) == 0 || len(bads) == 0 {
			continue
		}
		fault := sim.Fault{Var: f.Latches[r.IntN(len(f.Latches))].Lit >> 1, Kind: mutant.Fault(r.IntN(3)), Mux: mutant.Mux(r.IntN(2))}
		extra := 0
		if fault.Kind == mutant.Nondet {
			extra = 1
		}
		w := randaig.Trace(r, f, 1+r.IntN(4), extra)
		for i, l := range f.Latches {
			if l.HasResetFunction() {
				w.Init[i] = aiger.Unknown
			}
		}
		p := r.IntN(len(bads))
		values, result, err := sim.Watch(f, w, &fault, bads[p:p+1])
		if err != nil {
			t.Fatal(err)
		}
		last := len(w.Inputs) - 1
		if !values[last][0] || result.ConstraintsHold <= last {
			continue
		}
		traces++
		b, err := Blur(f, w, &fault, bads[p])
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			c := *b
			c.Init, c.Inputs = append([]aiger.Ternary{}, b.Init...), nil
			some := 0
			fill := func(v *aiger.Ternary) {
				if *v == aiger.Unknown {
					some++
					*v = aiger.Ternary(r.IntN(2))
				}
			}
			for i, l := range f.Latches {
				if !l.HasResetFunction() {
					fill(&c.Init[i])
				}
			}
			for _, row := range b.Inputs {
				row = append([]aiger.Ternary{}, row...)
				for i := range row {
					fill(&row[i])
				}
				c.Inputs = append(c.Inputs, row)
			}
			values, result, err := sim.Watch(f, &c, &fault, bads[p:p+1])
			if err != nil {
				t.Fatal(err)
			}
			if !values[last][0] || result.ConstraintsHold <= last {
				t.Fatalf("%v: %+v is no counterexample to %d\n%+v", fault, c, p, f)
			}
			blurred += some
		}
	}
	if traces < 100 || blurred < 100 {
		t.Errorf("%d traces, %d values: the test says little", traces, blurred)
	}
}
