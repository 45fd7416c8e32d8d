package proof

import "netcov/sat"

// assign puts a literal on the trail. It must be unassigned.
func (s *CDCL) assign(l sat.Lit, reason cref) {
	s.vals[l] = 1
	s.vals[l^1] = -1
	s.vardata[l>>1] = varData{reason, int32(len(s.trailLim))}
	s.trail[s.tail] = l
	s.tail++
}

// propagate assigns what the clauses force, and returns a clause all of whose
// literals are false, or crefUndef. Level 0 is always propagated over all
// variables, so that no consequence of a unit is lost to a domain.
func (s *CDCL) propagate() cref {
	if s.domActive && len(s.trailLim) > 0 {
		return s.propagateDomain()
	}
	return s.propagateAll()
}

func (s *CDCL) propagateAll() cref {
	vals, trail, mem, vardata := s.vals, s.trail, s.mem, s.vardata
	lists, pool := s.watch.lists, s.watch.pool
	tail, qhead := s.tail, s.qhead
	level := int32(len(s.trailLim))
	confl := crefUndef
	for qhead < tail {
		f := trail[qhead] ^ 1
		qhead++
		e := &lists[f]
		start, end := e.off+e.bins, e.off+e.n
		for _, w := range pool[e.off:start] {
			v := vals[w.blocker]
			if v > 0 {
				continue
			}
			if v < 0 {
				confl = w.c
				break
			}
			vals[w.blocker] = 1
			vals[w.blocker^1] = -1
			vardata[w.blocker>>1] = varData{w.c, level}
			trail[tail] = w.blocker
			tail++
		}
		if confl != crefUndef {
			break
		}
		ws := pool[start:end]
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
			size := cref(uint32(mem[w.c]) >> headShift)
			lits := mem[w.c+headWords : w.c+headWords+size]
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
					to := &lists[l]
					if to.n == to.cap {
						s.watch.grow(l)
						pool = s.watch.pool
						ws = pool[start:end]
					}
					pool[to.off+to.n] = watcher{w.c, first}
					to.n++
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
			vals[first] = 1
			vals[first^1] = -1
			vardata[first>>1] = varData{w.c, level}
			trail[tail] = first
			tail++
		}
		e.n = e.bins + uint32(j)
		if confl != crefUndef {
			break
		}
	}
	s.stats.Propagations += int64(qhead - s.qhead)
	s.tail, s.qhead = tail, qhead
	return confl
}

// propagateDomain is propagateAll without the clauses whose blocker or implied
// literal is unassigned and outside the domain. Such a clause keeps an
// unassigned literal until the search is back at level 0, so skipping it breaks
// no invariant of the watches.
func (s *CDCL) propagateDomain() cref {
	vals, trail, mem, vardata := s.vals, s.trail, s.mem, s.vardata
	lists, pool := s.watch.lists, s.watch.pool
	dom, now := s.domStamp, s.domNow
	tail, qhead := s.tail, s.qhead
	level := int32(len(s.trailLim))
	confl := crefUndef
	for qhead < tail {
		f := trail[qhead] ^ 1
		qhead++
		e := &lists[f]
		start, end := e.off+e.bins, e.off+e.n
		for _, w := range pool[e.off:start] {
			v := vals[w.blocker]
			if v > 0 {
				continue
			}
			if v < 0 {
				confl = w.c
				break
			}
			if dom[w.blocker>>1] != now {
				continue
			}
			vals[w.blocker] = 1
			vals[w.blocker^1] = -1
			vardata[w.blocker>>1] = varData{w.c, level}
			trail[tail] = w.blocker
			tail++
		}
		if confl != crefUndef {
			break
		}
		ws := pool[start:end]
		i, j := 0, 0
	next:
		for i < len(ws) {
			w := ws[i]
			i++
			bv := vals[w.blocker]
			if bv > 0 || bv == 0 && dom[w.blocker>>1] != now {
				ws[j] = w
				j++
				continue
			}
			size := cref(uint32(mem[w.c]) >> headShift)
			lits := mem[w.c+headWords : w.c+headWords+size]
			first := lits[0] ^ lits[1] ^ f
			fv := vals[first]
			if fv > 0 || fv == 0 && dom[first>>1] != now {
				ws[j] = watcher{w.c, first}
				j++
				continue
			}
			for k := 2; k < len(lits); k++ {
				l := lits[k]
				if vals[l] >= 0 {
					lits[0], lits[1], lits[k] = first, l, f
					to := &lists[l]
					if to.n == to.cap {
						s.watch.grow(l)
						pool = s.watch.pool
						ws = pool[start:end]
					}
					pool[to.off+to.n] = watcher{w.c, first}
					to.n++
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
			vals[first] = 1
			vals[first^1] = -1
			vardata[first>>1] = varData{w.c, level}
			trail[tail] = first
			tail++
		}
		e.n = e.bins + uint32(j)
		if confl != crefUndef {
			break
		}
	}
	s.stats.Propagations += int64(qhead - s.qhead)
	s.tail, s.qhead = tail, qhead
	return confl
}
