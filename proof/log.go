package proof

import (
	"encoding/binary"
	"math/bits"

	"netcov/sat"
)

// The log holds, for every clause, how it came about: an input clause with its
// literals, or a chain of resolution steps
//
//	antecedent, (pivot, antecedent)*
//
// whose pivots are written as the literal that occurs in the antecedent beside
// it. Literals of derived clauses are not stored; replaying the chain gives
// them. Records are varints in chunks: antecedents as distances from the
// record's own ID. Compaction drops the records that no live clause depends on
// and keeps all IDs. Chunks are never changed once written, except by appending,
// so a Proof stays readable whatever the solver does next.

// ID names a clause in the log, from 1 in the order of derivation: antecedents
// have smaller IDs.
type ID uint32

const (
	chunkBytes = 1 << 18
	pageIDs    = 1 << 12
)

type chainLog struct {
	chunks  [][]byte
	pages   []*[pageIDs]int64 // by ID: chunk<<32 | offset, plus one; 0: dropped
	next    ID
	bytes   int64 // in use, dead records included
	dropped int64
	compact int64 // size at which to compact next
	first   int64
	checks  *answerChecker // nil: none
}

func newChainLog(compactBytes int64) *chainLog {
	return &chainLog{next: 1, compact: compactBytes, first: compactBytes}
}

// memory is the number of bytes held.
func (g *chainLog) memory() int64 {
	n := int64(0)
	for _, c := range g.chunks {
		n += int64(cap(c))
	}
	for _, p := range g.pages {
		if p != nil {
			n += pageIDs * 8
		}
	}
	return n
}

// chainBuffer collects the steps of a chain before it gets its ID.
type chainBuffer struct {
	ids    []ID
	pivots []sat.Lit
	order  []sat.Lit // scratch of chainRemoved
}

func (b *chainBuffer) start(id ID) {
	b.ids = append(b.ids[:0], id)
	b.pivots = b.pivots[:0]
}

// resolve adds a step: with the antecedent id, in which the literal pivot
// occurs.
func (b *chainBuffer) resolve(pivot sat.Lit, id ID) {
	b.ids = append(b.ids, id)
	b.pivots = append(b.pivots, pivot)
}

// room returns a chunk's tail with room for n bytes.
func (g *chainLog) room(n int) []byte {
	if k := len(g.chunks); k > 0 {
		if c := g.chunks[k-1]; cap(c)-len(c) >= n {
			return c[len(c):cap(c)]
		}
	}
	g.chunks = append(g.chunks, make([]byte, 0, max(chunkBytes, n)))
	c := g.chunks[len(g.chunks)-1]
	return c[:cap(c)]
}

// commit takes the n bytes written to room as the record of the ID.
func (g *chainLog) commit(id ID, n int) {
	k := len(g.chunks) - 1
	c := g.chunks[k]
	g.setOffset(id, int64(k)<<32|int64(len(c)))
	g.chunks[k] = c[:len(c)+n]
	g.bytes += int64(n)
}

func (g *chainLog) setOffset(id ID, off int64) {
	page := int(id / pageIDs)
	for len(g.pages) <= page {
		g.pages = append(g.pages, nil)
	}
	if g.pages[page] == nil {
		g.pages[page] = new([pageIDs]int64)
	}
	g.pages[page][id%pageIDs] = off + 1
}

// record returns the bytes from the ID's record on, or nil when it was dropped.
func (g *chainLog) record(id ID) []byte {
	page := g.pages[id/pageIDs]
	if page == nil || page[id%pageIDs] == 0 {
		return nil
	}
	off := page[id%pageIDs] - 1
	return g.chunks[off>>32][off&(1<<32-1):]
}

// addLeaf logs an input clause. The ordinal is -1 for a temporary clause.
func (g *chainLog) addLeaf(tag int32, ordinal int, lits []sat.Lit) ID {
	id := g.next
	g.next++
	b := g.room((len(lits) + 3) * binary.MaxVarintLen64)
	n := binary.PutUvarint(b, uint64(len(lits))<<1|1)
	n += binary.PutVarint(b[n:], int64(tag))
	n += binary.PutUvarint(b[n:], uint64(ordinal+1))
	for _, l := range lits {
		n += binary.PutUvarint(b[n:], uint64(l))
	}
	g.commit(id, n)
	if g.checks != nil {
		g.checks.leaf(id, tag, lits)
	}
	return id
}

// addChain logs a chain. A chain without steps is its only antecedent.
func (g *chainLog) addChain(c *chainBuffer) ID {
	if len(c.ids) == 1 {
		return c.ids[0]
	}
	id := g.next
	g.next++
	b := g.room(len(c.ids) * 10)
	n := putUint32(b, 0, uint32(len(c.ids))<<1)
	n = putUint32(b, n, uint32(id-c.ids[0]))
	for i, p := range c.pivots {
		n = putUint32(b, n, uint32(p))
		n = putUint32(b, n, uint32(id-c.ids[i+1]))
	}
	g.commit(id, n)
	if g.checks != nil {
		g.checks.chain(id, c.ids, c.pivots)
	}
	return id
}

