package framesat

func (s *Solver) assign(l Lit, r reason) {
	s.vals[l] = isTrue
	s.vals[l^1] = isFalse
	s.vardata[l>>1] = varData{r, int32(len(s.trailLim))}
	s.trail[s.tail] = l
	s.tail++
}

// conflict kinds returned by propagate.
const (
	conflNone cref = 1<<32 - 1
	conflBin  cref = 1<<32 - 2 // the clause is confBin
)

// propagate assigns what the clauses of the query's frame force and returns a
// falsified one, or conflNone.
func (s *Solver) propagate() cref {
	vals, trail, mem, vardata := s.vals, s.trail, s.mem, s.vardata
	tail, qhead := s.tail, s.qhead
	level := int32(len(s.trailLim))
	frame := uint32(s.frame)
	confl := conflNone
	start := qhead
	for qhead < tail {
		p := trail[qhead]
		qhead++
		for _, q := range s.bin[s.binStart[p]:s.binStart[p+1]] {
			v := vals[q]
			if v > 0 {
				continue
			}
			if v < 0 {
				s.confBin = [2]Lit{p ^ 1, q}
				confl = conflBin
				break
			}
			vals[q] = isTrue
			vals[q^1] = isFalse
			vardata[q>>1] = varData{reasonBin | reason(p), level}
			trail[tail] = q
			tail++
		}
		if confl != conflNone {
			break
		}
		ws := s.watches[p]
		f := p ^ 1
		i, j := 0, 0
	next:
		for i < len(ws) {
			w := ws[i]
			i++
			if vals[w.blocker] > 0 {
				ws[j] = w
				j++
				continue
			}
			c := mem[w.c:]
			if uint32(c[1])>>tagShift < frame {
				ws[j] = w
				j++
				continue
			}
			size := uint32(c[0]) >> headShift
			lits := c[headWords : headWords+size]
			first := lits[0] ^ lits[1] ^ f
			fv := vals[first]
			if fv > 0 {
				ws[j] = watcher{w.c, first}
				j++
				continue
			}
			for k := 2; k < len(lits); k++ {
				l := lits[k]
				if vals[l] >= 0 {
					lits[0], lits[1], lits[k] = first, l, f
					s.watches[l^1] = append(s.watches[l^1], watcher{w.c, first})
					continue next
				}
			}
			ws[j] = watcher{w.c, first}
			j++
			if fv < 0 {
				confl = w.c
				j += copy(ws[j:], ws[i:])
				break
			}
			lits[0], lits[1] = first, f
			vals[first] = isTrue
			vals[first^1] = isFalse
			vardata[first>>1] = varData{reason(w.c), level}
			trail[tail] = first
			tail++
		}
		if j < len(ws) {
			s.watches[p] = ws[:j]
		}
		if confl != conflNone {
			break
		}
	}
	s.Stats.Propagations += int64(qhead - start)
	s.tail, s.qhead = tail, qhead
	return confl
}

// propagateZero propagates at level 0 and gives each new literal the least tag
// of what it was derived from.
func (s *Solver) propagateZero() cref {
	from := s.qhead
	confl := s.propagate()
	for _, l := range s.trail[from:s.tail] {
		v := l.Var()
		r := s.vardata[v].reason
		if r == reasonNone {
			continue
		}
		tag, temp := TagGlobal, false
		s.eachOther(r, l, func(o Lit) {
			tag, temp = min(tag, s.zeroTag[o>>1]), temp || s.zeroTemp[o>>1]
		})
		if r&reasonBin == 0 {
			tag, temp = min(tag, s.tagOf(cref(r))), temp || s.mem[r]&flagTemp != 0
		}
		s.zeroTag[v], s.zeroTemp[v] = tag, temp
	}
	return confl
}

// eachOther visits the literals of a reason other than the implied one.
func (s *Solver) eachOther(r reason, l Lit, f func(Lit)) {
	if r&reasonBin != 0 {
		f(Lit(r&^reasonBin) ^ 1)
		return
	}
	for _, o := range s.lits(cref(r)) {
		if o != l {
			f(o)
		}
	}
}

// cancelUntil takes back all levels above the given one.
func (s *Solver) cancelUntil(level int) {
	if len(s.trailLim) <= level {
		return
	}
	s.undo(int(s.trailLim[level]))
	s.trailLim = s.trailLim[:level]
}

func (s *Solver) undo(to int) {
	for i := s.tail - 1; i >= to; i-- {
		l := s.trail[i]
		s.vals[l] = unassigned
		s.vals[l^1] = unassigned
		s.phase[l>>1] = int8(l & 1)
		if s.bumped[l>>1] == s.Stats.Queries && s.heapPos[l>>1] < 0 {
			s.heapInsert(Var(l >> 1))
		}
	}
	s.tail = to
	s.qhead = to
}
