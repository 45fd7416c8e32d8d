package ctl

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"netcov/aig"
	"netcov/kripke/circuit"
	"netcov/kripke/structure"
)

// A frame is the explicit form that the naive and the halving algorithm work
// on, the same for structures and circuits.
//
// States are grouped into cells, the units of mutation: in a structure a cell
// is one state, in a circuit the states ⟨s, i⟩ of a control state s. States
// ⟨s, i⟩ with the same labels and the same ρ(s, i) are one state here, which
// changes the value of no formula in any mutant: see circuit.Moves. The
// successors of a state are the members of its hubs: in a structure state w has
// the hub w, whose members are its successors; in a circuit the hub of ⟨s, i⟩ is
// the cell ρ(s, i), and with choices it has a hub for each of theirs. So a circuit's
// transitions take room for one number a state and not for one for each input, and
// redirecting the transitions into a cell is replacing a hub.
type frame struct {
	states  int
	cells   int
	hubs    lists // state → its hubs; never none
	members lists // hub → states
	within  lists // state → hubs that have it as a member
	users   lists // hub → states that have it as a hub
	// first is the first state of each cell, and after the last cell the number
	// of states; cell is the cell of each state. Both are nil in a structure.
	first []int32
	cell  []int32
	init  []int32
	// twinInit are the states that replace a cell's initial states when the cell
	// is redirected.
	twinInit map[int32][]int32
	// joined are the states of a cell under the inputs under which its twin is
	// initial: initial, too, when the two are merged.
	joined map[int32][]int32
	// twin of each candidate cell under the signal of the frame; nil without
	// redirection.
	twin []int32
	// candidates are the cells reachable without a mutation: no other can be
	// covered.
	candidates structure.Set
	labels     map[string]structure.Set
	fairness   []string // labels that a fair path meets infinitely often
	steps      int      // marks that its steps have infinitely often
	marks      []uint64 // of the steps to the hubs, in the order of hubs.item; nil without
	name       func(cell int) string
	moves      *circuit.Moves // of a circuit, and the cell there of each cell
	at         []int
	inputs     func(state int) string // of a circuit
}

// lists is a list of numbers for each of 0…n-1, in flat arrays.
type lists struct{ offset, item []int32 }

func (l lists) of(i int32) []int32 { return l.item[l.offset[i]:l.offset[i+1]] }

func (l lists) len() int { return len(l.offset) - 1 }

// invert turns i → items into item → is, for items below n.
func (l lists) invert(n int) lists {
	r := lists{make([]int32, n+1), make([]int32, len(l.item))}
	for _, x := range l.item {
		r.offset[x+1]++
	}
	for i := range n {
		r.offset[i+1] += r.offset[i]
	}
	next := append([]int32(nil), r.offset...)
	for i := range l.len() {
		for _, x := range l.of(int32(i)) {
			r.item[next[x]] = int32(i)
			next[x]++
		}
	}
	return r
}

func identity(n int) lists {
	l := lists{make([]int32, n+1), make([]int32, n)}
	for i := range n {
		l.offset[i+1], l.item[i] = int32(i+1), int32(i)
	}
	return l
}

func (f *frame) cellOf(w int32) int32 {
	if f.cell == nil {
		return w
	}
	return f.cell[w]
}

// marked reports whether a state's step to its hub with number i has some marks.
func (f *frame) marked(w, i int, marks uint64) bool {
	return marks == 0 || f.marks[int(f.hubs.offset[w])+i]&marks == marks
}

// statesOf is the range of states of a cell.
func (f *frame) statesOf(cell int32) (from, to int) {
	if f.first == nil {
		return int(cell), int(cell) + 1
	}
	return int(f.first[cell]), int(f.first[cell+1])
}

// structureFrame is the frame of an explicit structure.
func structureFrame(k *structure.Structure) *frame {
	n := k.Len()
	f := &frame{states: n, cells: n, hubs: identity(n), users: identity(n), candidates: k.Reachable()}
	f.members.offset = make([]int32, n+1)
	f.members.item = make([]int32, 0, k.Transitions())
	for s := range n {
		f.members.item = append(f.members.item, k.Successors(s)...)
		f.members.offset[s+1] = int32(len(f.members.item))
	}
	f.within = f.members.invert(n)
	for _, s := range k.Initial {
		f.init = append(f.init, int32(s))
	}
	f.labels = map[string]structure.Set{}
	for p, name := range k.AP {
		f.labels[name] = k.Where(p)
	}
	for i, set := range k.Fair {
		f.fairness = append(f.fairness, structure.FairName(i))
		f.labels[f.fairness[i]] = set
	}
	f.name = func(cell int) string { return k.States[cell] }
	return f
}

