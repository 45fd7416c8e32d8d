package ctl

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"netcov/kripke/bdd"
	"netcov/kripke/symbolic"
)

// symbolicModel is a problem's model as a system of decision diagrams.
type symbolicModel struct {
	*symbolic.System
	init      bdd.Ref // with the option for the first step applied
	reachable bdd.Ref
	// constraint holds in all states that count; start is init without it.
	constraint, start bdd.Ref
	next              *bdd.Renaming // within the reachable states, once needed
}

// reach is the set of states that paths through states that satisfy the
// constraint reach from a set, and those that are known and closed under
// successors, when each step ends as after says.
func (s *symbolicModel) reach(known, from bdd.Ref, after func(bdd.Ref) bdd.Ref, report func(step int)) bdd.Ref {
	m := s.M
	frontier := m.Diff(m.And(from, s.constraint), known)
	reached := m.Or(known, frontier)
	for step := 1; frontier != bdd.False && m.Err() == nil; step++ {
		if report != nil {
			report(step)
		}
		m.CollectIfLarge(from, known, reached, frontier)
		frontier = m.Diff(m.And(after(s.Post(frontier)), s.constraint), reached)
		reached = m.Or(reached, frontier)
	}
	return reached
}

func unchanged(f bdd.Ref) bdd.Ref { return f }

func (p *Problem) symbolicModel() (*symbolicModel, error) {
	if p.system != nil {
		return p.system, nil
	}
	opt := bdd.Options{NodeLimit: p.opt.NodeLimit, Interrupt: func() error {
		if p.trial > 0 {
			if p.trial--; p.trial == 0 {
				return errBackward
			}
		}
		return context.Cause(p.ctx)
	}}
	var s *symbolic.System
	var err error
	switch {
	case p.model.system != nil:
		s, err = p.model.system.Make(opt)
	case p.model.k != nil:
		s, err = symbolic.FromStructure(p.model.k, opt)
	default:
		s, err = symbolic.FromCircuit(p.model.c, opt)
	}
	if err != nil {
		return nil, err
	}
	sm := &symbolicModel{System: s, init: s.Init, constraint: bdd.True}
	if p.opt.EmptyFirst && p.model.c != nil {
		for _, i := range p.model.c.Inputs {
			f, _ := s.Label(i.Name)
			sm.init = s.M.Diff(sm.init, f)
		}
	}
	sm.start = s.M.Protect(sm.init)
	if name := p.model.paths.constraint; name != "" {
		sm.constraint, _ = s.Label(name)
		if sm.init = s.M.And(sm.init, sm.constraint); sm.init == bdd.False && s.M.Err() == nil {
			return nil, errors.New("no initial state satisfies the invariant constraint")
		}
	}
	s.M.Protect(sm.init)
	report := func(step int) {
		p.opt.Progress(fmt.Sprintf("reachable states, step %d, %d diagram nodes", step, s.M.Stats().Nodes))
	}
	if sm.init == s.Init && sm.constraint == bdd.True {
		sm.reachable = s.Reached(report)
	} else {
		sm.reachable = s.M.Protect(sm.reach(bdd.False, sm.init, unchanged, report))
	}
	s.Restrict(sm.reachable)
	if s.M.Err() != nil {
		return nil, fmt.Errorf("reachable states: %w", s.M.Err())
	}
	p.system = sm
	return sm, nil
}

// evaluator evaluates the specification in the reachable states.
func (p *Problem) evaluator(s *symbolicModel) *pairs {
	next := s.next
	if next == nil {
		if next = s.NextWithin(s.reachable, -1, false); s.M.Err() == nil {
			s.next = next
		}
	}
	return &pairs{s: s.System, p: p.program, redirect: -1, care: s.reachable, next: next, fairness: p.model.paths.fairness, steps: p.model.paths.steps, report: p.opt.Progress}
}

func (p *Problem) symbolicHolds() (bool, error) {
	s, err := p.symbolicModel()
	if err != nil {
		return false, err
	}
	set, err := p.evaluator(s).run()
	if err != nil {
		return false, err
	}
	s.M.Unprotect(set)
	return s.M.Diff(s.init, set) == bdd.False, s.M.Err()
}

func (p *Problem) symbolicCover(signal Signal, merge bool) (*Cover, error) {
	s, err := p.symbolicModel()
	if err != nil {
		return nil, err
	}
	m, vars := s.M, s.ControlVars(0)
	cells := m.Protect(s.cells())
	defer m.Unprotect(cells)
	r := p.evaluator(s)
	if signal.redirects() {
		f, _ := s.Label(signal.Name)
		r.redirect = m.Support(f)[0]
	} else {
		r.flip = signal.Name
	}
	algorithm := p.opt.Algorithm
	if p.invariant() {
		algorithm = Invariant
	} else if algorithm == Auto {
		if algorithm = Pairs; m.SatCount(cells, vars).Cmp(big.NewInt(fewCells)) <= 0 {
			algorithm = Singles
		}
	}
	r.both = merge && algorithm != Invariant
	var covered bdd.Ref
	switch algorithm {
	case Invariant:
		covered, err = p.invariantStates(r, s, cells)
	case Singles:
		covered, err = p.singly(r, s, cells)
	default:
		covered, err = p.pairwise(r, s, cells)
	}
	if err != nil {
		return nil, err
	}
	m.Protect(covered)
	uncovered := m.Diff(s.required(cells, signal.Name), covered)
	if m.Err() != nil {
		m.Unprotect(covered)
		return nil, m.Err()
	}
	c := &Cover{Signal: signal, Algorithm: algorithm, set: covered}
	c.CoveredN, c.UncoveredN = m.SatCount(covered, vars), m.SatCount(uncovered, vars)
	c.Covered = p.symbolicNames(covered, c.listed(c.CoveredN, p.opt.MaxNames))
	c.Uncovered = p.symbolicNames(uncovered, c.listed(c.UncoveredN, p.opt.MaxNames))
	stats := m.Stats()
	c.Diagrams = &stats
	m.CollectIfLarge()
	return c, nil
}

