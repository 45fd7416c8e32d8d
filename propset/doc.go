// Package propset model checks the properties of a design together.
//
// Authors write assertions that are inductive together and hard one at a time.
// So the set is the unit: what is proved of one property is assumed in all that
// follows, and one inductive invariant proves all that hold.
//
//	cluster.go  properties whose cones share registers form a cluster; each
//	            cluster is a small netlist of its own
//	run.go      a cluster's engines, in turn, in slices of growing length
//	engines.go  bounded search and k-induction of all open properties, IC3 of
//	            their disjunction, IC3 of single ones
//	slices.go   the same on one model, such as a mutant's, for a caller that gives
//	            the slices
//
// The properties that hold are proved in layers. Layer n has the conditions
//
//	Init ⇒ Rn,  Rn ∧ C ∧ L ∧ T ⇒ Rn',  Rn ∧ C ∧ L ⇒ Pn
//
// in which the lemmas L are the properties of earlier layers. So R1 ∧ … ∧ Rn is
// an ordinary inductive invariant of the design, which proves P1 … Pn.
package propset
