// Package suggest finds assertions that would notice mutants which no property
// notices.
//
// # How
//
// Random runs of the design are samples of its named words (sample.go). About each
// register that has such mutants, candidates of the shapes that people write are mined:
// assertions that hold on all samples (shapes.go has the table, a file a shape). The
// mutants are simulated with all candidates as monitors, which tells what each would
// notice (notice.go). The best are proved on the design, all together, and certify
// agrees (prove.go). The runs on which the others fail are samples of another round.
// What holds is chosen greedily: always the candidate with the most newly noticed
// mutants for each of its literals; near-copies of the implementation come last
// (choose.go). At the end the cascade decides, as for any properties, which mutants the
// chosen ones notice: that is the promise.
//
// A candidate that holds on all samples and not in truth is refuted, or not proved in
// time; it is never offered.
//
// A suggestion says what the design does. Whether the design should do that, the
// engineer decides.
//
// The shapes are those of assertion miners such as GoldMine (S. Vasudevan et al., DATE
// 2010) and of what is written in practice; new here is what they are chosen by.
package suggest