// frameRequest says which part of a circuit a frame is for.
type frameRequest struct {
	atoms      []string
	paths      paths
	emptyFirst bool
	inputs     int // of the circuit
	limit      int
	// twin is the control signal whose redirections the frame must hold, -1 for
	// none; fixed is the control signal that is fixed to value, or to don't care, -1
	// for none.
	twin     int
	fixed    int
	value    bool
	dontCare bool
	merge    bool // the redirections are for merging with the twin
}

// circuitFrame builds the reachable part of a circuit's structure, or of its
// x-fixed circuit, and what the redirections to twins reach beyond it. The moves
// must be those of the request's atoms and of the hidden labels: see newMoves.
func circuitFrame(ctx context.Context, c *circuit.Circuit, mv *circuit.Moves, req frameRequest) (*frame, error) {
	req.atoms = req.labels()
	e := explorer{ctx: ctx, mv: mv, req: req, constraint: slices.Index(req.atoms, req.paths.constraint), offset: []int32{0}}
	e.hubs.offset = []int32{0}
	if err := e.run(); err != nil {
		return nil, err
	}
	return e.frame(c), nil
}

func (req frameRequest) labels() []string {
	return append(slices.Clone(req.atoms), req.paths.labels()...)
}

// newMoves prepares the enumeration of control states for frames.
func newMoves(c *circuit.Circuit, req frameRequest, limit int) (*circuit.Moves, error) {
	var lits []aig.Lit
	for _, a := range req.labels() {
		l, ok := c.Lit(a)
		if !ok {
			return nil, fmt.Errorf("no signal has the name %q", a)
		}
		lits = append(lits, l)
	}
	return circuit.NewMoves(c, lits, c.Fairness[:req.paths.steps], limit)
}

// explorer numbers the cells of a frame in the order in which it meets them.
type explorer struct {
	ctx    context.Context
	mv     *circuit.Moves
	req    frameRequest
	dense  []int32 // frame cell of each cell of the moves, -1 when not met
	cells  []int   // cell of the moves of each frame cell
	offset []int32 // first state of each cell that has been closed, and the next one's
	hubs   lists   // of the states
	marks  []uint64
	starts []start
	twin   []int32
	reach  int // number of cells reachable without redirection
	// inputs of states that are initial under some inputs only.
	inputs map[int32][]bool

	constraint int   // its atom, -1 without one
	fixed      []int // of fix
}

// start is an initial cell, under every input when inputs is nil.
type start struct {
	cell   int32
	inputs [][]bool
}

// legal reports whether the constraint holds in a state of an expanded cell.
func (e *explorer) legal(cell, move int) bool {
	return e.constraint < 0 || e.mv.Holds(cell, move, e.constraint)
}

func (e *explorer) meet(cell int) int32 {
	for len(e.dense) <= cell {
		e.dense = append(e.dense, -1)
	}
	if e.dense[cell] < 0 {
		e.dense[cell] = int32(len(e.cells))
		e.cells = append(e.cells, cell)
	}
	return e.dense[cell]
}

// fix applies the fixed signal to a control state: it lists those that take its place, in
// a slice that the next call overwrites.
func (e *explorer) fix(cell int) ([]int, error) {
	e.fixed = e.fixed[:0]
	if e.req.fixed < 0 || e.req.dontCare || e.mv.Bit(cell, e.req.fixed) == e.req.value {
		e.fixed = append(e.fixed, cell)
	}
	if e.req.fixed < 0 || !e.req.dontCare && len(e.fixed) > 0 {
		return e.fixed, nil
	}
	twin, err := e.mv.Twin(cell, e.req.fixed)
	e.fixed = append(e.fixed, twin)
	return e.fixed, err
}

