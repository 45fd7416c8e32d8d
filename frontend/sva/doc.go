// Package sva lowers the concurrent assertions of SystemVerilog (IEEE 1800-2017,
// clause 16) to checkers in plain Verilog: text in, text out.
//
// Nothing of the language is read but assertions and what belongs to them:
// assert, assume, cover and restrict property, property and sequence
// declarations, clocking, disable iff, let. All other text is copied, and what
// replaces an assertion stands on its lines, so that places stay true.
//
//	source ──► tokens ──► items ──► syntax tree ──► formula ──► automaton ──► checker
//	           lexer.go   scan.go   parse.go        formula.go  automaton.go  emit.go
//
// The meaning is that of annex F. An assertion fails when some attempt satisfies
// the negation of its property; that negation is an alternating automaton, whose
// states are formulas and whose steps are derivatives (formula.go). Sets of
// formulas that must all hold are the states of a nondeterministic automaton, of
// which a checker keeps one register each (automaton.go): so all attempts that
// overlap run in the same registers, and a set that becomes empty is a failure.
// What no finite prefix can refute becomes a justice property, by the breakpoint
// construction of Miyano and Hayashi (Alternating finite automata on ω-words, 1984).
//
// Boolean expressions are opaque text.
package sva
