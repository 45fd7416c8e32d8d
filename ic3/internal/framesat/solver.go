package framesat

import (
	"math"

	"netcov/internal/effort"
	"netcov/sat"
)

// Lit and Var are those of the solver interface.
type (
	Lit = sat.Lit
	Var = sat.Var
)

// Tag is the last frame in which a clause holds.
type Tag uint32

// The tags above all frames: TagGlobal marks what holds in every state, TagInf
// what holds in every reachable state that satisfies the constraint, TagTop is
// the last number that is free for frames.
const (
	TagGlobal Tag = 1<<24 - 1
	TagInf    Tag = 1<<24 - 2
	TagTop    Tag = 1<<24 - 3
)

// cref is a clause's place in the slab. A clause is
//
//	mem[c]    size<<headShift | flags
//	mem[c+1]  tag<<tagShift | LBD
//	mem[c+2…] literals, the two watched ones first
type cref uint32

const (
	flagLearnt = 1
	flagTemp   = 2 // depends on the query's own clause
	flagDead   = 4
	headShift  = 3
	headWords  = 2
	tagShift   = 8
	maxLBD     = 1<<tagShift - 1
)

// reason says why a variable is assigned: by nothing, by a clause, or by the
// literal that implies it in a binary clause of the transition relation.
type reason uint32

const (
	reasonNone reason = math.MaxUint32
	reasonBin  reason = 1 << 31
)

type watcher struct {
	c       cref
	blocker Lit
}

// The values of a literal.
const (
	unassigned int8 = 0
	isTrue     int8 = 1
	isFalse    int8 = -1
	outside    int8 = 2
)

type varData struct {
	reason reason
	level  int32
}

// unit is a clause of one literal that holds up to a frame.
type unit struct {
	lit Lit
	tag Tag
}

// Stats counts what the solver did.
type Stats struct {
	Queries      int64
	Conflicts    int64
	Decisions    int64
	Propagations int64
}

// Solver is the solver; see the package comment.
type Solver struct {
	Stats  Stats
	Effort *effort.Counts // nil: nothing is counted
	// Stop is polled during long queries; the query ends as Unknown when it
	// returns true.
	Stop func() bool

	// The transition relation.
	vars       int
	faninStart []int32
	fanin      []Var
	binStart   []int32
	bin        []Lit // implied literals, by the literal that implies them

	// Clauses.
	mem     []Lit
	wasted  int
	long    []cref // transition relation, three literals and more
	handles []cref // lemmas, by Ref
	free    []Ref
	learnts []cref
	watches [][]watcher // by the literal whose truth falsifies the watched one

	// Units: permanent ones stand at the start of the trail for good.
	units     []unit
	unitAt    []int32 // by literal: position in units plus one
	emptyTag  Tag     // the empty clause holds up to this frame, minus one
	permTag   Tag     // units of this tag and above are permanent
	permTail  int
	permanent []bool // by variable
	permQueue []unit

	// Assignment.
	vals     []int8
	vardata  []varData
	zeroTag  []Tag // of variables assigned at level 0
	zeroTemp []bool
	trail    []Lit
	tail     int
	qhead    int
	trailLim []int32

	// Domain: always is the part that every query has; ring and root are of the sets
	// of variables that lemmas tie together (see ties.go).
	always   []Var
	ring     []Var
	root     []Var
	inAlways []bool
	dom      []Var
	domNext  int
	stack    []Var

	// Decisions.
	activity []float64
	varInc   float64
	phase    []int8 // 0 decide true, 1 decide false
	heap     []Var
	heapPos  []int32
	bumped   []int64 // by variable: the last query in which a conflict met it

	// The query.
	frame       Tag
	assumps     []Lit
	temp        cref
	hasTemp     bool
	tempLearnts []cref
	confBin     [2]Lit
	inCore      []bool
	core        []Lit
	coreTag     Tag
	coreTemp    bool

	// Analysis.
	seen    []uint8
	clear   []Var
	out     []Lit
	lbdMark []uint32
	lbdNow  uint32
	maxKeep int

	audit *auditor // nil unless NewChecked made the solver
}

// Ref names a lemma. RefUnit stands for every clause that is no clause any
// more: a unit, or one that holds anyway.
type Ref int32

