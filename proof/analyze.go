package proof

import "netcov/sat"

// Marks of variables in seen during analysis.
const (
	markNone      = 0
	markSource    = 1 // in the learnt clause
	markRemovable = 2 // implied by literals of the learnt clause
	markFailed    = 3 // not implied by them
	markResolved  = 4 // to be resolved away in the chain
)

type stackEntry struct {
	l sat.Lit
	i int32
}

// analyze learns from a conflict at a level above 0 (first unique implication
// point, Marques-Silva and Sakallah 1996). It leaves the clause in s.learnt, the
// asserting literal first and a literal of the backjump level second, and its
// chain in s.chain when chains are logged.
func (s *CDCL) analyze(confl cref) (backjump int, lbd int) {
	learnt := append(s.learnt[:0], 0)
	s.zeros = s.zeros[:0]
	level := int32(len(s.trailLim))
	idx := s.tail - 1
	open := 0
	p := sat.LitUndef
	if s.log != nil {
		s.chain.start(s.clauseID(confl))
	}
	for {
		lits := s.lits(confl)
		if s.isLearnt(confl) {
			s.usedLearnt(confl, lits)
		}
		if p != sat.LitUndef {
			if lits[0] != p { // only in binary clauses
				lits[0], lits[1] = lits[1], lits[0]
			}
			if s.log != nil {
				s.chain.resolve(p, s.clauseID(confl))
			}
			lits = lits[1:]
		}
		for _, q := range lits {
			v := q.Var()
			if s.seen[v] != markNone {
				continue
			}
			switch lv := s.vardata[v].level; {
			case lv == 0:
				if s.log != nil {
					s.markZero(q)
				}
			case lv >= level:
				s.seen[v] = markSource
				s.bumpVar(v)
				open++
			default:
				s.seen[v] = markSource
				s.bumpVar(v)
				learnt = append(learnt, q)
			}
		}
		for s.seen[s.trail[idx]>>1] == markNone {
			idx--
		}
		p = s.trail[idx]
		idx--
		s.seen[p>>1] = markNone
		open--
		if open == 0 {
			break
		}
		confl = s.vardata[p>>1].reason
	}
	learnt[0] = p ^ 1
	s.learnt = learnt
	for _, q := range learnt[1:] {
		s.toClear = append(s.toClear, q.Var())
	}
	s.minimise()
	lbd = s.countLevels(s.learnt)
	if lbd <= 6 && len(s.learnt) <= 30 && len(s.learnt) > 2 {
		if s.strengthenByBinaries() {
			lbd = s.countLevels(s.learnt)
		}
	}
	if s.log != nil {
		for _, q := range s.zeros {
			s.chain.resolve(q^1, s.unitIDs[q>>1])
		}
	}
	s.clearSeen()

	// The second literal is one of the highest level left.
	if len(s.learnt) > 1 {
		l := s.learnt
		best := 1
		for i := 2; i < len(l); i++ {
			if s.vardata[l[i]>>1].level > s.vardata[l[best]>>1].level {
				best = i
			}
		}
		l[1], l[best] = l[best], l[1]
		backjump = int(s.vardata[l[1]>>1].level)
	}
	return backjump, lbd
}

// markZero remembers that the chain has to resolve away a literal that is false
// at level 0.
func (s *CDCL) markZero(q sat.Lit) {
	s.seen[q>>1] = markResolved
	s.toClear = append(s.toClear, q.Var())
	s.zeros = append(s.zeros, q)
}

func (s *CDCL) clearSeen() {
	for _, v := range s.toClear {
		s.seen[v] = markNone
	}
	s.toClear = s.toClear[:0]
}

// minimise removes the literals of s.learnt that the others imply (recursive
// minimisation, Sörensson and Biere, SAT 2009).
func (s *CDCL) minimise() {
	l := s.learnt
	var levels uint32
	for _, q := range l[1:] {
		levels |= s.levelBit(q)
	}
	n := 1
	kept := len(l)
	s.stack = s.stack[:0]
	removed := s.addBuf[:0]
	for _, q := range l[1:] {
		if s.vardata[q>>1].reason == crefUndef || !s.redundant(q, levels) {
			l[n] = q
			n++
		} else {
			s.seen[q>>1] = markRemovable
			if s.log != nil {
				removed = append(removed, q)
			}
		}
	}
	s.addBuf = removed
	s.learnt = l[:n]
	s.stats.Minimised += int64(kept - n)
	if len(removed) > 0 {
		s.chainRemoved(removed)
	}
}

