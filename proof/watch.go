package proof

import "netcov/sat"

// Watch lists. All lists lie in one pool in the order of their literals, so that
// propagation, which tends to meet neighbouring variables, stays in the cache. A
// literal's list holds the binary clauses with that literal first, then the
// longer clauses that watch it. A list that outgrows its place moves to the end
// of the pool; compaction restores the order.

// watcher is an entry of a watch list: a clause, and a literal of it whose
// truth makes the visit unnecessary. For a binary clause that is the other
// literal.
type watcher struct {
	c       cref
	blocker sat.Lit
}

// watchList is a literal's part of the pool.
type watchList struct {
	off  uint32
	bins uint32 // number of binary clauses
	n    uint32 // number of entries
	cap  uint32
}

type watchPool struct {
	pool   []watcher
	lists  []watchList // by literal
	wasted int         // entries of the pool that moved lists left behind
}

// binaries returns the entries of the binary clauses of l.
func (p *watchPool) binaries(l sat.Lit) []watcher {
	e := p.lists[l]
	return p.pool[e.off : e.off+e.bins]
}

// all returns all entries of l.
func (p *watchPool) all(l sat.Lit) []watcher {
	e := p.lists[l]
	return p.pool[e.off : e.off+e.n]
}

// grow makes room in a full list. It may move the pool.
func (p *watchPool) grow(l sat.Lit) {
	e := &p.lists[l]
	cap := max(4, 2*e.cap)
	off := uint32(len(p.pool))
	p.wasted += int(e.cap)
	p.pool = append(p.pool, p.pool[e.off:e.off+e.n]...)
	p.pool = append(p.pool, make([]watcher, cap-e.n)...)
	e.off, e.cap = off, cap
}

func (p *watchPool) addBinary(l sat.Lit, w watcher) {
	if e := &p.lists[l]; e.n == e.cap {
		p.grow(l)
	}
	e := &p.lists[l]
	p.pool[e.off+e.n] = p.pool[e.off+e.bins]
	p.pool[e.off+e.bins] = w
	e.bins++
	e.n++
}

func (p *watchPool) addLong(l sat.Lit, w watcher) {
	if e := &p.lists[l]; e.n == e.cap {
		p.grow(l)
	}
	e := &p.lists[l]
	p.pool[e.off+e.n] = w
	e.n++
}

// remove takes a clause off the list of l. It looks from the end, where recent
// clauses are.
func (p *watchPool) remove(l sat.Lit, c cref) {
	e := &p.lists[l]
	ws := p.pool[e.off : e.off+e.n]
	for i := len(ws) - 1; i >= 0; i-- {
		if ws[i].c == c {
			if i < int(e.bins) {
				e.bins--
			}
			copy(ws[i:], ws[i+1:])
			e.n--
			return
		}
	}
}

// clear empties all lists. They keep their places until the next compaction,
// which is due.
func (p *watchPool) clear() {
	for l := range p.lists {
		p.lists[l].bins, p.lists[l].n = 0, 0
	}
	p.wasted = len(p.pool)
}

// compactIfWasteful restores the order of the lists when a third of the pool is
// waste.
func (p *watchPool) compactIfWasteful() {
	if p.wasted < 1<<10 || 3*p.wasted < len(p.pool) {
		return
	}
	total := 0
	for _, e := range p.lists {
		total += int(e.n + e.n/4)
	}
	pool := make([]watcher, 0, total+total/4)
	for l := range p.lists {
		e := &p.lists[l]
		off := uint32(len(pool))
		pool = append(pool, p.pool[e.off:e.off+e.n]...)
		for range e.n / 4 {
			pool = append(pool, watcher{})
		}
		e.off, e.cap = off, uint32(len(pool))-off
	}
	p.pool, p.wasted = pool, 0
}
