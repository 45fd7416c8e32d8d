package framesat

import "slices"

// applyPermanent assigns the queued permanent units with all their consequences
// and simplifies the clauses by them. No query may be open.
func (s *Solver) applyPermanent() {
	if len(s.permQueue) == 0 {
		return
	}
	changed := false
	for v := range s.vars {
		if s.vals[2*v] == outside {
			s.vals[2*v], s.vals[2*v+1] = unassigned, unassigned
		}
	}
	s.frame = s.permTag
	for _, u := range s.permQueue {
		switch s.vals[u.lit] {
		case isFalse:
			s.emptyTag = max(s.emptyTag, min(u.tag, s.zeroTag[u.lit>>1])+1)
		case unassigned:
			s.assign(u.lit, reasonNone)
			s.zeroTag[u.lit>>1], s.zeroTemp[u.lit>>1] = u.tag, false
			changed = true
			if confl := s.propagateZero(); confl != conflNone {
				s.finalZero(confl)
				s.emptyTag = max(s.emptyTag, s.coreTag+1)
			}
		}
	}
	s.permQueue = s.permQueue[:0]
	for _, l := range s.trail[s.permTail:s.tail] {
		s.permanent[l>>1] = true
	}
	s.permTail = s.tail
	s.qhead = s.tail
	for v := range s.vars {
		if s.vals[2*v] == unassigned {
			s.vals[2*v], s.vals[2*v+1] = outside, outside
		}
	}
	if changed {
		s.rebuild()
	}
}

// tidy deletes learnt clauses when there are too many, and reclaims space.
func (s *Solver) tidy() {
	if len(s.learnts) > s.maxKeep {
		s.reduce()
		s.maxKeep += 200
		s.rebuild()
	} else if s.wasted > 1<<16 && s.wasted*2 > len(s.mem) {
		s.rebuild()
	}
}

// reduce kills half of the learnt clauses: those of high LBD, the oldest first.
func (s *Solver) reduce() {
	lbd := func(c cref) int { return int(uint32(s.mem[c+1]) & maxLBD) }
	byAge := slices.Clone(s.learnts)
	slices.SortStableFunc(byAge, func(a, b cref) int {
		if d := min(lbd(b), 12) - min(lbd(a), 12); d != 0 {
			return d
		}
		return int(a) - int(b)
	})
	for _, c := range byAge[:len(byAge)/2] {
		if lbd(c) <= 2 {
			break
		}
		s.mem[c] |= flagDead
	}
}

// DropLearnts deletes every learnt clause and every unit whose tag lies in
// [low, high]. There is one unit for each literal, the one of the highest tag:
// units of lower tags are gone too and must be added again.
func (s *Solver) DropLearnts(low, high Tag) {
	if s.audit != nil {
		s.audit.dropUnits(low, high)
	}
	s.Reset()
	if s.emptyTag > low && s.emptyTag <= high+1 {
		s.emptyTag = 0
	}
	for _, c := range s.learnts {
		if t := s.tagOf(c); low <= t && t <= high {
			s.mem[c] |= flagDead
		}
	}
	units := s.units[:0]
	for _, u := range s.units {
		s.unitAt[u.lit] = 0
		if u.tag < low || u.tag > high {
			units = append(units, u)
			s.unitAt[u.lit] = int32(len(units))
		}
	}
	s.units = units
	s.rebuild()
}

// rebuild copies the live clauses to a new slab, without what the permanent
// units decide, and makes new watch lists.
func (s *Solver) rebuild() {
	old := s.mem
	s.mem = make([]Lit, 0, len(old)-s.wasted+(len(old)-s.wasted)/4)
	s.wasted = 0
	for l := range s.watches {
		s.watches[l] = s.watches[l][:0]
	}
	var out []Lit
	move := func(c cref) cref {
		head := old[c]
		out = out[:0]
		if head&flagDead != 0 {
			return crefDead
		}
		n := cref(uint32(head) >> headShift)
		tag := Tag(uint32(old[c+1]) >> tagShift)
		for _, l := range old[c+headWords : c+headWords+n] {
			switch s.permValue(l) {
			case isTrue:
				return crefDead
			case unassigned:
				out = append(out, l)
			default:
				tag = min(tag, s.zeroTag[l>>1])
			}
		}
		switch len(out) {
		case 0:
			s.emptyTag = max(s.emptyTag, tag+1)
			return crefDead
		case 1:
			s.noteUnit(out[0], tag)
			return crefDead
		}
		to := s.alloc(out, tag, int(head&(1<<headShift-1)), int(uint32(old[c+1])&maxLBD))
		s.attach(to)
		return to
	}
	moveAll := func(list []cref) []cref {
		n := 0
		for _, c := range list {
			if c = move(c); c != crefDead {
				list[n] = c
				n++
			}
		}
		return list[:n]
	}
	s.long = moveAll(s.long)
	s.untie()
	for r, c := range s.handles {
		if c == crefDead {
			continue
		}
		before := uint32(old[c]) >> headShift
		s.handles[r] = move(c)
		switch {
		case s.handles[r] != crefDead:
			s.tie(out, len(out) < int(before))
		case len(out) == 1:
			s.addAlways(out[0].Var())
		}
	}
	s.learnts = moveAll(s.learnts)
	units := s.units[:0]
	for _, u := range s.units {
		s.unitAt[u.lit] = 0
		switch s.permValue(u.lit) {
		case isFalse:
			s.emptyTag = max(s.emptyTag, min(u.tag, s.zeroTag[u.lit>>1])+1)
		case unassigned:
			units = append(units, u)
			s.unitAt[u.lit] = int32(len(units))
		}
	}
	s.units = units
}
