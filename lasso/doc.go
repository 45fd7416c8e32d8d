// Package lasso decides justice properties of designs with few states by looking at all
// of them.
//
// It works on the translation of package liveness, or on a mutant of it, and enumerates
// the states of the design's latches there, not the pairs of a state and its copy.
//
//	search.go     states and steps, breadth first, 64 steps at a time
//	components.go strongly connected components: one in which every literal holds on some
//	              step is a lasso
//	trace.go      the lasso as a counterexample of the translation
//	ranks.go      where there is none: a rank that no step raises
//	invariant.go  the rank as an invariant of the translation
//
// What is left out: designs with more than 12 inputs, and latches with reset functions.
package lasso
