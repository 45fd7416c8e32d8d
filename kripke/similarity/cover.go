package similarity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"netcov/kripke/bdd"
	"netcov/kripke/structure"
)

// Algorithm is a way to find the covered mutants.
type Algorithm string

// The algorithms: a simulation for each mutant, CK02's halving (section 3), and
// its ternary relation C (section 4).
const (
	Naive    Algorithm = "naive"
	Halving  Algorithm = "halving"
	Symbolic Algorithm = "symbolic"
)

// Algorithms lists them.
var Algorithms = []Algorithm{Naive, Halving, Symbolic}

// Options tune the coverage; the zero value means Halving with seed 0.
type Options struct {
	Algorithm Algorithm
	Seed      uint64      // of the random division of the mutants
	Diagrams  bdd.Options // of Symbolic
	// Plain makes Symbolic use the usual relational product on 6n variables, to
	// compare with.
	Plain bool
}

// Coverage tells which mutants are covered.
type Coverage struct {
	Covered []bool // by the number of the mutant
	Calls   int64  // similarity computations, of Naive and Halving
	Work    int64  // steps in them
	// Of Symbolic.
	Variables, PeakNodes, Bytes, Iterations int
}

// ErrNotSimulated says that coverage is undefined, since the specification does
// not even simulate the implementation as it is.
var ErrNotSimulated = errors.New("the specification does not simulate the implementation, so coverage is undefined")

// Cover finds the mutants that the specification does not simulate. Flips of
// signals that the specification does not have, and in unreachable states, are
// never covered.
func (p *Problem) Cover(ctx context.Context, mutants []Mutant, opt Options) (*Coverage, error) {
	for _, m := range mutants {
		if m.State < 0 || m.State >= p.Impl.Len() {
			return nil, fmt.Errorf("there is no state %d", m.State)
		}
		if _, ok := p.Impl.Proposition(m.Signal); !ok {
			return nil, fmt.Errorf("there is no signal %q", m.Signal)
		}
	}
	small, candidates, err := p.reduce(mutants)
	if err != nil {
		return nil, err
	}
	out := &Coverage{Covered: make([]bool, len(mutants))}
	switch {
	case len(small.Impl.Initial) == 0:
		return out, nil // no fair path: each specification simulates each mutant
	case len(small.Spec.Initial) == 0:
		return nil, ErrNotSimulated
	}
	switch opt.Algorithm {
	case Naive:
		err = small.naive(ctx, candidates, out)
	case Halving, "":
		err = small.halving(ctx, candidates, opt.Seed, out)
	case Symbolic:
		err = small.ternary(ctx, candidates, opt, out)
	default:
		err = fmt.Errorf("there is no algorithm %q", opt.Algorithm)
	}
	first := map[Mutant]int{}
	for n, m := range mutants {
		if k, ok := first[m]; ok {
			out.Covered[n] = out.Covered[k]
			continue
		}
		first[m] = n
	}
	return out, err
}

// candidate is a mutant that can be covered: a state of the reduced problem, a
// proposition of ap, and the mutant's number.
type candidate struct{ w, a, number int }

// reduce takes unreachable states out of both sides and drops the mutants that
// cannot be covered.
func (p *Problem) reduce(mutants []Mutant) (*Problem, []candidate, error) {
	impl, old := p.Impl.ReachablePart()
	spec, _ := p.Spec.ReachablePart()
	small, err := NewProblem(impl, spec, p.Propositions()...)
	if err != nil {
		return nil, nil, err
	}
	renumber := make(map[int]int, len(old))
	for w, o := range old {
		renumber[o] = w
	}
	var out []candidate
	seen := make(map[Mutant]bool, len(mutants))
	for n, m := range mutants {
		if seen[m] {
			continue // takes the result of the first
		}
		seen[m] = true
		a, known := p.number[m.Signal]
		if w, ok := renumber[m.State]; ok && known {
			out = append(out, candidate{w, a, n})
		}
	}
	return small, out, nil
}

// naive computes the simulation of each mutant from nothing.
func (p *Problem) naive(ctx context.Context, candidates []candidate, out *Coverage) error {
	covered := func(m *Problem) (bool, error) {
		class, fits := m.classes(nil)
		e := newRefiner(ctx, m.Impl, m.Spec, class, fits)
		e.watch(m.Impl.Initial, m.Spec.InitialSet())
		err := e.propagate()
		out.Calls++
		out.Work += e.work
		if err != nil || e.bad > 0 || len(m.goals) == 0 {
			return e.bad > 0, err
		}
		return m.lost(ctx, e.sim, out)
	}
	if bad, err := covered(p); err != nil || bad {
		if err == nil {
			err = ErrNotSimulated
		}
		return err
	}
	for _, c := range candidates {
		m := *p
		m.Impl = p.Impl.Flip(p.ap[c.a].impl, c.w)
		bad, err := covered(&m)
		if err != nil {
			return err
		}
		out.Covered[c.number] = bad
	}
	return nil
}