// RefUnit is the Ref of units and of trivial clauses.
const RefUnit Ref = -1

// Builder collects a transition relation; it is a netlist.ClauseSink. Clauses
// that follow a NewVar, up to the next one, define that variable.
type Builder struct {
	vars  int
	slab  []Lit
	ends  []int32 // of the clauses in slab
	owner []Var   // of the clauses
}

// Reserve makes room for about n variables.
func (b *Builder) Reserve(n int) {
	b.slab = make([]Lit, 0, 8*n)
	b.ends = make([]int32, 0, 3*n)
	b.owner = make([]Var, 0, 3*n)
}

// NewVar makes a variable.
func (b *Builder) NewVar() Var {
	b.vars++
	return Var(b.vars - 1)
}

// AddClause adds a clause that defines the newest variable.
func (b *Builder) AddClause(lits ...Lit) {
	b.slab = append(b.slab, lits...)
	b.ends = append(b.ends, int32(len(b.slab)))
	b.owner = append(b.owner, Var(b.vars-1))
}

// NumVars returns the number of variables made so far.
func (b *Builder) NumVars() int { return b.vars }

// Size returns the number of clauses and of their literals.
func (b *Builder) Size() (clauses, lits int) { return len(b.ends), len(b.slab) }

// Each visits the clauses with the variables that they define.
func (b *Builder) Each(f func(owner Var, clause []Lit)) {
	start := int32(0)
	for i, end := range b.ends {
		f(b.owner[i], b.slab[start:end:end])
		start = end
	}
}

// Drop releases the clauses.
func (b *Builder) Drop() { *b = Builder{vars: b.vars} }

// New builds a solver for a transition relation. Units with a tag of at least
// perm become permanent: perm is TagInf, or TagGlobal when some query is to be
// asked without the clauses of tag TagInf.
func New(b *Builder, perm Tag) *Solver {
	n := b.vars
	s := &Solver{
		vars: n, permTag: perm, varInc: 1,
		watches:   make([][]watcher, 2*n),
		vals:      make([]int8, 2*n),
		vardata:   make([]varData, n),
		zeroTag:   make([]Tag, n),
		zeroTemp:  make([]bool, n),
		trail:     make([]Lit, n),
		unitAt:    make([]int32, 2*n),
		permanent: make([]bool, n),
		inAlways:  make([]bool, n),
		activity:  make([]float64, n),
		bumped:    make([]int64, n),
		phase:     make([]int8, n),
		heapPos:   make([]int32, n),
		inCore:    make([]bool, 2*n),
		seen:      make([]uint8, n),
		lbdMark:   make([]uint32, n+2),
		maxKeep:   4000,
	}
	for v := range s.heapPos {
		s.heapPos[v] = -1
		s.phase[v] = 1
	}
	s.untie()
	for l := range s.vals {
		s.vals[l] = outside
	}
	s.structure(b)
	s.addLong(b)
	return s
}

// addLong adds the clauses of three literals and more, and queues the units.
func (s *Solver) addLong(b *Builder) {
	words, long := 0, 0
	count := make([]int32, 2*s.vars)
	b.Each(func(_ Var, c []Lit) {
		if len(c) > 2 {
			words += headWords + len(c)
			long++
			count[c[0]^1]++
			count[c[1]^1]++
		}
	})
	// Watch lists start in one slab, with some room to grow.
	slab := make([]watcher, 2*long+4*s.vars)
	for l, n := range count {
		s.watches[l] = slab[: 0 : n+2]
		slab = slab[n+2:]
	}
	s.mem = make([]Lit, 0, words+words/4+1024)
	s.long = make([]cref, 0, long)
	b.Each(func(_ Var, c []Lit) {
		switch {
		case len(c) == 1:
			s.permQueue = append(s.permQueue, unit{c[0], TagGlobal})
		case len(c) > 2:
			r := s.alloc(c, TagGlobal, 0, 0)
			s.attach(r)
			s.long = append(s.long, r)
		}
	})
}

