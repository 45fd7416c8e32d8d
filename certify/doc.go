// Package certify is the second opinion on every verdict. It works from the
// AIGER file alone, by its own reading of what a mutant is, and shares no code
// with the engines: it has its own encoding to clauses, decided by gini (or
// gophersat), and replays traces by plain simulation of the file.
//
//	Checker.Invariant   an inductive invariant proves "notcovered"
//	Checker.Trace       a replayed trace proves "covered"
//	Layers.Confirm      a step of a proof that properties of the design hold
//
// What an invariant must satisfy on a mutant with initial states I, transition
// relation T, constraints C and bad states B (compare DAC10, lemmas 3 and 4,
// which forget the third condition and the mutant's own bad states):
//
//	initiation    I => R
//	consecution   R & C & T => R'
//	safety        R & C & B is unsatisfiable
//
// The constraints may also be assumed in the state after the step, since runs
// end where they fail.
//
// From the package of the netlist only the types of the values to be checked
// are used: traces, invariants, faults.
package certify
