// Package formula holds the temporal logics of the Kripke-level algorithms:
// one immutable syntax tree for CTL, LTL and ACTL, a parser for NuSMV's
// spelling, a printer whose output parses back to the same formula, and the
// normal forms that model checkers work on.
//
// A Formula is a small comparable value. Equal formulas are one node in
// memory, so == is structural equality, a Formula can be a map key, and a
// formula with repeated parts is stored as a directed acyclic graph.
//
// Left out: past operators, bounded operators (EBF, ABG, BU), real-time
// operators, and NuSMV's case and ?: expressions. Each is an error that names
// the feature.
package formula
