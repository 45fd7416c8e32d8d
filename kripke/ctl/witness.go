package ctl

import (
	"context"
	"slices"

	"netcov/kripke/formula"
	"netcov/kripke/structure"
)

// The outputs of CKV01 section 4 beyond the covered sets: computations of
// uncovered states, and the interesting witness of Beer, Ben-David, Eisner and
// Rodeh (CAV 1997), a computation on which the specification holds and depends
// on as many of its literals as possible.

// Counterexample is a computation that shows why a specification that fails
// does so, as far as one path can show it; Shows is what its last state
// violates or satisfies. It is nil when the specification holds.
func (p *Problem) Counterexample(ctx context.Context) (*Trace, error) {
	ok, err := p.Holds(ctx)
	if err != nil || ok {
		return nil, err
	}
	return p.explain(ctx, formula.Not(p.formula))
}

// explain is a computation from an initial state that satisfies f and shows
// why; nil when no initial state does.
func (p *Problem) explain(ctx context.Context, f formula.Formula) (*Trace, error) {
	prog, err := compile(f, p.model.paths, witness)
	if err != nil {
		return nil, err
	}
	explicit, err := p.explicit(ctx)
	if err != nil {
		return nil, err
	}
	if explicit {
		return explainIn(frameSpace{p, p.frame}, prog)
	}
	s, err := p.symbolicModel()
	if err != nil {
		return nil, err
	}
	t, err := explainIn(diagramSpace{p, s}, prog)
	if err == nil {
		err = s.M.Err()
	}
	s.M.CollectIfLarge()
	return t, err
}

func explainIn[S any](sp space[S], prog program) (*Trace, error) {
	values, err := sp.values(prog)
	if err != nil {
		return nil, err
	}
	defer sp.release(values)
	last := int32(len(prog) - 1)
	first := sp.and(sp.initial(), values[last])
	if sp.empty(first) {
		return nil, nil
	}
	w := newWalker(sp, sp.pick(first))
	end := w.follow(prog, values, last)
	t := w.trace()
	t.Shows = prog.formula(end)
	return t, nil
}

// Interesting is the interesting witness of a specification.
type Interesting struct {
	// Trace is a computation on which the specification holds; nil when no
	// literal matters or the computation grew too long.
	Trace *Trace
	// Exercised lists the literals of the specification's negation normal form
	// on which its truth depends along the trace.
	Exercised []string
	// Vacuous lists the literals that can be replaced by FALSE everywhere
	// without falsifying the specification.
	Vacuous []string
}

// Interesting finds the interesting witness of a specification that holds. For
// each literal l the specification with FALSE for l is checked. Where that
// fails, a path shows why, and it depends on l. Such paths are chained, each
// going on where the one before ends, in several orders, and of the
// computations on which the specification holds the one that depends on most
// literals is returned, the longest among equals.
func (p *Problem) Interesting(ctx context.Context) (*Interesting, error) {
	if ok, err := p.Holds(ctx); err != nil {
		return nil, err
	} else if !ok {
		return nil, ErrFails
	}
	explicit, err := p.explicit(ctx)
	if err != nil {
		return nil, err
	}
	if explicit {
		return interestingIn(p, frameSpace{p, p.frame})
	}
	s, err := p.symbolicModel()
	if err != nil {
		return nil, err
	}
	in, err := interestingIn(p, diagramSpace{p, s})
	if err == nil {
		err = s.M.Err()
	}
	s.M.CollectIfLarge()
	return in, err
}

// weakening is a specification with FALSE for one of its literals, and where
// its negation, and the parts of that, hold. The specification itself, as what
// a path can show, takes the place of the negation in one of them.
type weakening[S any] struct {
	literal formula.Formula
	weak    formula.Formula
	program program
	values  []S
}

func (k *weakening[S]) fails() S { return k.values[len(k.values)-1] }

