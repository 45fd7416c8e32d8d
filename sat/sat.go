package sat

import "context"

// Var is a propositional variable, numbered from 0 in the order of NewVar.
type Var int32

// Lit is a literal: twice its variable, plus one when negated.
type Lit int32

// LitUndef is no literal.
const LitUndef Lit = -1

// MkLit returns the literal of v, negated when neg is true.
func MkLit(v Var, neg bool) Lit {
	if neg {
		return Lit(v)<<1 | 1
	}
	return Lit(v) << 1
}

// Var returns the literal's variable.
func (l Lit) Var() Var { return Var(l >> 1) }

// Not returns the opposite literal.
func (l Lit) Not() Lit { return l ^ 1 }

// Neg reports whether the literal is a negated variable.
func (l Lit) Neg() bool { return l&1 != 0 }

// XorSign returns the literal, negated when neg is true.
func (l Lit) XorSign(neg bool) Lit {
	if neg {
		return l ^ 1
	}
	return l
}

// Dimacs returns the literal in DIMACS numbering (variables from 1).
func (l Lit) Dimacs() int {
	d := int(l>>1) + 1
	if l&1 != 0 {
		return -d
	}
	return d
}

// Status is a solver's answer.
type Status int8

// The answers: Unknown means that a limit or a cancellation ended the search.
const (
	Unknown Status = iota
	Sat
	Unsat
)

// Solver is what engines ask of a SAT solver. Three implementations stand
// beside it: the project's own CDCL solver, gini and gophersat.
type Solver interface {
	// NewVar makes a variable.
	NewVar() Var
	// AddClause adds a clause over variables already made. It may be called
	// between calls of Solve. The slice is not kept.
	AddClause(lits ...Lit)
	// Solve decides the clauses under the assumptions. It returns Unknown
	// when ctx ends first.
	Solve(ctx context.Context, assumptions ...Lit) Status
	// Value is the literal's value in the model of the last Solve, which must
	// have returned Sat.
	Value(l Lit) bool
	// Failed returns a subset of the assumptions of the last Solve, which
	// must have returned Unsat, that suffices for unsatisfiability.
	Failed() []Lit
}
