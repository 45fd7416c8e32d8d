// Package liveness turns liveness properties of AIGER files into safety
// properties, so that the engines for safety decide them.
//
//	safety.go  a justice property, with the file's fairness constraints, by the
//	           search for a lasso
//	           (Biere, Artho, Schuppan: Liveness checking as safety checking,
//	           FMICS 2002), which may begin after so many rounds of justice
//	           (Claessen, Sörensson: A liveness checking algorithm that counts,
//	           FMCAD 2012)
//
// A counterexample of the translation is a lasso of the design. Package certify
// replays it there, and has a translation of its own for the proofs.
//
// A justice property of AIGER 1.9 holds when no infinite run satisfies all of
// its literals and all fairness constraints infinitely often, and the invariant
// constraints always.
//
// Positions. Inputs, latches and gates of the design keep their positions in every
// translation, and what is added comes after them. So a mutant of the design is
// the same mutant of the translation; the latches that a translation adds are
// never mutated.
//
// Mutants. What the translation adds reads the design's nodes as everything else
// does, so under a fault it sees the forced value: the mutant of the translation
// is the translation of the mutant. For the copy of the state that a lasso has to
// come back to this means:
//
//   - Under a stuck-at fault of a latch, the copy holds the constant, and the
//     latch is left out of the comparison. That is right: nothing reads the value
//     that the latch stores.
//   - Under a nondet fault the copy holds the free value of the step in which the
//     loop began, and the loop closes in a step with the same free value. Nothing
//     is lost, since the free value of that step is the environment's choice.
//   - Where the multiplexer stands on the next-state input, the latch itself is
//     compared.
//   - A gate that is mutated from step 1 on makes step 0 special, though the
//     latches may have the same values in a later step. Therefore loops begin in
//     step 1 at the earliest. No lasso is lost: its loop can be run through once
//     more.
package liveness
