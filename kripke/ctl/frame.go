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
// is one state, in a circuit the 2^|I| states ⟨s, i⟩ of a control state s,
// numbered s·width+i. The successors of a state are the members of one hub: in
// a structure state w has the hub w, whose members are its successors; in a
// circuit the hub of ⟨s, i⟩ is the cell ρ(s, i). So a circuit's transitions
// take room for one number a state and not for 2^|I|, and redirecting the
// transitions into a cell is replacing a hub.
type frame struct {
	width   int
	states  int
	cells   int
	hub     []int32 // by state; nil in a structure: the state itself
	members lists   // hub → states
	within  lists   // state → hubs that have it as a member
	users   lists   // hub → states that have it as their hub
	init    []int32
	// twin of each candidate cell under the signal of the frame; nil without
	// redirection.
	twin []int32
	// candidates are the cells reachable without a mutation: no other can be
	// covered.
	candidates structure.Set
	labels     map[string]structure.Set
	fairness   []string // labels that a fair path meets infinitely often
	name       func(cell int) string
	stateName  func(state int) string
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

func (f *frame) hubOf(w int32) int32 {
	if f.hub == nil {
		return w
	}
	return f.hub[w]
}

func (f *frame) cellOf(w int32) int32 { return w / int32(f.width) }

// structureFrame is the frame of an explicit structure.
func structureFrame(k *structure.Structure) *frame {
	n := k.Len()
	f := &frame{width: 1, states: n, cells: n, users: identity(n), candidates: k.Reachable()}
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
	f.stateName = f.name
	return f
}

// frameRequest says which part of a circuit a frame is for.
type frameRequest struct {
	atoms      []string
	paths      paths
	emptyFirst bool
	limit      int
	// twin is the control signal whose redirections the frame must hold, -1 for
	// none; fixed is the control signal that is fixed to value, -1 for none.
	twin  int
	fixed int
	value bool
}

// circuitFrame builds the reachable part of a circuit's structure, or of its
// x-fixed circuit, and what the redirections to twins reach beyond it.
func circuitFrame(ctx context.Context, c *circuit.Circuit, req frameRequest) (*frame, error) {
	var lits []aig.Lit
	req.atoms = append(slices.Clone(req.atoms), req.paths.labels()...)
	for _, a := range req.atoms {
		l, ok := c.Lit(a)
		if !ok {
			return nil, fmt.Errorf("no signal has the name %q", a)
		}
		lits = append(lits, l)
	}
	sp, err := circuit.NewSpace(c, lits, req.limit)
	if err != nil {
		return nil, err
	}
	e := explorer{ctx: ctx, sp: sp, req: req, constraint: slices.Index(req.atoms, req.paths.constraint)}
	if err := e.run(); err != nil {
		return nil, err
	}
	return e.frame(c), nil
}

// explorer numbers the cells of a frame in the order in which it meets them.
type explorer struct {
	ctx   context.Context
	sp    *circuit.Space
	req   frameRequest
	dense []int32 // frame cell of each cell of the space, -1 when not met
	cells []int   // space cell of each frame cell
	hub   []int32
	init  []int32
	twin  []int32
	reach int // number of cells reachable without redirection

	constraint int // its atom, -1 without one
}

// legal reports whether the constraint holds in a state of a cell whose successors
// have been asked for.
func (e *explorer) legal(cell, input int) bool {
	return e.constraint < 0 || e.sp.Holds(cell, input, e.constraint)
}

// alive reports whether the constraint holds in a cell under some input.
func (e *explorer) alive(cell int) bool {
	for i := range e.sp.Width() {
		if e.legal(cell, i) {
			return true
		}
	}
	return false
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

// fix applies the fixed signal to a control state.
func (e *explorer) fix(cell int) (int, error) {
	if e.req.fixed < 0 || e.sp.Bit(cell, e.req.fixed) == e.req.value {
		return cell, nil
	}
	return e.sp.Twin(cell, e.req.fixed)
}

// close expands every cell met so far and those that they lead to.
func (e *explorer) close() error {
	for i := len(e.hub) / e.sp.Width(); i < len(e.cells); i++ {
		if i&0xff == 0 && e.ctx.Err() != nil {
			return context.Cause(e.ctx)
		}
		next, err := e.sp.Successors(e.cells[i])
		if err != nil {
			return err
		}
		for input, to := range next {
			if !e.legal(e.cells[i], input) {
				e.hub = append(e.hub, int32(i)) // no path goes on from here
				continue
			}
			cell, err := e.fix(int(to))
			if err != nil {
				return err
			}
			e.hub = append(e.hub, e.meet(cell))
		}
	}
	return nil
}

func (e *explorer) run() error {
	// Initial states that break the constraint are none, but a redirection of
	// them may be one.
	var illegal []int32
	for _, s := range e.sp.Initial() {
		if e.req.emptyFirst && s.Input != 0 {
			continue
		}
		cell, err := e.fix(s.Control)
		if err != nil {
			return err
		}
		if _, err := e.sp.Successors(cell); err != nil {
			return err
		}
		if !e.legal(cell, s.Input) {
			illegal = append(illegal, int32(cell), int32(s.Input))
			continue
		}
		e.init = append(e.init, e.meet(cell)*int32(e.sp.Width())+int32(s.Input))
	}
	if len(e.init) == 0 && e.constraint >= 0 && e.req.fixed < 0 {
		return errors.New("no initial state satisfies the invariant constraint")
	}
	if len(e.init) == 0 && e.constraint < 0 {
		return errors.New("the circuit has no initial state: its reset functions contradict each other")
	}
	if err := e.close(); err != nil {
		return err
	}
	e.reach = len(e.cells)
	if e.req.twin < 0 {
		return nil
	}
	for i := 0; i < len(illegal); i += 2 {
		e.init = append(e.init, e.meet(int(illegal[i]))*int32(e.sp.Width())+illegal[i+1])
	}
	for i := range e.reach {
		t, err := e.sp.Twin(e.cells[i], e.req.twin)
		if err != nil {
			return err
		}
		e.twin = append(e.twin, e.meet(t))
	}
	return e.close()
}

// reachable puts the cells that runs reach without redirection into a set. An
// initial cell may be initial with some inputs only, and then not all that
// follow it are reached.
func (e *explorer) reachable(cells structure.Set) {
	entered := make([]bool, len(e.cells))
	var queue []int32
	leave := func(state int) {
		if to := e.hub[state]; !entered[to] {
			entered[to] = true
			queue = append(queue, to)
		}
	}
	width := e.sp.Width()
	for _, w := range e.init {
		cell := int(w) / width
		if e.legal(e.cells[cell], int(w)%width) {
			cells.Add(cell)
			leave(int(w))
		}
	}
	for n := 0; n < len(queue); n++ {
		cell := int(queue[n])
		if e.alive(e.cells[cell]) {
			cells.Add(cell)
		}
		for i := range width {
			if e.legal(e.cells[cell], i) {
				leave(cell*width + i)
			}
		}
	}
}

func (e *explorer) frame(c *circuit.Circuit) *frame {
	width, cells := e.sp.Width(), len(e.cells)
	f := &frame{
		width: width, states: cells * width, cells: cells, hub: e.hub, init: e.init, twin: e.twin,
		candidates: structure.NewSet(cells), labels: map[string]structure.Set{}, fairness: e.req.paths.fairness,
	}
	e.reachable(f.candidates)
	f.members = lists{make([]int32, cells+1), make([]int32, f.states)}
	for i := range cells {
		f.members.offset[i+1] = int32((i + 1) * width)
	}
	for i := range f.states {
		f.members.item[i] = int32(i)
	}
	f.within = f.members.invert(f.states)
	f.users = lists{identity(f.states).offset, e.hub}.invert(cells)
	for a, name := range e.req.atoms {
		set := structure.NewSet(f.states)
		for i, cell := range e.cells {
			for input := range width {
				if e.sp.Holds(cell, input, a) {
					set.Add(i*width + input)
				}
			}
		}
		f.labels[name] = set
	}
	f.name = func(cell int) string { return c.NameOf(e.sp.Bits(e.cells[cell])) }
	f.stateName = func(state int) string {
		name := f.name(state / width)
		if len(c.Inputs) == 0 {
			return name
		}
		bits := make([]bool, len(c.Inputs))
		for i := range bits {
			bits[i] = state%width>>i&1 != 0
		}
		return name + "," + circuit.BitString(bits)
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
}

var original = mutant{cell: -1}

// target is the hub that stands for h in the mutant.
func (f *frame) target(m mutant, h int32) int32 {
	if m.redirect && h == m.cell {
		return f.twin[h]
	}
	return h
}

// initial is the state that stands for the initial state w in the mutant.
func (f *frame) initial(m mutant, w int32) int32 {
	if m.redirect && f.cellOf(w) == m.cell {
		return f.twin[m.cell]*int32(f.width) + w%int32(f.width)
	}
	return w
}
