// Package ltl computes coverage for specifications in LTL and for Büchi
// automata of wrong behaviours (CKKV01: Chockler, Kupferman, Kurshan and Vardi,
// A Practical Approach to Coverage in Model Checking).
//
// A specification holds when no fair path of the system is accepted by the
// automaton of its negation. Flipping a signal q in a state w may change that:
//
//	structure coverage  q is flipped at every visit of w
//	node coverage       q is flipped at one visit of w
//	tree coverage       q is flipped at some visits of w
//
// (Definition 1). A state is covered when the specification fails then.
//
//	model.go       systems as the algorithms see them: letters on moves
//	product.go     system × automaton, model checking, computations
//	covered.go     the three notions on the product (section 3, Theorem 2)
//	halving.go     structure and tree coverage of all states together
//	naive.go       the three notions by one model checking for each state
//	               (section 2.2): the oracle and the baseline
//	instrument.go  flip, flag and at_w as a circuit for an ordinary model
//	               checker (section 3)
//	symbolic.go    that checker with decision diagrams
//	reached.go     the reachable states by decision diagrams, and shortest paths to them
//	sat.go         that checker with the SAT engines
//	grow.go        covered states grown to cubes
//	confirm.go     and their second opinion
//	indicator.go   indicator formulas in the µ-calculus with past (section 4)
//
// The state of a circuit is a control state together with input values; a
// control state is covered when flipping q in it, under whatever inputs,
// matters: structure coverage flips under all inputs, node coverage at one
// visit, tree coverage at some visits.
//
// Two slips of the paper are corrected here: before Theorem 1, "w is tree
// q-covered" must read node q-covered; Theorem 3 must say node-covered where it
// says node-uncovered, as Definition 2 does. A third point: in section 4, the
// replacement of ¬q by q in Ψ presupposes guards in disjunctive form and a
// structure that satisfies the formula. Here the flipped guard is used, which
// needs neither.
package ltl
