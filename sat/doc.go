// Package sat is what engines and SAT solvers share: variables, literals, a
// solver's answers and its interface. It imports nothing of the project; the
// solvers are in package proof.
package sat
