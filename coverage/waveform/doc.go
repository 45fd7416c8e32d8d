// Package waveform shows what a trace does on a design and on one of its mutants: as a
// table of the words that differ, and as a value change dump of both side by side.
//
// Values are ternary: what depends on an input that does not matter is x. They are
// computed from the AIGER file alone (ternary.go).
package waveform
