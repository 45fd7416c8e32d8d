package ic3

import (
	"slices"

	"netcov/ic3/internal/framesat"
	"netcov/sat"
)

// push moves lemmas forward, from the first frame on, and ends the run when a
// frame has no lemma of its own left: it equals the next one. A lemma is tried
// again only when its counterexample to pushing has been excluded (Suda 2013).
func (e *Engine) push() {
	e.syncTransitions()
	for k := 1; k <= e.top; k++ {
		if k < len(e.frames) {
			for _, l := range slices.Clone(e.frames[k]) {
				if l.dead || l.tag != framesat.Tag(k) {
					continue
				}
				if e.stop() {
					return
				}
				e.pushLemma(l)
			}
		}
		if k >= len(e.frames) || len(e.frames[k]) == 0 {
			if k <= e.result.Depth {
				e.hold(framesat.Tag(k + 1))
				return
			}
		}
	}
	e.top++
	e.phase = phaseBlock
}

// pushLemma tries to move a lemma out of its frame.
func (e *Engine) pushLemma(l *lemma) {
	if l.ctp != nil && !e.ctpGone(l) {
		return
	}
	if lane := e.seen.find(l.cube, l.tag); lane >= 0 {
		l.ctp, l.ctpAt = e.origin(lane), len(e.events)
		return
	}
	frame := l.tag
	// The lemma itself may be used whatever its tag; as the query's own clause
	// it does not count in the refutation's tag.
	e.hide(l)
	st := e.consecution(l.cube, frame, true)
	switch st {
	case sat.Unsat:
		tag := e.coreTag()
		if c := e.core(l.cube); len(c) < len(l.cube) {
			e.setTag(l, frame)
			e.addLemma(c, tag)
			return
		}
		e.frames[frame] = remove(e.frames[frame], l)
		l.tag, l.ctp = tag, nil
		e.setTag(l, tag)
		e.file(l)
	case sat.Sat:
		e.record()
		l.ctp, l.ctpAt = e.witness(), len(e.events)
		e.setTag(l, frame)
	default:
		e.setTag(l, frame)
	}
}

// hide takes a lemma out of the queries of its frame. A unit stays.
func (e *Engine) hide(l *lemma) {
	if l.ref != framesat.RefUnit {
		e.s.SetTag(l.ref, l.tag-1)
	}
}

// ctpGone reports whether a lemma that is new to its frame excludes the state
// that refuted the last push.
func (e *Engine) ctpGone(l *lemma) bool {
	for n := range e.against(l.ctp, l.ctpAt) {
		if !n.dead && n.tag >= l.tag && n != l && e.excludes(n, l.ctp) {
			return true
		}
	}
	l.ctpAt = len(e.events)
	return false
}

func remove(ls []*lemma, l *lemma) []*lemma {
	if i := slices.Index(ls, l); i >= 0 {
		ls = slices.Delete(ls, i, i+1)
	}
	return ls
}
