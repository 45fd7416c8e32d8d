package proof

import (
	"cmp"
	"slices"

	"netcov/sat"
)

// Bounded variable elimination with subsumption and self-subsuming resolution
// (Eén and Biere, SAT 2005). A variable whose clauses have no more resolvents
// than they are themselves is resolved away. On unrollings of circuits this
// takes out most variables. Every new clause is a resolvent, so its chain is
// logged like any other.
//
// Elimination is transparent: the clauses of an eliminated variable are kept
// aside, a model gets a value for it on demand, and a clause or an assumption
// that mentions it brings its clauses back (restore.go). It runs by itself
// before the first query, and before one when many clauses were added and
// searches took as long as elimination will, both since the last time. Queries
// that are restricted to a domain do not go together with it.
//
// Left out: gate detection, blocked clauses, variables whose elimination makes
// the formula grow.

const (
	elimResolventMax = 20   // literals of a resolvent
	elimOccurrences  = 16   // a variable may occur more often on one side only
	elimMinClauses   = 1000 // clauses to be added before elimination runs
	elimProps        = 6    // propagated literals that cost what a clause costs here
	elimRounds       = 6
)

// elimClause is a clause while elimination runs.
type elimClause struct {
	off, n uint32 // place in the literals' slab
	sig    uint64 // of its variables
	id     ID
	dead   bool
	queued bool // for backward subsumption
}

type eliminator struct {
	s       *CDCL
	lits    []sat.Lit
	cs      []elimClause
	occ     [][]uint32 // by literal: clauses, dead ones included
	live    []int32    // by literal: clauses, dead ones excluded
	queue   []uint32
	mark    []int8 // by literal, scratch
	touched []bool // by variable: worth another try
	steps   int64  // literals that may still be visited
	unsat   bool
}

// eliminate simplifies the clauses at level 0. It returns Okay.
func (s *CDCL) eliminate() bool {
	s.simplified = -1 // Simplify even without new units: the slab must be clean
	if !s.Simplify() {
		return false
	}
	s.stats.Eliminations++
	e := &eliminator{
		s:       s,
		occ:     make([][]uint32, len(s.vals)),
		live:    make([]int32, len(s.vals)),
		mark:    make([]int8, len(s.vals)),
		touched: make([]bool, len(s.vardata)),
	}
	e.collect()
	e.steps = 1<<20 + 40*int64(len(e.lits))
	for _, l := range s.assumps {
		s.frozen[l>>1] = true
	}
	e.subsumeQueued()
	for range elimRounds {
		if !e.round() {
			break
		}
	}
	e.rebuild()
	return s.ok
}

// collect copies the clauses from the slab.
func (e *eliminator) collect() {
	s := e.s
	for c := 0; c < len(s.mem); {
		cr := cref(c)
		lits := s.lits(cr)
		c += s.words(len(lits))
		if s.isDead(cr) || s.isLearnt(cr) {
			continue
		}
		var id ID
		if s.log != nil {
			id = s.clauseID(cr)
		}
		e.add(lits, id)
	}
}

// add enters a clause and queues it for subsumption.
func (e *eliminator) add(lits []sat.Lit, id ID) {
	i := uint32(len(e.cs))
	c := elimClause{off: uint32(len(e.lits)), n: uint32(len(lits)), id: id, queued: true}
	e.lits = append(e.lits, lits...)
	for _, l := range lits {
		c.sig |= 1 << (uint(l>>1) & 63)
		e.occ[l] = append(e.occ[l], i)
		e.live[l]++
		e.touched[l>>1] = true
	}
	e.cs = append(e.cs, c)
	e.queue = append(e.queue, i)
}

func (e *eliminator) of(i uint32) []sat.Lit {
	c := &e.cs[i]
	return e.lits[c.off : c.off+c.n]
}

func (e *eliminator) kill(i uint32) {
	e.cs[i].dead = true
	for _, l := range e.of(i) {
		e.live[l]--
		e.touched[l>>1] = true
	}
}

// ended reports whether the effort is spent or the query cancelled.
func (e *eliminator) ended() bool { return e.unsat || e.steps < 0 || e.s.ended() }

