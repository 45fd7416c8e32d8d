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

	at int // position among those that are looked at
}

// Width is the number of bits.
func (w *Word) Width() int { return len(w.Bits) }

func (w *Word) lowest() int { return max(0, w.Low) }

// useful leaves out what no candidate needs to speak of: words that are too wide, and
// nets that are nothing but bits of registers and inputs.
func useful(words []*Word) []*Word {
	state := map[aig.Node]bool{}
	for _, w := range words {
		for _, b := range w.Bits {
			state[b.Node()] = state[b.Node()] || w.Register != "" || w.Input
		}
	}
	var out []*Word
	for _, w := range words {
		plain := w.Register == "" && !w.Input
		for _, b := range w.Bits {
			plain = plain && (state[b.Node()] || b.Node() == 0)
		}
		if !plain && w.Width() <= widestTaken {
			out = append(out, w)
		}
	}
	return out
}
