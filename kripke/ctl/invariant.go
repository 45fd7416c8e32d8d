package ctl

import (
	"context"
	"errors"
	"slices"

	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/structure"
)

// Invariants. For a specification AG p that holds, p without temporal operators,
// the covered control states of a register x have a closed form, which needs no
// mutant at all:
//
//	v is covered  iff  v is reachable and twin_x(v) reaches ¬p in the design
//
// If twin(v) reaches ¬p, the path never enters v, since from the reachable v on p
// would hold for ever; so the redirection into v changes nothing on it. And a
// violation in v's mutant needs a redirection; after the last one it is a path of
// the design from twin(v). The closed form asks that a control state is initial
// under every input or under none.
//
// So one search serves all registers: backwards from ¬p on small decision diagrams
// (backward.go), or else forwards. Then control states from which ¬p can be reached,
// and those from which it cannot, are remembered, and each twin is searched until it
// meets what is known. Where the search meets too many states, the SAT engines answer
// for one twin at a time (solver.go), and what they prove is remembered as well.
//
// An output that is no register is flipped where it is read: v is covered iff p fails
// with the output flipped in v under some input.

// invariantBodies are the instructions p of a program AG p1 ∧ … ∧ AG pn; nil for
// any other.
func (p program) invariantBodies() []int32 {
	if len(p) == 0 {
		return nil
	}
	var bodies []int32
	var top func(i int32) bool
	top = func(i int32) bool {
		switch ins := p[i]; {
		case ins.op == and:
			return top(ins.a) && top(ins.b)
		case ins.op == ar && p[ins.a].op == constant && p[ins.a].negated && p.propositional(ins.b):
			if !slices.Contains(bodies, ins.b) {
				bodies = append(bodies, ins.b)
			}
			return true
		}
		return false
	}
	if !top(int32(len(p) - 1)) {
		return nil
	}
	return bodies
}

func (p program) propositional(i int32) bool {
	switch ins := p[i]; ins.op {
	case constant, literal:
		return true
	case and, or:
		return p.propositional(ins.a) && p.propositional(ins.b)
	}
	return false
}

// conjunction is the program of a conjunction of propositional instructions.
func (p program) conjunction(bodies []int32) program {
	var out program
	at := map[int32]int32{}
	var copied func(i int32) int32
	copied = func(i int32) int32 {
		if n, ok := at[i]; ok {
			return n
		}
		ins := p[i]
		if ins.op == and || ins.op == or {
			ins.a, ins.b = copied(ins.a), copied(ins.b)
		}
		at[i] = int32(len(out))
		out = append(out, ins)
		return at[i]
	}
	last := copied(bodies[0])
	for _, b := range bodies[1:] {
		n := copied(b)
		out = append(out, instruction{op: and, a: last, b: n})
		last = int32(len(out) - 1)
	}
	if int(last) != len(out)-1 {
		out = append(out, instruction{op: and, a: last, b: last})
	}
	return out
}

// value is the value of a propositional instruction.
func (p program) value(i int32, holds func(atom string) bool) bool {
	switch ins := p[i]; ins.op {
	case constant:
		return !ins.negated
	case literal:
		return holds(ins.atom) != ins.negated
	case and:
		return p.value(ins.a, holds) && p.value(ins.b, holds)
	default:
		return p.value(ins.a, holds) || p.value(ins.b, holds)
	}
}

// invariant tells whether the closed form serves.
func (p *Problem) invariant() bool {
	return (p.opt.Algorithm == Auto || p.opt.Algorithm == Invariant) && p.model.c != nil && p.model.paths.trivial() &&
		!p.opt.EmptyFirst && !p.model.c.ResetsReadInputs() && p.program.invariantBodies() != nil
}

// verdict is what is known of a control state.
type verdict uint8

const (
	undecided verdict = iota
	safe              // ¬p cannot be reached
	unsafe            // it can
)

// searchCells bounds the control states of the search from one twin.
const searchCells = 1 << 12