// subsumeQueued uses each queued clause to remove and to strengthen others.
func (e *eliminator) subsumeQueued() {
	for n := 0; n < len(e.queue); n++ {
		i := e.queue[n]
		e.cs[i].queued = false
		if !e.cs[i].dead && !e.ended() {
			e.subsumeWith(i)
		}
	}
	e.queue = e.queue[:0]
}

// subsumeWith removes the clauses that clause i subsumes. Where all literals but
// one are common, and that one's negation is in the other clause, the other
// clause loses it.
func (e *eliminator) subsumeWith(i uint32) {
	lits := e.of(i)
	best := lits[0]
	for _, l := range lits[1:] {
		if e.live[l]+e.live[l^1] < e.live[best]+e.live[best^1] {
			best = l
		}
	}
	for _, l := range lits {
		e.mark[l] = 1
	}
	c := e.cs[i]
	for _, side := range [2]sat.Lit{best, best ^ 1} {
		for _, j := range e.occ[side] {
			d := &e.cs[j]
			e.steps--
			if d.dead || j == i || d.n < c.n || c.sig&^d.sig != 0 {
				continue
			}
			common, flipped := uint32(0), sat.LitUndef
			for _, l := range e.of(j) {
				if e.mark[l] != 0 {
					common++
				} else if e.mark[l^1] != 0 {
					flipped = l
				}
			}
			e.steps -= int64(d.n)
			if common == c.n {
				e.kill(j)
				e.s.stats.Subsumed++
			} else if common == c.n-1 && flipped != sat.LitUndef {
				e.strengthen(j, flipped, c.id)
			}
		}
	}
	for _, l := range lits {
		e.mark[l] = 0
	}
}

// strengthen takes a literal out of clause j; by is the clause that it is
// resolved with.
func (e *eliminator) strengthen(j uint32, l sat.Lit, by ID) {
	s := e.s
	lits := e.of(j)
	k := slices.Index(lits, l)
	if k < 0 {
		return // an outdated occurrence
	}
	lits[k] = lits[len(lits)-1]
	d := &e.cs[j]
	d.n--
	d.sig = 0
	for _, l := range e.of(j) {
		d.sig |= 1 << (uint(l>>1) & 63)
		e.touched[l>>1] = true
	}
	e.live[l]--
	e.touched[l>>1] = true
	if s.log != nil {
		s.chain.start(d.id)
		s.chain.resolve(l^1, by)
		d.id = s.log.addChain(&s.chain)
	}
	s.stats.Strengthened++
	if d.n == 0 {
		e.unsat = true
		s.final = d.id
		return
	}
	if !d.queued {
		d.queued = true
		e.queue = append(e.queue, j)
	}
}

// round tries every touched variable once, the cheapest first. It reports whether
// another round may help.
func (e *eliminator) round() bool {
	type candidate struct {
		v    sat.Var
		cost int64
	}
	s := e.s
	var cands []candidate
	for v := range e.touched {
		if !e.touched[v] || s.frozen[v] || s.elimAt[v] >= 0 || s.vals[v<<1] != 0 || sat.Var(v) == s.tempVar {
			continue
		}
		e.touched[v] = false
		p, n := int64(e.live[v<<1]), int64(e.live[v<<1|1])
		if p+n > 0 && (p <= elimOccurrences || n <= elimOccurrences) {
			cands = append(cands, candidate{sat.Var(v), p * n})
		}
	}
	slices.SortFunc(cands, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.v, b.v))
	})
	done := false
	for _, c := range cands {
		if e.ended() {
			return false
		}
		if e.try(c.v) {
			done = true
			e.subsumeQueued()
		}
	}
	return done && !e.ended()
}

// occurrences returns the live clauses with a literal, and forgets the others.
func (e *eliminator) occurrences(l sat.Lit) []uint32 {
	e.occ[l] = slices.DeleteFunc(e.occ[l], func(i uint32) bool {
		return e.cs[i].dead || !slices.Contains(e.of(i), l)
	})
	return e.occ[l]
}

