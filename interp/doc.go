// Package interp holds interpolation and the model checking that rests on it.
//
//	Builder    interpolants from resolution proofs, by McMillan's system
//	Bounded    bounded model checking, resumable
//	Checker    interpolation-based model checking, resumable (Check runs it once)
//
// A Checker has two ways to approximate images. Proofs are refutations of "set,
// one step, bad state within k steps", from which an interpolant is read off
// (McMillan, CAV 2003; DAC10, section 2), forwards from the initial states or
// backwards from the bad ones; the interpolants are reduced by SAT sweeping.
// Clauses are interpolants in conjunctive normal form that are found without
// proofs. By default they take turns, since designs differ widely in what suits
// them.
//
// Effort is rationed in propagated literals, not in seconds: without a time
// limit, a run takes the same course on every machine.
package interp
