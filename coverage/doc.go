// Package coverage decides which mutants of a design its properties notice.
//
// # The story of a run
//
// [Run] compiles a property into a model that has a cut at each node to be
// mutated, model checks the design, and keeps what the engine leaves behind: an
// inductive invariant R, a frame count, the engine itself. Then the cascade runs
// its tests (cascade.go has the table) until every mutant has a verdict, the
// budget ends, or the accuracy asked for is reached. Cheap tests come first: the
// circuit alone (CONE, SUPPORT), random runs (SIMULATION), one query about all
// open mutants that keep R (GROUPINDUCTION), many mutants in one IC3 run (JOINT),
// and only then a model checker for each mutant that is left (IC3).
//
// A [session] has four parts with one job each:
//
//   - the ledger has the mutants and writes each verdict once, complete;
//   - the opinion asks certify, which shares no code with any engine, before a
//     verdict is written;
//   - the stock has what tests share: the model, R, the clauses of all proofs, and
//     the simulator that tries every trace on all open mutants;
//   - the recorder writes the journal, from which a later run takes up (resume.go).
//
// Several runs can share a question (Role): after one run has looked at all mutants at
// once, each worker decides some of the rest, with hints from the others (hints.go),
// and a merger confirms what all their journals say.
//
// settle.go is the only way from a test's finding to a verdict. To add a test,
// write its function and its name in a file of its own and a row of the table.
//
// What a verdict means is DAC10's definition with its gaps closed: see onestep.go
// for the query on which all inductive arguments rest.
package coverage
