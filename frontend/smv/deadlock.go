package smv

import (
	"context"
	"errors"
	"fmt"
	"time"

	"netcov/aig"
	"netcov/sat"
)

// A state without a successor is a deadlock. NuSMV's CTL and LTL speak of
// infinite paths, so a deadlock makes specifications true for a bad reason.
//
// Whether each state has a successor is a question with one quantifier
// alternation. It is answered by counterexamples: a SAT solver proposes a state
// that none of the steps seen so far leaves, another one looks for a step out of
// it. What remains is decided by listing the reachable states.

// DeadlockStatus is the answer to the question for deadlocks.
type DeadlockStatus uint8

// The answers. Total: every state, reachable or not, has a successor. Free: every
// reachable state has one. Unknown: the limits were too small.
const (
	DeadlockUnknown DeadlockStatus = iota
	DeadlockTotal
	DeadlockFree
	DeadlockReachable
	DeadlockNoInitial // there is no initial state
)

// Deadlock is the answer, with the state for DeadlockReachable.
type Deadlock struct {
	Status DeadlockStatus
	State  State
}

// Deadlock looks for a reachable state without a successor; limit bounds the
// number of states that are listed.
func (m *Model) Deadlock(ctx context.Context, limit int) (Deadlock, error) {
	first, err := m.someInitial(ctx)
	if err != nil || !first {
		return Deadlock{Status: DeadlockNoInitial}, err
	}
	total, err := m.total(ctx)
	if err != nil || total {
		return Deadlock{Status: DeadlockTotal}, err
	}
	g, err := m.Explore(ctx, limit)
	var tooMany *LimitError
	switch {
	case errors.As(err, &tooMany):
		return Deadlock{Status: DeadlockUnknown}, nil
	case err != nil:
		return Deadlock{}, err
	}
	for i, succ := range g.Succ {
		if len(succ) == 0 {
			return Deadlock{DeadlockReachable, g.States[i]}, nil
		}
	}
	return Deadlock{Status: DeadlockFree}, nil
}

func (m *Model) someInitial(ctx context.Context) (bool, error) {
	if m.initial.cond.Const() {
		return m.initial.cond == aig.True, nil
	}
	s := newSATGraph(m.enc.g)
	switch s.solver.Solve(ctx, s.lit(m.initial.cond)) {
	case sat.Sat:
		return true, nil
	case sat.Unsat:
		return false, nil
	}
	return false, ctx.Err()
}

// maxRounds bounds the number of steps that total learns from.
const maxRounds = 300

// total reports whether every state has a successor; false when that is not
// found out within the bounds.
func (m *Model) total(ctx context.Context) (bool, error) {
	cond := m.step.cond
	if cond.Const() {
		return cond == aig.True, nil
	}
	e := m.enc
	states, steps := newSATGraph(e.g), newSATGraph(e.g)
	states.solver.AddClause(states.lit(conjunction(e.g, e.invar)))
	for _, v := range e.prog.vars {
		if c := &e.cells[v.index]; c.class == classRegister && c.limited {
			states.solver.AddClause(states.lit(e.validCode(v)))
		}
	}
	inState := map[aig.Node]bool{}
	for _, n := range m.leaves {
		inState[n] = true
		states.lit(aig.MkLit(n, false))
	}
	for range maxRounds {
		switch states.solver.Solve(ctx) {
		case sat.Unsat:
			return true, nil
		case sat.Unknown:
			return false, ctx.Err()
		}
		assume := []sat.Lit{steps.lit(cond)}
		for _, n := range m.leaves {
			assume = append(assume, steps.lit(aig.MkLit(n, !states.value(aig.MkLit(n, false)))))
		}
		switch steps.solver.Solve(ctx, assume...) {
		case sat.Unsat:
			return false, nil // a deadlock, reachable or not
		case sat.Unknown:
			return false, ctx.Err()
		}
		r := newRebuilder(e.g, func(n aig.Node) (aig.Lit, bool) {
			l := aig.MkLit(n, false)
			if !inState[n] {
				l = aig.False.XorSign(steps.value(l))
			}
			return l, false
		})
		states.solver.AddClause(states.lit(r.lit(cond)).Not())
	}
	return false, nil
}

// deadlockNotes reports deadlocks of a program that has constraints and whose
// obligations are discharged.
func (p *Program) deadlockNotes(limit int) []string {
	const budget = 3 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), budget)
	defer cancel()
	undecided := "not decided whether every reachable state has a successor; invariants do not depend on it, CTL and LTL specifications do"
	m := p.unfairModel(ModelOptions{})
	d, err := m.Deadlock(ctx, limit)
	switch {
	case err != nil || d.Status == DeadlockUnknown:
		return []string{undecided}
	case d.Status == DeadlockNoInitial:
		return []string{"there is no initial state: the constraints exclude each other, and every property holds of nothing"}
	case d.Status == DeadlockReachable:
		return []string{fmt.Sprintf("deadlock: the reachable state %s has no successor", shorten(m.Name(d.State)))}
	}
	return nil
}
