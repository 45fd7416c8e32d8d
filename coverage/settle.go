package coverage

import (
	"netcov/cert"
	"netcov/netlist"
)

// How a test's finding becomes a verdict: the second opinion hears it, then the
// ledger takes it down. SEMANTICS' monotonicity is used on the way: a covered
// stuck-at mutant covers its node's nondet mutant, and what serves a nondet
// mutant serves the stuck-at ones.

// cover settles a mutant as covered. The trace is replayed first.
func (s *session) cover(test string, m *Mutant, t *cert.Trace) {
	s.coverAll(test, []hit{{m: m, trace: t}})
}

// coverAll settles several mutants as covered.
func (s *session) coverAll(test string, hits []hit) {
	hits = s.ledger.stillOpen(hits)
	if err := s.opinion.traces(test, hits); err != nil {
		s.fail(err)
		return
	}
	for _, h := range hits {
		s.ledger.settle(test, Covered, Evidence{Trace: h.trace, property: h.property}, []*Mutant{h.m})
		if free := s.ledger.sibling(h.m, netlist.ForceFree); free != nil && !h.m.free() {
			s.ledger.settle(test, Covered, Evidence{Trace: heldConstant(h), property: h.property}, []*Mutant{free})
		}
	}
}

// heldConstant is the run of a stuck-at mutant as one of the nondet mutant, the
// fresh input held constant.
func heldConstant(h hit) *cert.Trace {
	wide := &cert.Trace{Latches: h.trace.Latches}
	for _, in := range h.trace.Inputs {
		bits := append(make([]bool, 0, len(in)+1), in...)
		wide.Inputs = append(wide.Inputs, append(bits, h.m.force == netlist.ForceOne))
	}
	return wide
}

// exclude settles mutants as not covered, all by the same invariant, and the
// stuck-at mutants of those that are nondet. What rests on the shared invariant
// is claimed until confirm.
func (s *session) exclude(test string, inv *cert.Invariant, ms []*Mutant) {
	list := s.ledger.withStuck(ms)
	if len(list) == 0 {
		return
	}
	if inv == s.stock.shared && s.opinion.asked() {
		s.ledger.claim(list)
		s.opinion.claims = append(s.opinion.claims, claim{test, list})
		return
	}
	if s.secondOpinion(test, inv, list) {
		s.ledger.settle(test, NotCovered, Evidence{Invariant: inv}, list)
	}
}

// confirm asks for the second opinion on the shared invariant: on the design and
// on all mutants that are claimed.
func (s *session) confirm() {
	o := s.opinion
	if !o.asked() || o.confirmed && len(o.claims) == 0 {
		return
	}
	var all []*Mutant
	for _, c := range o.claims {
		all = append(all, c.ms...)
	}
	ok := s.secondOpinion("the original's invariant", s.stock.shared, all)
	s.ledger.unclaim(all, ok)
	if ok {
		o.confirmed = true
		for _, c := range o.claims {
			s.ledger.settle(c.test, NotCovered, Evidence{Invariant: s.stock.shared}, c.ms)
		}
	}
	o.claims = nil
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
