// The in-memory form of an AIGER file: the tables as they stand in the file,
// with the AND gates brought into topological order.
//
// Nothing is simplified, hashed or renumbered here. Those are jobs of package
// netlist; here the numbers are the ones that the user's file speaks of.

package aiger

// Lit is an AIGER literal, 2*variable + negation. 0 is false, 1 is true.
type Lit = uint32

// MaxVariable is the largest variable whose literals fit in a Lit.
const MaxVariable = 1<<31 - 1

// Latch is a register. Lit is its own, even literal; Next its next-state
// function. Reset is 0, 1, Lit itself (uninitialised: both values are initial)
// or another literal (a reset function of inputs and other latches at time 0).
type Latch struct {
	Lit, Next, Reset Lit
}

// HasResetFunction reports whether the latch's reset is neither a constant nor
// the latch itself.
func (l Latch) HasResetFunction() bool { return l.Reset > 1 && l.Reset != l.Lit }

// And is a gate: Lhs = Rhs0 AND Rhs1. Lhs is even.
type And struct {
	Lhs, Rhs0, Rhs1 Lit
}

// Names holds the symbols of one table by position. A position without a
// symbol has no entry; one with an empty name has the entry "".
type Names map[int]string

// Symbols holds the symbols of all tables.
type Symbols struct {
	Inputs, Latches, Outputs, Bads, Constraints, Justice, Fairness Names
}

// File is one AIGER file. All tables but Ands are in the file's order.
type File struct {
	MaxVar uint32 // largest variable; variables are 1..MaxVar
	Binary bool   // read from the binary form

	Inputs      []Lit
	Latches     []Latch
	Outputs     []Lit
	Bads        []Lit
	Constraints []Lit
	Justice     [][]Lit
	Fairness    []Lit

	// Ands is in topological order: a gate's operands are constants, inputs,
	// latches or gates before it. It is the file's order whenever that is
	// topological.
	Ands []And
	// AndPos[i] is the position of Ands[i] among the file's AND gates, from 0.
	// It is nil when Ands is in the file's order.
	AndPos []uint32

	Symbols Symbols
	Comment string // the lines after the "c" line, each with its newline

	// SHA256 is the hash of the bytes that were read, in hexadecimal: of the
	// compressed ones when the file was compressed.
	SHA256 string
}

// AndPosition returns the position of Ands[i] among the AND gates of the file
// that was read, from 0.
func (f *File) AndPosition(i int) int {
	if f.AndPos == nil {
		return i
	}
	return int(f.AndPos[i])
}

// GateLiterals returns the literals of the AND gates in the order of the file that
// was read.
func (f *File) GateLiterals() []Lit {
	out := make([]Lit, len(f.Ands))
	for i, a := range f.Ands {
		out[f.AndPosition(i)] = a.Lhs
	}
	return out
}

// Properties returns the bad-state literals and the table they come from: the
// B section ("bad"), or, when that is empty, all outputs ("output"), as in
// files older than format 1.9.
func (f *File) Properties() (lits []Lit, names Names, kind string) {
	if len(f.Bads) > 0 {
		return f.Bads, f.Symbols.Bads, "bad"
	}
	return f.Outputs, f.Symbols.Outputs, "output"
}