// structure fills the fan-in lists and the binary implications.
func (s *Solver) structure(b *Builder) {
	n := s.vars
	s.binStart = make([]int32, 2*n+1)
	note := func(x, y Lit) {
		s.binStart[x^1+1]++
		s.binStart[y^1+1]++
	}
	b.Each(func(_ Var, c []Lit) {
		if len(c) == 2 {
			note(c[0], c[1])
		}
	})
	for l := range 2 * n {
		s.binStart[l+1] += s.binStart[l]
	}
	s.bin = make([]Lit, s.binStart[2*n])
	at := append([]int32(nil), s.binStart...)
	fill := func(x, y Lit) {
		s.bin[at[x^1]] = y
		at[x^1]++
		s.bin[at[y^1]] = x
		at[y^1]++
	}
	// Fan-ins: the other variables of the clauses that define a variable.
	_, lits := b.Size()
	s.faninStart = make([]int32, n+1)
	s.fanin = make([]Var, 0, lits/2)
	mark := make([]Var, n)
	for i := range mark {
		mark[i] = -1
	}
	next := Var(0)
	b.Each(func(owner Var, c []Lit) {
		if len(c) == 2 {
			fill(c[0], c[1])
		}
		for ; next <= owner; next++ {
			s.faninStart[next] = int32(len(s.fanin))
		}
		for _, l := range c {
			if w := l.Var(); w != owner && mark[w] != owner {
				mark[w] = owner
				s.fanin = append(s.fanin, w)
			}
		}
	})
	for ; int(next) <= n; next++ {
		s.faninStart[next] = int32(len(s.fanin))
	}
}

func (s *Solver) alloc(lits []Lit, tag Tag, flags, lbd int) cref {
	c := cref(len(s.mem))
	s.mem = append(s.mem, Lit(len(lits)<<headShift|flags), Lit(uint32(tag)<<tagShift|uint32(min(lbd, maxLBD))))
	s.mem = append(s.mem, lits...)
	return c
}

func (s *Solver) lits(c cref) []Lit {
	n := cref(uint32(s.mem[c]) >> headShift)
	return s.mem[c+headWords : c+headWords+n : c+headWords+n]
}

func (s *Solver) tagOf(c cref) Tag { return Tag(uint32(s.mem[c+1]) >> tagShift) }

func (s *Solver) setTag(c cref, t Tag) {
	s.mem[c+1] = Lit(uint32(t)<<tagShift | uint32(s.mem[c+1])&maxLBD)
}

func (s *Solver) attach(c cref) {
	l := s.lits(c)
	s.watches[l[0]^1] = append(s.watches[l[0]^1], watcher{c, l[1]})
	s.watches[l[1]^1] = append(s.watches[l[1]^1], watcher{c, l[0]})
}

// detach takes a clause off its watch lists, looking from their ends, where
// recent clauses stand.
func (s *Solver) detach(c cref) {
	l := s.lits(c)
	for _, w := range [2]Lit{l[0] ^ 1, l[1] ^ 1} {
		ws := s.watches[w]
		for i := len(ws) - 1; i >= 0; i-- {
			if ws[i].c == c {
				ws[i] = ws[len(ws)-1]
				s.watches[w] = ws[:len(ws)-1]
				break
			}
		}
	}
}

func (s *Solver) kill(c cref) {
	n := headWords + len(s.lits(c))
	s.mem[c] |= flagDead
	if int(c)+n == len(s.mem) {
		s.mem = s.mem[:c]
		return
	}
	s.wasted += n
}

// NumVars returns the number of variables.
func (s *Solver) NumVars() int { return s.vars }

// Fanin returns the variables that define v, none for a leaf.
func (s *Solver) Fanin(v Var) []Var { return s.fanin[s.faninStart[v]:s.faninStart[v+1]] }

// MemoryBytes returns the bytes that the solver holds.
func (s *Solver) MemoryBytes() int64 {
	n := int64(cap(s.mem)+cap(s.bin)+cap(s.fanin))*4 + int64(s.vars)*(2*24+2+8+4+1+4+8+1+8+1+8+1+2+4+4+4)
	for _, w := range s.watches {
		n += int64(cap(w)) * 8
	}
	return n
}

