package proof

import (
	"context"

	"netcov/sat"
)

// The project's CDCL solver follows MiniSat (Eén and Sörensson, SAT 2003) in
// its shape and its incremental interface, Glucose (Audemard and Simon, IJCAI
// 2009, SAT 2012) in restarts, LBD and clause deletion, and GipSAT (Su, Yang,
// Ci, CAV 2025) in domain-restricted queries. One idea a file:
//
//	arena.go      the slab of clauses and its garbage collection
//	watch.go      watch lists
//	propagate.go  unit propagation, over all variables or a domain
//	analyze.go    conflict analysis, minimisation, failed assumptions
//	search.go     the search loop, decisions, restarts, limits
//	reduce.go     deletion of learnt and of satisfied clauses
//	eliminate.go  elimination of variables, subsumption
//	restore.go    the way back of eliminated variables
//	domain.go     queries restricted to a domain
//	tempclause.go queries with a clause of their own
//	log.go        resolution chains
//
// Left out: inprocessing other than elimination, parallel search.

// varData is what the trail knows of an assigned variable.
type varData struct {
	reason cref
	level  int32
}

// CDCL is a conflict-driven clause-learning solver, see NewCDCL. It is not
// safe for concurrent use; several solvers may run at a time.
type CDCL struct {
	opts  Options
	stats Stats
	ok    bool

	// Clauses.
	mem     []sat.Lit
	wasted  int
	learnts []cref
	watch   watchPool

	// Assignment. The trail has room for every variable; tail is its length.
	vals     []int8 // by literal: 1 true, -1 false, 0 unassigned
	vardata  []varData
	trail    []sat.Lit
	tail     int
	qhead    int
	trailLim []int32 // by level: length of the trail before its decision

	// Decisions.
	activity  []float64
	varInc    float64
	heap      varHeap
	heapStale bool   // activities changed in domain-restricted search
	phase     []int8 // by variable: 0 decide true, 1 decide false

	// The query.
	assumps    []sat.Lit
	failed     []sat.Lit
	inModel    bool // the trail is the model of the last query
	zeroSaved  int  // level-0 literals whose phase was saved
	ctx        context.Context
	confLimit  int64
	propLimit  int64
	confBudget int64 // absolute, against stats.Conflicts
	propBudget int64 // absolute, against stats.Propagations
	nextPoll   int64 // absolute, against stats.Propagations
	decisions  int   // since the last poll

	// Domain.
	restricted bool // queries are restricted to domain
	domOnce    bool // the restriction ends with the present query
	domActive  bool // this query is restricted
	domOrdered bool // domHeap is built for this query
	domain     []sat.Var
	guests     []sat.Var // variables that are in the domain for this query only
	domStamp   []uint32  // by variable: domNow when it is in the domain
	domNow     uint32
	domHeap    varHeap

	// Temporary clause.
	tempVar     sat.Var // variable that activates it, -1 before the first use
	tempUse     bool
	tempClause  cref
	tempLearnts []cref

	// Analysis.
	seen       []uint8
	toClear    []sat.Var
	learnt     []sat.Lit
	stack      []stackEntry
	levelStamp []uint32
	stampNow   uint32
	addBuf     []sat.Lit

	// Restarts and reductions.
	fastLBD, slowLBD ema
	trailAvg         ema
	sinceRestart     int64
	nextReduce       int64
	reduceInterval   int64

	// Elimination.
	frozen        []bool  // by variable: not to be eliminated
	elimAt        []int32 // by variable: place in elims, -1: not eliminated
	elims         []eliminated
	aside         []sat.Lit
	restoring     map[sat.Var]int32 // variables on their way back: place in elims
	extended      bool              // eliminated variables have values in the model
	numClauses    int               // attached by AddClause so far
	clausesAdded  int               // since the last elimination
	clausesAtElim int               // numClauses then
	elimMin       int               // clauses to be added before elimination runs
	elimEffort    int64             // propagated literals for each clause before it runs again
	propsAtElim   int64             // propagated literals when it ran

	// Level-0 simplification.
	simplified int // level-0 literals at the last Simplify

	// Chains.
	log     *chainLog
	unitIDs []ID // by variable: the unit clause of its level-0 literal
	logged  int  // level-0 literals of the trail that have unit IDs
	final   ID   // the last refutation, 0 when there is none
	chain   chainBuffer
	zeros   []sat.Lit
	inputs  int // clauses added, the next one's ordinal

	checks *answerChecker // nil unless Options.Check is set
}

