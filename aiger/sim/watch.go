package sim

import (
	"netcov/aiger"
)

// Watch runs the trace of w on f, mutated by fault if that is not nil, as Replay does,
// and returns the values of some literals in each step as their readers see them.
func Watch(f *aiger.File, w *aiger.Witness, fault *Fault, lits []aiger.Lit) ([][]bool, Result, error) {
	result, err := Replay(f, w, fault)
	if err != nil {
		return nil, result, err
	}
	var faults []Fault
	if fault != nil {
		faults = []Fault{*fault}
	}
	s := newLanes(f)
	if err := s.insert(faults); err != nil {
		return nil, result, err
	}
	initial, err := initialState(f, w)
	if err != nil {
		return nil, result, err
	}
	for i, bit := range initial {
		s.state[i] = spread(bit)
	}
	values := make([][]bool, len(w.Inputs))
	for t, row := range w.Inputs {
		for i, bit := range row {
			s.in[i] = spread(bit)
		}
		s.step(t)
		values[t] = make([]bool, len(lits))
		for i, l := range lits {
			values[t][i] = s.read(l)&1 == 1
		}
	}
	return values, result, nil
}

// Pair is what a trace shows on a design and on a mutant that read the same inputs.
type Pair struct {
	Design, Mutant Result
	// Values are those of the literals asked for, by side, step and literal.
	Values [2][][]bool
}

// WatchPair runs a trace on f and on its mutant. The design does not read the free
// value of a nondet fault, the last of each row.
func WatchPair(f *aiger.File, w *aiger.Witness, fault Fault, lits []aiger.Lit) (*Pair, error) {
	p := &Pair{}
	own := *w
	if fault.free() {
		own.Inputs = make([][]aiger.Ternary, len(w.Inputs))
		for t, row := range w.Inputs {
			own.Inputs[t] = row[:max(0, len(row)-1)]
		}
	}
	var err error
	if p.Values[0], p.Design, err = Watch(f, &own, nil, lits); err != nil {
		return nil, err
	}
	p.Values[1], p.Mutant, err = Watch(f, w, &fault, lits)
	return p, err
}
