package coverage

import (
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// How a test's finding becomes a verdict: the second opinion hears it, then the
// ledger takes it down. SEMANTICS' monotonicity is used on the way: a covered
// stuck-at mutant covers its node's nondet mutant, and what serves a nondet
// mutant serves the stuck-at ones. Between cuts it is used as dominance has it.

// cover settles a mutant as covered. The trace is replayed first.
func (s *session) cover(test string, m *Mutant, t *cert.Trace) {
	s.coverAll(test, []hit{{m: m, trace: t}})
}

// coverAll settles several mutants as covered.
func (s *session) coverAll(test string, hits []hit) {
	hits = s.ledger.stillOpen(s.ledger.withAlike(hits))
	if err := s.opinion.traces(test, hits); err != nil {
		s.fail(err)
		return
	}
	for _, h := range hits {
		if s.gates() {
			s.stock.found.add(h.trace)
		}
		s.ledger.settle(test, mutant.Covered, Evidence{Trace: h.trace, property: h.property}, []*Mutant{h.m})
		if free := s.ledger.sibling(h.m, netlist.ForceFree); free != nil && !h.m.free() {
			s.ledger.settle(test, mutant.Covered, Evidence{Trace: heldConstant(h), property: h.property}, []*Mutant{free})
		}
	}
	if over := s.stock.lift(s.ledger, hits); len(over) > 0 {
		s.coverAll(test, over)
	}
}

// heldConstant is the run of a stuck-at mutant as one of the nondet mutant, the
// fresh input held constant.
func heldConstant(h hit) *cert.Trace {
	if h.held != nil {
		return h.held
	}
	wide := &cert.Trace{Latches: h.trace.Latches}
	for _, in := range h.trace.Inputs {
		bits := append(make([]bool, 0, len(in)+1), in...)
		wide.Inputs = append(wide.Inputs, append(bits, h.m.force == netlist.ForceOne))
	}
	return wide
}

// exclude settles mutants as not covered, all by the same invariant, and the
// stuck-at mutants of those that are nondet. What rests on the shared invariant
// is claimed until confirm. So are mutants of several properties, whose invariants
// differ in few conjuncts: one query confirms many.
func (s *session) exclude(test string, inv *cert.Invariant, ms []*Mutant) {
	list := s.ledger.served(ms)
	if len(list) == 0 {
		return
	}
	if s.opinion.asked() && (inv == s.stock.shared || len(s.properties) > 1) {
		c := claim{test: test, ms: list}
		if inv != s.stock.shared {
			c.inv = inv
		}
		s.ledger.claim(list)
		if s.opinion.claim(c) >= mostClaims {
			s.confirm()
		}
		return
	}
	if s.secondOpinion(test, inv, list) {
		s.ledger.settle(test, mutant.NotCovered, Evidence{Invariant: inv}, list)
	}
}

// mostClaims is the number of claims with invariants of their own that wait for the
// second opinion.
const mostClaims = 32

// confirm asks for the second opinion on the shared invariant, on the design and on
// all mutants that are claimed to have it, and then on the invariants of others.
func (s *session) confirm() {
	o := s.opinion
	if !o.asked() {
		return
	}
	o.confirming.Lock()
	defer o.confirming.Unlock()
	shared, own := o.take()
	if !o.confirmed || len(shared) > 0 {
		var all []*Mutant
		for i := range shared {
			shared[i].inv = s.stock.shared
			all = append(all, shared[i].ms...)
		}
		ok := s.secondOpinion("the original's invariant", s.stock.shared, all)
		o.confirmed = o.confirmed || ok
		s.answer(shared, ok)
	}
	if len(own) > 0 {
		ok, err := o.family(o.late, own)
		if err != nil {
			s.fail(err)
		}
		s.answer(own, ok)
	}
}

// answer settles claims, or opens their mutants again.
func (s *session) answer(claims []claim, ok bool) {
	for _, c := range claims {
		s.ledger.unclaim(c.ms, ok)
		if ok {
			s.ledger.settle(c.test, mutant.NotCovered, Evidence{Invariant: c.inv}, c.ms)
		}
	}
}

// secondOpinion asks whether the invariant serves all the mutants; with an empty
// list, the design. It is false when the run ended before the answer, and when
// the answer was no, which ends the run.
func (s *session) secondOpinion(test string, inv *cert.Invariant, list []*Mutant) bool {
	ok, err := s.opinion.invariant(s.opinion.late, test, inv, list)
	if err != nil {
		s.fail(err)
	}
	return ok
}
