package ltl

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"netcov/aig"
	"netcov/kripke/automaton"
	"netcov/kripke/circuit"
	"netcov/kripke/structure"
)

// Model is a system as the explicit algorithms see it: nodes with moves, each of
// which reads a letter and leads to some nodes. The state of a Kripke structure
// is a node with one move. A control state of a circuit is a node with a move
// for each letter that its inputs can give, which needs no states ⟨s, i⟩.
//
// Cells are what coverage is asked of: states of a structure, control states of
// a circuit. A control state that can be entered with some inputs only when it
// is initial has a second node for that.
type Model struct {
	AP      []string // propositions of the letters
	Cells   []string // names
	Sets    int      // fairness sets
	Initial []int

	cell    []int32 // of each node
	moves   [][]move
	letters *alphabet
	// reachable is the number of cells that are reachable; those after them are
	// what flips of registers lead to.
	reachable int
	// twins[x][n] is the node with the moves of node n when register x reads as
	// flipped; -1 where that is not asked for.
	twins map[string][]int32
}

// move reads a letter, carries fairness marks, and leads to nodes.
type move struct {
	letter int32
	fair   automaton.Marks
	to     []int32
}

// Reachable lists the names of the reachable cells of a circuit; of a structure,
// all states.
func (m *Model) Reachable() []string { return m.Cells[:m.reachable] }

// Len is the number of nodes.
func (m *Model) Len() int { return len(m.moves) }

// alphabet numbers letters, which are values of some propositions.
type alphabet struct {
	letters [][]bool
	number  map[string]int32
}

func newAlphabet() *alphabet { return &alphabet{number: map[string]int32{}} }

func (a *alphabet) add(letter []bool) int32 {
	key := make([]byte, (len(letter)+7)/8)
	for i, v := range letter {
		if v {
			key[i/8] |= 1 << (i % 8)
		}
	}
	n, ok := a.number[string(key)]
	if !ok {
		n = int32(len(a.letters))
		a.number[string(key)] = n
		a.letters = append(a.letters, slices.Clone(letter))
	}
	return n
}

// flip is the letter with proposition p flipped.
func (a *alphabet) flip(letter int32, p int) int32 {
	l := slices.Clone(a.letters[letter])
	l[p] = !l[p]
	return a.add(l)
}

// ErrTooLarge is wrapped by errors that say that a system has too many states for
// the explicit algorithms.
var ErrTooLarge = errors.New("too large for the explicit algorithms; use the algorithm symbolic")

// UnknownSignalError says that a specification or a question names a signal that
// the system does not have.
type UnknownSignalError struct {
	Name  string
	Known []string
}

func (e *UnknownSignalError) Error() string {
	known := e.Known
	more := ""
	if len(known) > 12 {
		known, more = known[:12], ", …"
	}
	return fmt.Sprintf("there is no signal %q; the signals are %s%s", e.Name, list(known), more)
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	s := ""
	for i, n := range names {
		if i > 0 {
			s += ", "
		}
		s += n
	}
	return s
}

// FromStructure makes a model of an explicit structure. Its letters have the
// given propositions.
func FromStructure(k *structure.Structure, ap []string) (*Model, error) {
	if len(k.Fair) > automaton.MaxSets {
		return nil, fmt.Errorf("the structure has %d fairness sets; at most %d are supported", len(k.Fair), automaton.MaxSets)
	}
	m := &Model{AP: ap, Cells: k.States, Sets: len(k.Fair), Initial: k.Initial, letters: newAlphabet(), reachable: k.Len()}
	index := make([]int, len(ap))
	for i, name := range ap {
		p, ok := k.Proposition(name)
		if !ok {
			return nil, &UnknownSignalError{name, k.AP}
		}
		index[i] = p
	}
	letter := make([]bool, len(ap))
	moves := make([]move, k.Len())
	for s := range k.Len() {
		for i, p := range index {
			letter[i] = k.Holds(s, p)
		}
		moves[s] = move{letter: m.letters.add(letter), to: k.Successors(s)}
		for i, f := range k.Fair {
			if f.Has(s) {
				moves[s].fair |= 1 << i
			}
		}
		m.cell = append(m.cell, int32(s))
		m.moves = append(m.moves, moves[s:s+1])
	}
	return m, nil
}

// FromCircuit makes a model of the reachable part of a circuit; limit bounds the
// control states times classes of inputs (0: circuit's own bound). Its letters
// have the given signals. Constraints must have been removed: see Unconstrain.
// Registers are those that can be flipped for all their readers, see Scope; the
// model then has what follows such flips as well.
func FromCircuit(ctx context.Context, c *circuit.Circuit, ap []string, limit int, registers ...string) (*Model, error) {
	if c.Constraint != aig.True {
		return nil, circuit.ErrConstraint
	}
	if len(c.Fairness) > automaton.MaxSets {
		return nil, fmt.Errorf("the circuit has %d fairness constraints; at most %d are supported", len(c.Fairness), automaton.MaxSets)
	}
	if limit <= 0 {
		limit = structure.MaxStates
	}
	var atoms []aig.Lit
	for _, name := range ap {
		l, ok := c.Lit(name)
		if !ok {
			return nil, &UnknownSignalError{name, names(c)}
		}
		atoms = append(atoms, l)
	}
	space, err := circuit.NewMoves(c, append(atoms, c.Fairness...), nil, limit)
	if err != nil {
		return nil, tooLarge(limit, err)
	}
	b := &modelBuilder{
		ctx: ctx, c: c, limit: limit, atoms: len(atoms), space: space,
		m: &Model{AP: ap, Sets: len(c.Fairness), letters: newAlphabet(), twins: map[string][]int32{}},
	}
	return b.m, b.build(registers)
}

