package proof

import (
	"cmp"
	"slices"

	"netcov/sat"
)

// Learnt clauses fall into three tiers by LBD (Oh, SAT 2015; CaDiCaL): one that
// takes part in a conflict is safe from the next one, two or three deletions;
// of the clauses that are not, the worse half goes. Even the best tier does not
// stay unused for good: under many assumptions most clauses would fall into it.
const (
	tierCore = 2
	tierMid  = 6
)

// protection is the number of deletions that a clause survives after its use.
func protection(lbd int) uint32 {
	switch {
	case lbd <= tierCore:
		return 3
	case lbd <= tierMid:
		return 2
	}
	return 1
}

// reduce deletes learnt clauses. It may run at any level.
func (s *CDCL) reduce() {
	s.stats.Reductions++
	s.reduceInterval += int64(s.opts.reduceStep)
	s.nextReduce = s.stats.Conflicts + s.reduceInterval

	type candidate struct {
		rank uint64
		c    cref
	}
	var cands []candidate
	for _, list := range [2][]cref{s.learnts, s.tempLearnts} {
		for _, c := range list {
			info := uint32(s.mem[c+1])
			lbd := info >> usedBits
			size := uint32(s.mem[c]) >> headShift
			if size == 2 {
				continue
			}
			if info&usedMask != 0 {
				s.mem[c+1] = sat.Lit(info - 1)
				continue
			}
			if s.locked(c) {
				continue
			}
			cands = append(cands, candidate{uint64(lbd)<<32 | uint64(size), c})
		}
	}
	slices.SortStableFunc(cands, func(a, b candidate) int { return cmp.Compare(b.rank, a.rank) })
	cands = cands[:len(cands)/2]
	for _, x := range cands {
		l := s.lits(x.c)
		s.smudge(l[0])
		s.smudge(l[1])
		s.mem[x.c] |= flagDead
		s.wasted += s.words(len(l))
	}
	s.stats.Deleted += int64(len(cands))
	s.sweepSmudged()
	s.learnts = slices.DeleteFunc(s.learnts, s.isDead)
	s.tempLearnts = slices.DeleteFunc(s.tempLearnts, s.isDead)
	s.collectIfWasteful()
	s.watch.compactIfWasteful()
	if s.log != nil && s.log.wantsCompaction() {
		s.compactLog()
	}
}

// locked reports whether a clause is the reason of an assigned literal. Reasons
// at level 0 do not count: nothing reads them again.
func (s *CDCL) locked(c cref) bool {
	l := s.mem[c+headWords]
	d := s.vardata[l>>1]
	return s.vals[l] > 0 && d.reason == c && d.level > 0
}

// smudge notes that a literal's list of long clauses holds dead ones.
func (s *CDCL) smudge(l sat.Lit) {
	if s.seen[l>>1]&(1<<(l&1)) == 0 {
		s.seen[l>>1] |= 1 << (l & 1)
		s.addBuf = append(s.addBuf, l)
	}
}

func (s *CDCL) sweepSmudged() {
	for _, l := range s.addBuf {
		s.seen[l>>1] = 0
		e := &s.watch.lists[l]
		ws := s.watch.all(l)
		j := int(e.bins)
		for _, w := range ws[e.bins:] {
			if !s.isDead(w.c) {
				ws[j] = w
				j++
			}
		}
		e.n = uint32(j)
	}
	s.addBuf = s.addBuf[:0]
}

// Simplify removes the clauses that level 0 satisfies and the literals that it
// falsifies. Its cost is linear in all clauses, so call it now and then, not after every unit. It returns Okay.
func (s *CDCL) Simplify() bool {
	s.leaveQuery()
	if !s.ok || s.qhead < s.tail && !s.propagateZero() {
		return false
	}
	if s.tail == s.simplified {
		return true
	}
	old := s.mem
	s.mem = make([]sat.Lit, 0, len(old)-s.wasted)
	s.wasted = 0
	s.learnts = s.learnts[:0]
	s.watch.clear()
	for c := 0; c < len(old); {
		head := uint32(old[c])
		lits := old[c+headWords : c+headWords+int(head>>headShift)]
		info := old[c+1]
		c += s.words(len(lits))
		if head&flagDead == 0 {
			var id ID
			if s.log != nil {
				id = ID(old[c-1])
			}
			s.simplifyClause(lits, head&flagLearnt != 0, info, id)
		}
	}
	s.simplified = s.tail
	if s.log != nil && s.log.wantsCompaction() {
		s.compactLog()
	}
	return true
}

// simplifyClause adds a clause of the old slab to the new one without what
// level 0 decides.
func (s *CDCL) simplifyClause(lits []sat.Lit, learnt bool, info sat.Lit, id ID) {
	n := 0
	for i, l := range lits {
		switch v := s.vals[l]; {
		case v > 0:
			return
		case v == 0:
			lits[n], lits[i] = l, lits[n]
			n++
		}
	}
	if n < len(lits) && s.log != nil {
		s.chain.start(id)
		for _, l := range lits[n:] {
			s.chain.resolve(l^1, s.unitIDs[l>>1])
		}
		id = s.log.addChain(&s.chain)
	}
	switch n { // fewer than two only after elimination, before propagation
	case 0:
		s.ok = false
		s.final = id
		return
	case 1:
		s.enqueueUnit(lits[0], id)
		return
	}
	c := s.alloc(lits[:n], learnt, 0, id)
	s.mem[c+1] = info
	s.attach(c)
	if learnt {
		s.learnts = append(s.learnts, c)
	}
}
