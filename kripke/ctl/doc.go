// Package ctl computes the coverage of CTL specifications: Chockler, Kupferman
// and Vardi, "Coverage Metrics for Temporal Logic Model Checking" (CKV01).
//
// A state s is x-covered by a specification when flipping the signal x in s
// falsifies it, and a control signal is 0-covered (1-covered) when fixing it to
// 0 (1) does. What flipping means depends on the class of x (section 2):
//
//	label           proposition of a Kripke structure: its value in s changes
//	pure output     the output's value in s changes, under every input
//	pure control    transitions into s, and s as an initial state, go to its
//	visible control twin instead, the state that differs from s in x only
//
// For a visible control signal the paper changes the output function too. The
// change is never seen, since s is unreachable once it is redirected.
//
// Five algorithms give the same sets: Naive model checks every dual circuit
// (section 3); Pairs computes with decision diagrams, for each subformula, the
// pairs of a state and a mutated state such that the first satisfies the
// subformula in the mutant of the second (section 3.1); Halving does incomplete
// model checking on and-or graphs that shrink as a random half of the
// mutations after the other is fixed (section 3.2); Singles is Naive with decision
// diagrams; Invariant is a closed form for AG p (invariant.go).
package ctl
