package proof

import "netcov/sat"

// All clauses lie in one slab of 32-bit words, so that a clause costs no Go
// object and its header shares a cache line with its first literals. A clause
// at reference c is
//
//	mem[c]     size<<headShift | flags
//	mem[c+1]   learnt clauses: lbd<<usedBits | used;  moved clauses: new reference
//	mem[c+2…]  the literals; the two watched ones first
//	           and, when chains are logged, one more word: the clause's ID
//
// Space of dead clauses is counted in wasted and reclaimed by collect.

// cref refers to a clause in the slab.
type cref uint32

const crefUndef = ^cref(0)

const (
	flagLearnt = 1
	flagDead   = 2
	flagMoved  = 4

	headShift = 3
	headWords = 2

	usedBits = 2
	usedMask = 1<<usedBits - 1
)

// alloc puts a clause into the slab.
func (s *CDCL) alloc(lits []sat.Lit, learnt bool, lbd int, id ID) cref {
	c := cref(len(s.mem))
	head, info := sat.Lit(len(lits)<<headShift), sat.Lit(0)
	if learnt {
		head |= flagLearnt
		info = sat.Lit(lbd << usedBits)
		if lbd <= tierMid {
			info |= sat.Lit(protection(lbd))
		}
	}
	s.mem = append(s.mem, head, info)
	s.mem = append(s.mem, lits...)
	if s.log != nil {
		s.mem = append(s.mem, sat.Lit(id))
	}
	return c
}

// lits returns the literals of a clause, in place.
func (s *CDCL) lits(c cref) []sat.Lit {
	n := cref(uint32(s.mem[c]) >> headShift)
	return s.mem[c+headWords : c+headWords+n : c+headWords+n]
}

func (s *CDCL) isLearnt(c cref) bool { return s.mem[c]&flagLearnt != 0 }
func (s *CDCL) isDead(c cref) bool   { return s.mem[c]&flagDead != 0 }

// clauseID returns the clause's ID in the chain log, which must exist.
func (s *CDCL) clauseID(c cref) ID {
	return ID(s.mem[c+headWords+cref(uint32(s.mem[c])>>headShift)])
}

// words is the number of words that a clause of n literals takes.
func (s *CDCL) words(n int) int {
	if s.log != nil {
		return headWords + n + 1
	}
	return headWords + n
}

// attach puts a clause of two or more literals on the watch lists of its first
// two.
func (s *CDCL) attach(c cref) {
	l := s.lits(c)
	a, b := l[0], l[1]
	if len(l) == 2 {
		s.watch.addBinary(a, watcher{c, b})
		s.watch.addBinary(b, watcher{c, a})
		return
	}
	s.watch.addLong(a, watcher{c, b})
	s.watch.addLong(b, watcher{c, a})
}

// detach takes a clause off its watch lists at once.
func (s *CDCL) detach(c cref) {
	l := s.lits(c)
	a, b := l[0], l[1]
	s.watch.remove(a, c)
	s.watch.remove(b, c)
}

// release marks a clause dead and gives its space back when it is the last one
// in the slab. The clause must be off the watch lists, or go off them before
// the next propagation.
func (s *CDCL) release(c cref) {
	n := s.words(len(s.lits(c)))
	s.mem[c] |= flagDead
	if int(c)+n == len(s.mem) {
		s.mem = s.mem[:c]
		return
	}
	s.wasted += n
}

// collectIfWasteful reclaims the space of dead clauses when it is a fifth of
// the slab or more. No dead clause may be on a watch list.
func (s *CDCL) collectIfWasteful() {
	if s.wasted > 1<<12 && s.wasted*5 > len(s.mem) {
		s.collect()
	}
}

// collect copies the live clauses to a new slab in the order in which
// propagation will meet them.
func (s *CDCL) collect() {
	old := s.mem
	mem := make([]sat.Lit, 0, len(old)-s.wasted+(len(old)-s.wasted)/4)
	move := func(c cref) cref {
		head := old[c]
		if head&flagMoved != 0 {
			return cref(old[c+1])
		}
		to := cref(len(mem))
		n := cref(s.words(int(uint32(head) >> headShift)))
		mem = append(mem, old[c:c+n]...)
		old[c] |= flagMoved
		old[c+1] = sat.Lit(to)
		return to
	}
	for l := range s.watch.lists {
		ws := s.watch.all(sat.Lit(l))
		for i := range ws {
			ws[i].c = move(ws[i].c)
		}
	}
	for _, l := range s.trail[:s.tail] {
		d := &s.vardata[l>>1]
		if d.level == 0 {
			d.reason = crefUndef
		} else if d.reason != crefUndef {
			d.reason = move(d.reason)
		}
	}
	for i, c := range s.learnts {
		s.learnts[i] = move(c)
	}
	for i, c := range s.tempLearnts {
		s.tempLearnts[i] = move(c)
	}
	if s.tempClause != crefUndef {
		s.tempClause = move(s.tempClause)
	}
	s.mem = mem
	s.wasted = 0
}