// putUint32 writes a varint at b[n:] and returns the place after it.
func putUint32(b []byte, n int, x uint32) int {
	for x >= 0x80 {
		b[n] = byte(x) | 0x80
		x >>= 7
		n++
	}
	b[n] = byte(x)
	return n + 1
}

// recordReader decodes one record.
type recordReader struct {
	b []byte
	n int
}

func (r *recordReader) uint() uint64 {
	x, k := binary.Uvarint(r.b[r.n:])
	r.n += k
	return x
}

func (r *recordReader) int() int64 {
	x, k := binary.Varint(r.b[r.n:])
	r.n += k
	return x
}

// markCone marks in the bit set, from the roots already marked in it, all
// records they depend on.
func (g *chainLog) markCone(marks []uint64, from ID) { g.markUnknownCone(marks, from, nil) }

// markUnknownCone is markCone that takes the marks off records for which known
// is true and does not go on from them.
func (g *chainLog) markUnknownCone(marks []uint64, from ID, known func(ID) bool) {
	for w := int(from / 64); w >= 0; w-- {
		for done := uint64(0); ; {
			m := marks[w] &^ done
			if m == 0 {
				break
			}
			// The highest first: its antecedents may be in this word.
			bit := 63 - bits.LeadingZeros64(m)
			done |= ^uint64(0) << bit
			id := ID(w*64 + bit)
			if known != nil && known(id) {
				marks[w] &^= 1 << bit
				continue
			}
			r := recordReader{b: g.record(id)}
			head := r.uint()
			if head&1 != 0 {
				continue
			}
			a := id - ID(r.uint())
			marks[a/64] |= 1 << (a % 64)
			for n := head>>1 - 1; n > 0; n-- {
				r.uint()
				a := id - ID(r.uint())
				marks[a/64] |= 1 << (a % 64)
			}
		}
	}
}

// wantsCompaction reports whether the log has doubled since the last compaction.
func (g *chainLog) wantsCompaction() bool { return g.bytes >= g.compact }

// keepMarked drops all records that are not marked. The old chunks and pages
// stay as they are for proofs that read them.
func (g *chainLog) keepMarked(marks []uint64) {
	old := *g
	g.chunks = nil
	g.pages = make([]*[pageIDs]int64, len(old.pages), cap(old.pages))
	g.bytes = 0
	for w, m := range marks {
		for m != 0 {
			id := ID(w*64 + bits.TrailingZeros64(m))
			m &= m - 1
			b := old.record(id)
			r := recordReader{b: b}
			head := r.uint()
			n := head >> 1
			if head&1 != 0 {
				r.int()
				n++
			} else {
				n = 2*n - 1
			}
			for ; n > 0; n-- {
				r.uint()
			}
			copy(g.room(r.n), b[:r.n])
			g.commit(id, r.n)
		}
	}
	g.dropped += old.bytes - g.bytes
	g.compact = max(g.first, 2*g.bytes)
}

// logUnits gives unit IDs to the level-0 literals of the trail that clauses
// imply. The search must be at level 0.
func (s *CDCL) logUnits() {
	if s.log == nil {
		return
	}
	for ; s.logged < s.tail; s.logged++ {
		l := s.trail[s.logged]
		if s.unitIDs[l>>1] != 0 {
			continue
		}
		r := s.vardata[l>>1].reason
		s.chain.start(s.clauseID(r))
		for _, q := range s.reasonOthers(l) {
			s.chain.resolve(q^1, s.unitIDs[q>>1])
		}
		s.unitIDs[l>>1] = s.log.addChain(&s.chain)
	}
}

// compactLog drops the chains that no clause of the solver depends on.
func (s *CDCL) compactLog() {
	marks := make([]uint64, s.log.next/64+1)
	mark := func(id ID) { marks[id/64] |= 1 << (id % 64) }
	for c := 0; c < len(s.mem); {
		n := s.words(int(uint32(s.mem[c]) >> headShift))
		if s.mem[c]&flagDead == 0 {
			mark(ID(s.mem[c+n-1]))
		}
		c += n
	}
	for _, id := range s.unitIDs {
		if id != 0 {
			mark(id)
		}
	}
	for _, e := range s.elims {
		s.asideClauses(e, func(_ []sat.Lit, id ID) { mark(id) })
	}
	if s.final != 0 {
		mark(s.final)
	}
	s.log.markCone(marks, s.log.next-1)
	s.log.keepMarked(marks)
}
