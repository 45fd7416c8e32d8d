package ic3

import (
	"slices"

	"netcov/cert"
	"netcov/sat"
)

// After a satisfiable query the model is a state and an input with a successor
// in the target. It is reduced to a cube all of whose states have one under the
// same input: first by walking from the target to what justifies it in the
// circuit, then by the core of "this cube, this input, no successor in the
// target", which is unsatisfiable.

// model is what is kept of a satisfiable query.
type model struct {
	state  cube      // values of the latches in the domain
	inputs []sat.Lit // values of the inputs in the domain
}

// readModel reads the model of the last query. It is valid until the next call.
func (e *Engine) readModel() model {
	m := model{e.fullBuf[:0], e.inputBuf[:0]}
	for _, v := range e.s.Domain() {
		switch {
		case e.t.latchOf[v] >= 0:
			// The latch is its variable, never inverted.
			neg := e.s.Value(sat.MkLit(v, false)) < 0
			m.state = append(m.state, cert.MkStateLit(int(e.t.latchOf[v]), neg))
		case e.t.inputOf[v] >= 0:
			m.inputs = append(m.inputs, sat.MkLit(v, e.s.Value(sat.MkLit(v, false)) < 0))
		}
	}
	e.fullBuf, e.inputBuf = m.state, m.inputs
	return m
}

// badPredecessor turns the model of a query for bad states into an obligation.
func (e *Engine) badPredecessor(frame int) *obligation {
	return e.predecessor([]sat.Lit{e.t.bad}, frame, nil)
}

// predecessor turns the model of the last query, in which all targets are true,
// into an obligation at a frame.
func (e *Engine) predecessor(targets []sat.Lit, frame int, next *obligation) *obligation {
	m := e.readModel()
	o := &obligation{frame: frame, next: next}
	if next != nil {
		o.depth = next.depth + 1
	}
	for _, l := range m.inputs {
		if !l.Neg() {
			o.inputs = append(o.inputs, e.t.inputOf[l.Var()])
		}
	}
	o.cube = e.liftModel(m, targets)
	return o
}

// liftModel returns the reduced cube.
func (e *Engine) liftModel(m model, targets []sat.Lit) cube {
	state := e.justify(m.state, targets)
	slices.SortFunc(state, func(a, b cert.StateLit) int {
		switch x, y := e.activity[a.Latch()], e.activity[b.Latch()]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return int(a) - int(b)
	})
	as := e.assumps[:0]
	as = append(as, m.inputs...)
	for _, l := range state {
		as = append(as, e.curLit(l))
	}
	e.assumps = as
	own := e.own[:0]
	for _, l := range targets {
		own = append(own, l^1)
	}
	if e.t.constraint != sat.LitUndef {
		own = append(own, e.t.constraint^1)
	}
	e.own = own
	if e.s.Solve(e.lift, as, own) == sat.Unsat {
		n := 0
		for _, l := range state {
			if e.s.InCore(e.curLit(l)) {
				state[n] = l
				n++
			}
		}
		state = state[:n]
	}
	slices.Sort(state)
	return state
}

// justify returns the part of a state that justifies the targets and the
// constraint: the leaves of a walk that follows, from each variable, one of its
// defining clauses that forces its value.
func (e *Engine) justify(state cube, targets []sat.Lit) cube {
	e.mark++
	stack := e.stack[:0]
	visit := func(v sat.Var) {
		if e.marks[v] != e.mark && !e.s.IsPermanent(v) {
			e.marks[v] = e.mark
			stack = append(stack, v)
		}
	}
	for _, l := range targets {
		visit(l.Var())
	}
	if e.t.constraint != sat.LitUndef {
		visit(e.t.constraint.Var())
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		d := e.t.defs.data[e.t.defs.start[v]:e.t.defs.start[v+1]]
		best, bestCost := -1, 1<<30
		for i := 0; i < len(d); i += int(d[i]) + 2 {
			if e.s.Value(d[i+1]) <= 0 {
				continue
			}
			cost := 0
			for _, l := range d[i+2 : i+2+int(d[i])] {
				if e.s.Value(l) >= 0 {
					cost = 1 << 30
					break
				}
				if e.marks[l.Var()] != e.mark && e.t.inputOf[l.Var()] < 0 {
					cost++
				}
			}
			if cost < bestCost {
				best, bestCost = i, cost
			}
		}
		if best >= 0 {
			for _, l := range d[best+2 : best+2+int(d[best])] {
				visit(l.Var())
			}
		}
	}
	e.stack = stack
	out := make(cube, 0, 16)
	for _, l := range state {
		if e.marks[e.t.cur[l.Latch()].Var()] == e.mark {
			out = append(out, l)
		}
	}
	return out
}
