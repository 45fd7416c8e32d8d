package ctl

import (
	"context"
	"errors"

	"netcov/aig"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/symbolic"
)

// Invariants, backwards. The control states from which ¬p can be reached are often a few
// conditions on registers ("two of these are true") even where the reachable ones are many,
// or far from the initial ones: two counters that stay equal take 2^n steps to be explored,
// and no step to be found different. One diagram over the registers then answers for the
// twins of all registers, and a like one for each fixing, without a list of what the twins
// reach. The bounds are small: where they are passed, the searches forwards go on
// (invariant.go).

const (
	backwardNodes = 1 << 18 // of the diagrams
	backwardSteps = 1 << 9  // of one search
	backwardTicks = 1 << 10 // of one search; a tick is 4,096 operations of the diagrams
)

var errBackward = errors.New("the search backwards takes too long")

// backward holds what can reach ¬p.
type backward struct {
	s        *symbolic.System
	vars     []int       // of the registers, in the order of the circuit's Controls
	inverted []bool      // where the variable is the complement of the register
	register map[int]int // of a variable
	ticks    int
	broken   bdd.Ref // control states in which ¬p holds under some input
	bad      bdd.Ref // control states from which one of them can be reached
}

// The orders of variables that are tried one after the other.
var backwardOrders = []func(*circuit.Circuit) map[aig.Node]int{symbolic.ConeOrder, symbolic.Order}

// backward is nil where the bounds are too small.
func (p *Problem) backward(ctx context.Context) *backward {
	if !p.triedBackward {
		p.triedBackward = true
		p.opt.Progress("what can violate the invariant, backwards")
		for _, order := range backwardOrders {
			if p.back = p.newBackward(ctx, order(p.model.c)); p.back != nil {
				break
			}
		}
	}
	return p.back
}

func (p *Problem) newBackward(ctx context.Context, order map[aig.Node]int) *backward {
	b := &backward{register: map[int]int{}}
	opt := bdd.Options{NodeLimit: min(backwardNodes, p.opt.NodeLimit), Interrupt: func() error {
		if b.ticks++; b.ticks > backwardTicks {
			return errBackward
		}
		return context.Cause(ctx)
	}}
	var err error
	if b.s, err = symbolic.FromCircuitOrdered(p.model.c, order, opt); err != nil {
		return nil
	}
	m := b.s.M
	for i, r := range p.model.c.Controls {
		f, _ := b.s.Label(r.Name)
		v := m.Support(f)[0]
		b.vars, b.register[v] = append(b.vars, v), i
		b.inverted = append(b.inverted, f != m.Var(v))
	}
	body := pairs{s: b.s, p: p.program.conjunction(p.program.invariantBodies()), redirect: -1, care: bdd.True}
	good, err := body.run()
	if err != nil {
		return nil
	}
	b.broken = m.Protect(m.Exists(good.Not(), b.s.InputCube()))
	bad, ok := b.reach(b.s.Pre, bdd.False)
	if !ok {
		return nil
	}
	b.bad = m.Protect(bad)
	m.Collect()
	return b
}

// reach is what can reach ¬p by steps back, as far as it takes to meet a set.
func (b *backward) reach(pre func(bdd.Ref) bdd.Ref, until bdd.Ref) (set bdd.Ref, ok bool) {
	m := b.s.M
	b.ticks = 0
	reached, frontier := b.broken, b.broken
	for step := 0; frontier != bdd.False && m.And(reached, until) == bdd.False; step++ {
		if m.Err() != nil || step == backwardSteps {
			return bdd.False, false
		}
		m.CollectIfLarge(reached, frontier, until)
		frontier = m.Diff(m.Exists(pre(frontier), b.s.InputCube()), reached)
		reached = m.Or(reached, frontier)
	}
	return reached, m.Err() == nil
}

// unsafe reports whether ¬p can be reached from a control state.
func (b *backward) unsafe(bit func(register int) bool) bool {
	return b.s.M.Eval(b.bad, func(v int) bool {
		i := b.register[v]
		return bit(i) != b.inverted[i]
	})
}

// fixed reports whether the invariant holds when a register is fixed; known is false
// where the bounds are too small.
func (b *backward) fixed(register int, value bool) (holds, known bool) {
	m, v := b.s.M, b.vars[register]
	value = value != b.inverted[register]
	init := m.Exists(b.s.Init, b.s.InputCube())
	init = m.Protect(m.And(m.Exists(init, m.Cube(v)), m.Literal(v, value)))
	next := b.s.NextWithin(bdd.True, v/b.s.Tracks, value)
	set, ok := b.reach(func(f bdd.Ref) bdd.Ref { return b.s.PreNext(bdd.True, f, next) }, init)
	holds = m.And(set, init) == bdd.False
	ok = ok && m.Err() == nil
	m.Release(next)
	m.Unprotect(init)
	if m.Err() != nil {
		m.Recover()
	}
	m.CollectIfLarge()
	return holds, ok
}

// states is the set of control states from which ¬p can be reached, in another system of
// the same circuit.
func (b *backward) states(s *symbolic.System, c *circuit.Circuit) bdd.Ref {
	to := make([]int, b.s.M.NumVars())
	for i, r := range c.Controls {
		f, _ := s.Label(r.Name)
		to[b.vars[i]] = s.M.Support(f)[0]
	}
	return s.M.Copy(b.s.M, b.bad, to)
}
