// Package similarity is simulation between Kripke structures and the coverage
// that it measures (CK02): the greatest simulation of an implementation by a
// specification, the reason when there is none, and the mutants of the
// implementation that the specification no longer simulates.
//
//   - problem.go: an implementation and a specification, and whose labels agree
//   - refine.go: the efficient similarity algorithm of HHK95, with a trail that
//     takes refinements back
//   - reason.go: why a specification does not simulate an implementation
//   - game.go: fair simulation, as a fixed point for lists and for decision diagrams
//   - fairreason.go: a fair path that only unfair paths answer
//   - mutant.go: mutant vectors MUT ⊆ W × AP
//   - cover.go: the naive and the halving coverage algorithm
//   - ternary.go: the relation C on 3n variables of decision diagrams
//
// Two slips of CK02 are put right. bad(sim) of section 3 must be true when some
// initial state has no initial state that simulates it. And the first call of
// its figure 3 must start from all of W', or removals of the first round are
// missed; here the first round looks at every pair.
//
// The paper leaves fairness open and names fair simulation for it. Here it is the one of
// Henzinger, Kupferman and Rajamani (1997), with a winning strategy in a game; a mutant
// keeps the fairness sets. That of Grumberg and Long (1994) asks for an answer to each
// fair path as a whole instead: it relates more, and is hard to check.
//
// Left out: strong fairness (pairs of sets).
package similarity