// search finds out whether ¬p can be reached from control states.
type search struct {
	p       *Problem
	mv      *circuit.Moves
	atoms   []string
	bodies  []int32
	verdict []verdict // by cell of mv
	broken  []verdict // unsafe: ¬p holds in the cell under some input; by cell
	solver  *solver   // once needed
	limit   int       // on the control states of the search from a twin
	fixing  int       // on those of the search in the design with a fixed register
}

func (p *Problem) newSearch(mv *circuit.Moves) *search {
	return &search{p: p, mv: mv, atoms: p.request().labels(), bodies: p.program.invariantBodies(), limit: searchCells, fixing: p.opt.MaxStates}
}

// breaks reports whether ¬p holds in an expanded cell under some input.
func (s *search) breaks(cell, moves int) bool {
	for len(s.broken) <= cell {
		s.broken = append(s.broken, undecided)
	}
	if s.broken[cell] == undecided {
		s.broken[cell] = safe
		for n := range moves {
			holds := func(atom string) bool { return s.mv.Holds(cell, n, slices.Index(s.atoms, atom)) }
			if slices.ContainsFunc(s.bodies, func(b int32) bool { return !s.p.program.value(b, holds) }) {
				s.broken[cell] = unsafe
				break
			}
		}
	}
	return s.broken[cell] == unsafe
}

func (s *search) known(cell int) verdict {
	for len(s.verdict) <= cell {
		s.verdict = append(s.verdict, undecided)
	}
	return s.verdict[cell]
}

// unsafe reports whether ¬p can be reached from a control state.
func (s *search) unsafe(ctx context.Context, from int) (bool, error) {
	if v := s.known(from); v != undecided {
		return v == unsafe, nil
	}
	if s.solver != nil {
		if safe, known := s.solver.known(s.mv.Bits(from)); known {
			return !safe, nil
		}
	}
	v, err := s.breadthFirst(ctx, []int{from}, func(to int) (int, error) { return to, nil }, true, s.limit)
	if errors.Is(err, circuit.ErrTooLarge) {
		return s.solve(ctx, from)
	}
	return v, err
}

// breadthFirst searches for ¬p from some control states, at most limit of them, when
// each step ends as after says. With remember, what it finds out is remembered, and what is known
// ends it.
func (s *search) breadthFirst(ctx context.Context, from []int, after func(int) (int, error), remember bool, limit int) (bool, error) {
	before := map[int]int{}
	queue := slices.Clone(from)
	for _, cell := range from {
		before[cell] = -1
	}
	for n := 0; n < len(queue); n++ {
		if n&0xff == 0 && ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		cell := queue[n]
		moves, err := s.mv.Expand(cell)
		if err != nil {
			return false, err
		}
		if s.breaks(cell, moves) || remember && s.known(cell) == unsafe {
			for at := cell; remember && at >= 0; at = before[at] {
				s.known(at)
				s.verdict[at] = unsafe
			}
			return true, nil
		}
		if remember && s.known(cell) == safe {
			continue
		}
		if len(queue) > limit {
			return false, circuit.ErrTooLarge
		}
		for i := range moves {
			for _, next := range s.mv.To(cell, i) {
				to, err := after(int(next))
				if err != nil {
					return false, err
				}
				if _, seen := before[to]; !seen {
					before[to] = cell
					queue = append(queue, to)
				}
			}
		}
	}
	for _, cell := range queue {
		if remember {
			s.known(cell)
			s.verdict[cell] = safe
		}
	}
	return false, nil
}

// solve asks the SAT engines.
func (s *search) solve(ctx context.Context, from int) (bool, error) {
	safe, err := s.bySAT().solve(ctx, s.mv.Bits(from))
	return !safe, err
}

func (s *search) bySAT() *solver {
	if s.solver == nil {
		s.p.opt.Progress("many control states: going on with SAT")
		s.solver = newSolver(s.p)
	}
	return s.solver
}

