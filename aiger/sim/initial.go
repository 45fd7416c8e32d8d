// The initial state of a trace. It belongs to the unmutated design, whatever
// the fault.

package sim

import (
	"fmt"

	"netcov/aiger"
)

// initialState returns the latches' values in step 0: those of w, x replaced,
// after a check against the resets.
func initialState(f *aiger.File, w *aiger.Witness) ([]aiger.Ternary, error) {
	if len(w.Init) != len(f.Latches) {
		return nil, fmt.Errorf("the initial state has %d values, %d latches are due", len(w.Init), len(f.Latches))
	}
	due, err := resetValues(f, w)
	if err != nil {
		return nil, err
	}
	for i, l := range f.Latches {
		if w.Init[i] != aiger.Unknown && w.Init[i] != due[i] {
			return nil, fmt.Errorf("the initial state gives latch %d (literal %d) the value %v, its reset is %v", i, l.Lit, w.Init[i], due[i])
		}
	}
	return due, nil
}

// resetValues returns what the resets make of each latch in step 0. An
// uninitialised latch has the value that w gives it, 0 for x.
func resetValues(f *aiger.File, w *aiger.Witness) ([]aiger.Ternary, error) {
	due := make([]aiger.Ternary, len(f.Latches))
	functions := false
	for i, l := range f.Latches {
		switch {
		case l.HasResetFunction():
			functions = true
		case l.Reset == 1 || l.Reset == l.Lit && w.Init[i] == aiger.True:
			due[i] = aiger.True
		}
	}
	if !functions {
		return due, nil
	}
	order, err := f.InitialOrder()
	if err != nil {
		return nil, err
	}
	value := make([]bool, f.MaxVar+1)
	read := func(lit aiger.Lit) bool { return value[lit>>1] != (lit&1 == 1) }
	for i, lit := range f.Inputs {
		value[lit>>1] = w.Inputs[0][i] == aiger.True
	}
	latch := make(map[uint32]int, len(f.Latches))
	for i, l := range f.Latches {
		latch[l.Lit>>1] = i
	}
	gate := make(map[uint32]aiger.And, len(f.Ands))
	for _, a := range f.Ands {
		gate[a.Lhs>>1] = a
	}
	for _, v := range order {
		i, ok := latch[v]
		switch {
		case !ok:
			value[v] = read(gate[v].Rhs0) && read(gate[v].Rhs1)
		case f.Latches[i].HasResetFunction():
			value[v] = read(f.Latches[i].Reset)
		default:
			value[v] = due[i] == aiger.True
		}
		if ok && value[v] {
			due[i] = aiger.True
		}
	}
	return due, nil
}