func (s *CDCL) levelBit(q sat.Lit) uint32 {
	return 1 << (uint32(s.vardata[q>>1].level) & 31)
}

// redundant reports whether literals marked as source imply the falsity of q,
// which has a reason. It walks the implication graph depth first with a stack of
// its own.
func (s *CDCL) redundant(q sat.Lit, levels uint32) bool {
	stack := s.stack[:0]
	cur := q ^ 1
	lits := s.reasonOthers(cur)
	i := 0
	for {
		if i == len(lits) {
			// All others are implied: so is cur.
			v := cur.Var()
			if s.seen[v] == markNone {
				s.seen[v] = markRemovable
				s.toClear = append(s.toClear, v)
			}
			if len(stack) == 0 {
				s.stack = stack
				return true
			}
			e := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			cur, i = e.l, int(e.i)
			lits = s.reasonOthers(cur)
			continue
		}
		o := lits[i]
		i++
		v := o.Var()
		d := s.vardata[v]
		if d.level == 0 || s.seen[v] == markSource || s.seen[v] == markRemovable {
			continue
		}
		if d.reason == crefUndef || s.seen[v] == markFailed || s.levelBit(o)&levels == 0 {
			// Not implied: so is nothing on the stack.
			stack = append(stack, stackEntry{cur, 0})
			for _, e := range stack {
				if w := e.l.Var(); s.seen[w] == markNone {
					s.seen[w] = markFailed
					s.toClear = append(s.toClear, w)
				}
			}
			s.stack = stack
			return false
		}
		stack = append(stack, stackEntry{cur, int32(i)})
		cur, i = o^1, 0
		lits = s.reasonOthers(cur)
	}
}

// reasonOthers returns the literals of the reason of l other than l.
func (s *CDCL) reasonOthers(l sat.Lit) []sat.Lit {
	lits := s.lits(s.vardata[l>>1].reason)
	if lits[0] != l { // only in binary clauses
		lits[0], lits[1] = lits[1], lits[0]
	}
	return lits[1:]
}

// chainRemoved resolves away the literals that minimise removed, and those that
// this brings in, each before the literals of its reason: in a reverse
// postorder of the implication graph.
func (s *CDCL) chainRemoved(removed []sat.Lit) {
	order := s.chain.order[:0]
	stack := s.stack[:0]
	for _, q := range removed {
		if s.seen[q>>1] == markResolved {
			continue
		}
		s.seen[q>>1] = markResolved
		cur, i := q^1, 0
		lits := s.reasonOthers(cur)
		for {
			if i == len(lits) {
				order = append(order, cur)
				if len(stack) == 0 {
					break
				}
				e := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				cur, i = e.l, int(e.i)
				lits = s.reasonOthers(cur)
				continue
			}
			o := lits[i]
			i++
			v := o.Var()
			if s.vardata[v].level == 0 {
				if s.seen[v] == markNone {
					s.markZero(o)
				}
				continue
			}
			if s.seen[v] == markRemovable {
				s.seen[v] = markResolved
				stack = append(stack, stackEntry{cur, int32(i)})
				cur, i = o^1, 0
				lits = s.reasonOthers(cur)
			}
		}
	}
	for i := len(order) - 1; i >= 0; i-- {
		l := order[i]
		s.chain.resolve(l, s.clauseID(s.vardata[l>>1].reason))
	}
	s.chain.order, s.stack = order, stack
}

// strengthenByBinaries removes literals of s.learnt by resolving with binary
// clauses that hold its asserting literal (Glucose). It reports whether it
// removed any.
func (s *CDCL) strengthenByBinaries() bool {
	l := s.learnt
	removed := 0
	for _, w := range s.watch.binaries(l[0]) {
		o := w.blocker
		if s.vals[o] > 0 && s.seen[o>>1] == markSource {
			s.seen[o>>1] = markResolved
			removed++
			if s.log != nil {
				s.chain.resolve(o, s.clauseID(w.c))
			}
		}
	}
	if removed == 0 {
		return false
	}
	n := 1
	for _, q := range l[1:] {
		if s.seen[q>>1] == markSource {
			l[n] = q
			n++
		}
	}
	s.stats.Minimised += int64(removed)
	s.learnt = l[:n]
	return true
}

