package proof

import (
	"context"

	"netcov/sat"
)

// ema is an exponential moving average without the bias of its start.
type ema struct {
	value, alpha, weight float64
}

func (e *ema) add(x float64) {
	e.weight += e.alpha * (1 - e.weight)
	e.value += e.alpha * (x - e.value)
}

func (e *ema) mean() float64 {
	if e.weight == 0 {
		return 0
	}
	return e.value / e.weight
}

// How often a search looks at its context: after so many conflicts,
// propagated literals or decisions, each a few milliseconds at most.
const (
	pollConflicts    = 128
	pollPropagations = 20000
	pollDecisions    = 2000
)

// leaveQuery takes the last query's trail back to level 0.
func (s *CDCL) leaveQuery() {
	if s.inModel {
		s.keepZeroPhases()
		s.inModel = false
	}
	s.cancelUntil(0)
	if s.domOrdered {
		s.domHeap.clear()
		s.domOrdered = false
	}
	s.domActive = false
	s.dropTemp()
}

// sharedPrefix is the number of levels of the last query's trail that hold for
// the assumptions, too.
func (s *CDCL) sharedPrefix(assumptions []sat.Lit) int {
	if s.restricted || s.tempUse || s.eliminationDue() {
		return 0
	}
	// The propagation of the last level may be incomplete.
	n := min(len(s.trailLim)-1, len(s.assumps), len(assumptions))
	k := 0
	for k < n && s.assumps[k] == assumptions[k] {
		k++
	}
	if len(s.elims) > 0 && k > 0 {
		for _, l := range assumptions[k:] {
			if s.elimAt[l>>1] >= 0 {
				return 0
			}
		}
	}
	return max(k, 0)
}

// modelHolds reports whether the last query's model, still on the trail, is one for
// the assumptions. s.assumps stays as it is: the trail's levels are its.
func (s *CDCL) modelHolds(assumptions []sat.Lit) bool {
	if !s.inModel || s.restricted || s.domActive || s.tempUse {
		return false
	}
	for _, l := range assumptions {
		if s.vals[l] <= 0 {
			return false
		}
	}
	return true
}

// eliminationDue reports whether the present query, or the next one, is to eliminate
// variables first: the solver's first query, or one after searches that took as
// long as elimination will.
func (s *CDCL) eliminationDue() bool {
	if !s.opts.Eliminate || s.tempUse || s.restricted || s.clausesAdded <= max(s.elimMin, s.clausesAtElim/4) {
		return false
	}
	return s.stats.Solves <= 1 || s.stats.Propagations-s.propsAtElim >= s.elimEffort*int64(s.numClauses)
}

// keepZeroPhases saves the values of level-0 literals as phases, where Value
// finds the model once the trail is gone.
func (s *CDCL) keepZeroPhases() {
	end := s.tail
	if len(s.trailLim) > 0 {
		end = int(s.trailLim[0])
	}
	for _, l := range s.trail[s.zeroSaved:end] {
		s.phase[l>>1] = int8(l & 1)
	}
	s.zeroSaved = end
}

// query runs the search for the assumptions in s.assumps, from level 0 or from
// the levels that it shares with the last query.
func (s *CDCL) query(ctx context.Context) sat.Status {
	before := s.stats
	st := s.decide(ctx)
	s.opts.Effort.Query(s.stats.Decisions-before.Decisions, s.stats.Conflicts-before.Conflicts, s.stats.Propagations-before.Propagations)
	return st
}

func (s *CDCL) decide(ctx context.Context) sat.Status {
	s.stats.Solves++
	s.failed = s.failed[:0]
	if !s.ok {
		return sat.Unsat
	}
	s.final = 0
	s.ctx = ctx
	if ctx.Err() != nil {
		return sat.Unknown
	}
	s.extended = true // no model to extend
	if len(s.elims) > 0 {
		if s.restricted && !s.domOnce {
			s.restoreAll()
		} else {
			s.restoreLits(s.assumps)
		}
		if !s.ok {
			return sat.Unsat
		}
	}
	if s.qhead < s.tail && !s.propagateZero() {
		return sat.Unsat
	}
	if s.eliminationDue() && !s.eliminate() {
		return sat.Unsat
	}
	s.confBudget, s.propBudget = -1, -1
	if s.confLimit >= 0 {
		s.confBudget = s.stats.Conflicts + s.confLimit
	}
	if s.propLimit >= 0 {
		s.propBudget = s.stats.Propagations + s.propLimit
	}
	s.setPoll()
	s.sinceRestart = 0
	s.enterDomain()
	s.watch.compactIfWasteful()
	for n := len(s.assumps) + len(s.vardata) + 1; len(s.levelStamp) < n; {
		s.levelStamp = append(s.levelStamp, 0)
	}
	return s.search()
}

// propagateZero propagates at level 0 and returns false when the clauses are
// unsatisfiable.
func (s *CDCL) propagateZero() bool {
	confl := s.propagateAll()
	s.logUnits()
	if confl != crefUndef {
		s.refuted(confl)
		return false
	}
	return true
}

// refuted ends the solver after a conflict at level 0.
func (s *CDCL) refuted(confl cref) {
	s.ok = false
	s.assumps = s.assumps[:0]
	s.analyzeFinal(confl, sat.LitUndef)
}

