package similarity

import (
	"context"

	"netcov/kripke/structure"
)

// The game of fair simulation. In a pair (w, w') the implementation takes a step
// from w and the specification answers with one from w' to a state of the same
// label. The specification wins a play when it can always answer and, if the
// implementation's path meets each of its fairness sets F1…Fk infinitely often, its
// own meets each of its sets G1…Gm infinitely often. That is a game for
// ⋀ GF Fi → ⋀ GF Gj, and the pairs from which the specification wins are
//
//	νZ. ⋀j µY. ⋁i νX. (Gj ∧ step Z) ∨ step Y ∨ (¬Fi ∧ step X)
//
// (Piterman, Pnueli and Sa'ar 2006), where step S holds in a pair when each step
// of the implementation has an answer into S. Each S stays inside the pairs that
// agree on the labels. Only the part of the implementation with fair paths plays,
// so a step without answer is always lost.

// game solves the fixed point for sets of pairs of type S.
type game[S any] struct {
	and, or func(a, b S) S
	step    func(S) S
	same    func(a, b S) bool
	none    S
	goals   []S // Gj
	open    []S // ¬Fi
	// keep names the sets in use; others may be thrown away.
	keep func(inUse ...S)
	err  func() error
	// rounds counts the innermost steps.
	rounds int64
}

// solve is the largest winning region inside z, of pairs that agree on the labels.
// After each refinement it calls refined, when that is not nil, with the set before,
// the goal, and the set after, and stops when the answer is false.
func (g *game[S]) solve(z S, refined func(before S, goal int, after S) bool) (S, error) {
	for j, kept := 0, 0; kept < len(g.goals); j = (j + 1) % len(g.goals) {
		y, err := g.attract(z, j)
		if err != nil {
			return z, err
		}
		if g.same(y, z) {
			kept++
			continue
		}
		if refined != nil && !refined(z, j, y) {
			return y, nil
		}
		z, kept = y, 0
	}
	return z, nil
}

// attract is the part of z from which the specification meets goal j and is in z
// after that step, or else keeps some Fi away from then on, all inside z.
func (g *game[S]) attract(z S, j int) (S, error) {
	goal := g.and(g.and(z, g.goals[j]), g.step(z))
	y := g.none
	for {
		base := g.or(goal, g.and(z, g.step(y)))
		next := base
		for _, away := range g.open {
			stay, x := g.and(z, away), z
			for {
				g.rounds++
				to := g.or(base, g.and(stay, g.step(x)))
				if err := g.err(); err != nil {
					return z, err
				}
				if g.same(to, x) {
					break
				}
				x = to
				g.keep(z, goal, y, base, next, stay, x)
			}
			next = g.or(next, x)
		}
		if err := g.err(); err != nil || g.same(next, y) {
			return next, err
		}
		y = next
		g.keep(z, goal, y)
	}
}

// relation is a set of pairs: for each state of the implementation a set of states
// of the specification.
type relation = []structure.Set

// game is the game on listed pairs.
func (p *Problem) game(ctx context.Context) *game[relation] {
	n, m := p.Impl.Len(), p.Spec.Len()
	words := (m + 63) / 64
	empty := func() relation {
		all, r := make(structure.Set, words*n), make(relation, n)
		for w := range r {
			r[w] = all[w*words : (w+1)*words : (w+1)*words]
		}
		return r
	}
	combine := func(a, b relation, with func(x, y uint64) uint64) relation {
		r := empty()
		for w := range r {
			for i, x := range a[w] {
				r[w][i] = with(x, b[w][i])
			}
		}
		return r
	}
	g := &game[relation]{
		and: func(a, b relation) relation { return combine(a, b, func(x, y uint64) uint64 { return x & y }) },
		or:  func(a, b relation) relation { return combine(a, b, func(x, y uint64) uint64 { return x | y }) },
		same: func(a, b relation) bool {
			for w := range a {
				if !a[w].Equal(b[w]) {
					return false
				}
			}
			return true
		},
		none: empty(),
		keep: func(...relation) {},
		err:  func() error { return context.Cause(ctx) },
	}
	g.step = func(s relation) relation {
		r := empty()
		for w := range r {
			copy(r[w], structure.FullSet(m))
		}
		into := structure.NewSet(m)
		for u := range n {
			if ctx.Err() != nil {
				return r // err reports it
			}
			before := p.Impl.Predecessors(u)
			if len(before) == 0 {
				continue
			}
			clear(into)
			if s[u].Count() < m/4 {
				for t := range s[u].All() {
					for _, v := range p.Spec.Predecessors(t) {
						into.Add(int(v))
					}
				}
			} else {
				for v := range m {
					if !none(s[u], p.Spec.Successors(v)) {
						into.Add(v)
					}
				}
			}
			for _, w := range before {
				r[w].Intersect(into)
			}
		}
		return r
	}
	for _, f := range p.assume {
		r := empty()
		for w := range r {
			if !f.Has(w) {
				copy(r[w], structure.FullSet(m))
			}
		}
		g.open = append(g.open, r)
	}
	for _, f := range p.goals {
		r := make(relation, n)
		for w := range r {
			r[w] = f
		}
		g.goals = append(g.goals, r)
	}
	return g
}
