package ic3

import (
	"slices"

	"netcov/cert"
	"netcov/ic3/internal/framesat"
	"netcov/sat"
)

// A cube is a set of states, the conjunction of its literals, in ascending
// order.
type cube []cert.StateLit

// A lemma says that a cube has no state reachable in tag steps or fewer.
type lemma struct {
	cube cube
	sig  uint64
	tag  framesat.Tag
	ref  framesat.Ref
	dead bool
	// ctp is a state of frame tag with a successor in the cube, the
	// counterexample to pushing, and ctpAt the number of events at that time.
	ctp   *state
	ctpAt int
}

func (l *lemma) clause() cert.Clause {
	c := make(cert.Clause, len(l.cube))
	for i, p := range l.cube {
		c[i] = p.Not()
	}
	return c
}

// signature has a bit for each literal; a subset's bits are a subset.
func signature(c cube) uint64 {
	var s uint64
	for _, l := range c {
		s |= 1 << ((uint32(l) * 0x9E3779B1) >> 26)
	}
	return s
}

// subset reports whether all literals of a are in b.
func subset(a, b cube) bool {
	j := 0
	for _, l := range a {
		for j < len(b) && b[j] < l {
			j++
		}
		if j == len(b) || b[j] != l {
			return false
		}
		j++
	}
	return true
}

// eachFrom visits the lemmas with a tag of at least from, until f says no.
func (e *Engine) eachFrom(from framesat.Tag, f func(*lemma) bool) {
	for _, l := range e.inf {
		if !f(l) {
			return
		}
	}
	for k := int(from); k < len(e.frames); k++ {
		for _, l := range e.frames[k] {
			if !f(l) {
				return
			}
		}
	}
}

// blockedUpTo returns the last frame from which a lemma excludes the cube, if
// that is at least the given one.
func (e *Engine) blockedUpTo(c cube, frame int) (framesat.Tag, bool) {
	sig := signature(c)
	hit := func(ls []*lemma) bool {
		for _, l := range ls {
			if l.sig&^sig == 0 && len(l.cube) <= len(c) && subset(l.cube, c) {
				return true
			}
		}
		return false
	}
	if hit(e.inf) {
		return framesat.TagInf, true
	}
	for k := len(e.frames) - 1; k >= frame; k-- {
		if hit(e.frames[k]) {
			return framesat.Tag(k), true
		}
	}
	return 0, false
}

// addLemma adds a lemma and removes those that it subsumes.
func (e *Engine) addLemma(c cube, tag framesat.Tag) *lemma {
	l := &lemma{cube: slices.Clone(c), sig: signature(c), tag: min(tag, framesat.TagInf)}
	last := len(e.frames) - 1
	if l.tag < framesat.TagInf {
		last = int(l.tag)
	} else {
		e.inf = e.dropSubsumed(e.inf, l)
	}
	for len(e.frames) <= last {
		e.frames = append(e.frames, nil)
	}
	for k := 1; k <= last; k++ {
		e.frames[k] = e.dropSubsumed(e.frames[k], l)
	}
	l.ref = e.s.AddLemma(e.negation(c), l.tag)
	e.file(l)
	e.opt.Effort.Clause()
	return l
}

// file puts a lemma on the list of its frame.
func (e *Engine) file(l *lemma) {
	e.note(l)
	e.seen.exclude(l.cube, l.tag)
	if l.tag == framesat.TagInf {
		l.ctp = nil
		e.inf = append(e.inf, l)
		return
	}
	for len(e.frames) <= int(l.tag) {
		e.frames = append(e.frames, nil)
	}
	e.frames[l.tag] = append(e.frames[l.tag], l)
}

func (e *Engine) dropSubsumed(ls []*lemma, by *lemma) []*lemma {
	n := 0
	for _, l := range ls {
		if by.sig&^l.sig == 0 && len(by.cube) <= len(l.cube) && subset(by.cube, l.cube) {
			l.dead = true
			l.ctp = nil
			if l.ref != framesat.RefUnit {
				e.s.Remove(l.ref)
			}
			continue
		}
		ls[n] = l
		n++
	}
	clear(ls[n:])
	return ls[:n]
}

// setTag changes the frame up to which the solver uses a lemma. A lemma that has
// become a unit in the solver can only be moved forward.
func (e *Engine) setTag(l *lemma, tag framesat.Tag) {
	if l.ref == framesat.RefUnit || !e.s.SetTag(l.ref, tag) {
		e.s.AddLemma(e.negation(l.cube), tag)
	}
}

// negation returns the cube's clause in the solver's literals.
func (e *Engine) negation(c cube) []sat.Lit {
	e.own = e.own[:0]
	for _, p := range c {
		e.own = append(e.own, e.curLit(p)^1)
	}
	return e.own
}

// bumpCube raises the activity of the cube's latches; literals of lemmas that
// were found recently are dropped last.
func (e *Engine) bumpCube(c cube) {
	for _, l := range c {
		i := l.Latch()
		e.activity[i] += e.actInc
		if e.activity[i] > 1e100 {
			for j := range e.activity {
				e.activity[j] *= 1e-100
			}
			e.actInc *= 1e-100
		}
	}
	e.actInc *= 1.01
}
