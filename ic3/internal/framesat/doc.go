// Package framesat is the SAT solver of IC3: one CDCL solver for all frames.
//
// Engines usually keep a solver for each frame, or one solver with an
// activation literal for each frame. Here each clause carries a tag instead,
// the last frame in which it holds. A query names its frame k and sees the
// clauses whose tag is k or more. A learnt clause gets the least tag of the
// clauses that it was derived from, so it is kept for every frame in which it
// holds, and a refutation reports the least tag that it needed: a lemma that is
// inductive relative to frame k by clauses of tag t holds up to frame t+1.
// Moving a lemma to a later frame changes one word.
//
// What else differs from a general solver:
//
//   - Queries are restricted to a domain, the fan-in cones of the query's
//     literals (GipSAT: Su, Yang, Ci, CAV 2025). Variables outside of it have
//     the value "outside", which reads as true in both phases, so that the
//     propagation loop pays nothing for the restriction.
//   - A query may have one clause of its own. Clauses learnt from it go with it.
//   - The binary clauses of the transition relation lie in one flat array.
//
// The search follows MiniSat (Eén, Sörensson, SAT 2003). Left out: chains,
// inprocessing, and deep restarts policies, since the queries of IC3 are short.
package framesat
