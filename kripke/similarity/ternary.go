package similarity

import (
	"context"

	"netcov/kripke/bdd"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
)

// The symbolic algorithm of CK02 section 4: the greatest fixed point C of
//
//	C(w, λ, w') = C0(w, λ, w') ∧ ∀u (R(w, u) → ∃u' (R'(w', u') ∧ C(u, λ, u')))
//
// where C0 says that w' has the label of w in the mutant λ. Both quantifiers are
// compositions on three interleaved tracks (w, λ, w'), so that 3n variables do,
// with n the bits of the largest of W, W' and MUT: the inner one is the paper's
// (3:2)-compose, the outer one its (3:0)-compose.
//
// The plain twin quantifies with the usual relational product and so needs
// tracks of its own for the primed and the mutant vectors: 6n, of which the
// paper's 4n+2n' would do. It is there to measure the difference.

// tracks of the ternary relation.
const (
	trackImpl = iota
	trackMutant
	trackSpec
)

// ternary fills in the coverage of the candidates. The mutant λ is the number of
// its candidate.
func (p *Problem) ternary(ctx context.Context, candidates []candidate, opt Options, out *Coverage) error {
	n := max(symbolic.BitsFor(p.Impl.Len()), symbolic.BitsFor(p.Spec.Len()), symbolic.BitsFor(len(candidates)))
	tracks := 3
	if opt.Plain {
		tracks = 6
	}
	if opt.Diagrams.Interrupt == nil {
		opt.Diagrams.Interrupt = func() error { return context.Cause(ctx) }
	}
	e := symbolic.NewEncoding(n, tracks, opt.Diagrams)
	m := e.M
	defer func() {
		s := m.Stats()
		out.Variables, out.PeakNodes, out.Bytes = s.Variables, s.PeakNodes, s.Bytes
	}()
	var step func(c bdd.Ref) bdd.Ref
	if opt.Plain {
		step = p.plainStep(e)
	} else {
		var err error
		if step, err = p.composeStep(e); err != nil {
			return err
		}
	}
	// The simulation of the original comes first: without it there is no
	// coverage.
	for _, mutants := range [][]candidate{nil, candidates} {
		c, err := p.greatestTernary(e, mutants, step, out)
		if err == nil && len(p.goals) > 0 {
			c, err = p.ternaryGame(e, step).solve(c, nil)
		}
		if err != nil {
			return err
		}
		bad := p.unmatchedTernary(e, c)
		if err := m.Err(); err != nil {
			return err
		}
		if mutants == nil {
			if bad != bdd.False {
				return ErrNotSimulated
			}
			continue
		}
		for _, k := range e.Codes(trackMutant, m.And(bad, e.Set(trackMutant, structure.FullSet(len(candidates))))) {
			out.Covered[candidates[k].number] = true
		}
	}
	return m.Err()
}

// greatestTernary is C for the given mutants. For none, λ does not matter and C
// is the simulation of the original.
func (p *Problem) greatestTernary(e symbolic.Encoding, mutants []candidate, step func(bdd.Ref) bdd.Ref, out *Coverage) (bdd.Ref, error) {
	m := e.M
	c0 := m.Protect(p.ternaryBase(e, mutants))
	defer m.Unprotect(c0)
	for c := c0; ; {
		out.Iterations++
		next := m.And(c0, step(c))
		if err := m.Err(); err != nil {
			return bdd.False, err
		}
		if next == c {
			return c, nil
		}
		c = next
		m.CollectIfLarge(c)
	}
}

// ternaryGame is the game of fair simulation in all mutants at once: a mutant has the
// fairness sets of the original.
func (p *Problem) ternaryGame(e symbolic.Encoding, step func(bdd.Ref) bdd.Ref) *game[bdd.Ref] {
	m := e.M
	g := &game[bdd.Ref]{
		and: m.And, or: m.Or, step: step, none: bdd.False,
		same: func(a, b bdd.Ref) bool { return a == b },
		keep: m.CollectIfLarge, err: m.Err,
	}
	for _, f := range p.assume {
		g.open = append(g.open, m.Protect(e.Set(trackImpl, f)).Not())
	}
	for _, f := range p.goals {
		g.goals = append(g.goals, m.Protect(e.Set(trackSpec, f)))
	}
	return g
}

// unmatchedTernary is the set of λ for which some initial w0 has no initial w0'
// with C(w0, λ, w0').
func (p *Problem) unmatchedTernary(e symbolic.Encoding, c bdd.Ref) bdd.Ref {
	m := e.M
	with := m.AndExists(c, e.Set(trackSpec, p.Spec.InitialSet()), e.Cube(trackSpec))
	return m.AndExists(e.Set(trackImpl, p.Impl.InitialSet()), with.Not(), e.Cube(trackImpl))
}

// ternaryBase is C0.
func (p *Problem) ternaryBase(e symbolic.Encoding, mutants []candidate) bdd.Ref {
	m := e.M
	flips := make([][][2]int, len(p.ap))
	for k, c := range mutants {
		flips[c.a] = append(flips[c.a], [2]int{c.w, k})
	}
	f := m.And(e.Set(trackImpl, structure.FullSet(p.Impl.Len())), e.Set(trackSpec, structure.FullSet(p.Spec.Len())))
	for a := range p.ap {
		label := m.Xor(e.Set(trackImpl, p.Impl.Where(p.ap[a].impl)), e.Pairs(trackImpl, trackMutant, flips[a]))
		f = m.And(f, m.Iff(label, e.Set(trackSpec, p.Spec.Where(p.ap[a].spec))))
	}
	return f
}

// composeStep is one step on 3n variables.
func (p *Problem) composeStep(e symbolic.Encoding) (func(bdd.Ref) bdd.Ref, error) {
	m := e.M
	// R has w on track 0 and u on track 2; R' has w' on track 2 and u' on track 0.
	r := m.Protect(e.Relation(trackImpl, trackSpec, p.Impl))
	r2 := m.Protect(e.Relation(trackSpec, trackImpl, p.Spec))
	inner, err := m.NewComposition([]string{"u", "λ", "w'"}, []string{"u'", "", "w'"}, []string{"u", "λ", "u'"})
	if err != nil {
		return nil, err
	}
	outer, err := m.NewComposition([]string{"w", "λ", "w'"}, []string{"w", "", "u"}, []string{"u", "λ", "w'"})
	if err != nil {
		return nil, err
	}
	return func(c bdd.Ref) bdd.Ref {
		follows := m.Compose(inner, r2, c)
		return m.Compose(outer, r, follows.Not()).Not()
	}, nil
}

// plainStep is one step on 6n variables: (w, λ, w') and (u, -, u').
func (p *Problem) plainStep(e symbolic.Encoding) func(bdd.Ref) bdd.Ref {
	m := e.M
	const implNext, specNext = 3, 5
	r := m.Protect(e.Relation(trackImpl, implNext, p.Impl))
	r2 := m.Protect(e.Relation(trackSpec, specNext, p.Spec))
	to := map[int]int{}
	for i := range e.Bits {
		to[e.Var(trackImpl, i)] = e.Var(implNext, i)
		to[e.Var(trackSpec, i)] = e.Var(specNext, i)
	}
	prime := m.NewRenaming(to)
	u, u2 := m.Protect(e.Cube(implNext)), m.Protect(e.Cube(specNext))
	return func(c bdd.Ref) bdd.Ref {
		follows := m.AndExists(r2, m.Rename(c, prime), u2)
		return m.AndExists(r, follows.Not(), u).Not()
	}
}
