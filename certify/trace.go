package certify

import (
	"fmt"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
)

// Trace checks by plain simulation that tr is a counterexample of every mutant
// in ms, of the design itself when there are none: a bad-state literal holds in
// some step, and all constraints up to and including it. For a nondet fault the
// last input of each step is the free value; for others it may be there or not.
func (k *Checker) Trace(tr *cert.Trace, ms ...Mutation) error {
	w, err := k.Witness(tr)
	if err != nil {
		return err
	}
	return k.Replay(w, ms...)
}

// Replay is Trace for a trace in AIGER's witness format: one value a latch of the
// design, x for what its reset gives. For a justice property it is a lasso: see
// aiger/sim.Lasso.
func (k *Checker) Replay(w *aiger.Witness, ms ...Mutation) error {
	if k.err != nil {
		return k.err
	}
	if k.live != nil {
		return k.live.replay(w, ms)
	}
	if len(ms) == 0 {
		r, err := sim.Replay(k.file, w, nil)
		if err != nil {
			return err
		}
		return k.fails(&r, len(w.Inputs), "the design itself")
	}
	faults := make([]sim.Fault, len(ms))
	for i, m := range ms {
		var err error
		if faults[i], err = k.fault(m); err != nil {
			return err
		}
	}
	results, err := sim.ReplayMany(k.file, w, faults)
	if err != nil {
		return err
	}
	for i := range results {
		if err := k.fails(&results[i], len(w.Inputs), ms[i].String()); err != nil {
			return err
		}
	}
	return nil
}

// tracesAtOnce bounds the traces that are there as witnesses at a time: each has a
// value for each latch.
const tracesAtOnce = 64

// Traces checks each trace on the mutant at the same position, and returns for each
// the first property that fails at its end, as a position in the list given to
// NewChecker. Where a trace is no counterexample, its position is at, and the error
// says what is wrong with it.
func (k *Checker) Traces(trs []*cert.Trace, ms []Mutation) (failing []int, at int, err error) {
	if k.err != nil {
		return nil, 0, k.err
	}
	if k.live != nil {
		for i, tr := range trs {
			if err := k.Trace(tr, ms[i]); err != nil {
				return nil, i, err
			}
		}
		return make([]int, len(trs)), 0, nil
	}
	if runs := runsOf(trs); len(trs) >= sharedBy*len(runs) {
		return k.shared(trs, ms, runs)
	}
	failing = make([]int, 0, len(trs))
	for len(failing) < len(trs) {
		begin := len(failing)
		end := min(begin+tracesAtOnce, len(trs))
		var faults []sim.Fault
		var ws []*aiger.Witness
		for i := begin; i < end; i++ {
			fault, err := k.fault(ms[i])
			if err != nil {
				return nil, i, err
			}
			w, err := k.Witness(trs[i])
			if err != nil {
				return nil, i, err
			}
			faults, ws = append(faults, fault), append(ws, w)
		}
		results, err := sim.ReplayEach(k.file, ws, faults)
		if err != nil {
			return nil, begin, err
		}
		for i := range results {
			if err := k.fails(&results[i], len(ws[i].Inputs), ms[begin+i].String()); err != nil {
				return nil, begin + i, err
			}
			_, which := k.firstBad(&results[i])
			failing = append(failing, which)
		}
	}
	return failing, 0, nil
}

// firstBad returns the first step in which a property fails, -1 where there is
// none, and which one it is: a position in k.properties.
func (k *Checker) firstBad(r *sim.Result) (step, which int) {
	step = -1
	for i, p := range k.properties {
		if at := r.FirstBad[p]; at >= 0 && (step < 0 || at < step) {
			step, which = at, i
		}
	}
	return step, which
}

// fails tells why a replayed trace is no counterexample.
func (k *Checker) fails(r *sim.Result, steps int, where string) error {
	switch at, _ := k.firstBad(r); {
	case at < 0:
		return fmt.Errorf("the trace reaches no bad state of %s in its %d steps", where, steps)
	case at >= r.ConstraintsHold:
		return fmt.Errorf("the trace breaks a constraint of %s in step %d, the bad state is in step %d", where, r.ConstraintsHold, at)
	}
	return nil
}

// fault translates a mutation for the simulator.
func (k *Checker) fault(m Mutation) (sim.Fault, error) {
	v, err := k.variable(m)
	return sim.Fault{Var: v, Kind: m.Fault, Mux: m.Mux}, err
}

// Witness returns the trace in AIGER's witness format, for the first property. Of
// a justice property it is a lasso of the design, without the input save. The initial state has the values that the resets give; only uninitialised
// latches take theirs from the trace. A row has as many inputs as the trace's.
func (k *Checker) Witness(tr *cert.Trace) (*aiger.Witness, error) {
	if k.err != nil {
		return nil, k.err
	}
	if k.live == nil {
		return k.witness(tr, aiger.Property{Kind: 'b', Index: k.properties[0]})
	}
	run, err := k.live.lasso(tr)
	if err != nil {
		return nil, err
	}
	return k.live.design.witness(run, aiger.Property{Kind: 'j', Index: k.live.justice})
}

func (k *Checker) witness(tr *cert.Trace, property aiger.Property) (*aiger.Witness, error) {
	if len(tr.Inputs) == 0 {
		return nil, fmt.Errorf("the trace has no steps")
	}
	w := &aiger.Witness{
		Status:     aiger.Fails,
		Properties: []aiger.Property{property},
		Inputs:     make([][]aiger.Ternary, len(tr.Inputs)),
	}
	for i, row := range tr.Inputs {
		if n := len(k.file.Inputs); len(row) != n && len(row) != n+1 {
			return nil, fmt.Errorf("step %d of the trace has %d inputs, the file has %d", i, len(row), n)
		}
		w.Inputs[i] = make([]aiger.Ternary, len(row))
		for j, bit := range row {
			if bit {
				w.Inputs[i][j] = aiger.True
			}
		}
	}
	var err error
	w.Init, err = k.initialState(tr)
	return w, err
}

// initialState computes the values of all latches in step 0.
func (k *Checker) initialState(tr *cert.Trace) ([]aiger.Ternary, error) {
	init := make([]aiger.Ternary, len(k.file.Latches))
	functions := false
	for i, l := range k.file.Latches {
		free := l.Reset == l.Lit && i < len(tr.Latches) && tr.Latches[i]
		if free || l.Reset == 1 {
			init[i] = aiger.True
		}
		functions = functions || l.HasResetFunction()
	}
	if !functions {
		return init, nil
	}
	order, err := k.file.InitialOrder()
	if err != nil {
		return nil, err
	}
	value := make([]bool, k.file.MaxVar+1)
	read := func(l aiger.Lit) bool { return value[l>>1] != (l&1 == 1) }
	for i, l := range k.file.Inputs {
		value[l>>1] = tr.Inputs[0][i]
	}
	for _, v := range order {
		if k.kind[v] == gate {
			and := k.file.Ands[k.at[v]]
			value[v] = read(and.Rhs0) && read(and.Rhs1)
			continue
		}
		i := k.at[v]
		if l := k.file.Latches[i]; l.HasResetFunction() {
			value[v] = read(l.Reset)
			if value[v] {
				init[i] = aiger.True
			}
		} else {
			value[v] = init[i] == aiger.True
		}
	}
	return init, nil
}