// try eliminates a variable if that adds no clause.
func (e *eliminator) try(v sat.Var) bool {
	p := sat.MkLit(v, false)
	pos, neg := e.occurrences(p), e.occurrences(p^1)
	limit := len(pos) + len(neg)
	count := 0
	for _, i := range pos {
		for _, l := range e.of(i) {
			e.mark[l] = 1
		}
		ok := true
		for _, j := range neg {
			if n := e.resolventSize(i, j, p); n > elimResolventMax {
				ok = false
			} else if n >= 0 {
				count++
			}
			if ok = ok && count <= limit; !ok {
				break
			}
		}
		for _, l := range e.of(i) {
			e.mark[l] = 0
		}
		if !ok {
			return false
		}
	}
	e.s.putAside(v, func(save func(lits []sat.Lit, id ID)) {
		for _, side := range [2][]uint32{pos, neg} {
			for _, i := range side {
				save(e.of(i), e.cs[i].id)
			}
		}
	})
	for _, i := range pos {
		for _, j := range neg {
			e.resolve(i, j, p)
		}
	}
	for _, side := range [2][]uint32{pos, neg} {
		for _, i := range side {
			e.kill(i)
		}
	}
	return true
}

// resolventSize is the number of literals of the resolvent of i, whose literals
// are marked, and j on p; -1 for a tautology.
func (e *eliminator) resolventSize(i, j uint32, p sat.Lit) int {
	n := int(e.cs[i].n) - 1
	e.steps -= int64(e.cs[j].n)
	for _, l := range e.of(j) {
		switch {
		case l == p^1 || e.mark[l] != 0:
		case e.mark[l^1] != 0:
			return -1
		default:
			n++
		}
	}
	return n
}

// resolve adds the resolvent of i and j on p unless it is a tautology.
func (e *eliminator) resolve(i, j uint32, p sat.Lit) {
	s := e.s
	out := s.addBuf[:0]
	for _, l := range e.of(i) {
		if l != p {
			e.mark[l] = 1
			out = append(out, l)
		}
	}
	taut := false
	for _, l := range e.of(j) {
		if l == p^1 || e.mark[l] != 0 {
			continue
		}
		taut = taut || e.mark[l^1] != 0
		out = append(out, l)
	}
	for _, l := range e.of(i) {
		e.mark[l] = 0
	}
	s.addBuf = out
	if taut {
		return
	}
	var id ID
	if s.log != nil {
		s.chain.start(e.cs[i].id)
		s.chain.resolve(p^1, e.cs[j].id)
		id = s.log.addChain(&s.chain)
	}
	if len(out) == 0 {
		e.unsat = true
		s.final = id
		return
	}
	e.add(out, id)
}

// rebuild writes the clauses back to a fresh slab, with the learnt clauses that
// mention no eliminated variable.
func (e *eliminator) rebuild() {
	s := e.s
	if e.unsat {
		s.ok = false
		return
	}
	old := s.mem
	s.mem = make([]sat.Lit, 0, len(old))
	s.wasted = 0
	s.learnts = s.learnts[:0]
	s.watch.clear()
	for i := range e.cs {
		if c := &e.cs[i]; !c.dead {
			s.addDerived(e.of(uint32(i)), c.id)
		}
	}
	for c := 0; c < len(old) && s.ok; {
		head := uint32(old[c])
		lits := old[c+headWords : c+headWords+int(head>>headShift)]
		info := old[c+1]
		c += s.words(len(lits))
		if head&flagDead != 0 || head&flagLearnt == 0 || slices.ContainsFunc(lits, func(l sat.Lit) bool { return s.elimAt[l>>1] >= 0 }) {
			continue
		}
		var id ID
		if s.log != nil {
			id = ID(old[c-1])
		}
		s.simplifyClause(lits, true, info, id)
	}
	if s.ok {
		s.propagateZero()
	}
	s.watch.compactIfWasteful()
	s.collect()
	s.clausesAtElim, s.clausesAdded = s.numClauses, 0
	s.propsAtElim = s.stats.Propagations
}
