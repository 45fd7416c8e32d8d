package circuit

import (
	"errors"
	"fmt"

	"netcov/aig"
)

// MaxExplicitInputs bounds the inputs of an explicit enumeration, which visits
// 2^|I| valuations in every control state.
const MaxExplicitInputs = 24

// ErrTooLarge is wrapped by errors that say that a circuit has too many states
// for the explicit algorithms.
var ErrTooLarge = errors.New("too many to list")

// Space enumerates the control states of a circuit on demand, with a successor
// for each input valuation. Input valuations are numbers, with input i as bit i.
type Space struct {
	cells
	eval  *Evaluator
	atoms []aig.Lit
	limit int // on control states × input valuations

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
	if len(c.Choices) > 0 {
		return nil, errors.New("a circuit with choices: take them as inputs first")
	}
	if len(c.Inputs) > MaxExplicitInputs {
		return nil, fmt.Errorf("the circuit has %d inputs, 2^%d valuations in every state: %w", len(c.Inputs), len(c.Inputs), ErrTooLarge)
	}
	s := &Space{cells: newCells(c), atoms: atoms, eval: NewEvaluator(c, atoms...), limit: limit}
	return s, s.initial()
}

// Width is the number of input valuations.
func (s *Space) Width() int { return 1 << len(s.c.Inputs) }

// Initial lists the initial states ⟨s, i⟩ under every input.
func (s *Space) Initial() []InitialState { return s.init }

// cell is the number of the control state with these bits, met now or before.
func (s *Space) cell(bit func(i int) bool) (int, error) {
	n, met := s.find(bit)
	if met {
		return n, nil
	}
	if (n+1)*s.Width() > s.limit {
		return 0, fmt.Errorf("more than %d states (control states × input valuations): %w", s.limit, ErrTooLarge)
	}
	s.add()
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

func (s *Space) expand(cell int) error {
	next := make([]int32, s.Width())
	values := make([]uint64, len(s.atoms)*s.inputWords())
	lanes := make([]uint64, len(s.c.Controls))
	for base := 0; base < s.Width(); base += 64 {
		s.load(s.eval, cell)
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

func (s *Space) initial() error {
	return s.c.initial(s.eval, true, func(bit func(i int) bool, input int) error {
		cell, err := s.cell(bit)
		s.init = append(s.init, InitialState{cell, input})
		return err
	})
}
