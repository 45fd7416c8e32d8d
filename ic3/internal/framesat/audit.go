package framesat

import (
	"context"
	"fmt"

	"netcov/proof"
	"netcov/sat"
)

// An auditor checks a solver's answers with gini, at run time: a model must
// extend to all clauses that hold in the query's frame, and a core, with the
// clauses of its tag and above alone, must be unsatisfiable. It keeps the
// transition relation and the lemmas as they were given, each lemma with an
// activation literal; nothing that the solver has learnt.
type auditor struct {
	fail   func(error)
	g      *proof.Gini
	lemmas []audited
	at     map[Ref]int // position in lemmas
	buf    []Lit
}

// audited is a lemma or a unit; on tells that it was not removed.
type audited struct {
	act Lit
	tag Tag
	on  bool
}

// NewChecked is New for a solver whose every answer is checked by another one.
// fail is called with each fault that is found.
func NewChecked(b *Builder, perm Tag, fail func(error)) *Solver {
	a := &auditor{fail: fail, g: proof.NewGini(), at: map[Ref]int{}}
	for range b.vars {
		a.g.NewVar()
	}
	b.Each(func(_ Var, c []Lit) { a.g.AddClause(c...) })
	s := New(b, perm)
	s.audit = a
	return s
}

// add takes a lemma.
func (a *auditor) add(lits []Lit, tag Tag, r Ref) {
	act := a.activated(lits)
	if r != RefUnit {
		a.at[r] = len(a.lemmas)
	}
	a.lemmas = append(a.lemmas, audited{act, tag, true})
}

// activated adds a clause that holds where the literal returned does.
func (a *auditor) activated(lits []Lit) Lit {
	act := sat.MkLit(a.g.NewVar(), false)
	a.buf = append(append(a.buf[:0], lits...), act.Not())
	a.g.AddClause(a.buf...)
	return act
}

func (a *auditor) remove(r Ref) {
	if i, ok := a.at[r]; ok {
		a.lemmas[i].on = false
		a.g.AddClause(a.lemmas[i].act.Not())
		delete(a.at, r)
	}
}

// setTag raises a tag. A lemma whose tag is lowered holds as far as before, and
// what was learnt from it may still be used.
func (a *auditor) setTag(r Ref, tag Tag) {
	if i, ok := a.at[r]; ok {
		a.lemmas[i].tag = max(a.lemmas[i].tag, tag)
	}
}

// dropUnits takes out the units that hold up to a frame from low to high.
func (a *auditor) dropUnits(low, high Tag) {
	named := map[int]bool{}
	for _, i := range a.at {
		named[i] = true
	}
	for i := range a.lemmas {
		if l := &a.lemmas[i]; l.on && !named[i] && l.tag >= low && l.tag <= high {
			l.on = false
			a.g.AddClause(l.act.Not())
		}
	}
}

// answer checks the outcome of a query.
func (a *auditor) answer(s *Solver, st sat.Status, frame Tag, assumps, own []Lit) {
	var ask []Lit
	switch st {
	case sat.Sat:
		for _, l := range assumps {
			if s.Value(l) != isTrue {
				a.fail(fmt.Errorf("internal check: a model contradicts the assumption %d", l.Dimacs()))
			}
		}
		for v := range Var(s.vars) {
			l := sat.MkLit(v, false)
			if x := s.Value(l); x != unassigned {
				ask = append(ask, l.XorSign(x == isFalse))
			}
		}
	case sat.Unsat:
		if s.coreTag < frame {
			a.fail(fmt.Errorf("internal check: a refutation in frame %d claims tag %d", frame, s.coreTag))
		}
		frame = s.coreTag
		for _, l := range assumps {
			if s.InCore(l) {
				ask = append(ask, l)
			}
		}
		if !s.coreTemp {
			own = nil
		}
	default:
		return
	}
	for _, l := range a.lemmas {
		if l.on && l.tag >= frame {
			ask = append(ask, l.act)
		}
	}
	if own != nil {
		act := a.activated(own)
		ask = append(ask, act)
		defer a.g.AddClause(act.Not())
	}
	if got := a.g.Solve(context.Background(), ask...); got != st {
		what := "a model violates a clause that holds in its frame"
		if st == sat.Unsat {
			what = "a core is satisfiable"
		}
		a.fail(fmt.Errorf("internal check: frame %d: %s", frame, what))
	}
}
