package suggest

import (
	"netcov/aig"
)

// Word is a named signal of the design: a register, an input, an output or a net.
type Word struct {
	// Name is hierarchical, without the index.
	Name string
	// High and Low are the indices of the ends; both -1 for a single bit.
	High, Low int
	// Bits are edges of the netlist, the lowest first.
	Bits []aig.Lit
	// Input tells that the environment chooses the value.
	Input bool
	// Register is the register whose value the word is, by the name that mutants have
	// it by; "" for what is none.
	Register string
}

// Width is the number of bits.
func (w *Word) Width() int { return len(w.Bits) }

func (w *Word) lowest() int { return max(0, w.Low) }
