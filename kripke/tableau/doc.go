// Package tableau compares an implementation with the reduced tableau of its
// specification (KGG99): which initial states, states and transitions that the
// specification allows the implementation lacks, and which states either side
// tells apart and the other does not.
//
//   - expand.go: the sets of literals and next-formulas that an ACTL safety
//     formula leaves (KGG99 section 6.1)
//   - tableau.go: the reduced tableau, with labels of three values
//   - structure.go: a structure or a state-labelled automaton in its place
//   - compare.go: SIM, ReachSIM and the criteria, explicitly
//   - evidence.go: the states, transitions and corresponding paths that show a
//     violated criterion
//   - symbolic.go: the same on 2n variables of decision diagrams, with compose
//     and compose_odd (KGG99 section 5)
//   - duties.go, conjuncts.go, implicit.go, implicitfair.go, implicitevidence.go:
//     the same with neither side listed, for the conjunction of many properties
//     (section 7)
//   - filter.go: what KGG99 section 7 calls irrelevant information left out
//
// KGG99 leaves the tableau's details to a book, and its criteria are for labels
// of two values. The reading here: of the sets that an expansion leaves only
// those minimal under inclusion are kept; states without infinite path and
// unreachable ones are removed; an implementation state fits a tableau state
// when it agrees with all its literals. A tableau transition (t, t') is
// unimplemented when both ends have implementation states and some
// implementation state of t has no successor among those of t'; with the
// section 3 formula complete specifications would be reported, and with the
// weaker reading that no pair at all is a transition Theorem 2 would fail.
// Many-to-one asks for two implementation states with the same label.
//
// An implementation with fairness sets is compared by its fair part: the states
// with a fair path and the steps between them. A finite path of the fair part is
// the beginning of a fair path, and an ACTL safety formula fails by finite paths,
// so the fair part satisfies it iff the implementation does where path quantifiers
// range over fair paths; and what the criteria call implemented is what some fair
// path does. A structure or automaton in the place of the tableau has its fair part
// for the same reason: it stands for the ACTL safety formulas that it satisfies.
//
// Left out: liveness (AF, AU), for which the tableau itself needs fairness.
package tableau
