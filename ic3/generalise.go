package ic3

import (
	"slices"

	"netcov/ic3/internal/framesat"
	"netcov/netlist"
	"netcov/proof"
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
		st := e.consecution(c, tag, true)
		if st == proof.Unsat {
			tag = e.coreTag()
			c = e.core(c)
			continue
		}
		if st == proof.Sat {
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
	order := slices.Clone(e.byActivity(c))
	keep := map[netlist.StateLit]bool{}
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
func (e *Engine) ctgDown(c cube, frame framesat.Tag, keep map[netlist.StateLit]bool, depth int) (cube, framesat.Tag, bool) {
	ctgs := 0
	for !e.meetsInit(c) {
		switch e.consecution(c, frame, true) {
		case proof.Unsat:
			tag := e.coreTag()
			return e.core(c), tag, true
		case proof.Unknown:
			return nil, 0, false
		}
		if depth >= e.opt.MaxDepth {
			return nil, 0, false
		}
		// The part of the cube that the model agrees with, for a join.
		joined := make(cube, 0, len(c))
		lost := false
		for _, l := range c {
			if e.s.Value(e.curLit(l)) > 0 {
				joined = append(joined, l)
			} else if keep[l] {
				lost = true
			}
		}
		if ctgs < e.opt.MaxCTGs && frame >= 1 {
			targets := make([]proof.Lit, len(c))
			for i, l := range c {
				targets[i] = e.nextLit(l)
			}
			ctg := e.liftModel(e.readModel(), targets)
			if !e.meetsInit(ctg) && e.consecution(ctg, frame-1, true) == proof.Unsat {
				ctgs++
				e.stats.CTGs++
				core, tag := e.core(ctg), e.coreTag()
				for int(tag) < e.top && !e.stop() && e.consecution(core, tag, true) == proof.Unsat {
					core, tag = e.core(core), e.coreTag()
				}
				core, tag = e.mic(core, tag-1, tag, depth+1)
				e.addLemma(core, tag)
				continue
			}
		}
		if lost || e.stop() {
			return nil, 0, false
		}
		e.stats.Joins++
		ctgs = 0
		c = joined
	}
	return nil, 0, false
}
