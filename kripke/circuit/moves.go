package circuit

import (
	"fmt"
	"slices"

	"netcov/aig"
)

// Moves enumerates the control states of a circuit on demand, each with its moves:
// the classes of input valuations that lead to the same next control state and
// agree on some edges, the atoms. The states ⟨s, i⟩ of one class have the same
// labels and the same successors, ρ(s, i) with every input, so a class can stand
// for all of them (the coarsest partition of a control state's row for which that
// is evident). An arbiter with 32 inputs has 2^32 valuations and some 60 moves in
// a state.
type Moves struct {
	cells
	limit  int // on moves
	total  int // moves found
	group  grouper
	eval   *Evaluator
	atoms  []aig.Lit
	moves  []moves // of each control state; empty before they are asked for
	starts []Start
}

// moves are the classes of a control state's input valuations: where each leads,
// and packed in some words one of its valuations and the values of the atoms.
type moves struct {
	to     []int32
	packed []uint64
}

// Start is an initial control state: under every input when Inputs is nil, and
// otherwise under these.
type Start struct {
	Control int
	Inputs  [][]bool
}

// NewMoves prepares the enumeration; limit bounds the number of moves.
func NewMoves(c *Circuit, atoms []aig.Lit, limit int) (*Moves, error) {
	m := &Moves{cells: newCells(c), atoms: atoms, eval: NewEvaluator(c, atoms...), limit: limit}
	var roots []aig.Lit
	for _, r := range c.Controls {
		roots = append(roots, r.Next)
	}
	m.group = newGrouper(c, append(roots, atoms...))
	return m, m.initial()
}

func (m *Moves) initial() error {
	reads := m.c.ResetsReadInputs()
	at := map[int]int{}
	return m.c.initial(m.eval, reads, func(bit func(i int) bool, input int) error {
		cell, err := m.cell(bit)
		if err != nil {
			return err
		}
		n, ok := at[cell]
		if !ok {
			n = len(m.starts)
			at[cell] = n
			m.starts = append(m.starts, Start{Control: cell})
		}
		if reads {
			inputs := make([]bool, len(m.c.Inputs))
			for i := range inputs {
				inputs[i] = input>>i&1 != 0
			}
			m.starts[n].Inputs = append(m.starts[n].Inputs, inputs)
		}
		return nil
	})
}

// ResetsReadInputs reports whether the initial control states depend on the inputs.
func (c *Circuit) ResetsReadInputs() bool {
	var resets []aig.Lit
	for _, r := range c.Controls {
		resets = append(resets, r.Reset)
	}
	return slices.ContainsFunc(c.Graph.Cone(resets...), func(n aig.Node) bool { return c.Graph.Kind(n) == aig.KindInput })
}

// Starts lists the initial control states.
func (m *Moves) Starts() []Start { return m.starts }

// Total is the number of moves found so far.
func (m *Moves) Total() int { return m.total }

func (m *Moves) cell(bit func(i int) bool) (int, error) {
	n, met := m.find(bit)
	if met {
		return n, nil
	}
	if n >= m.limit {
		return 0, m.tooMany()
	}
	m.add()
	m.moves = append(m.moves, moves{})
	return n, nil
}

func (m *Moves) tooMany() error {
	return fmt.Errorf("more than %d states (control states × classes of inputs): %w", m.limit, ErrTooLarge)
}

// Twin is twin_x of a control state, for control signal x.
func (m *Moves) Twin(cell, x int) (int, error) {
	return m.cell(func(i int) bool { return m.Bit(cell, i) != (i == x) })
}

// Expand finds the moves of a control state, whose number it returns. The other
// methods ask for moves of expanded control states.
func (m *Moves) Expand(cell int) (int, error) {
	if n := len(m.moves[cell].to); n > 0 {
		return n, nil
	}
	classes, err := m.group.classes(func(i int) bool { return m.Bit(cell, i) }, m.limit-m.total)
	if err != nil {
		return 0, err
	}
	if classes == nil {
		return 0, m.tooMany()
	}
	mv := moves{to: make([]int32, len(classes)), packed: make([]uint64, len(classes)*m.wordsOfMove())}
	for n, c := range classes {
		to, err := m.cell(func(i int) bool { return c.values[i] })
		if err != nil {
			return 0, err
		}
		mv.to[n] = int32(to)
		for i, v := range append(c.inputs, c.values[len(m.c.Controls):]...) {
			if v {
				mv.packed[n*m.wordsOfMove()+i/64] |= 1 << (i % 64)
			}
		}
	}
	m.moves[cell] = mv
	m.total += len(classes)
	return len(classes), nil
}

func (m *Moves) wordsOfMove() int { return (len(m.c.Inputs) + len(m.atoms) + 63) / 64 }

func (m *Moves) packedBit(cell, move, i int) bool {
	return m.moves[cell].packed[move*m.wordsOfMove()+i/64]>>(i%64)&1 != 0
}

// To is the control state that a move leads to.
func (m *Moves) To(cell, move int) int { return int(m.moves[cell].to[move]) }

// Holds is the value of an atom in a move.
func (m *Moves) Holds(cell, move, atom int) bool {
	return m.packedBit(cell, move, len(m.c.Inputs)+atom)
}

// Inputs is one input valuation of a move, in the order of the circuit's Inputs.
func (m *Moves) Inputs(cell, move int) []bool {
	out := make([]bool, len(m.c.Inputs))
	for i := range out {
		out[i] = m.packedBit(cell, move, i)
	}
	return out
}

// Under is the move of a control state under an input valuation.
func (m *Moves) Under(cell int, inputs []bool) int {
	lanes := func(v bool) uint64 {
		if v {
			return ^uint64(0)
		}
		return 0
	}
	m.load(m.eval, cell)
	for i, v := range inputs {
		m.eval.SetInput(i, lanes(v))
	}
	m.eval.Run()
	for n, to := range m.moves[cell].to {
		same := true
		for i, r := range m.c.Controls {
			same = same && m.Bit(int(to), i) == (m.eval.Value(r.Next)&1 != 0)
		}
		for a, l := range m.atoms {
			same = same && m.Holds(cell, n, a) == (m.eval.Value(l)&1 != 0)
		}
		if same {
			return n
		}
	}
	panic("circuit: an input valuation belongs to no move")
}
