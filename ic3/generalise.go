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
	c, tag = e.mic(c, framesat.Tag(frame-1), tag, 0)
	return e.addForward(c, tag)
}

// addForward adds a lemma in the last frame that a few queries can carry it to.
func (e *Engine) addForward(c cube, tag framesat.Tag) framesat.Tag {
	var ctp []uint64
	for int(tag) < e.top && !e.stop() {
		if lane := e.seen.find(c, tag); lane >= 0 {
			e.stats.CacheHits++
			ctp = e.seen.origin(lane)
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
func (e *Engine) mic(c cube, frame, tag framesat.Tag, depth int) (cube, framesat.Tag) {
	e.stats.Mics++
	e.syncTransitions()
	e.pool.grow(e.s.Stats.Queries)
	order := slices.Clone(e.byActivity(c))
	keep := map[cert.StateLit]bool{}
	fails := 0
	for i := len(order) - 1; i >= 0 && len(c) > 1 && !e.stop(); i-- {
		at, in := slices.BinarySearch(c, order[i])
		if !in {
			continue
		}
		try := slices.Delete(slices.Clone(c), at, at+1)
		e.stats.DropTries++
		if smaller, t, ok := e.ctgDown(try, frame, keep, depth); ok {
			e.stats.Drops++
			c, tag = smaller, t
			fails = 0
			continue
		}
		keep[order[i]] = true
		if fails++; fails >= e.opt.MaxFails {
			break
		}
	}
	return c, tag
}

// ctgDown tries to find a cube inside of c that is inductive relative to a
// frame. Counterexamples to that are blocked where they can be, and otherwise
// joined with the cube, as long as the literals to keep stay.
func (e *Engine) ctgDown(c cube, frame framesat.Tag, keep map[cert.StateLit]bool, depth int) (cube, framesat.Tag, bool) {
	ctgs := 0
	for !e.meetsInit(c) {
		if e.pool.meets(c) {
			e.stats.PoolHits++
			return nil, 0, false
		}
		if lane := e.seen.find(c, frame); lane >= 0 && e.opt.MaxCTGs == 0 {
			e.stats.CacheHits++
			joined, ok := join(c, keep, func(l cert.StateLit) bool { return e.seen.holds(l, lane) })
			if !ok {
				return nil, 0, false
			}
			e.stats.Joins++
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
		if depth >= e.opt.MaxDepth {
			return nil, 0, false
		}
		joined, ok := join(c, keep, func(l cert.StateLit) bool { return e.s.Value(e.curLit(l)) > 0 })
		if ctgs < e.opt.MaxCTGs && frame >= 1 && e.blockCTG(c, frame, depth) {
			ctgs++
			continue
		}
		if !ok || e.stop() {
			return nil, 0, false
		}
		e.stats.Joins++
		ctgs = 0
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

// blockCTG tries to exclude the origin of the last query's model, a step of the
// frame into c, from that frame.
func (e *Engine) blockCTG(c cube, frame framesat.Tag, depth int) bool {
	targets := make([]sat.Lit, len(c))
	for i, l := range c {
		targets[i] = e.nextLit(l)
	}
	ctg := e.liftModel(e.readModel(), targets)
	if e.meetsInit(ctg) || e.consecution(ctg, frame-1, true) != sat.Unsat {
		return false
	}
	e.stats.CTGs++
	core, tag := e.core(ctg), e.coreTag()
	for int(tag) < e.top && !e.stop() && e.consecution(core, tag, true) == sat.Unsat {
		core, tag = e.core(core), e.coreTag()
	}
	core, tag = e.mic(core, tag-1, tag, depth+1)
	e.addLemma(core, tag)
	return true
}
