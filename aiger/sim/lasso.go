// Replay of lassos, the counterexamples of justice properties.

package sim

import (
	"fmt"
	"slices"

	"netcov/aiger"
)

// Lasso checks that a witness is a counterexample of a justice property of f under
// the fault (of f itself when it is nil):
//
//   - it starts in an initial state, and all constraints hold in every step;
//   - the state after the last step is that of an earlier step, on all latches that
//     the property, fairness and the constraints depend on: the loop begins there;
//   - each literal of the property and each fairness constraint holds in some
//     step of the loop.
//
// So the steps from that one on can be repeated for ever. AIGER's format does not
// say where the loop begins; the first step that fits is taken, whose loop has the
// most steps. Rows and initial state are as in Replay; a row may have one more value,
// which is ignored. It returns nil, or what is wrong.
func Lasso(f *aiger.File, justice int, w *aiger.Witness, fault *Fault) error {
	if justice < 0 || justice >= len(f.Justice) {
		return fmt.Errorf("there is no justice property %d; the file has %d, numbered from 0", justice, len(f.Justice))
	}
	init, most := w.Init, len(f.Inputs)+1
	if fault != nil {
		g, err := Mutant(f, *fault)
		if err != nil {
			return err
		}
		if len(init) == len(f.Latches) { // those of the mutant alone start at 0
			init = append(slices.Clone(init), make([]aiger.Ternary, len(g.Latches)-len(f.Latches))...)
		}
		f = g
	}
	if err := checkRows(w, len(f.Inputs), most); err != nil {
		return err
	}
	started := *w
	started.Init = init
	initial, err := initialState(f, &started)
	if err != nil {
		return err
	}
	r := &lassoRun{
		lanes:   lanes{f: f, value: make([]uint64, f.MaxVar+1), in: make([]uint64, len(f.Inputs)+1)},
		initial: initial, rows: w.Inputs, counted: countedLatches(f, justice),
	}

	// The run is simulated twice: for its last state, and to find that earlier.
	var broken error
	r.simulate(func(t int) {
		for i, c := range f.Constraints {
			if broken == nil && r.read(c)&1 == 0 {
				broken = fmt.Errorf("constraint %d does not hold in step %d", i, t)
			}
		}
	})
	if broken != nil {
		return broken
	}
	last := slices.Clone(r.state)
	loop := -1
	due := slices.Concat(f.Justice[justice], f.Fairness)
	seen := make([]bool, len(due))
	r.simulate(func(t int) {
		if loop < 0 && r.at(last) {
			loop = t
		}
		for i, l := range due {
			seen[i] = seen[i] || loop >= 0 && r.read(l)&1 == 1
		}
	})
	if loop < 0 {
		return fmt.Errorf("the state after step %d, the last one, is that of no earlier step: there is no loop", len(w.Inputs)-1)
	}
	for i, ok := range seen {
		switch own := len(f.Justice[justice]); {
		case ok:
		case i < own:
			return fmt.Errorf("literal %d of the justice property never holds in the loop, which begins in step %d", i, loop)
		default:
			return fmt.Errorf("fairness constraint %d never holds in the loop, which begins in step %d", i-own, loop)
		}
	}
	return nil
}

// lassoRun is one run, in lane 0.
type lassoRun struct {
	lanes
	initial []aiger.Ternary
	rows    [][]aiger.Ternary
	counted []bool   // by latch: it is compared
	before  []uint64 // the state in which the step began
}

// simulate runs all steps, and calls visit with the values of each.
func (r *lassoRun) simulate(visit func(t int)) {
	n := len(r.f.Latches)
	r.state, r.next, r.before = make([]uint64, n), make([]uint64, n), make([]uint64, n)
	for i, bit := range r.initial {
		r.state[i] = spread(bit)
	}
	for t, row := range r.rows {
		for i, bit := range row[:len(r.f.Inputs)] {
			r.in[i] = spread(bit)
		}
		copy(r.before, r.state)
		r.step(t)
		visit(t)
	}
}

// at reports whether the step began in a state.
func (r *lassoRun) at(state []uint64) bool {
	for i, v := range state {
		if r.counted[i] && r.before[i] != v {
			return false
		}
	}
	return true
}

// countedLatches marks the latches that a justice property, fairness and the
// constraints depend on in any number of steps.
func countedLatches(f *aiger.File, justice int) []bool {
	node := make([]int, f.MaxVar+1) // by variable: latch i is i+1, gate i is -i-1
	for i, l := range f.Latches {
		node[l.Lit>>1] = i + 1
	}
	for i, a := range f.Ands {
		node[a.Lhs>>1] = -i - 1
	}
	counted := make([]bool, len(f.Latches))
	work := slices.Concat(f.Justice[justice], f.Fairness, f.Constraints)
	for len(work) > 0 {
		v := work[len(work)-1] >> 1
		work = work[:len(work)-1]
		switch n := node[v]; {
		case n > 0:
			counted[n-1] = true
			work = append(work, f.Latches[n-1].Next)
		case n < 0:
			work = append(work, f.Ands[-n-1].Rhs0, f.Ands[-n-1].Rhs1)
		}
		node[v] = 0 // done
	}
	return counted
}
