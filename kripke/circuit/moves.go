package circuit

import (
	"fmt"
	"slices"

	"netcov/aig"
)

// Moves enumerates the control states of a circuit on demand, each with its moves:
// the classes of input valuations that lead to the same next control states and
// agree on some edges, the atoms. The states ⟨s, i⟩ of one class have the same
// labels and the same successors, ρ(s, i) with every input, so a class can stand
// for all of them (the coarsest partition of a control state's row for which that
// is evident). An arbiter with 32 inputs has 2^32 valuations and some 60 moves in
// a state.
type Moves struct {
	cells
	limit  int // on moves, and on successors for each
	found  int // moves
	total  int // successors of moves found
	group  grouper
	eval   *Evaluator
	atoms  []aig.Lit
	marked bool
	moves  []moves // of each control state; empty before they are asked for
	starts []Start
}

// moves are the classes of a control state's input valuations: where each leads,
// and packed in some words one of its valuations and the values of the atoms.
type moves struct {
	n      int
	to     []int32
	marks  []uint64 // of the steps to them; nil where there are none
	offset []int32  // of each move's successors; nil where each has one
	packed []uint64
}

// Start is an initial control state: under every input when Inputs is nil, and
// otherwise under these.
type Start struct {
	Control int
	Inputs  [][]bool
}

// Successors is how many successors take the room of a move: with choices a move may
// have many, which are a number each.
const Successors = 4

// NewMoves prepares the enumeration; limit bounds the number of moves, and Successors
// times limit the number of their successors. The atoms read no choices; the marks may, and steps that
// differ in them count as different successors.
func NewMoves(c *Circuit, atoms, marks []aig.Lit, limit int) (*Moves, error) {
	if len(marks) > 64 {
		return nil, fmt.Errorf("%d fairness constraints over choices; at most 64 are supported", len(marks))
	}
	m := &Moves{cells: newCells(c), atoms: atoms, marked: len(marks) > 0, eval: NewEvaluator(c), limit: limit}
	m.group = newGrouper(c, atoms, marks)
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
	cone := c.Graph.Cone(c.resets()...)
	return slices.ContainsFunc(c.Inputs, func(s Signal) bool { return slices.Contains(cone, s.Lit.Node()) })
}

func (c *Circuit) resets() []aig.Lit {
	var out []aig.Lit
	for _, r := range c.Controls {
		out = append(out, r.Reset)
	}
	return out
}

// reads reports whether an edge's cone has a node of a kind.
func (c *Circuit) reads(k aig.Kind, l aig.Lit) bool {
	return slices.ContainsFunc(c.Graph.Cone(l), func(n aig.Node) bool { return c.Graph.Kind(n) == k })
}

// Starts lists the initial control states.
func (m *Moves) Starts() []Start { return m.starts }

// Total is the number of the moves found so far, or what their successors count for when
// that is more.
func (m *Moves) Total() int { return max(m.found, m.total/Successors) }

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
	if n := m.moves[cell].n; n > 0 {
		return n, nil
	}
	classes, err := m.group.classes(func(i int) bool { return m.Bit(cell, i) }, nil, Successors*m.limit-m.total)
	if err != nil {
		return 0, err
	}
	if classes == nil || m.found+len(classes) > m.limit {
		return 0, m.tooMany()
	}
	mv := moves{n: len(classes), packed: make([]uint64, len(classes)*m.wordsOfMove())}
	if len(m.c.Choices) > 0 {
		mv.offset = []int32{0}
	}
	for n, c := range classes {
		for _, next := range c.next {
			to, err := m.cell(func(i int) bool { return next[i] })
			if err != nil {
				return 0, err
			}
			mv.to = append(mv.to, int32(to))
			if m.marked {
				mv.marks = append(mv.marks, packed(next[len(m.c.Controls):]))
			}
		}
		if mv.offset != nil {
			mv.offset = append(mv.offset, int32(len(mv.to)))
		}
		for i, v := range append(c.inputs, c.atoms...) {
			if v {
				mv.packed[n*m.wordsOfMove()+i/64] |= 1 << (i % 64)
			}
		}
	}
	mv.to = slices.Clip(mv.to)
	m.moves[cell] = mv
	m.found, m.total = m.found+len(classes), m.total+len(mv.to)
	return len(classes), nil
}

func (m *Moves) wordsOfMove() int { return (len(m.c.Inputs) + len(m.atoms) + 63) / 64 }

func (m *Moves) packedBit(cell, move, i int) bool {
	return m.moves[cell].packed[move*m.wordsOfMove()+i/64]>>(i%64)&1 != 0
}

// To lists the control states that a move leads to: one, unless there are choices. The
// slice belongs to m.
func (m *Moves) To(cell, move int) []int32 {
	mv := &m.moves[cell]
	if mv.offset == nil {
		return mv.to[move : move+1]
	}
	return mv.to[mv.offset[move]:mv.offset[move+1]]
}

// Marks are the values of the marks of the steps to the control states of To, in its
// order, mark k as bit k; nil without marks.
func (m *Moves) Marks(cell, move int) []uint64 {
	mv := &m.moves[cell]
	switch {
	case mv.marks == nil:
		return nil
	case mv.offset == nil:
		return mv.marks[move : move+1]
	}
	return mv.marks[mv.offset[move]:mv.offset[move+1]]
}

func packed(bits []bool) uint64 {
	var out uint64
	for i, b := range bits {
		if b {
			out |= 1 << i
		}
	}
	return out
}

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

// Under is the move of an expanded control state under an input valuation.
func (m *Moves) Under(cell int, inputs []bool) int {
	classes, err := m.group.classes(func(i int) bool { return m.Bit(cell, i) }, inputs, Successors*m.limit)
	if err != nil || len(classes) != 1 {
		panic("circuit: an input valuation has no class where all have") // the diagrams are smaller now
	}
	c := classes[0]
	for n := range m.moves[cell].n {
		same := len(m.To(cell, n)) == len(c.next)
		for a, v := range c.atoms {
			same = same && m.Holds(cell, n, a) == v
		}
		for _, next := range c.next {
			to, met := m.find(func(i int) bool { return next[i] })
			there := false
			for i, t := range m.To(cell, n) {
				there = there || met && int(t) == to && (!m.marked || m.Marks(cell, n)[i] == packed(next[len(m.c.Controls):]))
			}
			same = same && there
		}
		if same {
			return n
		}
	}
	panic("circuit: an input valuation belongs to no move")
}
