// Package explicit decides properties of small AIGER files by enumerating their
// states. It is the oracle of tests and of the fuzzer: it interprets the file
// itself and shares no code with what it judges.
package explicit

import (
	"netcov/aiger"
	"netcov/aiger/sim"
)

// Fails reports whether a property, a position among the bad-state literals (where
// there are none, the outputs) and after them the justice properties, fails. Inputs
// and latches together should be at most some twenty.
func Fails(f *aiger.File, property int) bool {
	bads := f.Bads
	if len(bads) == 0 {
		bads = f.Outputs
	}
	if property >= len(bads) {
		return failsJustice(f, property-len(bads))
	}
	e := &enumeration{f: f, value: make([]bool, f.MaxVar+1)}
	seen := map[uint64]bool{}
	var work []uint64
	// step looks at a state with inputs, and reports whether the property fails there.
	step := func(state, in uint64) bool {
		e.evaluate(state, in)
		if !e.all(f.Constraints) {
			return false
		}
		if e.read(bads[property]) {
			return true
		}
		if next := e.next(); !seen[next] {
			seen[next] = true
			work = append(work, next)
		}
		return false
	}
	for in := range uint64(1) << len(f.Inputs) {
		for _, state := range e.initial(in) { // the reset functions read the inputs of step 0
			if step(state, in) {
				return true
			}
		}
	}
	for len(work) > 0 {
		state := work[len(work)-1]
		work = work[:len(work)-1]
		for in := range uint64(1) << len(f.Inputs) {
			if step(state, in) {
				return true
			}
		}
	}
	return false
}

// LongestRun returns the number of steps of the longest run that satisfies the
// constraints in every step; found is false where a run has as many as most.
func LongestRun(f *aiger.File, most int) (steps int, found bool) {
	e := &enumeration{f: f, value: make([]bool, f.MaxVar+1)}
	states := map[uint64]bool{}
	step := func(s, in uint64, to map[uint64]bool) {
		e.evaluate(s, in)
		if e.all(f.Constraints) {
			to[e.next()] = true
		}
	}
	for in := range uint64(1) << len(f.Inputs) {
		for _, s := range e.initial(in) {
			step(s, in, states)
		}
	}
	for steps < most {
		if len(states) == 0 {
			return steps, true
		}
		after := map[uint64]bool{}
		for s := range states {
			for in := range uint64(1) << len(f.Inputs) {
				step(s, in, after)
			}
		}
		states = after
		steps++
	}
	return 0, false
}

type enumeration struct {
	f     *aiger.File
	value []bool
}

func (e *enumeration) read(l aiger.Lit) bool { return e.value[l>>1] != (l&1 == 1) }

func (e *enumeration) all(ls []aiger.Lit) bool {
	for _, l := range ls {
		if !e.read(l) {
			return false
		}
	}
	return true
}

func (e *enumeration) evaluate(state, in uint64) {
	for i, l := range e.f.Inputs {
		e.value[l>>1] = in>>i&1 == 1
	}
	for i, l := range e.f.Latches {
		e.value[l.Lit>>1] = state>>i&1 == 1
	}
	for _, a := range e.f.Ands {
		e.value[a.Lhs>>1] = e.read(a.Rhs0) && e.read(a.Rhs1)
	}
}

func (e *enumeration) next() uint64 {
	var s uint64
	for i, l := range e.f.Latches {
		if e.read(l.Next) {
			s |= 1 << i
		}
	}
	return s
}

// initial returns the states in which the latches agree with their resets under
// the inputs.
func (e *enumeration) initial(in uint64) []uint64 {
	var out []uint64
	for s := range uint64(1) << len(e.f.Latches) {
		e.evaluate(s, in)
		ok := true
		for i, l := range e.f.Latches {
			if l.Reset != l.Lit && e.read(l.Reset) != (s>>i&1 == 1) {
				ok = false
				break
			}
		}
		if ok {
			out = append(out, s)
		}
	}
	return out
}

// Covered reports whether a property fails on a mutant, by enumeration of the
// mutant's own file.
func Covered(f *aiger.File, property int, fault sim.Fault) (bool, error) {
	mutant, err := sim.Mutant(f, fault)
	if err != nil {
		return false, err
	}
	return Fails(mutant, property), nil
}
