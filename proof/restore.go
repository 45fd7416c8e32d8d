package proof

import (
	"slices"

	"netcov/sat"
)

// Eliminated variables: their clauses, their values in models, and their return.

// eliminated is a variable that was eliminated; its clauses lie in s.aside from
// start to end, each as its number of literals, its ID and the literals.
type eliminated struct {
	v          sat.Var
	start, end int
}

// putAside marks a variable as eliminated and keeps the clauses that list hands
// to save.
func (s *CDCL) putAside(v sat.Var, list func(save func(lits []sat.Lit, id ID))) {
	start := len(s.aside)
	list(func(lits []sat.Lit, id ID) {
		s.aside = append(s.aside, sat.Lit(len(lits)), sat.Lit(id))
		s.aside = append(s.aside, lits...)
	})
	s.elimAt[v] = int32(len(s.elims))
	s.elims = append(s.elims, eliminated{v, start, len(s.aside)})
	s.stats.Eliminated++
}

// asideClauses calls f with each clause of an eliminated variable.
func (s *CDCL) asideClauses(e eliminated, f func(lits []sat.Lit, id ID)) {
	for i := e.start; i < e.end; {
		n := int(s.aside[i])
		f(s.aside[i+2:i+2+n], ID(s.aside[i+1]))
		i += 2 + n
	}
}

// restoreLits brings back the eliminated variables among the literals.
func (s *CDCL) restoreLits(lits []sat.Lit) {
	if len(s.elims) == 0 {
		return
	}
	for _, l := range lits {
		s.restore(l.Var())
	}
}

// restore brings an eliminated variable back, with the variables eliminated
// later that its clauses mention. The search must be at level 0.
func (s *CDCL) restore(v sat.Var) {
	if s.elimAt[v] < 0 {
		return
	}
	s.extendModel() // while the stack is still that of the model
	todo := []sat.Var{v}
	s.unmark(v)
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		e := s.elims[s.restoring[v]]
		delete(s.restoring, v)
		s.asideClauses(e, func(lits []sat.Lit, id ID) {
			for _, l := range lits {
				if s.elimAt[l>>1] >= 0 {
					s.unmark(l.Var())
					todo = append(todo, l.Var())
				}
			}
			if s.ok {
				s.addDerived(lits, id)
			}
		})
	}
	s.trimElims()
}

// unmark makes an eliminated variable an ordinary one that stays.
func (s *CDCL) unmark(v sat.Var) {
	if s.restoring == nil {
		s.restoring = map[sat.Var]int32{}
	}
	s.restoring[v] = s.elimAt[v]
	s.elims[s.elimAt[v]].v = -1
	s.elimAt[v] = -1
	s.frozen[v] = true
	if !s.heap.has(v) {
		s.heap.insert(v, s.activity)
	}
	s.stats.Restored++
}

// trimElims drops restored variables from the stack once they are many.
func (s *CDCL) trimElims() {
	gone := 0
	for _, e := range s.elims {
		if e.v < 0 {
			gone++
		}
	}
	if gone < 16 || 2*gone < len(s.elims) {
		return
	}
	aside := s.aside
	s.aside = nil
	s.elims = slices.DeleteFunc(s.elims, func(e eliminated) bool { return e.v < 0 })
	for i := range s.elims {
		e := &s.elims[i]
		start := len(s.aside)
		s.aside = append(s.aside, aside[e.start:e.end]...)
		e.start, e.end = start, len(s.aside)
		s.elimAt[e.v] = int32(i)
	}
}

// restoreAll brings all eliminated variables back.
func (s *CDCL) restoreAll() {
	for len(s.elims) > 0 {
		n := len(s.elims) - 1
		if v := s.elims[n].v; v >= 0 {
			s.restore(v)
		} else {
			s.elims = s.elims[:n]
		}
	}
	s.aside = nil
}

// extendModel gives the eliminated variables values that satisfy their clauses
// in the model of the last query, in the reverse order of elimination, as saved
// phases. Such a variable must be true where a clause holds it positively and
// all other literals are false; then the resolvents see to the clauses that
// hold it negatively.
func (s *CDCL) extendModel() {
	if s.extended {
		return
	}
	s.extended = true
	for i := len(s.elims) - 1; i >= 0; i-- {
		e := s.elims[i]
		if e.v < 0 {
			continue
		}
		p := sat.MkLit(e.v, false)
		value := int8(1)
		s.asideClauses(e, func(lits []sat.Lit, _ ID) {
			if slices.Contains(lits, p) && !slices.ContainsFunc(lits, func(l sat.Lit) bool { return l != p && s.modelValue(l) }) {
				value = 0
			}
		})
		s.phase[e.v] = value
	}
}
