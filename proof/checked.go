package proof

import (
	"fmt"
	"slices"

	"netcov/sat"
)

// An answerChecker follows a CDCL solver and checks all that it claims: each
// chain as it is logged, by resolution on literal sets of its own; each learnt
// clause against its chain; a model against all clauses; the clause that a
// refutation proves against the failed assumptions. It is slow, and meant for
// runs that shall find faults of the solver.
type answerChecker struct {
	fail    func(error)
	clauses [][]sat.Lit
	known   map[string]bool
	derived [][]sat.Lit // by ID
	in      []bool      // by literal: scratch of chain
}

// NewChecked returns an empty solver whose every answer is checked. fail is
// called with each fault that is found.
func NewChecked(opts Options, fail func(error)) *CDCL {
	opts.Check = fail
	return NewCDCL(opts)
}

func newAnswerChecker(fail func(error)) *answerChecker {
	return &answerChecker{fail: fail, known: map[string]bool{}}
}

// added takes a clause as the caller gave it.
func (c *answerChecker) added(lits []sat.Lit) {
	c.clauses = append(c.clauses, slices.Clone(lits))
	c.known[clauseKey(lits)] = true
}

// leaf takes an input clause of the log.
func (c *answerChecker) leaf(id ID, tag int32, lits []sat.Lit) {
	if tag != TagTemp && !c.known[clauseKey(lits)] {
		c.fail(fmt.Errorf("the log has an input clause %v that was not added", lits))
	}
	c.store(id, append([]sat.Lit{}, lits...))
}

func (c *answerChecker) store(id ID, lits []sat.Lit) {
	for int(id) >= len(c.derived) {
		c.derived = append(c.derived, nil)
	}
	c.derived[id] = lits
}

// clause returns what an ID of the log stands for.
func (c *answerChecker) clause(id ID) []sat.Lit {
	if int(id) >= len(c.derived) || c.derived[id] == nil {
		c.fail(fmt.Errorf("clause %d is not derived", id))
		return nil
	}
	return c.derived[id]
}

// chain takes a derived clause of the log.
func (c *answerChecker) chain(id ID, antecedents []ID, pivots []sat.Lit) {
	lits := []sat.Lit{}
	set := func(l sat.Lit) {
		for int(l|1) >= len(c.in) {
			c.in = append(c.in, make([]bool, len(c.in)+64)...)
		}
		if !c.in[l] {
			c.in[l] = true
			lits = append(lits, l)
		}
	}
	for i, a := range antecedents {
		from := c.clause(a)
		if i == 0 {
			for _, l := range from {
				set(l)
			}
			continue
		}
		p := pivots[i-1]
		if !slices.Contains(lits, p^1) || !slices.Contains(from, p) {
			c.fail(fmt.Errorf("chain %d: no resolution on the literal %d with clause %d", id, p.Dimacs(), a))
		}
		for _, l := range from {
			if l != p {
				set(l)
			}
		}
		c.in[p^1] = false
		lits = slices.DeleteFunc(lits, func(l sat.Lit) bool { return l == p^1 })
	}
	for _, l := range lits {
		if c.in[l^1] {
			c.fail(fmt.Errorf("chain %d derives a tautology in variable %d", id, l.Var()))
		}
	}
	for _, l := range lits {
		c.in[l] = false
	}
	c.store(id, lits)
}

// learnt compares a learnt clause with what its chain derives.
func (c *answerChecker) learnt(id ID, lits []sat.Lit) {
	if got := c.clause(id); clauseKey(got) != clauseKey(lits) {
		c.fail(fmt.Errorf("chain %d derives %v, the learnt clause is %v", id, got, lits))
	}
}

// answer checks the outcome of a query.
func (c *answerChecker) answer(s *CDCL, st sat.Status, assumptions []sat.Lit) {
	switch st {
	case sat.Sat:
		c.model(s, assumptions)
	case sat.Unsat:
		c.refutation(s, assumptions)
	}
}

// model checks all clauses; of a query that is restricted to a domain, those
// inside.
func (c *answerChecker) model(s *CDCL, assumptions []sat.Lit) {
	for _, l := range assumptions {
		if !s.Value(l) {
			c.fail(fmt.Errorf("the model contradicts the assumption %d", l.Dimacs()))
			return
		}
	}
	outside := func(l sat.Lit) bool { return s.domActive && s.domStamp[l.Var()] != s.domNow }
	for _, clause := range c.clauses {
		if !slices.ContainsFunc(clause, func(l sat.Lit) bool { return outside(l) || s.Value(l) }) {
			c.fail(fmt.Errorf("the model violates the clause %v", clause))
			return
		}
	}
}

func (c *answerChecker) refutation(s *CDCL, assumptions []sat.Lit) {
	for _, l := range s.Failed() {
		if !slices.Contains(assumptions, l) {
			c.fail(fmt.Errorf("the failed literal %d is no assumption", l.Dimacs()))
			return
		}
	}
	if s.final == 0 { // the assumptions contradict each other, or the temporary clause is refuted
		for _, l := range s.Failed() {
			if slices.Contains(s.Failed(), l.Not()) {
				return
			}
		}
		if s.Okay() && s.tempVar < 0 {
			c.fail(fmt.Errorf("a refutation without a proof"))
		}
		return
	}
	for _, l := range c.clause(s.final) {
		if !slices.Contains(s.Failed(), l.Not()) && l.Var() != s.tempVar {
			c.fail(fmt.Errorf("the proved clause has %d, which is no failed assumption", l.Dimacs()))
			return
		}
	}
}

// clauseKey identifies a clause as a set of literals.
func clauseKey(lits []sat.Lit) string {
	s := slices.Compact(slices.Sorted(slices.Values(lits)))
	b := make([]byte, 0, 4*len(s))
	for _, l := range s {
		b = append(b, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	return string(b)
}
