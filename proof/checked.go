package proof

import (
	"context"
	"fmt"
	"slices"
)

// Checked is a CDCL solver whose every answer is checked: a model against all
// clauses, a refutation by replaying its resolution chains down to the clauses
// that were added, and the failed assumptions against that proof. It is slow, and
// meant for runs that shall find faults of the solver.
type Checked struct {
	*CDCL
	clauses [][]Lit
	known   map[string]bool
	fail    func(error)
}

// NewChecked returns an empty solver. fail is called with each fault that is
// found.
func NewChecked(opts Options, fail func(error)) *Checked {
	opts.Log = true
	return &Checked{CDCL: NewCDCL(opts), known: map[string]bool{}, fail: fail}
}

// AddClause adds a clause over variables already made.
func (c *Checked) AddClause(lits ...Lit) {
	c.clauses = append(c.clauses, slices.Clone(lits))
	c.known[clauseKey(lits)] = true
	c.CDCL.AddClause(lits...)
}

// Solve decides the clauses under the assumptions and checks the answer.
func (c *Checked) Solve(ctx context.Context, assumptions ...Lit) Status {
	st := c.CDCL.Solve(ctx, assumptions...)
	switch st {
	case Sat:
		c.checkModel(assumptions)
	case Unsat:
		c.checkProof(assumptions)
	}
	return st
}

func (c *Checked) checkModel(assumptions []Lit) {
	for _, l := range assumptions {
		if !c.Value(l) {
			c.fail(fmt.Errorf("the model contradicts the assumption %d", l.Dimacs()))
			return
		}
	}
	for _, clause := range c.clauses {
		if !slices.ContainsFunc(clause, c.Value) {
			c.fail(fmt.Errorf("the model violates the clause %v", clause))
			return
		}
	}
}

func (c *Checked) checkProof(assumptions []Lit) {
	for _, l := range c.Failed() {
		if !slices.Contains(assumptions, l) {
			c.fail(fmt.Errorf("the failed literal %d is no assumption", l.Dimacs()))
			return
		}
	}
	p := c.Proof()
	if p == nil { // the assumptions contradict each other
		for _, l := range c.Failed() {
			if slices.Contains(c.Failed(), l.Not()) {
				return
			}
		}
		if c.Okay() {
			c.fail(fmt.Errorf("a refutation without a proof"))
		}
		return
	}
	clause, err := Check(p, func(_ ID, _ int32, lits []Lit) error {
		if !c.known[clauseKey(lits)] {
			return fmt.Errorf("%v was not added", lits)
		}
		return nil
	})
	if err != nil {
		c.fail(err)
		return
	}
	for _, l := range clause {
		if !slices.Contains(c.Failed(), l.Not()) {
			c.fail(fmt.Errorf("the proved clause has %d, which is no failed assumption", l.Dimacs()))
			return
		}
	}
}

// clauseKey identifies a clause as a set of literals.
func clauseKey(lits []Lit) string {
	s := slices.Compact(slices.Sorted(slices.Values(lits)))
	b := make([]byte, 0, 4*len(s))
	for _, l := range s {
		b = append(b, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	return string(b)
}
