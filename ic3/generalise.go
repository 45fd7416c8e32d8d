package ic3

import (
	"slices"

	"netcov/cert"
	"netcov/ic3/internal/framesat"
	"netcov/sat"
)

// generalise shrinks a cube that was just found inductive relative to the frame
// before the given one, adds the lemma as far forward as it goes, and returns
// the last frame in which it holds.
func (e *Engine) generalise(c cube, frame int) framesat.Tag {
	tag := e.coreTag()
	c, tag = e.mic(c, framesat.Tag(frame-1), tag)
	return e.addForward(c, tag)
}

// addForward adds a lemma in the last frame that a few queries can carry it to.
func (e *Engine) addForward(c cube, tag framesat.Tag) framesat.Tag {
	var ctp *state
	for int(tag) < e.top && !e.stop() {
		if lane := e.seen.find(c, tag); lane >= 0 {
			ctp = e.origin(lane)
			break
		}
		st := e.consecution(c, tag, true)
		if st == sat.Unsat {
			tag = e.coreTag()
			c = e.core(c)
			continue
		}
		if st == sat.Sat {
			e.record()
			ctp = e.witness()
		}
		break
	}
	l := e.addLemma(c, tag)
	if l.tag < framesat.TagInf {
		l.ctp, l.ctpAt = ctp, len(e.events)
	}
	e.bumpCube(c)
	return tag
}

// mic drops literals from a cube that is inductive relative to a frame, which
// the refutation carried up to tag. Each literal is tried once, the least
// active first (Hassan, Bradley, Somenzi, FMCAD 2013).
func (e *Engine) mic(c cube, frame, tag framesat.Tag) (cube, framesat.Tag) {
	e.opt.Effort.Generalisation()
	e.syncTransitions()
	e.pool.grow(e.s.Stats.Queries)
	order := slices.Clone(e.byActivity(c))
	keep := map[cert.StateLit]bool{}
	for i := len(order) - 1; i >= 0 && len(c) > 1 && !e.stop(); i-- {
		at, in := slices.BinarySearch(c, order[i])
		if !in {
			continue
		}
		try := slices.Delete(slices.Clone(c), at, at+1)
		if smaller, t, ok := e.down(try, frame, keep); ok {
			c, tag = smaller, t
			continue
		}
		keep[order[i]] = true
	}
	return c, tag
}

// down tries to find a cube inside of c that is inductive relative to a
// frame. Counterexamples to that are joined with the cube, as long as the literals
// to keep stay.
func (e *Engine) down(c cube, frame framesat.Tag, keep map[cert.StateLit]bool) (cube, framesat.Tag, bool) {
	for !e.meetsInit(c) {
		if e.pool.meets(c) {
			return nil, 0, false
		}
		if lane := e.seen.find(c, frame); lane >= 0 {
			joined, ok := join(c, keep, func(l cert.StateLit) bool { return e.seen.holds(l, lane) })
			if !ok {
				return nil, 0, false
			}
			c = joined
			continue
		}
		switch e.consecution(c, frame, true) {
		case sat.Unsat:
			tag := e.coreTag()
			return e.core(c), tag, true
		case sat.Unknown:
			return nil, 0, false
		}
		e.record()
		joined, ok := join(c, keep, func(l cert.StateLit) bool { return e.s.Value(e.curLit(l)) > 0 })
		if !ok || e.stop() {
			return nil, 0, false
		}
		c = joined
	}
	return nil, 0, false
}

// join returns the part of a cube that a state agrees with, and whether all
// literals to keep are in it.
func join(c cube, keep map[cert.StateLit]bool, holds func(cert.StateLit) bool) (cube, bool) {
	joined := make(cube, 0, len(c))
	for _, l := range c {
		if holds(l) {
			joined = append(joined, l)
		} else if keep[l] {
			return nil, false
		}
	}
	return joined, true
}
