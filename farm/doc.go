// Package farm decides the mutants of one design on many machines that share nothing
// but a directory and, at most, a batch scheduler.
//
// # The story of a farm
//
// One process does what concerns all mutants at once: it model checks the design and
// runs the tests that look at all mutants together ([Farm.Share]). What it finds is a
// journal. The mutants that are left become small batches, a file each ([Farm.Plan]).
// Workers, any number and on any host, claim batches, decide mutants and write a
// journal each ([Farm.Work]). At the end one process reads all journals and has every
// verdict confirmed by package certify ([Farm.Sources], coverage.Merger).
//
//	farm.json         what is asked: version, design, options, limits
//	design.*          the design as it was read, and the names of its nodes
//	shared.journal    what the first process found
//	proofs.journal    of that, what workers begin with: why the design holds
//	queue/00/…        the batches; the name of a file is the state of its batch
//	results/*.journal what each worker found
//	jobs.json, *.sh   the jobs of the scheduler
//	log/              what they printed
//	stop              the farm was cancelled
//
// # What it rests on
//
// Of the file system: rename is atomic, and what is renamed is seen by all some time
// later. There are no locks, and no clock is compared with that of another host. A
// batch is claimed by a rename: of several workers one succeeds. A claim is kept alive
// by touching its file; who sees a claim unchanged for the time of a lease, by his own
// clock, takes it over. So two workers can be at one batch. That costs time and
// nothing else: both write what they find into journals of their own, and all of it is
// true or is refused.
//
// Nothing that a worker writes is believed. Other workers try its traces and
// invariants on their mutants (coverage.Options.Hints), and the merge asks for the second
// opinion on each verdict.
package farm