// pairwise computes the covered cells of all mutants at once.
func (p *Problem) pairwise(r *pairs, s *symbolicModel, cells bdd.Ref) (bdd.Ref, error) {
	m := s.M
	one := *r
	one.diagonal = m.Protect(one.merged(s.Equal(0, 1, s.ControlBits)))
	defer m.Unprotect(one.diagonal)
	one.care = m.Protect(m.And(s.inMutants(r, cells), m.Rename(cells, s.MoveTrack(0, 1))))
	defer m.Unprotect(one.care)
	if one.next != nil {
		one.next = s.NextWithin(one.care, -1, false)
		defer m.Release(one.next)
	}
	pairs, err := one.run()
	if err != nil {
		return bdd.False, err
	}
	defer m.Unprotect(pairs)
	return one.covered(pairs, s.start, cells), m.Err()
}

// inMutants is the set of states that are reachable in a mutant of one of the
// cells: it has the twins of reachable cells, under every input, and when they are merged
// the cells under every input, since steps into a twin go there, too.
func (s *symbolicModel) inMutants(r *pairs, cells bdd.Ref) bdd.Ref {
	if r.redirect < 0 {
		return s.reachable
	}
	from := s.M.Flip(cells, r.redirect)
	if r.both {
		from = s.M.Or(from, cells)
	}
	return s.reach(s.reachable, from, unchanged, nil)
}

// singly model checks the mutant of each cell alone: naive, but on sets of
// states, where the states of a cell are too many to list and the pairs too many
// for a diagram.
func (p *Problem) singly(r *pairs, s *symbolicModel, cells bdd.Ref) (bdd.Ref, error) {
	m, vars := s.M, s.ControlVars(0)
	covered := bdd.False
	for bits := range m.All(cells, vars) {
		cell := bdd.True
		for i, b := range slices.Backward(bits) {
			cell = m.And(m.Literal(vars[i], b), cell)
		}
		m.Protect(covered)
		m.Protect(cell)
		noticed, err := p.single(r, s, cell)
		m.Unprotect(cell)
		m.Unprotect(covered)
		if err != nil {
			return bdd.False, err
		}
		if noticed {
			covered = m.Or(covered, cell)
		}
	}
	return covered, m.Err()
}

// single reports whether the specification fails in the mutant of one cell.
func (p *Problem) single(r *pairs, s *symbolicModel, cell bdd.Ref) (bool, error) {
	m := s.M
	one := *r
	one.diagonal = m.Protect(one.merged(cell))
	defer m.Unprotect(one.diagonal)
	one.care = m.Protect(s.inMutants(r, cell))
	defer m.Unprotect(one.care)
	if one.next != nil && one.redirect >= 0 {
		one.next = s.NextWithin(one.care, -1, false)
		defer m.Release(one.next)
	}
	set, err := one.run()
	if err != nil {
		return false, err
	}
	defer m.Unprotect(set)
	// Where a redirection leaves the care set, no path counts.
	return m.And(s.start, one.redirected(m.Diff(one.care, set))) != bdd.False, m.Err()
}

// cells is the set of reachable states, or control states.
func (s *symbolicModel) cells() bdd.Ref { return s.M.Exists(s.reachable, s.inputCube()) }

func (s *symbolicModel) inputCube() bdd.Ref {
	var inputs []int
	for i, v := range s.Vars(0) {
		if !slices.Contains(s.ControlBits, i) {
			inputs = append(inputs, v)
		}
	}
	return s.M.Cube(inputs...)
}

// symbolicNames lists some states of a set.
func (p *Problem) symbolicNames(f bdd.Ref, most int) []string {
	s := p.system
	out := []string{}
	for bits := range s.M.All(f, s.ControlVars(0)) {
		if len(out) == most {
			break
		}
		out = append(out, s.StateName(bits))
	}
	if p.model.c != nil {
		slices.Sort(out)
	}
	return out
}

// symbolicFixed reports whether the specification holds when a control signal
// is fixed.
func (p *Problem) symbolicFixed(control string, value bool) (bool, error) {
	s, err := p.symbolicModel()
	if err != nil {
		return false, err
	}
	if p.invariant() {
		if b := p.backward(p.ctx); b != nil {
			if holds, known := b.fixed(p.model.c.ControlIndex(control), value); known {
				return holds, nil
			}
		}
	}
	m := s.M
	f, _ := s.Label(control)
	v := m.Support(f)[0]
	if f != m.Var(v) {
		value = !value // the graph stores the register inverted
	}
	fix := func(f bdd.Ref) bdd.Ref { return m.And(m.Exists(f, m.Cube(v)), m.Literal(v, value)) }
	init := m.Protect(fix(s.start))
	r := p.evaluator(s)
	r.care = m.Protect(s.reach(bdd.False, init, fix, nil))
	r.next = s.NextWithin(r.care, v/s.Tracks, value)
	defer m.Release(r.next)
	set, err := r.run()
	if err != nil {
		for _, f := range []bdd.Ref{init, r.care} {
			m.Unprotect(f)
		}
		return false, err
	}
	// Where no path counts, the specification holds.
	holds := m.Diff(m.And(init, r.care), set) == bdd.False
	for _, f := range []bdd.Ref{init, r.care} {
		m.Unprotect(f)
	}
	m.Unprotect(set)
	m.CollectIfLarge()
	return holds, m.Err()
}