// countLevels is the LBD of the literals: the number of decision levels among
// them, where the levels of all assumptions count as one.
func (s *CDCL) countLevels(lits []sat.Lit) int {
	s.stampNow++
	now := s.stampNow
	if now == 0 { // wrapped around
		clear(s.levelStamp)
		s.stampNow, now = 1, 1
	}
	base := int32(len(s.assumps))
	n := 0
	for _, q := range lits {
		lv := s.vardata[q>>1].level
		if lv <= base {
			lv = 0
		}
		if s.levelStamp[lv] != now {
			s.levelStamp[lv] = now
			n++
		}
	}
	return n
}

// usedLearnt renews the LBD of a learnt clause that takes part in a conflict
// and protects it from the next deletions.
func (s *CDCL) usedLearnt(c cref, lits []sat.Lit) {
	info := uint32(s.mem[c+1])
	lbd := int(info >> usedBits)
	if lbd > tierCore {
		if n := s.countLevels(lits); n < lbd {
			lbd = n
		}
	}
	s.mem[c+1] = sat.Lit(uint32(lbd)<<usedBits | protection(lbd))
}

// analyzeFinal finds the assumptions that a conflict comes from, when all
// decisions are assumptions. The conflict is a false clause, or, when confl is
// crefUndef, the assumption p that is false. It sets s.failed and the final
// chain, the proof of the clause of their negations.
func (s *CDCL) analyzeFinal(confl cref, p sat.Lit) {
	s.failed = s.failed[:0]
	s.zeros = s.zeros[:0]
	s.final = 0
	if confl == crefUndef {
		s.failed = append(s.failed, p)
		d := s.vardata[p>>1]
		if d.level == 0 {
			if s.log != nil {
				s.final = s.unitIDs[p>>1]
			}
			return
		}
		if d.reason == crefUndef {
			// The opposite of an earlier assumption: no clause takes part.
			s.failed = append(s.failed, p^1)
			return
		}
		confl = d.reason
		s.seen[p>>1] = markFailed // keeps the literal itself
		s.toClear = append(s.toClear, p.Var())
	}
	if s.log != nil {
		s.chain.start(s.clauseID(confl))
	}
	s.markFinal(s.lits(confl))
	if len(s.trailLim) > 0 {
		for i := s.tail - 1; i >= int(s.trailLim[0]); i-- {
			l := s.trail[i]
			if s.seen[l>>1] != markSource {
				continue
			}
			r := s.vardata[l>>1].reason
			if r == crefUndef {
				s.failed = append(s.failed, l)
				continue
			}
			if s.log != nil {
				s.chain.resolve(l, s.clauseID(r))
			}
			s.markFinal(s.reasonOthers(l))
		}
	}
	if s.log != nil {
		for _, q := range s.zeros {
			s.chain.resolve(q^1, s.unitIDs[q>>1])
		}
		s.final = s.log.addChain(&s.chain)
	}
	s.clearSeen()
}

func (s *CDCL) markFinal(lits []sat.Lit) {
	for _, q := range lits {
		v := q.Var()
		if s.seen[v] != markNone {
			continue
		}
		if s.vardata[v].level > 0 {
			s.seen[v] = markSource
			s.toClear = append(s.toClear, v)
		} else if s.log != nil {
			s.markZero(q)
		}
	}
}

// bumpVar makes a variable more active.
func (s *CDCL) bumpVar(v sat.Var) {
	s.activity[v] += s.varInc
	if s.activity[v] > 1e100 {
		for i := range s.activity {
			s.activity[i] *= 1e-100
		}
		s.varInc *= 1e-100
	}
	if s.domActive {
		s.heapStale = true
		s.domHeap.bumped(v, s.activity)
		return
	}
	s.heap.bumped(v, s.activity)
}
