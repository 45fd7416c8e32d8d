package proof

import (
	"context"
	"slices"

	"netcov/sat"

	"github.com/crillab/gophersat/solver"
)

// Gophersat is the Solver on top of github.com/crillab/gophersat, the third
// opinion: slow, but of yet another make. Around its limits: each Solve builds
// the formula anew, with the assumptions as unit clauses, for its own
// assumptions and added clauses give wrong answers; all assumptions count as
// failed; one Solve runs at a time in the whole process, for it has global
// buffers. It cannot be cancelled: when the context ends, Solve returns Unknown
// and the abandoned search holds up the next ones until it ends by itself. An
// assignment that turns out to be no model is answered as Unknown.
type Gophersat struct {
	vars    int
	clauses [][]int
	model   []bool
	failed  []sat.Lit
}

// NewGophersat returns an empty solver.
func NewGophersat() *Gophersat { return &Gophersat{} }

// gophersatTurn lets one search run at a time.
var gophersatTurn = make(chan struct{}, 1)

// NewVar makes a variable.
func (s *Gophersat) NewVar() sat.Var {
	s.vars++
	return sat.Var(s.vars - 1)
}

// AddClause adds a clause over variables already made.
func (s *Gophersat) AddClause(lits ...sat.Lit) {
	c := make([]int, 0, len(lits))
	for _, l := range lits {
		d := l.Dimacs()
		if slices.Contains(c, -d) {
			return // tautology
		}
		if !slices.Contains(c, d) {
			c = append(c, d)
		}
	}
	s.clauses = append(s.clauses, c)
}

// Solve decides the clauses under the assumptions.
func (s *Gophersat) Solve(ctx context.Context, assumptions ...sat.Lit) sat.Status {
	s.failed = append(s.failed[:0], assumptions...)
	formula, vars := slices.Clone(s.clauses), s.vars
	for _, l := range assumptions {
		formula = append(formula, []int{l.Dimacs()})
	}
	select {
	case gophersatTurn <- struct{}{}:
	case <-ctx.Done():
		return sat.Unknown
	}
	if ctx.Err() != nil {
		<-gophersatTurn
		return sat.Unknown
	}
	result := make(chan gophersatResult, 1)
	go func() {
		r := gophersatRun(formula, vars)
		<-gophersatTurn
		result <- r
	}()
	select {
	case r := <-result:
		s.model = r.model
		return r.status
	case <-ctx.Done():
		return sat.Unknown
	}
}

type gophersatResult struct {
	status sat.Status
	model  []bool
}

// gophersatRun solves a formula and collects the model.
func gophersatRun(formula [][]int, vars int) gophersatResult {
	g := solver.New(solver.ParseSliceNb(cloneClauses(formula), vars))
	if g.Solve() != solver.Sat {
		return gophersatResult{status: sat.Unsat}
	}
	model := extended(g.Model(), vars)
	if !isModel(model, formula) {
		return gophersatResult{status: sat.Unknown}
	}
	return gophersatResult{status: sat.Sat, model: model}
}

func cloneClauses(cs [][]int) [][]int {
	out := make([][]int, len(cs))
	for i, c := range cs {
		out[i] = slices.Clone(c)
	}
	return out
}

// Value is the literal's value in the model of the last Solve.
func (s *Gophersat) Value(l sat.Lit) bool {
	return int(l.Var()) < len(s.model) && s.model[l.Var()] != l.Neg()
}

// Failed returns the assumptions of the last Solve, all of them.
func (s *Gophersat) Failed() []sat.Lit { return s.failed }