// AddLemma adds a clause that holds up to the tag's frame. A clause that is
// decided by permanent units, or a unit, has no Ref of its own. Lemmas speak of
// variables that no clause defines, and must be satisfiable together: in IC3 the
// initial states satisfy all of them.
func (s *Solver) AddLemma(lits []Lit, tag Tag) Ref {
	r := s.addLemma(lits, tag)
	if s.audit != nil {
		s.audit.add(lits, tag, r)
	}
	return r
}

func (s *Solver) addLemma(lits []Lit, tag Tag) Ref {
	s.Reset()
	s.applyPermanent()
	out := s.out[:0]
	for _, l := range lits {
		switch s.permValue(l) {
		case isTrue:
			return RefUnit
		case unassigned:
			out = append(out, l)
		}
	}
	s.out = out
	switch len(out) {
	case 0:
		s.emptyTag = max(s.emptyTag, tag+1)
		return RefUnit
	case 1:
		if len(lits) > 1 {
			s.addAlways(out[0].Var())
		}
		s.addUnit(out[0], tag)
		return RefUnit
	}
	s.tie(out, len(out) < len(lits))
	c := s.alloc(out, tag, 0, 0)
	s.attach(c)
	if n := len(s.free); n > 0 {
		r := s.free[n-1]
		s.free = s.free[:n-1]
		s.handles[r] = c
		return r
	}
	s.handles = append(s.handles, c)
	return Ref(len(s.handles) - 1)
}

const crefDead = cref(math.MaxUint32)

// SetTag changes the frame up to which a lemma is used. It returns false when
// permanent units have made the lemma trivial or a unit: add it again then.
func (s *Solver) SetTag(r Ref, tag Tag) bool {
	c := s.handles[r]
	if c != crefDead {
		s.setTag(c, tag)
		if s.audit != nil {
			s.audit.setTag(r, tag)
		}
	}
	return c != crefDead
}

// Remove deletes a lemma. Another one that subsumes it, or a permanent unit,
// must hold at least as far.
func (s *Solver) Remove(r Ref) {
	if s.audit != nil {
		s.audit.remove(r)
	}
	s.Reset()
	if c := s.handles[r]; c != crefDead {
		s.detach(c)
		s.kill(c)
	}
	s.handles[r] = crefDead
	s.free = append(s.free, r)
}

// AddUnit adds a literal that is true up to the tag's frame.
func (s *Solver) AddUnit(l Lit, tag Tag) {
	if s.audit != nil {
		s.audit.add([]Lit{l}, tag, RefUnit)
	}
	s.addUnit(l, tag)
}

func (s *Solver) addUnit(l Lit, tag Tag) {
	s.Reset()
	if tag >= s.permTag {
		s.permQueue = append(s.permQueue, unit{l, tag})
		return
	}
	s.noteUnit(l, tag)
}

func (s *Solver) noteUnit(l Lit, tag Tag) {
	if i := s.unitAt[l]; i > 0 {
		s.units[i-1].tag = max(s.units[i-1].tag, tag)
		return
	}
	s.units = append(s.units, unit{l, tag})
	s.unitAt[l] = int32(len(s.units))
}

// permValue is a literal's value by the permanent units alone; no query may be
// open.
func (s *Solver) permValue(l Lit) int8 {
	if v := s.vals[l]; v != outside {
		return v
	}
	return unassigned
}

// Permanent returns the literals that permanent units decide, in a list that grows.
func (s *Solver) Permanent() []Lit { return s.trail[:s.permTail] }

// IsPermanent reports whether permanent units decide the variable.
func (s *Solver) IsPermanent(v Var) bool { return s.permanent[v] }

// AddAlways puts the cone of a literal into the domain of every query.
func (s *Solver) AddAlways(l Lit) {
	s.Reset()
	s.addAlways(l.Var())
}

func (s *Solver) addAlways(v Var) {
	if s.inAlways[v] {
		return
	}
	s.inAlways[v] = true
	stack := append(s.stack[:0], v)
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		s.always = append(s.always, v)
		for _, w := range s.Fanin(v) {
			if !s.inAlways[w] {
				s.inAlways[w] = true
				stack = append(stack, w)
			}
		}
	}
	s.stack = stack
}

// Domain returns the variables that the last query was restricted to, those
// that permanent units decide left out.
func (s *Solver) Domain() []Var { return s.dom }
