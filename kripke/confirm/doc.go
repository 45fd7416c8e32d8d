// Package confirm is the second opinion on what the SAT engines say about LTL coverage. It
// has its own reading of a circuit, of an automaton of wrong behaviours and of a flip, and
// shares no code with the search: of their packages it takes types only.
//
//	Opinion.Run       a run, by simulation, violates the specification with its flips
//	Opinion.Cube      all reachable states of a cube follow such a run: one query
//	Question.Proves   an invariant shows that there is no such run, with some cubes left out
//
// Queries are files that package certify decides.
//
//	run.go       simulation of runs, and words against the automaton
//	wrong.go     what the automaton accepts, and when a finite run is enough
//	question.go  the search for a run as a file
//	gates.go     how files are built
//	cube.go      what follows a flip, as a function of the state
package confirm