// invariantCells are the covered cells of a register, of the plain frame.
func (p *Problem) invariantCells(ctx context.Context, register int) (structure.Set, error) {
	covered, mv := structure.NewSet(p.frame.cells), p.frame.moves
	if b := p.backward(ctx); b != nil {
		for cell := range p.frame.candidates.All() {
			if b.unsafe(func(i int) bool { return mv.Bit(p.frame.at[cell], i) != (i == register) }) {
				covered.Add(cell)
			}
		}
		return covered, nil
	}
	p.searchIn(mv)
	for cell := range p.frame.candidates.All() {
		t, err := mv.Twin(p.frame.at[cell], register)
		if err != nil {
			return nil, err
		}
		bad, err := p.search.unsafe(ctx, t)
		if err != nil {
			return nil, err
		}
		if bad {
			covered.Add(cell)
		}
	}
	return covered, nil
}

// searchIn makes the search one in these control states.
func (p *Problem) searchIn(mv *circuit.Moves) {
	if p.search == nil || p.search.mv != mv {
		p.search = p.newSearch(mv)
	}
}

// invariantOutput are the covered cells of an output that is no register.
func (p *Problem) invariantOutput(name string) structure.Set {
	f, bodies := p.frame, p.program.invariantBodies()
	covered := structure.NewSet(f.cells)
	for cell := range f.candidates.All() {
		from, to := f.statesOf(int32(cell))
		for w := from; w < to && !covered.Has(cell); w++ {
			holds := func(atom string) bool { return f.labels[atom].Has(w) != (atom == name) }
			if slices.ContainsFunc(bodies, func(b int32) bool { return !p.program.value(b, holds) }) {
				covered.Add(cell)
			}
		}
	}
	return covered
}

// invariantFixed reports whether an invariant holds when a register is fixed.
func (p *Problem) invariantFixed(ctx context.Context, register int, value bool) (bool, error) {
	if b := p.backward(ctx); b != nil {
		if holds, known := b.fixed(register, value); known {
			return holds, nil
		}
	}
	if err := p.refreshMoves(); err != nil {
		return false, err
	}
	mv := p.moves
	p.searchIn(mv)
	fix := func(cell int) (int, error) {
		if mv.Bit(cell, register) == value {
			return cell, nil
		}
		return mv.Twin(cell, register)
	}
	var from []int
	for _, s := range mv.Starts() {
		cell, err := fix(s.Control)
		if err != nil {
			return false, err
		}
		from = append(from, cell)
	}
	bad, err := p.search.breadthFirst(ctx, from, fix, false, p.search.fixing)
	if errors.Is(err, circuit.ErrTooLarge) {
		return p.search.bySAT().fixed(ctx, register, value)
	}
	return !bad, err
}

// invariantStates is the same on decision diagrams, in n variables. For an output or
// a label, flipped where it is read, it is the cells in which ¬p holds with the flip.
func (p *Problem) invariantStates(r *pairs, s *symbolicModel, cells bdd.Ref) (bdd.Ref, error) {
	m := s.M
	one := *r
	if r.redirect < 0 {
		one.p, one.diagonal = p.program.conjunction(p.program.invariantBodies()), bdd.True
		good, err := one.run()
		if err != nil {
			return bdd.False, err
		}
		defer m.Unprotect(good)
		return m.And(cells, m.Exists(m.Diff(s.reachable, good), s.InputCube())), m.Err()
	}
	if b := p.backward(p.ctx); b != nil {
		return m.And(cells, m.Flip(b.states(s.System, p.model.c), r.redirect)), m.Err()
	}
	one.care = m.Protect(s.inMutants(r, cells))
	defer m.Unprotect(one.care)
	one.redirect = -1 // no step is redirected
	if one.next != nil {
		one.next = s.NextWithin(one.care, -1, false)
		defer m.Release(one.next)
	}
	good, err := one.run()
	if err != nil {
		return bdd.False, err
	}
	defer m.Unprotect(good)
	bad := m.Exists(m.Diff(one.care, good), s.InputCube())
	return m.And(cells, m.Flip(bad, r.redirect)), m.Err()
}