// close expands every cell met so far and those that they lead to.
func (e *explorer) close() error {
	for i := len(e.offset) - 1; i < len(e.cells); i++ {
		if i&0xff == 0 && e.ctx.Err() != nil {
			return context.Cause(e.ctx)
		}
		at := e.cells[i]
		moves, err := e.mv.Expand(at)
		if err != nil {
			return err
		}
		if e.hubs.len()+moves > e.req.limit || len(e.hubs.item) > circuit.Successors*e.req.limit {
			return fmt.Errorf("more than %d states (control states × classes of inputs): %w", e.req.limit, circuit.ErrTooLarge)
		}
		for n := range moves {
			to, marks := e.mv.To(at, n), e.mv.Marks(at, n)
			if !e.legal(at, n) { // no path goes on from here
				e.hubs.item, to = append(e.hubs.item, int32(i)), nil
				if marks != nil {
					marks = []uint64{0}
				}
			}
			if to == nil {
				e.marks = append(e.marks, marks...)
			}
			for k, next := range to {
				cells, err := e.fix(int(next))
				if err != nil {
					return err
				}
				for _, cell := range cells {
					e.hubs.item = append(e.hubs.item, e.meet(cell))
					if marks != nil {
						e.marks = append(e.marks, marks[k])
					}
				}
			}
			e.hubs.offset = append(e.hubs.offset, int32(len(e.hubs.item)))
		}
		e.offset = append(e.offset, int32(e.hubs.len()))
	}
	return nil
}

func (e *explorer) run() error {
	for _, s := range e.mv.Starts() {
		inputs := s.Inputs
		if e.req.emptyFirst {
			empty := make([]bool, e.req.inputs)
			if inputs != nil && !slices.ContainsFunc(inputs, func(in []bool) bool { return slices.Equal(in, empty) }) {
				continue
			}
			inputs = [][]bool{empty}
		}
		cells, err := e.fix(s.Control)
		if err != nil {
			return err
		}
		for _, cell := range cells {
			if _, err := e.mv.Expand(cell); err != nil {
				return err
			}
			if len(e.legalUnder(cell, inputs)) > 0 {
				e.meet(cell)
			}
			e.starts = append(e.starts, start{int32(cell), inputs})
		}
	}
	if len(e.cells) == 0 && e.constraint >= 0 && e.req.fixed < 0 {
		return errors.New("no initial state satisfies the invariant constraint")
	}
	if len(e.starts) == 0 && e.constraint < 0 {
		return errors.New("the circuit has no initial state: its reset functions contradict each other")
	}
	if err := e.close(); err != nil {
		return err
	}
	e.reach = len(e.cells)
	if e.req.twin < 0 {
		return nil
	}
	for i := range e.reach {
		t, err := e.mv.Twin(e.cells[i], e.req.twin)
		if err != nil {
			return err
		}
		e.twin = append(e.twin, e.meet(t))
	}
	return e.close()
}

// under lists the moves of an expanded cell that some of the inputs make, all when
// there are none, and with each an input that makes it.
func (e *explorer) under(cell int, inputs [][]bool) (moves []int, by [][]bool) {
	if inputs == nil {
		n, _ := e.mv.Expand(cell)
		for i := range n {
			moves, by = append(moves, i), append(by, e.mv.Inputs(cell, i))
		}
		return moves, by
	}
	for _, in := range inputs {
		if n := e.mv.Under(cell, in); !slices.Contains(moves, n) {
			moves, by = append(moves, n), append(by, in)
		}
	}
	return moves, by
}

// legalUnder is under, for moves in which the constraint holds.
func (e *explorer) legalUnder(cell int, inputs [][]bool) []int {
	moves, _ := e.under(cell, inputs)
	return slices.DeleteFunc(moves, func(n int) bool { return !e.legal(cell, n) })
}

// initial gives the frame its initial states.
func (e *explorer) initial(f *frame) {
	e.inputs = map[int32][]bool{}
	states := func(frameCell int32, inputs [][]bool, legal bool) []int32 {
		at := e.cells[frameCell]
		moves, by := e.under(at, inputs)
		var out []int32
		for i, n := range moves {
			if legal && !e.legal(at, n) {
				continue
			}
			state := e.offset[frameCell] + int32(n)
			e.inputs[state] = by[i]
			out = append(out, state)
		}
		return out
	}
	f.twinInit, f.joined = map[int32][]int32{}, map[int32][]int32{}
	var back []int32 // the cell that is reached of which each cell is the twin, -1 for none
	if e.req.merge {
		back = slices.Repeat([]int32{-1}, len(e.cells))
		for cell, t := range e.twin {
			back[t] = int32(cell)
		}
	}
	for _, s := range e.starts {
		cell := int32(-1)
		if int(s.cell) < len(e.dense) {
			cell = e.dense[s.cell]
		}
		if back != nil && cell >= 0 && back[cell] >= 0 {
			twin := back[cell]
			f.joined[twin] = append(f.joined[twin], states(twin, s.inputs, false)...)
		}
		if cell < 0 || int(cell) >= e.reach {
			continue // never entered: no initial state of it satisfies the constraint
		}
		f.init = append(f.init, states(cell, s.inputs, true)...)
		if e.twin != nil {
			f.twinInit[cell] = append(f.twinInit[cell], states(e.twin[cell], s.inputs, false)...)
		}
	}
}

