// Package ic3 decides safety properties by IC3, also called property directed
// reachability.
//
//	Bradley: SAT-based model checking without unrolling, VMCAI 2011
//	Eén, Mishchenko, Brayton: Efficient implementation of property directed
//	    reachability, FMCAD 2011 (obligation queue, delta encoding)
//	Hassan, Bradley, Somenzi: Better generalization in IC3, FMCAD 2013 (joins)
//	Chockler, Ivrii, Matsliah, Moran, Nevo: Incremental formal verification of
//	    hardware, FMCAD 2011 (lifting by cores, seeding with clauses)
//	Suda: Triggered clause pushing for IC3, 2013
//	Su, Yang, Ci: Deeply optimizing the SAT solver for the IC3 algorithm, CAV
//	    2025 (queries restricted to a domain)
//
// The decisions that matter most, in this order:
//
//  1. One solver for all frames, whose clauses carry the last frame in which
//     they hold (internal/framesat). A refutation tells which frames it needed,
//     so a lemma goes at once as far as its proof carries it, to the infinite
//     frame when the proof uses no frame at all.
//  2. Queries are restricted to the fan-in cones of their literals.
//  3. A clause is generalised by dropping literals (mic); where that fails, the
//     cube is joined with the counterexample (down). Counterexamples are not
//     blocked: that helps on fewer benchmarks than it slows down.
//  4. A predecessor is reduced to what justifies its successor, first by a walk
//     over the circuit, then by a core.
//
// An Engine can be stopped at any query and goes on later with all frames kept.
// Cubes and clauses speak of stored latch values.
//
// Left out: abstraction, internal signals as state variables, reverse search.
package ic3