// lost plays the game inside a simulation until an initial state has no partner.
func (p *Problem) lost(ctx context.Context, sim relation, out *Coverage) (bool, error) {
	g, of := p.game(ctx), p.Spec.InitialSet()
	won, err := g.solve(sim, func(_ relation, _ int, after relation) bool {
		return unmatched(after, p.Impl.Initial, of) < 0
	})
	out.Work += g.rounds
	return unmatched(won, p.Impl.Initial, of) >= 0, err
}

// halving is the procedure Coverage of CK02 figure 3, for a mutant vector. It
// starts from the incomplete simulation in which every mutated value is a
// variable, and halves the set of variables at random; a step fixes the values
// of the other half to those of the original.
func (p *Problem) halving(ctx context.Context, candidates []candidate, seed uint64, out *Coverage) error {
	class, fits := p.classes(nil)
	e := newRefiner(ctx, p.Impl, p.Spec, class, fits)
	e.watch(p.Impl.Initial, p.Spec.InitialSet())
	if err := e.propagate(); err != nil {
		return err
	}
	if e.bad > 0 {
		return ErrNotSimulated
	}
	if len(p.goals) > 0 {
		if bad, err := p.lost(ctx, e.sim, out); err != nil || bad {
			return cmp.Or(err, ErrNotSimulated)
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	out.Work += e.work
	free := make([]structure.Set, len(p.ap))
	for a := range free {
		free[a] = structure.NewSet(p.Impl.Len())
	}
	for _, c := range candidates {
		free[c.a].Add(c.w)
	}
	class, fits = p.classes(func(w, a int) bool { return free[a].Has(w) })
	e = newRefiner(ctx, p.Impl, p.Spec, class, fits)
	e.watch(p.Impl.Initial, p.Spec.InitialSet())
	if err := e.propagate(); err != nil {
		return err
	}
	h := &halver{ctx: ctx, p: p, e: e, out: out}
	candidates = append([]candidate(nil), candidates...)
	// Shuffling once makes every later division at the middle a random one.
	rng := rand.New(rand.NewPCG(seed, 1))
	rng.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	err := h.cover(candidates, e.sim)
	out.Calls += 2
	out.Work += e.work
	return err
}

type halver struct {
	ctx context.Context

	p   *Problem
	e   *refiner
	out *Coverage
}

// fix gives the proposition of a mutant its original or its flipped value.
func (h *halver) fix(c candidate, flipped bool) {
	value := 0
	if h.p.Impl.Holds(c.w, h.p.ap[c.a].impl) != flipped {
		value = 1
	}
	h.e.restrict(c.w, h.p.ap[c.a].with[value])
}

// lost is whether the specification loses with the values that are fixed now, and
// the pairs that it wins. Fixing values takes pairs away only: it wins no pair that
// is not in won, what it won with fewer values fixed.
func (h *halver) lost(won relation) (bool, relation, error) {
	if h.e.bad > 0 || len(h.p.goals) == 0 {
		return h.e.bad > 0, won, nil
	}
	g, of := h.p.game(h.ctx), h.p.Spec.InitialSet()
	won, err := g.solve(g.and(h.e.sim, won), func(_ relation, _ int, after relation) bool {
		return unmatched(after, h.p.Impl.Initial, of) < 0
	})
	h.out.Work += g.rounds
	return unmatched(won, h.p.Impl.Initial, of) >= 0, won, err
}

// cover works on the set of mutants whose values are variables now; won holds all
// pairs that the specification can win. It is as deep as the logarithm of their number.
func (h *halver) cover(s []candidate, won relation) error {
	mark := len(h.e.trail)
	defer func() { h.e.undo(mark) }()
	if len(s) == 1 {
		h.fix(s[0], true)
	}
	h.out.Calls++
	if err := h.e.propagate(); err != nil {
		return err
	}
	bad, won, err := h.lost(won)
	if err != nil || bad || len(s) == 1 {
		for _, c := range s {
			h.out.Covered[c.number] = bad
		}
		return err
	}
	first, second := s[:len(s)/2], s[len(s)/2:]
	for range 2 {
		before := len(h.e.trail)
		for _, c := range second {
			h.fix(c, false)
		}
		if err := h.cover(first, won); err != nil {
			return err
		}
		h.e.undo(before)
		first, second = second, first
	}
	return nil
}
