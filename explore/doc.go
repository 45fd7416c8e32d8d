// Package explore searches for deep counterexamples by random runs that return to
// rarely visited states.
//
// A run that starts in the initial states and draws its inputs at random seldom
// gets far: the states that it must pass are rare. The search keeps an archive of
// the states that it has seen, sorted into cells, and starts each burst of a few
// steps in 64 of them that it has visited least, after
//
//	A. Ecoffet, J. Huizinga, J. Lehman, K. O. Stanley, J. Clune:
//	First return, then explore. Nature 590, 2021.
//
// A circuit needs no policy to return: its state is restored. What a cell is decides
// what the search finds, so three kinds take turns, each with an archive of its own:
// how far each clause of an invariant of the design is from being violated, the
// latches in the invariant, and all latches in the cone.
//
// The search is incomplete: it finds a counterexample or nothing. It costs no solver,
// so that mutants with counterexamples of a hundred steps, on which IC3 and bounded
// search need seconds, take it milliseconds.
package explore
