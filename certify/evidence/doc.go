// Package evidence writes and verifies a directory that proves the verdicts of a
// coverage run to someone who does not trust the program that ran it.
//
//	index.json             what is claimed, and which files prove it
//	design.aag|aig         the design, gate by gate as it was read
//	p0/original.*          why property 0 holds on the design, or fails
//	p0/c3.model.aig        the mutants that share an invariant, in one circuit
//	p0/c3.witness.aig      its certificate, as public checkers take it
//	p0/latch7-zero-output.aig  a covered mutant
//	p0/t5.wit              a trace that fails on it, in AIGER's witness format
//
// Everything is ordinary AIGER. Anyone can replay the traces on the mutants
// by any simulator, check the certificates by any checker of witness circuits,
// and read in the comments which mutants they are about.
//
// Verify does all of that from the files alone: it rebuilds each mutant from the
// design, compares it with what is stored, replays and checks.
package evidence
