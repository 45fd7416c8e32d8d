package framesat

import (
	"slices"

	"netcov/sat"
)

// Reset closes the last query: its model and its own clause are forgotten.
func (s *Solver) Reset() {
	s.cancelUntil(0)
	s.heapClear()
	if s.tail > s.permTail {
		s.undo(s.permTail)
	}
	for _, v := range s.dom {
		if s.vals[2*v] == unassigned {
			s.vals[2*v] = outside
			s.vals[2*v+1] = outside
		}
	}
	s.dom = s.dom[:0]
	for i := len(s.tempLearnts) - 1; i >= 0; i-- {
		c := s.tempLearnts[i]
		s.detach(c)
		s.kill(c)
	}
	s.tempLearnts = s.tempLearnts[:0]
	if s.hasTemp {
		s.detach(s.temp)
		s.kill(s.temp)
		s.hasTemp = false
	}
	for _, l := range s.core {
		s.inCore[l] = false
	}
	s.core = s.core[:0]
}

// enter puts a variable and its fan-in cone into the domain.
func (s *Solver) enter(v Var) {
	if s.vals[2*v] != outside {
		return
	}
	s.vals[2*v], s.vals[2*v+1] = unassigned, unassigned
	stack := append(s.stack[:0], v)
	dom := s.dom
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		dom = append(dom, v)
		for _, w := range s.fanin[s.faninStart[v]:s.faninStart[v+1]] {
			if s.vals[2*w] == outside {
				s.vals[2*w], s.vals[2*w+1] = unassigned, unassigned
				stack = append(stack, w)
			}
		}
	}
	s.stack = stack
	s.dom = dom
}

// Solve asks whether the clauses of the frame, the assumptions and the query's
// own clause (nil for none) are satisfiable together. A model is complete on
// the domain: the cones of the assumptions and of the own clause, all that
// every query has, and what lemmas tie to these.
func (s *Solver) Solve(frame Tag, assumps, own []Lit) sat.Status {
	before := s.Stats
	st := s.solve(frame, assumps, own)
	s.Effort.Query(s.Stats.Decisions-before.Decisions, s.Stats.Conflicts-before.Conflicts, s.Stats.Propagations-before.Propagations)
	if s.audit != nil {
		s.audit.answer(s, st, frame, assumps, own)
	}
	return st
}

func (s *Solver) solve(frame Tag, assumps, own []Lit) sat.Status {
	s.Reset()
	s.applyPermanent()
	s.tidy()
	s.Stats.Queries++
	s.frame = frame
	s.assumps = append(s.assumps[:0], assumps...)
	s.coreTag, s.coreTemp = TagGlobal, false
	if s.emptyTag > frame {
		s.coreTag = s.emptyTag - 1
		return sat.Unsat
	}
	for _, l := range assumps {
		s.enter(l.Var())
	}
	for _, l := range own {
		s.enter(l.Var())
	}
	for _, v := range s.always {
		if s.vals[2*v] == outside {
			s.enter(v)
		}
	}
	for i := 0; i < len(s.dom); i++ { // it grows
		if v := s.ring[s.dom[i]]; s.vals[2*v] == outside {
			s.enter(v)
		}
	}
	s.domNext = 0
	if own != nil && !s.addOwn(own) {
		return sat.Unsat
	}
	if !s.addUnits() {
		return sat.Unsat
	}
	s.qhead = s.permTail
	if confl := s.propagateZero(); confl != conflNone {
		s.finalZero(confl)
		return sat.Unsat
	}
	return s.search()
}

// addUnits assigns the units of the frame; false means that one is refuted at once.
// Where there are many it looks for those of the domain.
func (s *Solver) addUnits() bool {
	if len(s.units) <= 2*len(s.dom) {
		for _, u := range s.units {
			if !s.addedUnit(u) {
				return false
			}
		}
		return true
	}
	for _, v := range s.dom {
		for l := 2 * v; l <= 2*v+1; l++ {
			if i := s.unitAt[l]; i > 0 && !s.addedUnit(s.units[i-1]) {
				return false
			}
		}
	}
	return true
}

// addedUnit assigns a unit if the frame has it; false means that it is refuted.
func (s *Solver) addedUnit(u unit) bool {
	if u.tag < s.frame {
		return true
	}
	switch s.vals[u.lit] {
	case isFalse:
		s.coreTag = min(u.tag, s.zeroTag[u.lit>>1])
		s.coreTemp = s.zeroTemp[u.lit>>1]
		return false
	case unassigned:
		s.assign(u.lit, reasonNone)
		s.zeroTag[u.lit>>1], s.zeroTemp[u.lit>>1] = u.tag, false
	}
	return true
}

