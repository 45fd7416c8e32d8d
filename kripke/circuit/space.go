package circuit

import (
	"errors"
	"fmt"
	"math/bits"

	"netcov/aig"
)

// MaxExplicitInputs bounds the inputs of an explicit enumeration, which visits
// 2^|I| valuations in every control state.
const MaxExplicitInputs = 24

// ErrTooLarge is wrapped by errors that say that a circuit has too many states
// for the explicit algorithms.
var ErrTooLarge = errors.New("too many to list")

// Space enumerates the control states of a circuit on demand. Control states
// and input valuations are numbers: control states in the order in which they
// are met, input valuations with input i as bit i.
type Space struct {
	c      *Circuit
	eval   *Evaluator
	atoms  []aig.Lit
	limit  int // on control states × input valuations
	words  int // of a packed control state
	packed []uint64
	index  map[string]int32
	key    []byte

	next   [][]int32  // successors by input valuation; nil before Expand
	values [][]uint64 // atom a under valuation i: bit i of values[cell][a*inputWords:]
	init   []InitialState
}

// InitialState is an initial state ⟨s, i⟩ of the circuit's structure.
type InitialState struct {
	Control int
	Input   int
}

// NewSpace prepares the enumeration. Atoms are edges whose values are wanted in
// every state; limit bounds the number of states ⟨s, i⟩.
func NewSpace(c *Circuit, atoms []aig.Lit, limit int) (*Space, error) {
	if len(c.Inputs) > MaxExplicitInputs {
		return nil, fmt.Errorf("the circuit has %d inputs, 2^%d valuations in every state: %w", len(c.Inputs), len(c.Inputs), ErrTooLarge)
	}
	s := &Space{
		c: c, atoms: atoms, eval: NewEvaluator(c, atoms...), limit: limit,
		words: (len(c.Controls) + 63) / 64, index: map[string]int32{},
	}
	s.key = make([]byte, (len(c.Controls)+7)/8)
	return s, s.initial()
}

// Width is the number of input valuations.
func (s *Space) Width() int { return 1 << len(s.c.Inputs) }

// Len is the number of control states met so far.
func (s *Space) Len() int { return len(s.next) }

// Bits is a control state's valuation in the order of Controls.
func (s *Space) Bits(cell int) []bool {
	out := make([]bool, len(s.c.Controls))
	for i := range out {
		out[i] = s.packed[cell*s.words+i/64]>>(i%64)&1 != 0
	}
	return out
}

// Bit is the value of control signal i in a control state.
func (s *Space) Bit(cell, i int) bool { return s.packed[cell*s.words+i/64]>>(i%64)&1 != 0 }

// Initial lists the initial states ⟨s, i⟩ under every input.
func (s *Space) Initial() []InitialState { return s.init }

// Cell is the number of the control state with these bits, met now or before.
func (s *Space) cell(bit func(i int) bool) (int, error) {
	clear(s.key)
	for i := range s.c.Controls {
		if bit(i) {
			s.key[i/8] |= 1 << (i % 8)
		}
	}
	if n, ok := s.index[string(s.key)]; ok {
		return int(n), nil
	}
	n := len(s.next)
	if (n+1)*s.Width() > s.limit {
		return 0, fmt.Errorf("more than %d states (control states × input valuations): %w", s.limit, ErrTooLarge)
	}
	s.index[string(s.key)] = int32(n)
	s.packed = append(s.packed, make([]uint64, s.words)...)
	for i := range s.c.Controls {
		if s.key[i/8]>>(i%8)&1 != 0 {
			s.packed[n*s.words+i/64] |= 1 << (i % 64)
		}
	}
	s.next, s.values = append(s.next, nil), append(s.values, nil)
	return n, nil
}

// Twin is twin_x of a control state, for control signal x.
func (s *Space) Twin(cell, x int) (int, error) {
	return s.cell(func(i int) bool { return s.Bit(cell, i) != (i == x) })
}

// Successors gives the next control state for each input valuation. The slice
// belongs to the space.
func (s *Space) Successors(cell int) ([]int32, error) {
	if s.next[cell] == nil {
		if err := s.expand(cell); err != nil {
			return nil, err
		}
	}
	return s.next[cell], nil
}

// Holds is the value of an atom in ⟨cell, input⟩; Successors(cell) must have
// been called before.
func (s *Space) Holds(cell, input, atom int) bool {
	return s.values[cell][atom*s.inputWords()+input/64]>>(input%64)&1 != 0
}

func (s *Space) inputWords() int { return (s.Width() + 63) / 64 }

func (s *Space) load(cell int) {
	for i := range s.c.Controls {
		lanes := uint64(0)
		if s.Bit(cell, i) {
			lanes = ^lanes
		}
		s.eval.SetControl(i, lanes)
	}
}

func (s *Space) expand(cell int) error {
	next := make([]int32, s.Width())
	values := make([]uint64, len(s.atoms)*s.inputWords())
	lanes := make([]uint64, len(s.c.Controls))
	for base := 0; base < s.Width(); base += 64 {
		s.load(cell)
		for i := range s.c.Inputs {
			s.eval.SetInput(i, inputLanes(i, uint64(base)))
		}
		s.eval.Run()
		for a, l := range s.atoms {
			values[a*s.inputWords()+base/64] = s.eval.Value(l)
		}
		for i, r := range s.c.Controls {
			lanes[i] = s.eval.Value(r.Next)
		}
		for j := 0; j < min(64, s.Width()); j++ {
			n, err := s.cell(func(i int) bool { return lanes[i]>>j&1 != 0 })
			if err != nil {
				return err
			}
			next[base+j] = int32(n)
		}
	}
	s.next[cell], s.values[cell] = next, values
	return nil
}

// initial finds θ: it enumerates the inputs at time 0 and the registers
// without a constant reset, and keeps the valuations in which every register
// has its reset's value.
func (s *Space) initial() error {
	var free []int
	for i, r := range s.c.Controls {
		if !r.Reset.Const() {
			free = append(free, i)
		}
	}
	n := len(free) + len(s.c.Inputs)
	if n > MaxExplicitInputs {
		return fmt.Errorf("the initial states depend on %d inputs and registers: %w", n, ErrTooLarge)
	}
	for base := uint64(0); base < 1<<n; base += 64 {
		for i := range s.c.Inputs {
			s.eval.SetInput(i, inputLanes(i, base))
		}
		for i, r := range s.c.Controls {
			lanes := uint64(0)
			if r.Reset == aig.True {
				lanes = ^lanes
			}
			s.eval.SetControl(i, lanes)
		}
		for j, i := range free {
			s.eval.SetControl(i, inputLanes(len(s.c.Inputs)+j, base))
		}
		s.eval.Run()
		ok := ^uint64(0)
		if n < 6 {
			ok = 1<<(1<<n) - 1
		}
		for _, i := range free {
			r := s.c.Controls[i]
			ok &= ^(s.eval.Value(r.Lit) ^ s.eval.Value(r.Reset))
		}
		for ; ok != 0; ok &= ok - 1 {
			j := bits.TrailingZeros64(ok)
			cell, err := s.cell(func(i int) bool { return s.eval.Value(s.c.Controls[i].Lit)>>j&1 != 0 })
			if err != nil {
				return err
			}
			s.init = append(s.init, InitialState{cell, int(base+uint64(j)) & (s.Width() - 1)})
		}
	}
	return nil
}
