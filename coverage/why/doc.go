// Package why gives each uncovered mutant the reason why no property notices it.
//
// # Pairs of runs
//
// A mutant is compared with its design on pairs of runs: both read the same inputs
// and start in the same state, and the constraints hold on both in every step but
// perhaps the last one. The mutant's free values, where it has some, are arbitrary.
// Observation points are the design's outputs, or all registers other than the
// mutated one. Two facts about all pairs decide nearly everything:
//
//	W  no observation point differs in a step in which the constraints hold on both
//	S  W, and no step is within the constraints on one side only
//
// # Reasons
//
// Exactly one of these, the first that is true:
//
//	outside     the node is in the cone of no held property and of no constraint
//	constant    the fault gives the value that the node has in all runs of the design
//	equivalent  S: mutant and design have the same runs and show the same
//	vacuous     W, but not S: the constraints exclude every run in which the mutant
//	            would show a difference. Also where the design itself has no run
//	gap         not W: some pair of runs shows a difference, and no property notices
//	open        the budget ended first
//
// A constant mutant satisfies W, since the pair is the same run twice. So constant,
// equivalent, vacuous and gap exclude each other, but for the order of the first two.
//
// # How
//
// Cheap first. One simulation of 64 lanes, the design in one and mutants in the
// others, finds most gaps (walk.go). Registers that are constant in the design are
// found by simulation and proved by induction (constant.go). For each mutant, the
// largest set of registers that stay equal in the pair is found likewise (C. A. J. van
// Eijk, Sequential equivalence checking based on structural similarities, TCAD 2000;
// induct.go). It proves most equivalences, and makes the miters of the rest small;
// these go to bounded search and to IC3, in turn, in growing slices (search.go).
//
// Every claim has evidence that certify has accepted: an invariant, or a pair of runs
// that plain simulation of the file repeats.
package why