// addOwn adds the query's own clause; false means that it is refuted at once.
func (s *Solver) addOwn(own []Lit) bool {
	out := s.out[:0]
	tag := TagGlobal
	for _, l := range own {
		switch s.vals[l] {
		case isTrue:
			return true
		case isFalse:
			tag = min(tag, s.zeroTag[l>>1])
		default:
			if slices.Contains(out, l^1) {
				return true
			}
			if !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	s.out = out
	switch len(out) {
	case 0:
		s.coreTag, s.coreTemp = tag, true
		return false
	case 1:
		s.assign(out[0], reasonNone)
		s.zeroTag[out[0]>>1], s.zeroTemp[out[0]>>1] = tag, true
	default:
		s.temp = s.alloc(out, tag, flagTemp, 0)
		s.hasTemp = true
		s.attach(s.temp)
	}
	return true
}

const (
	restartUnit = 100
	pollEvery   = 2048 // decisions
)

func (s *Solver) search() sat.Status {
	var conflicts, limit int64 = 0, restartUnit
	polls := 0
	for {
		var confl cref
		if len(s.trailLim) == 0 {
			confl = s.propagateZero()
		} else {
			confl = s.propagate()
		}
		if confl != conflNone {
			s.Stats.Conflicts++
			conflicts++
			if len(s.trailLim) == 0 {
				s.finalZero(confl)
				return sat.Unsat
			}
			back, lbd, from := s.analyze(confl)
			s.cancelUntil(back)
			s.learn(lbd, from)
			s.varInc /= 0.95
			s.domNext = 0
			if conflicts&63 == 0 && s.Stop != nil && s.Stop() {
				return sat.Unknown
			}
			continue
		}
		if conflicts >= limit {
			limit = conflicts + restartUnit + limit/2
			s.cancelUntil(0)
			s.domNext = 0
			continue
		}
		// Assumptions first.
		var next Lit = sat.LitUndef
		for len(s.trailLim) < len(s.assumps) {
			p := s.assumps[len(s.trailLim)]
			if v := s.vals[p]; v == isTrue {
				s.trailLim = append(s.trailLim, int32(s.tail))
			} else if v == isFalse {
				s.analyzeFinal(p)
				return sat.Unsat
			} else {
				next = p
				break
			}
		}
		if next == sat.LitUndef {
			v := s.pick()
			if v < 0 {
				return sat.Sat
			}
			next = Lit(v)<<1 | Lit(s.phase[v])
			s.Stats.Decisions++
			if polls++; polls%pollEvery == 0 && s.Stop != nil && s.Stop() {
				return sat.Unknown
			}
		}
		s.trailLim = append(s.trailLim, int32(s.tail))
		s.assign(next, reasonNone)
	}
}

// pick returns an unassigned variable of the domain, or -1.
func (s *Solver) pick() Var {
	for len(s.heap) > 0 {
		if v := s.heapPop(); s.vals[2*v] == unassigned {
			return v
		}
	}
	for ; s.domNext < len(s.dom); s.domNext++ {
		if v := s.dom[s.domNext]; s.vals[2*v] == unassigned {
			return v
		}
	}
	return -1
}

// learn adds the clause in s.out and assigns its first literal.
func (s *Solver) learn(lbd int, from origin) {
	out := s.out
	if len(out) == 1 {
		s.assign(out[0], reasonNone)
		s.zeroTag[out[0]>>1], s.zeroTemp[out[0]>>1] = from.tag, from.temp
		if !from.temp {
			if from.tag >= s.permTag {
				s.permQueue = append(s.permQueue, unit{out[0], from.tag})
			} else {
				s.noteUnit(out[0], from.tag)
			}
		}
		return
	}
	flags := flagLearnt
	if from.temp {
		flags |= flagTemp
	}
	c := s.alloc(out, from.tag, flags, lbd)
	s.attach(c)
	if from.temp {
		s.tempLearnts = append(s.tempLearnts, c)
	} else {
		s.learnts = append(s.learnts, c)
	}
	s.assign(out[0], reason(c))
}

// Value returns 1, -1, or 0 for a literal that is true, false or not assigned
// in the model of the last query.
func (s *Solver) Value(l Lit) int8 {
	if v := s.vals[l]; v != outside {
		return v
	}
	return 0
}

// InCore reports whether an assumption was needed for the last refutation.
func (s *Solver) InCore(l Lit) bool { return s.inCore[l] }

// CoreTag returns the least tag that the last refutation needed, the query's
// own clause not counted.
func (s *Solver) CoreTag() Tag { return s.coreTag }

// CoreOwn reports whether the last refutation needed the query's own clause.
func (s *Solver) CoreOwn() bool { return s.coreTemp }

// SetPhase sets the value that decisions on the literal's variable try first.
func (s *Solver) SetPhase(l Lit) { s.phase[l>>1] = int8(l & 1) }
