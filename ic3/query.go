package ic3

import (
	"slices"

	"netcov/cert"
	"netcov/ic3/internal/framesat"
	"netcov/netlist"
	"netcov/sat"
)

func (e *Engine) curLit(l cert.StateLit) sat.Lit {
	return e.t.cur[l.Latch()] ^ sat.Lit(l&1)
}

func (e *Engine) nextLit(l cert.StateLit) sat.Lit {
	return e.t.next[l.Latch()] ^ sat.Lit(l&1)
}

func (e *Engine) badAssumption() []sat.Lit {
	e.assumps = append(e.assumps[:0], e.t.bad)
	return e.assumps
}

// excludesInit reports whether a literal contradicts the initial states.
func (e *Engine) excludesInit(l cert.StateLit) bool {
	r := e.m.Latches[l.Latch()].Reset
	return r == netlist.Reset1 && l.Neg() || r == netlist.Reset0 && !l.Neg()
}

// meetsInit reports whether the cube has an initial state.
func (e *Engine) meetsInit(c cube) bool { return !slices.ContainsFunc(c, e.excludesInit) }

// consecution asks whether frame ∧ T leads into the cube, from outside of the
// cube when own is set. Unsat says that it does not.
func (e *Engine) consecution(c cube, frame framesat.Tag, own bool) sat.Status {
	as := e.assumps[:0]
	for _, l := range e.byActivity(c) {
		as = append(as, e.nextLit(l))
	}
	e.assumps = as
	if !own {
		return e.s.Solve(frame, as, nil)
	}
	return e.s.Solve(frame, as, e.negation(c))
}

// byActivity returns the literals, the most active first: a core prefers the
// assumptions that come first.
func (e *Engine) byActivity(c cube) cube {
	e.fullBuf = append(e.fullBuf[:0], c...)
	slices.SortFunc(e.fullBuf, func(a, b cert.StateLit) int {
		switch x, y := e.activity[a.Latch()], e.activity[b.Latch()]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return int(a) - int(b)
	})
	return e.fullBuf
}

// core returns the part of the cube that the last refuted consecution needed.
// It keeps out of the initial states: a literal is added back where it would
// meet them.
func (e *Engine) core(c cube) cube {
	out := make(cube, 0, len(c))
	apart := false
	for _, l := range c {
		if e.s.InCore(e.nextLit(l)) {
			out = append(out, l)
			apart = apart || e.excludesInit(l)
		}
	}
	if apart {
		return out
	}
	back := cert.StateLit(0)
	found := false
	for _, l := range c {
		if e.excludesInit(l) && (!found || e.activity[l.Latch()] > e.activity[back.Latch()]) {
			back, found = l, true
		}
	}
	out = append(out, back)
	slices.Sort(out)
	return out
}

// coreTag returns the frame up to which the last refuted consecution carries:
// a frame further than what it used.
func (e *Engine) coreTag() framesat.Tag {
	if t := e.s.CoreTag(); t < framesat.TagInf {
		return t + 1
	}
	return framesat.TagInf
}
