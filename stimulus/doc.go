// Package stimulus chooses inputs that satisfy a model's constraints, so that random
// runs go on where drawn inputs would end them at once.
//
// The constraints are solved input by input, by bucket elimination:
//
//	R. Dechter: Bucket elimination: a unifying framework for reasoning.
//	Artificial Intelligence 113, 1999.
//
// The conjuncts B that read an input x are its bucket. Every solution of B is
// x = p·B[1] + B̄[0] for a free parameter p (Boole), and B[0] + B[1] is what remains
// for the other inputs: the circuit that J. H. Kukula and T. R. Shiple build in
// "Building circuits from relations", CAV 2000. The inputs that were eliminated last
// are chosen first, as functions of state and parameters.
//
// A condition on the state alone cannot be met by inputs any more: it is one on the
// step before, through the next-state functions. And a latch that all bad states need,
// and that never becomes 1 again once it is 0, is a constraint in all but name: designs
// that come from SMV keep their transition relation in such a latch.
//
// Nothing rests on the choice but the length of runs. So buckets that grow are given
// up, what looks like a tautology in simulation is dropped, and one choice serves a
// design and its mutants.
package stimulus
