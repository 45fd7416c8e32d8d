package mu

import "fmt"

// Model is what formulas are evaluated on: a Kripke structure with an algebra of
// sets of its states.
type Model[S any] interface {
	All() S
	None() S
	Initial() S
	Fair(i int) (S, error)
	Atom(name string) (S, error)
	Not(S) S
	And(S, S) S
	Or(S, S) S
	// EX is the set of states with a successor in the set, EY of those with a
	// predecessor in it.
	EX(S) S
	EY(S) S
	Equal(S, S) bool
	// Collect may free what the model holds for sets other than those in live.
	Collect(live []S)
	// Err is the reason why results mean nothing any more, or nil.
	Err() error
}

// evaluator evaluates formulas by the fixpoints' definitions: iteration from
// nothing or from all states, inner fixpoints anew for each value of the outer
// ones. That is n^d steps for alternation depth d, and quadratic for the
// indicators.
type evaluator[S any] struct {
	m   Model[S]
	env map[string]S
	err error
}

// Evaluate is the set of states that satisfy a closed formula.
func Evaluate[S any](m Model[S], f *Formula) (S, error) {
	e := &evaluator[S]{m: m, env: map[string]S{}}
	s := e.formula(f, map[*Formula]S{})
	if e.err == nil {
		e.err = m.Err()
	}
	return s, e.err
}

// formula evaluates f under the current values of the variables. The memo holds
// closed parts, which do not depend on them.
func (e *evaluator[S]) formula(f *Formula, closed map[*Formula]S) S {
	if s, ok := closed[f]; ok {
		return s
	}
	if e.err != nil || e.m.Err() != nil {
		return e.m.None()
	}
	var s S
	var err error
	m := e.m
	sub := func(g *Formula) S { return e.formula(g, closed) }
	switch f.Op {
	case OpTrue:
		s = m.All()
	case OpFalse:
		s = m.None()
	case OpAtom:
		s, err = m.Atom(f.Name)
	case OpInit:
		s = m.Initial()
	case OpFair:
		s, err = m.Fair(f.Index)
	case OpVar:
		v, ok := e.env[f.Name]
		if !ok {
			err = fmt.Errorf("the variable %s is free", f.Name)
			v = m.None()
		}
		s = v
	case OpNot:
		s = m.Not(sub(f.Left))
	case OpAnd:
		s = m.And(sub(f.Left), sub(f.Right))
	case OpOr:
		s = m.Or(sub(f.Left), sub(f.Right))
	case OpEX:
		s = m.EX(sub(f.Left))
	case OpAX:
		s = m.Not(m.EX(m.Not(sub(f.Left))))
	case OpEY:
		s = m.EY(sub(f.Left))
	case OpAY:
		s = m.Not(m.EY(m.Not(sub(f.Left))))
	case OpMu, OpNu:
		outer, bound := e.env[f.Name]
		s = m.None()
		if f.Op == OpNu {
			s = m.All()
		}
		for e.err == nil && m.Err() == nil {
			e.env[f.Name] = s
			next := sub(f.Left)
			if m.Equal(next, s) {
				break
			}
			s = next
		}
		delete(e.env, f.Name)
		if bound {
			e.env[f.Name] = outer
		}
	}
	if err != nil && e.err == nil {
		e.err = err
	}
	if len(e.env) == 0 {
		closed[f] = s
	}
	return s
}

// Solve evaluates a system.
func Solve[S any](m Model[S], sys *System) (S, error) {
	e := &evaluator[S]{m: m, env: map[string]S{}}
	for _, g := range sys.Groups {
		e.blocks(g.blocks())
	}
	s := e.formula(sys.Result, map[*Formula]S{})
	if e.err == nil {
		e.err = m.Err()
	}
	return s, e.err
}

// blocks solves nested blocks, the outermost first.
func (e *evaluator[S]) blocks(bs [][]Equation) {
	if len(bs) == 0 {
		return
	}
	for _, q := range bs[0] {
		e.env[q.Name] = e.m.None()
		if q.Fix == Greatest {
			e.env[q.Name] = e.m.All()
		}
	}
	for changed := true; changed && e.err == nil && e.m.Err() == nil; {
		e.blocks(bs[1:])
		changed = false
		for _, q := range bs[0] {
			next := e.formula(q.Body, map[*Formula]S{})
			if !e.m.Equal(next, e.env[q.Name]) {
				e.env[q.Name] = next
				changed = true
			}
		}
		live := make([]S, 0, len(e.env))
		for _, s := range e.env {
			live = append(live, s)
		}
		e.m.Collect(live)
	}
}