// NewCDCL returns an empty solver.
func NewCDCL(opts Options) *CDCL {
	s := &CDCL{
		opts: opts.withDefaults(), ok: true, varInc: 1,
		confLimit: -1, propLimit: -1, tempVar: -1, tempClause: crefUndef,
		levelStamp: []uint32{0}, elimMin: elimMinClauses, elimEffort: elimProps,
	}
	s.reduceInterval = int64(s.opts.reduceFirst)
	s.nextReduce = s.reduceInterval
	s.fastLBD.alpha, s.slowLBD.alpha, s.trailAvg.alpha = 1./32, 1./8192, 1./4096
	if s.opts.Check != nil {
		s.checks, s.opts.Log = newAnswerChecker(s.opts.Check), true
	}
	if s.opts.Log {
		s.log = newChainLog(s.opts.logCompactBytes)
		s.log.checks = s.checks
	}
	return s
}

// NewVar makes a variable.
func (s *CDCL) NewVar() sat.Var {
	v := sat.Var(len(s.vardata))
	s.watch.lists = append(s.watch.lists, watchList{}, watchList{})
	s.vals = append(s.vals, 0, 0)
	s.vardata = append(s.vardata, varData{reason: crefUndef})
	s.trail = append(s.trail, 0)
	s.seen = append(s.seen, 0)
	s.levelStamp = append(s.levelStamp, 0)
	s.domStamp = append(s.domStamp, 0)
	s.activity = append(s.activity, 0)
	s.phase = append(s.phase, 1)
	s.frozen = append(s.frozen, false)
	s.elimAt = append(s.elimAt, -1)
	s.heap.grow(len(s.vardata))
	s.domHeap.grow(len(s.vardata))
	s.heap.insert(v, s.activity)
	if s.log != nil {
		s.unitIDs = append(s.unitIDs, 0)
	}
	return v
}

// NumVars returns the number of variables ever made.
func (s *CDCL) NumVars() int { return len(s.vardata) }

// NumPropagations returns the number of literals propagated so far, a measure
// of effort that does not depend on the machine.
func (s *CDCL) NumPropagations() int64 { return s.stats.Propagations }

// Okay reports whether the clauses are not yet known to be unsatisfiable by
// themselves. Once false it stays false and every query is Unsat.
func (s *CDCL) Okay() bool { return s.ok }

// Stats returns the counters so far.
func (s *CDCL) Stats() Stats {
	st := s.stats
	if s.log != nil {
		st.LogBytes, st.LogDropped = s.log.bytes, s.log.dropped
	}
	st.MemoryBytes = s.MemoryBytes()
	return st
}

// MemoryBytes returns the bytes that the solver holds, the capacity of its
// slices.
func (s *CDCL) MemoryBytes() int64 {
	n := int64(cap(s.mem))*4 + int64(cap(s.learnts))*4
	n += int64(cap(s.watch.lists))*16 + int64(cap(s.watch.pool))*8
	n += int64(cap(s.elims))*24 + int64(cap(s.aside))*4
	// Per variable: two values, data, trail, activity, phase, two heaps,
	// seen, level and domain stamps, frozen, elimAt.
	n += int64(cap(s.vardata)) * (2 + 8 + 4 + 8 + 1 + 16 + 1 + 8 + 1 + 4)
	if s.log != nil {
		n += s.log.memory() + int64(cap(s.unitIDs))*4
	}
	return n
}

// SetConflictLimit makes every later query end as Unknown after n conflicts of
// its own; a negative n lifts the limit.
func (s *CDCL) SetConflictLimit(n int64) { s.confLimit = n }

// SetPropagationLimit makes every later query end as Unknown after about n
// propagated literals of its own; a negative n lifts the limit.
func (s *CDCL) SetPropagationLimit(n int64) { s.propLimit = n }

// AddClause adds a clause over variables already made. In the chain log its
// tag is 0. The model of the last query can still be read afterwards.
func (s *CDCL) AddClause(lits ...sat.Lit) { s.AddClauseTagged(0, lits...) }

