package ic3

import (
	"slices"

	"netcov/cert"
	"netcov/ic3/internal/framesat"
	"netcov/sat"
)

// Seeds are clauses that may or may not hold. The largest subset that is
// inductive on this model goes to the infinite frame: all candidates are
// assumed, those that fail are taken out, and so on until none does (Houdini:
// Flanagan, Leino, FME 2001). What was taken out is tried as a lemma of frame 1
// and pushed from there like any other.

// seedTag is the tag of the candidates that are assumed. It grows with each
// one taken out, so that nothing learnt from that one is seen again.
const seedTag framesat.Tag = 1 << 22

// candidate is a seed clause as a cube.
type candidate struct {
	cube cube
	ref  framesat.Ref
	out  bool
	// refuted: a reachable state violates it.
	refuted bool
}

// seeding is the state of the search for the inductive subset.
type seeding struct {
	all     []*candidate
	tag     framesat.Tag
	at      int
	removed bool // a candidate was taken out in this round
}

// asCube turns a clause into the cube that it excludes, with the literals
// outside of the cone left out. It returns nil where the clause cannot be a
// lemma: it does not hold initially, or is a tautology.
func (e *Engine) asCube(c cert.Clause) cube {
	var q cube
	for _, l := range c {
		if l.Latch() < len(e.t.cur) && e.t.cur[l.Latch()] != sat.LitUndef {
			q = append(q, l.Not())
		}
	}
	slices.Sort(q)
	q = slices.Compact(q)
	for i := 1; i < len(q); i++ {
		if q[i] == q[i-1]^1 {
			return nil
		}
	}
	if e.meetsInit(q) {
		return nil
	}
	return q
}

func (e *Engine) startSeeding() {
	s := &seeding{tag: seedTag}
	e.seeding = s
	known := map[uint64][]cube{}
next:
	for _, c := range e.opt.Seed {
		q := e.asCube(c)
		if q == nil {
			continue
		}
		sig := signature(q)
		for _, o := range known[sig] {
			if slices.Equal(o, q) {
				continue next
			}
		}
		known[sig] = append(known[sig], q)
		s.all = append(s.all, &candidate{cube: q})
	}
	e.refuteBySimulation(s)
	for _, c := range s.all {
		if !c.out {
			c.ref = e.s.AddLemma(e.negation(c.cube), s.tag)
		}
	}
}

// refuteBySimulation takes out the candidates that a reachable state violates.
func (e *Engine) refuteBySimulation(s *seeding) {
	if len(s.all) == 0 {
		return
	}
	e.pool.fill()
	for _, c := range s.all {
		c.refuted = e.pool.meets(c.cube)
		c.out = c.refuted
	}
}

// seed finds the inductive subset; false says that the slice ended.
func (e *Engine) seed() bool {
	if e.opt.Known != nil {
		e.takeKnown()
		return true
	}
	if len(e.opt.Seed) == 0 {
		return true
	}
	if e.seeding == nil {
		e.startSeeding()
	}
	s := e.seeding
	for {
		for ; s.at < len(s.all); s.at++ {
			c := s.all[s.at]
			if c.out {
				continue
			}
			if e.stop() {
				return false
			}
			switch e.consecution(c.cube, s.tag, false) {
			case sat.Unknown:
				return false
			case sat.Sat:
				e.takeOut(s)
			}
		}
		if !s.removed {
			break
		}
		s.at, s.removed = 0, false
	}
	e.endSeeding(s)
	return true
}

// takeKnown begins with what is known to be inductive.
func (e *Engine) takeKnown() {
	for _, c := range e.opt.Known {
		if q := e.asCube(c); q != nil {
			e.addLemma(q, framesat.TagInf)
		}
	}
	if len(e.opt.Seed) == 0 {
		return
	}
	e.pool.fill()
	for _, c := range e.opt.Seed {
		if q := e.asCube(c); q != nil && !e.pool.meets(q) {
			e.later = append(e.later, q)
		}
	}
}

// takeOut takes out the candidates that fail in the next state of the model.
func (e *Engine) takeOut(s *seeding) {
	s.removed = true
	for _, c := range s.all {
		c.out = c.out || e.nextTrue(c.cube)
	}
	s.tag++
	for _, c := range s.all {
		if !c.out && (c.ref == framesat.RefUnit || !e.s.SetTag(c.ref, s.tag)) {
			e.s.AddLemma(e.negation(c.cube), s.tag)
		}
	}
}

// nextTrue reports whether the model's next state is known to be in the cube.
func (e *Engine) nextTrue(c cube) bool {
	for _, l := range c {
		if e.s.Value(e.nextLit(l)) <= 0 {
			return false
		}
	}
	return true
}

// endSeeding makes lemmas of the candidates and forgets what was learnt while
// the others were assumed.
func (e *Engine) endSeeding(s *seeding) {
	for _, c := range s.all {
		if c.ref != framesat.RefUnit && !c.refuted {
			e.s.Remove(c.ref)
		}
	}
	e.s.DropLearnts(seedTag, framesat.TagTop)
	e.addInitial() // a seed's unit may have taken the place of an initial one
	for _, c := range s.all {
		switch {
		case c.refuted:
			continue
		case c.out:
			e.later = append(e.later, c.cube)
			continue
		}
		if _, known := e.blockedUpTo(c.cube, len(e.frames)); !known {
			e.addLemma(c.cube, framesat.TagInf)
		}
	}
	e.seeding = nil
}

// seedFrames adds the seeds that are not inductive but hold after one step;
// false says that the slice ended.
func (e *Engine) seedFrames() bool {
	for len(e.later) > 0 {
		if e.stop() {
			return false
		}
		c := e.later[0]
		if _, known := e.blockedUpTo(c, 1); !known {
			switch e.consecution(c, 0, true) {
			case sat.Unknown:
				return false
			case sat.Unsat:
				e.addLemma(c, e.coreTag())
			}
		}
		e.later = e.later[1:]
	}
	e.later = nil
	return true
}