type modelBuilder struct {
	ctx   context.Context
	c     *circuit.Circuit
	m     *Model
	space *circuit.Moves
	limit int
	atoms int // propositions; fairness follows
}

func (b *modelBuilder) build(registers []string) error {
	m := b.m
	if err := b.explore(); err != nil {
		return err
	}
	m.reachable = len(m.Cells)
	// All cells get their nodes before the initial ones that need another node,
	// so that a cell and its node have the same number.
	twin := map[string][]int{}
	for _, x := range registers {
		at := b.c.ControlIndex(x)
		if at < 0 {
			return fmt.Errorf("%q is no register, so it cannot be flipped for the design's own readers", x)
		}
		for cell := range m.reachable {
			t, err := b.space.Twin(cell, at)
			if err != nil {
				return tooLarge(b.limit, err)
			}
			twin[x] = append(twin[x], t)
		}
	}
	if err := b.explore(); err != nil {
		return err
	}
	for _, x := range registers {
		for _, t := range twin[x] {
			m.twins[x] = append(m.twins[x], int32(t))
		}
		for len(m.twins[x]) < len(m.Cells) {
			m.twins[x] = append(m.twins[x], -1)
		}
	}
	for _, start := range b.space.Starts() {
		cell := start.Control
		if start.Inputs == nil {
			m.Initial = append(m.Initial, cell)
			continue
		}
		n, err := b.restricted(cell, start)
		if err != nil {
			return err
		}
		m.Initial = append(m.Initial, n)
		for _, x := range registers {
			t, err := b.restricted(twin[x][cell], start)
			if err != nil {
				return err
			}
			for len(m.twins[x]) < m.Len() {
				m.twins[x] = append(m.twins[x], -1)
			}
			m.twins[x][n] = int32(t)
		}
	}
	return nil
}

// explore makes the nodes of all cells that have been met and have none.
func (b *modelBuilder) explore() error {
	m := b.m
	for cell := len(m.Cells); cell < b.space.Len(); cell++ {
		if err := b.ctx.Err(); err != nil {
			return fmt.Errorf("after %d control states: %w", cell, err)
		}
		moves, err := b.gather(cell, nil)
		if err != nil {
			return err
		}
		m.moves, m.cell = append(m.moves, moves), append(m.cell, int32(cell))
		m.Cells = append(m.Cells, b.c.NameOf(b.space.Bits(cell)))
	}
	return nil
}

// restricted makes a node with the moves that a cell has under the inputs with
// which another one is initial.
func (b *modelBuilder) restricted(cell int, initial circuit.Start) (int, error) {
	moves, err := b.gather(cell, initial.Inputs)
	if err != nil {
		return 0, err
	}
	b.m.moves, b.m.cell = append(b.m.moves, moves), append(b.m.cell, int32(initial.Control))
	return b.m.Len() - 1, nil
}

// gather makes the moves of a control state under the given inputs, under all when
// there are none.
func (b *modelBuilder) gather(cell int, inputs [][]bool) ([]move, error) {
	n, err := b.space.Expand(cell)
	if err != nil {
		return nil, tooLarge(b.limit, err)
	}
	classes := make([]bool, n)
	for i := range classes {
		classes[i] = inputs == nil
	}
	for _, in := range inputs {
		classes[b.space.Under(cell, in)] = true
	}
	type kind struct {
		letter int32
		fair   automaton.Marks
	}
	at := map[kind]int{}
	var moves []move
	letter := make([]bool, b.atoms)
	for i, wanted := range classes {
		if !wanted {
			continue
		}
		for a := range letter {
			letter[a] = b.space.Holds(cell, i, a)
		}
		k := kind{letter: b.m.letters.add(letter)}
		for f := range b.c.Fairness {
			if b.space.Holds(cell, i, b.atoms+f) {
				k.fair |= 1 << f
			}
		}
		n, ok := at[k]
		if !ok {
			n = len(moves)
			at[k] = n
			moves = append(moves, move{letter: k.letter, fair: k.fair})
		}
		moves[n].to = append(moves[n].to, b.space.To(cell, i)...)
	}
	for i := range moves {
		slices.Sort(moves[i].to)
		moves[i].to = slices.Clip(slices.Compact(moves[i].to))
	}
	return moves, nil
}

// tooLarge puts the bound in this package's words.
func tooLarge(limit int, err error) error {
	if !errors.Is(err, circuit.ErrTooLarge) {
		return err
	}
	return fmt.Errorf("more than %d control states × classes of inputs: %w", limit, ErrTooLarge)
}

// names lists all signals of a circuit.
func names(c *circuit.Circuit) []string {
	var out []string
	for _, s := range c.Inputs {
		out = append(out, s.Name)
	}
	return append(out, c.Signals()...)
}

// ConstraintSignal is the name of the output that Unconstrain adds.
const ConstraintSignal = "netcov_constraint"

// Unconstrain turns a circuit's invariant constraint into an output, and makes
// the automaton read it: only runs in which it always holds can be accepted.
// The constraint itself is never flipped. A circuit without constraint and its
// automaton are returned as they are.
func Unconstrain(c *circuit.Circuit, a *automaton.Automaton) (*circuit.Circuit, *automaton.Automaton, error) {
	if c.Constraint == aig.True {
		return c, a, nil
	}
	free := *c
	free.Constraint = aig.True
	free.Outputs = append(slices.Clone(c.Outputs), circuit.Signal{Name: ConstraintSignal, Lit: c.Constraint})
	done, err := circuit.New(free)
	if err != nil {
		return nil, nil, err
	}
	return done, a.Assume(ConstraintSignal), nil
}