func interestingIn[S any](p *Problem, sp space[S]) (*Interesting, error) {
	out := &Interesting{}
	normal := formula.Simplify(formula.NNF(p.formula))
	var all []weakening[S]
	defer func() {
		for _, k := range all {
			sp.release(k.values)
		}
	}()
	for _, l := range formula.Subformulas(normal) {
		if l.Op() != formula.OpAtom && l.Op() != formula.OpNot {
			continue
		}
		k := weakening[S]{literal: l, weak: replaceLiteral(normal, l)}
		if k.weak == normal {
			continue // an atom that occurs negated only
		}
		if l.Op() == formula.OpNot && isOpen(l.Left().Name()) {
			continue // no part of the specification as written
		}
		var err error
		if k.program, err = compile(formula.Not(k.weak), p.model.paths, witness); err != nil {
			return nil, err
		}
		if k.values, err = sp.values(k.program); err != nil {
			return nil, err
		}
		if sp.empty(sp.and(sp.initial(), k.fails())) {
			out.Vacuous = append(out.Vacuous, l.String())
			sp.release(k.values)
			continue
		}
		all = append(all, k)
	}
	// The specification itself, which an existential one is shown by.
	own := weakening[S]{}
	var err error
	if own.program, err = compile(normal, p.model.paths, witness); err == nil {
		own.values, err = sp.values(own.program)
	}
	if err != nil {
		return nil, err
	}
	defer sp.release(own.values)
	orders := [][]weakening[S]{append([]weakening[S]{own}, all...)}
	for i := range all {
		forward := append([]weakening[S]{all[i]}, all[i+1:]...)
		forward = append(forward, all[:i]...)
		backward := slices.Clone(forward)
		slices.Reverse(backward[1:])
		orders = append(orders, forward, backward)
	}
	for _, order := range orders {
		t := chain(sp, order)
		if t.Loop < 0 {
			continue
		}
		exercised, err := exercised(p, t, normal, all)
		if err != nil {
			return nil, err
		}
		n := len(exercised)
		if n > len(out.Exercised) || n > 0 && n == len(out.Exercised) && len(t.Steps) > len(out.Trace.Steps) {
			out.Trace, out.Exercised = t, exercised
		}
	}
	return out, nil
}

// chain follows the weakenings' failures one after the other, where the last
// state allows it, and closes a loop.
func chain[S any](sp space[S], order []weakening[S]) *Trace {
	w := newWalker(sp, sp.pick(sp.and(sp.initial(), order[0].fails())))
	for _, k := range order {
		if w.loop < 0 && !sp.empty(sp.and(w.last(), k.fails())) {
			w.follow(k.program, k.values, int32(len(k.program)-1))
		}
	}
	if w.loop < 0 {
		w.fairLasso(sp.all())
	}
	return w.trace()
}

// replaceLiteral puts FALSE for a literal of a formula in negation normal form.
func replaceLiteral(f, l formula.Formula) formula.Formula {
	result := map[formula.Formula]formula.Formula{}
	for _, g := range formula.Subformulas(f) {
		r := g
		switch {
		case g == l:
			r = formula.False()
		case g.Op() == formula.OpNot:
		case g.Op().Arity() == 1:
			r = formula.Unary(g.Op(), result[g.Left()])
		case g.Op().Arity() == 2:
			r = formula.Binary(g.Op(), result[g.Left()], result[g.Right()])
		}
		result[g] = r
	}
	return result[f]
}

// exercised lists the literals on which f depends along a computation on which
// it holds.
func exercised[S any](p *Problem, t *Trace, f formula.Formula, all []weakening[S]) ([]string, error) {
	path := structureFrame(t.structure(formula.Atoms(p.formula)))
	holds := func(g formula.Formula) (bool, error) {
		prog, err := compile(g, paths{}, claim)
		if err != nil {
			return false, err
		}
		return newChecker(path, prog).holds(original), nil
	}
	if ok, err := holds(f); err != nil || !ok {
		return nil, err
	}
	var out []string
	for _, k := range all {
		ok, err := holds(k.weak)
		if err != nil {
			return nil, err
		}
		if !ok {
			out = append(out, k.literal.String())
		}
	}
	return out, nil
}

// FirstUncovered is a path from an initial state to the nearest state that is not
// covered; nil when all are, or the path is longer than maxTrace.
func (p *Problem) FirstUncovered(ctx context.Context, c *Cover) (*Trace, error) {
	if c.UncoveredN.Sign() == 0 {
		return nil, nil
	}
	explicit, err := p.explicit(ctx)
	if err != nil {
		return nil, err
	}
	if explicit {
		sp := frameSpace{p, p.frame}
		target := sp.minus(sp.all(), p.frame.statesIn(c))
		if open, ok := p.frame.labels[openName(c.Signal.Name)]; ok {
			target = sp.minus(target, open)
		}
		return nearest(sp, target), nil
	}
	s, err := p.symbolicModel()
	if err != nil {
		return nil, err
	}
	target := s.M.Diff(s.Valid, c.set)
	if open, ok := s.Label(openName(c.Signal.Name)); ok {
		target = s.M.Diff(target, open)
	}
	t := nearest(diagramSpace{p, s}, target)
	err = s.M.Err()
	s.M.CollectIfLarge()
	return t, err
}

