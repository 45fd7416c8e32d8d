// Package matrix finds out which property fails on which mutant, and what follows for
// the properties: which cover mutants that no other does, which add nothing, which are
// a smallest choice with the same coverage.
//
// [Run] starts from what the set's run knows: a mutant that the set does not cover is
// covered by no property, and one outside of a property's cone not by that. Every trace
// that was found is replayed on all mutants for all properties, by the simulator of the
// second opinion (cross.go). What is left is decided a property at a time by the
// cascade of package coverage, with that property's own invariant; each new trace is
// replayed on all again. A cell that no time was left for is unknown, and what is
// computed from the matrix says what it means: a least and a greatest number.
package matrix
