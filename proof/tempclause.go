package proof

import (
	"context"

	"netcov/sat"
)

// Temporary clauses. The relative-induction queries of IC3 add the negation of
// a cube for one query. The clause gets the negation of an activation variable
// that is assumed first, so every learnt clause that depends on it holds that
// literal too. After the query these are taken out, and the variable can be used
// again: nothing piles up (GipSAT does the same, CAV 2025).

// TagTemp is the tag of the leaves of temporary clauses in proofs.
const TagTemp int32 = -1

// SolveWithClause is Solve with one more clause that holds for this query only.
// Failed says nothing of the clause. It makes a variable at its first use, which
// NewVar then never returns.
func (s *CDCL) SolveWithClause(ctx context.Context, clause []sat.Lit, assumptions ...sat.Lit) sat.Status {
	s.leaveQuery()
	s.assumps = s.assumps[:0]
	if s.ok && s.setTemp(clause) {
		if s.tempClause == crefUndef {
			// False at level 0.
			s.stats.Solves++
			s.failed = s.failed[:0]
			return sat.Unsat
		}
		s.tempUse = true
		s.assumps = append(s.assumps, sat.MkLit(s.tempVar, false))
	}
	s.assumps = append(s.assumps, assumptions...)
	st := s.query(ctx)
	if st == sat.Unsat && s.tempUse {
		for i, l := range s.failed {
			if l.Var() == s.tempVar {
				s.failed = append(s.failed[:i], s.failed[i+1:]...)
				break
			}
		}
	}
	if s.checks != nil {
		s.checks.answer(s, st, assumptions)
	}
	return st
}

// setTemp attaches the temporary clause. It returns false when level 0 satisfies
// it; when level 0 falsifies it, tempClause is crefUndef.
func (s *CDCL) setTemp(clause []sat.Lit) bool {
	if s.tempVar < 0 || s.vals[s.tempVar<<1] != 0 {
		s.tempVar = s.NewVar()
	}
	s.restoreLits(clause)
	out, taut := s.normalise(clause)
	if taut {
		return false
	}
	for _, l := range out {
		if s.vals[l] > 0 {
			return false
		}
	}
	out = append(out, sat.MkLit(s.tempVar, true))
	s.addBuf = out
	var id ID
	if s.log != nil {
		id = s.log.addLeaf(TagTemp, -1, out)
		s.chain.start(id)
	}
	n := 0
	for _, l := range out {
		if s.vals[l] == 0 {
			out[n] = l
			n++
		} else if s.log != nil {
			s.chain.resolve(l^1, s.unitIDs[l>>1])
		}
	}
	out = out[:n]
	if s.log != nil {
		id = s.log.addChain(&s.chain)
	}
	if n == 1 {
		s.final = id
		return true
	}
	s.tempClause = s.alloc(out, false, 0, id)
	s.attach(s.tempClause)
	return true
}

// dropTemp takes out the temporary clause and all that was learnt from it. The
// search must be at level 0.
func (s *CDCL) dropTemp() {
	if !s.tempUse {
		return
	}
	s.tempUse = false
	for i := len(s.tempLearnts) - 1; i >= 0; i-- {
		c := s.tempLearnts[i]
		s.detach(c)
		s.release(c)
	}
	s.tempLearnts = s.tempLearnts[:0]
	s.detach(s.tempClause)
	s.release(s.tempClause)
	s.tempClause = crefUndef
	s.collectIfWasteful()
}

// mentionsTemp reports whether a learnt clause depends on the temporary clause.
func (s *CDCL) mentionsTemp(lits []sat.Lit) bool {
	a := sat.MkLit(s.tempVar, true)
	for _, l := range lits {
		if l == a {
			return true
		}
	}
	return false
}