// nearest is a shortest path from an initial state to a state of a set.
func nearest[S any](sp space[S], target S) *Trace {
	rings := []S{sp.initial()}
	seen := rings[0]
	for len(rings) < maxTrace {
		last := rings[len(rings)-1]
		if hit := sp.and(last, target); !sp.empty(hit) {
			w := &walker[S]{sp: sp, states: make([]S, len(rings)), loop: -1}
			for i := len(rings) - 1; i >= 0; i-- {
				w.states[i] = sp.pick(hit)
				if i > 0 {
					hit = sp.and(sp.pre(w.states[i]), rings[i-1])
				}
			}
			return w.trace()
		}
		next := sp.minus(sp.and(sp.post(last), sp.all()), seen)
		if sp.empty(next) {
			return nil
		}
		rings, seen = append(rings, next), sp.or(seen, next)
	}
	return nil
}

// statesIn are the states of the cells of some covers.
func (f *frame) statesIn(covers ...*Cover) structure.Set {
	out := structure.NewSet(f.states)
	for _, c := range covers {
		for cell := range c.cells.All() {
			from, to := f.statesOf(int32(cell))
			for w := from; w < to; w++ {
				out.Add(w)
			}
		}
	}
	return out
}

// Uncovered is a computation of mostly uncovered states.
type Uncovered struct {
	Trace *Trace
	// Only reports that no state of the computation is covered: it is the
	// non-interesting witness, a behaviour to which the specification is blind.
	Only bool
	// Met is the number of distinct uncovered states on the computation.
	Met int
}

// Uncovered finds a computation that is covered nowhere by any of the covers
// when there is one, and otherwise one that meets many uncovered states: from
// each state it goes on to the nearest uncovered state that is new (CKV01
// section 4). It is nil when every reachable state is covered.
func (p *Problem) Uncovered(ctx context.Context, covers ...*Cover) (*Uncovered, error) {
	explicit, err := p.explicit(ctx)
	if err != nil {
		return nil, err
	}
	if explicit {
		sp := frameSpace{p, p.frame}
		return uncoveredIn(sp, sp.minus(sp.all(), p.frame.statesIn(covers...))), nil
	}
	s, err := p.symbolicModel()
	if err != nil {
		return nil, err
	}
	uncovered := s.Valid
	for _, c := range covers {
		uncovered = s.M.Diff(uncovered, c.set)
	}
	u := uncoveredIn(diagramSpace{p, s}, uncovered)
	err = s.M.Err()
	s.M.CollectIfLarge()
	return u, err
}

func uncoveredIn[S any](sp space[S], uncovered S) *Uncovered {
	// Uncovered states with an infinite path of uncovered states.
	stay := within(sp, uncovered)
	if first := sp.and(sp.initial(), stay); !sp.empty(first) {
		w := newWalker(sp, sp.pick(first))
		w.fairLasso(stay)
		return &Uncovered{Trace: w.trace(), Only: true, Met: met(w, uncovered)}
	}
	first := sp.initial()
	if good := sp.and(first, uncovered); !sp.empty(good) {
		first = good
	}
	w := newWalker(sp, sp.pick(first))
	left := sp.minus(uncovered, w.last())
	for len(w.states) < maxTrace {
		at := len(w.states)
		if !w.path(sp.all(), left, true) {
			break
		}
		for _, s := range w.states[at:] {
			left = sp.minus(left, s)
		}
	}
	n := met(w, uncovered)
	if n == 0 {
		return nil
	}
	w.fairLasso(sp.all())
	return &Uncovered{Trace: w.trace(), Met: n}
}

// met is the number of different uncovered states, or control states, on the
// computation so far.
func met[S any](w *walker[S], uncovered S) int {
	names := map[string]bool{}
	for _, s := range w.states {
		if !w.sp.empty(w.sp.and(s, uncovered)) {
			names[w.sp.step(s).State] = true
		}
	}
	return len(names)
}