// reachable puts the cells that runs reach without redirection into a set. An
// initial cell may be initial with some inputs only, and then not all that
// follow it are reached.
func (e *explorer) reachable(f *frame) {
	entered := make([]bool, len(e.cells))
	var queue []int32
	leave := func(state int) {
		for _, to := range e.hubs.of(int32(state)) {
			if !entered[to] {
				entered[to] = true
				queue = append(queue, to)
			}
		}
	}
	for _, w := range f.init {
		f.candidates.Add(int(f.cell[w]))
		leave(int(w))
	}
	for n := 0; n < len(queue); n++ {
		cell := queue[n]
		from, to := f.statesOf(cell)
		for w := from; w < to; w++ {
			if e.legal(e.cells[cell], w-from) {
				f.candidates.Add(int(cell))
				leave(w)
			}
		}
	}
}

func (e *explorer) frame(c *circuit.Circuit) *frame {
	cells := len(e.cells)
	f := &frame{
		states: e.hubs.len(), cells: cells, hubs: e.hubs, first: e.offset, twin: e.twin,
		candidates: structure.NewSet(cells), labels: map[string]structure.Set{},
		fairness: e.req.paths.fairness, steps: e.req.paths.steps, marks: e.marks,
	}
	for i := range cells {
		for range e.offset[i+1] - e.offset[i] {
			f.cell = append(f.cell, int32(i))
		}
	}
	f.moves, f.at = e.mv, e.cells
	e.initial(f)
	e.reachable(f)
	f.members = lists{e.offset, identity(f.states).item}
	f.within = f.members.invert(f.states)
	f.users = e.hubs.invert(cells)
	for a, name := range e.req.atoms {
		set := structure.NewSet(f.states)
		for w, cell := range f.cell {
			if e.mv.Holds(e.cells[cell], w-int(e.offset[cell]), a) {
				set.Add(w)
			}
		}
		f.labels[name] = set
	}
	f.name = func(cell int) string { return c.NameOf(e.mv.Bits(e.cells[cell])) }
	f.inputs = func(state int) string {
		in, ok := e.inputs[int32(state)]
		if cell := f.cell[state]; !ok {
			in = e.mv.Inputs(e.cells[cell], state-int(e.offset[cell]))
		}
		return circuit.BitString(in)
	}
	return f
}

// A mutant is the change of one cell.
type mutant struct {
	cell int32  // -1: no mutation
	flip string // the proposition whose value changes in the cell, "" for none
	// redirect sends the transitions into the cell, and the cell as an initial
	// state, to its twin.
	redirect bool
	// merge lets every step into the cell or into its twin, and both as initial
	// states, go to either.
	merge bool
	// open are cells that may be changed or not, in place of cell; nil for none.
	open structure.Set
}

var original = mutant{cell: -1}

// target is the hub that stands for h in the mutant.
func (f *frame) target(m *mutant, h int32) int32 {
	if m.redirect && h == m.cell {
		return f.twin[h]
	}
	return h
}

// pair tells whether a hub is one of those that a mutant merges, and which is the other.
func (f *frame) pair(m *mutant, h int32) (other int32, merged bool) {
	switch {
	case !m.merge:
	case h == m.cell:
		return f.twin[h], true
	case h == f.twin[m.cell]:
		return m.cell, true
	}
	return -1, false
}

// initial lists the initial states of the mutant; of open cells both kinds.
func (f *frame) initial(m mutant) []int32 {
	if m.merge {
		return slices.Concat(f.init, f.twinInit[m.cell], f.joined[m.cell])
	}
	if m.redirect && m.open != nil {
		out := slices.Clone(f.init)
		for cell, states := range f.twinInit {
			if m.open.Has(int(cell)) {
				out = append(out, states...)
			}
		}
		return out
	}
	if !m.redirect || f.twinInit[m.cell] == nil {
		return f.init
	}
	out := slices.DeleteFunc(slices.Clone(f.init), func(w int32) bool { return f.cellOf(w) == m.cell })
	return append(out, f.twinInit[m.cell]...)
}
