package circuit

import (
	"fmt"
	"math/bits"
	"slices"

	"netcov/aig"
)

// cells numbers control states in the order in which they are met.
type cells struct {
	c      *Circuit
	words  int // of a packed control state
	packed []uint64
	index  map[string]int32
	key    []byte // of the control state that was looked for last
}

func newCells(c *Circuit) cells {
	return cells{
		c: c, words: (len(c.Controls) + 63) / 64, index: map[string]int32{},
		key: make([]byte, (len(c.Controls)+7)/8),
	}
}

// Len is the number of control states met so far.
func (s *cells) Len() int { return len(s.index) }

// Bits is a control state's valuation in the order of Controls.
func (s *cells) Bits(cell int) []bool {
	out := make([]bool, len(s.c.Controls))
	for i := range out {
		out[i] = s.Bit(cell, i)
	}
	return out
}

// Bit is the value of control signal i in a control state.
func (s *cells) Bit(cell, i int) bool { return s.packed[cell*s.words+i/64]>>(i%64)&1 != 0 }

// find is the number of the control state with these bits, or the number that it
// would get from add, when it has not been met.
func (s *cells) find(bit func(i int) bool) (cell int, met bool) {
	clear(s.key)
	for i := range s.c.Controls {
		if bit(i) {
			s.key[i/8] |= 1 << (i % 8)
		}
	}
	if n, ok := s.index[string(s.key)]; ok {
		return int(n), true
	}
	return s.Len(), false
}

// add meets the control state that find looked for.
func (s *cells) add() {
	n := s.Len()
	s.index[string(s.key)] = int32(n)
	s.packed = append(s.packed, make([]uint64, s.words)...)
	for i := range s.c.Controls {
		if s.key[i/8]>>(i%8)&1 != 0 {
			s.packed[n*s.words+i/64] |= 1 << (i % 64)
		}
	}
}

// load sets an evaluator's control signals to a control state, in all lanes.
func (s *cells) load(e *Evaluator, cell int) {
	for i := range s.c.Controls {
		lanes := uint64(0)
		if s.Bit(cell, i) {
			lanes = ^lanes
		}
		e.SetControl(i, lanes)
	}
}

// initial finds θ: it enumerates the registers without a constant reset, the choices
// that the resets read, and the inputs at time 0 where the resets read them or the caller
// wants them, and yields the valuations in which every register has its reset's value,
// with the number of the inputs' valuation. With choices it may yield one more than once.
func (c *Circuit) initial(e *Evaluator, inputs bool, yield func(bit func(i int) bool, input int) error) error {
	var free, derived []int // the latter have resets of inputs and choices only
	for i, r := range c.Controls {
		switch {
		case r.Reset.Const():
		case c.reads(aig.KindLatch, r.Reset):
			free = append(free, i)
		default:
			derived = append(derived, i)
		}
	}
	width := 0
	if inputs {
		width = len(c.Inputs)
	}
	var choices []int
	cone := c.Graph.Cone(c.resets()...)
	for i, s := range c.Choices {
		if slices.Contains(cone, s.Lit.Node()) {
			choices = append(choices, i)
		}
	}
	before := width + len(choices) // of the registers
	n := before + len(free)
	if n > MaxExplicitInputs {
		return fmt.Errorf("the initial states depend on %d inputs and registers: %w", n, ErrTooLarge)
	}
	for base := uint64(0); base < 1<<n; base += 64 {
		for i := range c.Inputs[:width] {
			e.SetInput(i, inputLanes(i, base))
		}
		for j, i := range choices {
			e.SetChoice(i, inputLanes(width+j, base))
		}
		for i, r := range c.Controls {
			lanes := uint64(0)
			if r.Reset == aig.True {
				lanes = ^lanes
			}
			e.SetControl(i, lanes)
		}
		for j, i := range free {
			e.SetControl(i, inputLanes(before+j, base))
		}
		e.Run()
		if derived != nil {
			for _, i := range derived {
				e.SetControl(i, e.Value(c.Controls[i].Reset))
			}
			e.Run()
		}
		ok := ^uint64(0)
		if n < 6 {
			ok = 1<<(1<<n) - 1
		}
		for _, i := range free {
			r := c.Controls[i]
			ok &= ^(e.Value(r.Lit) ^ e.Value(r.Reset))
		}
		for ; ok != 0; ok &= ok - 1 {
			j := bits.TrailingZeros64(ok)
			bit := func(i int) bool { return e.Value(c.Controls[i].Lit)>>j&1 != 0 }
			if err := yield(bit, int(base+uint64(j))&(1<<width-1)); err != nil {
				return err
			}
		}
	}
	return nil
}
