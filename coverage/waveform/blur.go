package waveform

import (
	"netcov/aiger"
	"netcov/aiger/sim"
)

// mostBlur bounds the work of Blur: values that are tried, times steps, times gates.
const mostBlur = 300_000_000

// Blur returns a counterexample of a mutant, or of the design itself where fault is nil,
// in which the inputs that do not matter are x:
// the bad-state literal is still 1 in the last step, and the constraints hold in all.
// Where that would take long, some of the inputs stay as they are.
func Blur(f *aiger.File, w *aiger.Witness, fault *sim.Fault, bad aiger.Lit) (*aiger.Witness, error) {
	r := *w
	r.Init, r.Inputs = append([]aiger.Ternary{}, w.Init...), nil
	for _, row := range w.Inputs {
		r.Inputs = append(r.Inputs, append([]aiger.Ternary{}, row...))
	}
	var places []*aiger.Ternary
	for i, l := range f.Latches {
		if l.Reset == l.Lit {
			places = append(places, &r.Init[i])
		}
	}
	for _, row := range r.Inputs {
		for i := range row {
			places = append(places, &row[i])
		}
	}
	left := mostBlur / (len(r.Inputs) * (len(f.Ands) + len(f.Latches) + 1))
	for _, p := range places[:min(left, len(places))] {
		old := *p
		*p = aiger.Unknown
		fails, err := known(f, &r, fault, bad)
		if err != nil {
			return nil, err
		}
		if !fails {
			*p = old
		}
	}
	return &r, nil
}

// known reports whether a trace is a counterexample whatever stands for its x.
func known(f *aiger.File, w *aiger.Witness, fault *sim.Fault, bad aiger.Lit) (bool, error) {
	m, err := newMachine(f, w, fault)
	if err != nil {
		return false, err
	}
	for _, row := range w.Inputs {
		m.state = m.eval(row)
		for _, c := range f.Constraints {
			if m.read(c) != aiger.True {
				return false, nil
			}
		}
	}
	return m.read(bad) == aiger.True, nil
}