// search decides the query: conflict-driven clause learning under assumptions,
// each of which has a decision level of its own.
func (s *CDCL) search() sat.Status {
	for {
		confl := s.propagate()
		if len(s.trailLim) == 0 {
			s.logUnits()
		}
		if confl != crefUndef {
			s.stats.Conflicts++
			if len(s.trailLim) == 0 {
				s.refuted(confl)
				return sat.Unsat
			}
			if len(s.trailLim) <= len(s.assumps) {
				// No decision but assumptions: nothing to learn from.
				s.analyzeFinal(confl, sat.LitUndef)
				return sat.Unsat
			}
			s.learnFrom(confl)
			if s.stats.Conflicts%pollConflicts == 0 && s.ended() {
				return sat.Unknown
			}
			if s.confBudget >= 0 && s.stats.Conflicts >= s.confBudget {
				return sat.Unknown
			}
			continue
		}
		if s.stats.Propagations >= s.nextPoll || s.decisions >= pollDecisions {
			if s.ended() || s.propBudget >= 0 && s.stats.Propagations >= s.propBudget {
				return sat.Unknown
			}
			s.setPoll()
		}
		if s.restartDue() {
			s.stats.Restarts++
			s.sinceRestart = 0
			s.cancelUntil(len(s.assumps))
		}
		if s.stats.Conflicts >= s.nextReduce {
			s.reduce()
		}
		next := sat.LitUndef
		for len(s.trailLim) < len(s.assumps) {
			p := s.assumps[len(s.trailLim)]
			if v := s.vals[p]; v > 0 {
				s.newLevel()
			} else if v < 0 {
				s.analyzeFinal(crefUndef, p)
				return sat.Unsat
			} else {
				next = p
				break
			}
		}
		if next == sat.LitUndef {
			next = s.pickDecision()
			if next == sat.LitUndef {
				s.inModel, s.extended = true, false
				return sat.Sat
			}
			s.stats.Decisions++
			s.decisions++
		}
		s.newLevel()
		s.assign(next, crefUndef)
	}
}

func (s *CDCL) newLevel() { s.trailLim = append(s.trailLim, int32(s.tail)) }

// setPoll says when to look at the context and the limits next.
func (s *CDCL) setPoll() {
	s.decisions = 0
	s.nextPoll = s.stats.Propagations + pollPropagations
	if s.propBudget >= 0 {
		s.nextPoll = min(s.nextPoll, s.propBudget)
	}
}

// ended reports whether the query's context is done.
func (s *CDCL) ended() bool { return s.ctx.Err() != nil }

// learnFrom analyses a conflict, jumps back and asserts the learnt clause.
func (s *CDCL) learnFrom(confl cref) {
	s.trailAvg.add(float64(s.tail))
	back, lbd := s.analyze(confl)
	s.fastLBD.add(float64(lbd))
	s.slowLBD.add(float64(lbd))
	s.sinceRestart++
	// A long trail tells that a model may be near (Glucose): wait.
	if s.sinceRestart >= 50 && s.stats.Conflicts > 10000 && float64(s.tail) > 1.4*s.trailAvg.mean() {
		s.sinceRestart = 0
	}
	s.stats.Learnt++
	s.stats.LearntLits += int64(len(s.learnt))
	if back > 0 {
		// Going back into the levels of the assumptions would only mean to
		// assume them again: all that the clause implies there holds here too.
		back = max(back, len(s.assumps))
	}
	s.cancelUntil(back)
	var id ID
	if s.log != nil {
		id = s.log.addChain(&s.chain)
	}
	if s.checks != nil {
		s.checks.learnt(id, s.learnt)
	}
	if len(s.learnt) == 1 {
		s.enqueueUnit(s.learnt[0], id)
	} else {
		c := s.alloc(s.learnt, true, lbd, id)
		if s.tempUse && s.mentionsTemp(s.learnt) {
			s.tempLearnts = append(s.tempLearnts, c)
		} else {
			s.learnts = append(s.learnts, c)
		}
		s.attach(c)
		s.assign(s.learnt[0], c)
	}
	s.varInc /= varDecay
}

// cancelUntil takes the trail back to the end of a level.
func (s *CDCL) cancelUntil(level int) {
	if len(s.trailLim) <= level {
		return
	}
	start := int(s.trailLim[level])
	vals, phase := s.vals, s.phase
	h := &s.heap
	if s.domActive {
		h = &s.domHeap
	}
	insert := !s.domActive || s.domOrdered
	for i := s.tail - 1; i >= start; i-- {
		l := s.trail[i]
		vals[l] = 0
		vals[l^1] = 0
		v := l.Var()
		phase[v] = int8(l & 1)
		if insert && h.pos[v] < 0 {
			h.insert(v, s.activity)
		}
	}
	s.tail, s.qhead = start, start
	s.trailLim = s.trailLim[:level]
}

// pickDecision returns the next decision, or LitUndef when every variable (of
// the domain) is assigned.
func (s *CDCL) pickDecision() sat.Lit {
	h := &s.heap
	if s.domActive {
		if !s.domOrdered {
			s.orderDomain()
		}
		h = &s.domHeap
	} else if s.heapStale {
		h.heapify(s.activity)
		s.heapStale = false
	}
	for len(h.heap) > 0 {
		v := h.pop(s.activity)
		if s.vals[v<<1] == 0 && s.elimAt[v] < 0 {
			return sat.Lit(v)<<1 | sat.Lit(s.phase[v])
		}
	}
	return sat.LitUndef
}

// restartDue reports whether the search is to start again from the assumptions.
func (s *CDCL) restartDue() bool {
	if len(s.trailLim) <= len(s.assumps) {
		return false
	}
	return s.sinceRestart >= restartInterval && s.fastLBD.mean() > restartMargin*s.slowLBD.mean()
}
