package liveness

import (
	"fmt"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
)

// Lasso is an infinite run: it starts with the latch values Init, takes the
// inputs row by row, and after the last row goes on with row Loop for ever.
type Lasso struct {
	Init   []bool   // [latch] of the design; it counts for uninitialised latches only
	Inputs [][]bool // [step][input]; under a nondet fault the last input of a row is the free value
	Loop   int      // the step in which the loop begins, less than len(Inputs)
}

// Lasso turns a counterexample of the translation, or of one of its mutants, into
// a run of the design or the mutant. free tells that the last input of each of
// the trace's rows is the free value of a nondet fault.
func (m *Map) Lasso(t *cert.Trace, free bool) (*Lasso, error) {
	steps := t.Depth()
	l := &Lasso{Loop: -1, Init: append([]bool(nil), t.Latches[:m.Latches]...)}
	for i := range steps {
		row := t.Inputs[i]
		if l.Loop < 0 && i > 0 && row[m.Save] {
			l.Loop = i
		}
		inputs := append([]bool(nil), row[:m.Inputs]...)
		if free {
			inputs = append(inputs, row[len(row)-1])
		}
		l.Inputs = append(l.Inputs, inputs)
	}
	if l.Loop < 0 {
		return nil, fmt.Errorf("the trace has no loop: it is no counterexample of the translation")
	}
	return l, nil
}

// Witness is the lasso in AIGER's witness format: the state after the last step
// is the one in which step Loop began. The format has no place for Loop; a
// reader finds it by comparing states.
func (l *Lasso) Witness(justice int) *aiger.Witness {
	ternary := func(values []bool) []aiger.Ternary {
		out := make([]aiger.Ternary, len(values))
		for i, v := range values {
			if v {
				out[i] = aiger.True
			}
		}
		return out
	}
	w := &aiger.Witness{
		Status: aiger.Fails, Properties: []aiger.Property{{Kind: 'j', Index: justice}}, Init: ternary(l.Init),
	}
	for _, row := range l.Inputs {
		w.Inputs = append(w.Inputs, ternary(row))
	}
	return w
}

// Replay checks by plain simulation of the design under the fault (of the design
// itself when it is nil) that a lasso is a counterexample of a justice property:
//
//   - it starts in an initial state, and all constraints hold in every step;
//   - the state after the last step is the one in which step Loop began, on all
//     latches that the property, fairness and constraints depend on;
//   - each literal of the property and each fairness constraint holds in some
//     step of the loop.
//
// It returns nil, or what is wrong.
func Replay(f *aiger.File, justice int, l *Lasso, fault *sim.Fault) error {
	if err := checkJustice(f, justice); err != nil {
		return err
	}
	if fault != nil {
		m, err := sim.Mutant(f, *fault)
		if err != nil {
			return err
		}
		f = m
	}
	return run(f, l, literals(f, justice))
}

// run replays a lasso on a file. wanted are the literals that must hold somewhere
// in the loop.
func run(f *aiger.File, l *Lasso, wanted []aiger.Lit) error {
	if l.Loop < 0 || l.Loop >= len(l.Inputs) {
		return fmt.Errorf("the loop begins in step %d of %d", l.Loop, len(l.Inputs))
	}
	r := &replay{f: f, value: make([]bool, f.MaxVar+1)}
	for t, row := range l.Inputs {
		if n := len(f.Inputs); len(row) != n {
			return fmt.Errorf("step %d has %d inputs, not %d", t, len(row), n)
		}
	}
	if err := r.reset(l.Init, l.Inputs[0]); err != nil {
		return err
	}
	needed := cone(f, wanted, f.Constraints)
	seen := make([]bool, len(wanted))
	var atLoop []bool
	for t, row := range l.Inputs {
		if t == l.Loop {
			atLoop = r.state()
		}
		r.evaluate(row)
		for i, c := range f.Constraints {
			if !r.holds(c) {
				return fmt.Errorf("constraint %d does not hold in step %d", i, t)
			}
		}
		if t >= l.Loop {
			for i, w := range wanted {
				seen[i] = seen[i] || r.holds(w)
			}
		}
		r.step()
	}
	for i, v := range r.state() {
		if needed[f.Latches[i].Lit>>1] && v != atLoop[i] {
			return fmt.Errorf("the run does not come back to step %d: latch %d differs", l.Loop, i)
		}
	}
	fairness := len(wanted) - len(f.Fairness)
	for i, ok := range seen {
		switch {
		case ok:
		case i < fairness:
			return fmt.Errorf("literal %d of the justice property never holds in the loop", i)
		default:
			return fmt.Errorf("fairness constraint %d never holds in the loop", i-fairness)
		}
	}
	return nil
}

// replay evaluates a file step by step.
type replay struct {
	f     *aiger.File
	value []bool
}

func (r *replay) holds(l aiger.Lit) bool { return r.value[l>>1] != (l&1 != 0) }

func (r *replay) evaluate(inputs []bool) {
	for i, l := range r.f.Inputs {
		r.value[l>>1] = inputs[i]
	}
	for _, a := range r.f.Ands {
		r.value[a.Lhs>>1] = r.holds(a.Rhs0) && r.holds(a.Rhs1)
	}
}

// reset sets the initial state; latches without a reset have the given values.
func (r *replay) reset(init, inputs []bool) error {
	order, err := r.f.InitialOrder()
	if err != nil {
		return err
	}
	for i, l := range r.f.Inputs {
		r.value[l>>1] = inputs[i]
	}
	latch := make(map[uint32]int, len(r.f.Latches))
	for i, l := range r.f.Latches {
		latch[l.Lit>>1] = i
	}
	gate := make(map[uint32]aiger.And, len(r.f.Ands))
	for _, a := range r.f.Ands {
		gate[a.Lhs>>1] = a
	}
	for _, v := range order {
		if a, ok := gate[v]; ok {
			r.value[v] = r.holds(a.Rhs0) && r.holds(a.Rhs1)
			continue
		}
		i := latch[v]
		l := r.f.Latches[i]
		if l.Reset != l.Lit {
			r.value[v] = r.holds(l.Reset)
			continue
		}
		if i >= len(init) {
			return fmt.Errorf("the initial state has no value for latch %d", i)
		}
		r.value[v] = init[i]
	}
	return nil
}

func (r *replay) state() []bool {
	s := make([]bool, len(r.f.Latches))
	for i, l := range r.f.Latches {
		s[i] = r.holds(l.Lit)
	}
	return s
}

func (r *replay) step() {
	next := make([]bool, len(r.f.Latches))
	for i, l := range r.f.Latches {
		next[i] = r.holds(l.Next)
	}
	for i, l := range r.f.Latches {
		r.value[l.Lit>>1] = next[i]
	}
}
