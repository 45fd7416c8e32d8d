package certify

import (
	"fmt"

	"netcov/aiger"
	"netcov/aiger/sim"
)

// Gap checks by plain simulation that a trace shows a gap: run on the design and on
// the mutant, the constraints hold on both in every step, no safety property fails on
// either, and some observation point differs in the last step. For a nondet fault the
// last value of each row is the free one. Where there are values x, 0 in the place of
// all and 1 in the place of all must show it.
func (c *Comparison) Gap(w *aiger.Witness, m Mutation) error {
	if c.k.err != nil {
		return c.k.err
	}
	some := false
	for _, v := range []aiger.Ternary{aiger.False, aiger.True} {
		full, filled := fill(c.k.file, w, v)
		if v == aiger.True && !some {
			return nil
		}
		some = filled
		if err := c.gap(full, m); err != nil {
			return err
		}
	}
	return nil
}

// fill returns a witness with a value in the place of each x, and whether there was any.
// Latches with a reset function keep theirs: their values follow.
func fill(f *aiger.File, w *aiger.Witness, v aiger.Ternary) (*aiger.Witness, bool) {
	some := false
	row := func(bits []aiger.Ternary, keep func(int) bool) []aiger.Ternary {
		out := make([]aiger.Ternary, len(bits))
		for i, b := range bits {
			if out[i] = b; b == aiger.Unknown && !keep(i) {
				out[i], some = v, true
			}
		}
		return out
	}
	full := *w
	full.Init = row(w.Init, func(i int) bool { return i < len(f.Latches) && f.Latches[i].Reset != f.Latches[i].Lit })
	full.Inputs = nil
	for _, bits := range w.Inputs {
		full.Inputs = append(full.Inputs, row(bits, func(int) bool { return false }))
	}
	return &full, some
}

func (c *Comparison) gap(w *aiger.Witness, m Mutation) error {
	k := c.k
	fault, err := k.fault(m)
	if err != nil {
		return err
	}
	p, err := sim.WatchPair(k.file, w, fault, c.observe.Points(k.file, fault.Var))
	if err != nil {
		return err
	}
	for _, side := range []struct {
		what string
		r    *sim.Result
	}{{"the design itself", &p.Design}, {m.String(), &p.Mutant}} {
		if side.r.ConstraintsHold < len(w.Inputs) {
			return fmt.Errorf("the trace breaks a constraint of %s in step %d", side.what, side.r.ConstraintsHold)
		}
		if at, _ := k.firstBad(side.r); at >= 0 {
			return fmt.Errorf("the trace reaches a bad state of %s in step %d", side.what, at)
		}
	}
	last := len(w.Inputs) - 1
	for i := range p.Values[0][last] {
		if p.Values[0][last][i] != p.Values[1][last][i] {
			return nil
		}
	}
	return fmt.Errorf("the trace shows no difference between the design and %v in its last step", m)
}

// Apart checks by plain simulation that a trace tells the runs of the design from those
// of the mutant: the constraints hold on both in every step but the last one, and there
// on one of them only.
func (c *Comparison) Apart(w *aiger.Witness, m Mutation) error {
	k := c.k
	if k.err != nil {
		return k.err
	}
	fault, err := k.fault(m)
	if err != nil {
		return err
	}
	p, err := sim.WatchPair(k.file, w, fault, nil)
	if err != nil {
		return err
	}
	a, b, last := p.Design.ConstraintsHold, p.Mutant.ConstraintsHold, len(w.Inputs)-1
	if min(a, b) != last || max(a, b) != last+1 {
		return fmt.Errorf("the constraints hold in %d steps of the design and in %d of %v, where the trace has %d", a, b, m, len(w.Inputs))
	}
	return nil
}
