package proof

import (
	"context"
	"runtime"
	"time"

	"netcov/sat"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// Gini is the Solver on top of github.com/go-air/gini. Around its limits:
// it runs as a background solve, since a solve with a time limit of its own
// spoils the later ones; its trail is taken back by hand after each refutation,
// since its own way out of one goes wrong when the clauses alone turn out to be
// unsatisfiable on it; once the clauses alone are unsatisfiable it is not
// asked again, since that ends the process; and its models are copied before
// clauses are added.
type Gini struct {
	g      *gini.Gini
	vars   int
	dead   bool // the clauses alone are unsatisfiable
	rewind bool // the trail is not at level 0 and holds no model
	live   bool // gini still holds the last model
	model  []bool
	failed []sat.Lit
	why    []z.Lit
}

// NewGini returns an empty solver.
func NewGini() *Gini { return &Gini{g: gini.New()} }

func toGini(l sat.Lit) z.Lit   { return z.Lit(l) + 2 }
func fromGini(m z.Lit) sat.Lit { return sat.Lit(m) - 2 }

// NewVar makes a variable.
func (s *Gini) NewVar() sat.Var {
	s.vars++
	return sat.Var(s.vars - 1)
}

// AddClause adds a clause over variables already made.
func (s *Gini) AddClause(lits ...sat.Lit) {
	s.keepModel()
	if s.dead {
		return
	}
	if len(lits) == 0 {
		s.dead = true
		return
	}
	for _, l := range lits {
		s.g.Add(toGini(l))
	}
	s.g.Add(z.LitNull)
}

// Solve decides the clauses under the assumptions.
func (s *Gini) Solve(ctx context.Context, assumptions ...sat.Lit) sat.Status {
	s.live = false
	s.failed = s.failed[:0]
	if s.dead {
		return sat.Unsat
	}
	if ctx.Err() != nil {
		return sat.Unknown
	}
	if s.rewind {
		// A tautology is not stored, but takes the trail to level 0.
		s.g.Add(z.Var(1).Pos())
		s.g.Add(z.Var(1).Neg())
		s.g.Add(z.LitNull)
		s.rewind = false
	}
	for _, l := range assumptions {
		s.g.Assume(toGini(l))
	}
	switch s.run(ctx) {
	case 1:
		s.live = true
		return sat.Sat
	case -1:
		s.rewind = true
		s.why = s.g.Why(s.why[:0])
		for _, m := range s.why {
			s.failed = append(s.failed, fromGini(m))
		}
		s.dead = len(s.failed) == 0
		return sat.Unsat
	}
	s.rewind = true
	return sat.Unknown
}

// run solves and stops when the context ends.
func (s *Gini) run(ctx context.Context) int {
	if ctx.Done() == nil {
		return s.g.Solve()
	}
	job := s.g.GoSolve()
	for wait := 0; ; wait++ {
		if res, done := job.Test(); done {
			return res
		}
		if ctx.Err() != nil {
			return job.Stop()
		}
		if wait < 200 {
			runtime.Gosched()
		} else {
			time.Sleep(min(time.Duration(wait), 1000) * time.Microsecond)
		}
	}
}

// keepModel copies the model before gini forgets it.
func (s *Gini) keepModel() {
	if !s.live {
		return
	}
	s.live = false
	s.model = s.model[:0]
	for v := range s.vars {
		s.model = append(s.model, s.value(sat.MkLit(sat.Var(v), false)))
	}
}

func (s *Gini) value(l sat.Lit) bool {
	m := toGini(l)
	// A variable that occurs in no clause is unknown to gini.
	return m.Var() <= s.g.MaxVar() && s.g.Value(m)
}

// Value is the literal's value in the model of the last Solve.
func (s *Gini) Value(l sat.Lit) bool {
	v := sat.MkLit(l.Var(), false)
	var val bool
	if s.live {
		val = s.value(v)
	} else if int(v.Var()) < len(s.model) {
		val = s.model[v.Var()]
	}
	return val != l.Neg()
}

// Failed returns assumptions of the last Solve that suffice for
// unsatisfiability. The slice is valid until the next Solve.
func (s *Gini) Failed() []sat.Lit { return s.failed }
