package framesat

// Lemmas restrict the domain of a query no less than cones do: a lemma with a variable
// in the domain needs all of its variables there. The others need not be looked at: they
// speak of latches only, and hold together where the latches outside of the domain have
// their initial values. So a query about a corner of a large design costs what the
// corner does.
//
// The sets of variables that lemmas tie together, by whatever chain, are rings: each
// variable names the next one. Sets grow when a lemma joins some (union-find: Tarjan,
// Journal of the ACM 22, 1975), and are made anew from the lemmas that are left when
// the clauses are copied.

// untie makes each variable a set of its own.
func (s *Solver) untie() {
	if s.ring == nil {
		s.ring, s.root = make([]Var, s.vars), make([]Var, s.vars)
	}
	for v := range s.ring {
		s.ring[v], s.root[v] = Var(v), Var(v)
	}
}

// tie makes one set of those of a lemma's variables. What permanent units have made
// shorter need not hold in the initial states any more: every query has it.
func (s *Solver) tie(lemma []Lit, shorter bool) {
	first := s.setOf(lemma[0].Var())
	for _, l := range lemma {
		if shorter {
			s.addAlways(l.Var())
		}
		if set := s.setOf(l.Var()); set != first {
			s.ring[set], s.ring[first] = s.ring[first], s.ring[set]
			s.root[set] = first
		}
	}
}

// setOf returns the root of a variable's set.
func (s *Solver) setOf(v Var) Var {
	for s.root[v] != v {
		s.root[v] = s.root[s.root[v]]
		v = s.root[v]
	}
	return v
}
