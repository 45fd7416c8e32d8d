package proof

import (
	"context"

	"netcov/sat"
)

// Domain-restricted queries (GipSAT: Su, Yang, Ci, CAV 2025). A query of IC3
// depends on the cone of a few latches. When the domain is closed under fan-in
// and the clauses outside are those of gates, every assignment of the domain
// that satisfies the clauses inside extends to all variables, so decisions and
// propagation may stay inside. Nothing in a query then costs time in the
// number of all variables.

// SetDomain restricts the following queries to the variables of the domain,
// until the next SetDomain or ClearDomain; the variables of assumptions and of
// temporary clauses join it by themselves for their query. The caller vouches
// for closure: Sat only means that the domain can be assigned. Unsat and Failed
// are always right. The cost is linear in the domain; the slice is not kept.
func (s *CDCL) SetDomain(domain []sat.Var) {
	s.leaveQuery()
	s.restricted, s.domOnce = true, false
	s.guests = s.guests[:0]
	s.domain = append(s.domain[:0], domain...)
	s.domNow++
	if s.domNow == 0 { // wrapped around
		clear(s.domStamp)
		s.domNow = 1
	}
	for _, v := range domain {
		s.domStamp[v] = s.domNow
	}
}

// ClearDomain lets the following queries range over all variables.
func (s *CDCL) ClearDomain() {
	s.leaveQuery()
	s.restricted = false
}

// SolveDomain is Solve restricted to a domain for this query only. It replaces
// a domain that SetDomain gave.
func (s *CDCL) SolveDomain(ctx context.Context, domain []sat.Var, assumptions ...sat.Lit) sat.Status {
	s.SetDomain(domain)
	st := s.Solve(ctx, assumptions...)
	s.domOnce = true
	return st
}

// enterDomain starts the query's restriction, if there is one.
func (s *CDCL) enterDomain() {
	if s.domOnce {
		s.restricted, s.domOnce = false, false
	}
	if !s.restricted {
		return
	}
	s.dropGuests()
	s.domActive = true
	for _, l := range s.assumps {
		s.admit(l.Var())
	}
	if s.tempUse {
		for _, l := range s.lits(s.tempClause) {
			s.admit(l.Var())
		}
	}
}

// admit makes a variable a guest of the domain for this query.
func (s *CDCL) admit(v sat.Var) {
	if s.domStamp[v] != s.domNow {
		s.domStamp[v] = s.domNow
		s.guests = append(s.guests, v)
	}
}

func (s *CDCL) dropGuests() {
	for _, v := range s.guests {
		s.domStamp[v] = 0
	}
	s.guests = s.guests[:0]
}

// orderDomain fills the domain's heap at the first decision of a query.
func (s *CDCL) orderDomain() {
	h := &s.domHeap
	for _, vars := range [2][]sat.Var{s.domain, s.guests} {
		for _, v := range vars {
			if s.vals[v<<1] == 0 && h.pos[v] < 0 {
				h.push(v)
			}
		}
	}
	h.heapify(s.activity)
	s.domOrdered = true
}