// AddClauseTagged adds a clause whose leaf in proofs carries the tag, such as
// the number of a partition for interpolation. The slice is not kept.
func (s *CDCL) AddClauseTagged(tag int32, lits ...sat.Lit) {
	ordinal := s.inputs
	s.inputs++
	if s.checks != nil {
		s.checks.added(lits)
	}
	s.leaveQuery()
	if !s.ok {
		return
	}
	s.restoreLits(lits)
	out, taut := s.normalise(lits)
	if taut || !s.ok {
		return
	}
	var id ID
	if s.log != nil {
		id = s.log.addLeaf(tag, ordinal, out)
	}
	s.numClauses++
	s.clausesAdded++
	s.addDerived(out, id)
}

// addDerived attaches a clause that is in the log already, without what level 0
// decides. It overwrites the literals.
func (s *CDCL) addDerived(lits []sat.Lit, id ID) {
	if s.log != nil {
		s.chain.start(id)
	}
	n := 0
	for _, l := range lits {
		switch {
		case s.vals[l] > 0:
			return
		case s.vals[l] == 0:
			lits[n] = l
			n++
		case s.log != nil:
			s.chain.resolve(l^1, s.unitIDs[l>>1])
		}
	}
	lits = lits[:n]
	if s.log != nil {
		id = s.log.addChain(&s.chain)
	}
	switch n {
	case 0:
		s.ok = false
		s.final = id
	case 1:
		s.enqueueUnit(lits[0], id)
	default:
		s.attach(s.alloc(lits, false, 0, id))
	}
}

// normalise copies the clause into the add buffer without repeated literals
// and reports whether it is a tautology.
func (s *CDCL) normalise(lits []sat.Lit) (out []sat.Lit, taut bool) {
	out = s.addBuf[:0]
	for _, l := range lits {
		bit := uint8(1) << (l & 1)
		if s.seen[l>>1]&bit != 0 {
			continue
		}
		if s.seen[l>>1] != 0 {
			taut = true
		}
		s.seen[l>>1] |= bit
		out = append(out, l)
	}
	for _, l := range out {
		s.seen[l>>1] = 0
	}
	s.addBuf = out
	return out, taut
}

// enqueueUnit assigns a literal at level 0.
func (s *CDCL) enqueueUnit(l sat.Lit, id ID) {
	s.assign(l, crefUndef)
	if s.log != nil {
		s.unitIDs[l>>1] = id
	}
}

// Solve decides the clauses under the assumptions, within the domain when
// SetDomain gave one. It returns Unknown when ctx or a limit ends the search.
// Assumptions that a query shares with the one before it, first of all and in
// the same order, are not propagated again if nothing was added in between. Where
// the model of the last query satisfies the assumptions, too, it is the answer.
func (s *CDCL) Solve(ctx context.Context, assumptions ...sat.Lit) sat.Status {
	if s.modelHolds(assumptions) {
		s.stats.Solves++
		s.failed = s.failed[:0]
		if s.checks != nil {
			s.checks.answer(s, sat.Sat, assumptions)
		}
		return sat.Sat
	}
	if keep := s.sharedPrefix(assumptions); keep > 0 {
		s.inModel = false
		s.cancelUntil(keep)
	} else {
		s.leaveQuery()
	}
	s.assumps = append(s.assumps[:0], assumptions...)
	st := s.query(ctx)
	if s.checks != nil {
		s.checks.answer(s, st, assumptions)
	}
	return st
}

// Value reports whether the literal is true in the model of the last query, which
// must have been Sat. The model can be read until the next query, also after
// clauses were added. After a domain-restricted query only variables of the
// domain have a meaning.
func (s *CDCL) Value(l sat.Lit) bool {
	if s.elimAt[l>>1] >= 0 {
		s.extendModel()
	}
	return s.modelValue(l)
}

func (s *CDCL) modelValue(l sat.Lit) bool {
	if s.inModel && s.vals[l] != 0 {
		return s.vals[l] > 0
	}
	return s.phase[l>>1]^int8(l&1) == 0
}

// Fixed reports whether the clauses alone decided the literal's variable, and if
// so, whether the literal is true.
func (s *CDCL) Fixed(l sat.Lit) (fixed, value bool) {
	if s.vals[l] == 0 || s.vardata[l>>1].level != 0 {
		return false, false
	}
	return true, s.vals[l] > 0
}

// Failed returns a subset of the assumptions of the last query, which must have
// been Unsat, that suffices for unsatisfiability; it is empty when the clauses
// alone do. The slice is valid until the next query.
func (s *CDCL) Failed() []sat.Lit { return s.failed }
