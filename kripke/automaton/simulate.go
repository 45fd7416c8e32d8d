package automaton

import (
	"math/bits"
	"slices"

	"netcov/kripke/bdd"
)

// Direct simulation with acceptance on edges, after
//
//	Etessami, Holzmann: Optimizing Büchi automata, CONCUR 2000
//	Somenzi, Bloem: Efficient Büchi automata from LTL formulae, CAV 2000
//
// t simulates s when for each edge of s and each letter of its guard t has an edge
// under the letter, with at least the marks, to a state that simulates the edge's
// target. Backwards, edges are read from target to source, and what simulates an
// initial state must be one. States that simulate each other are merged, and an edge goes
// under those letters under which a better edge leaves the same state (backwards:
// enters it).
//
// Both are right, since a run can be replaced step by step by one with as many
// marks; backwards, a finite part of it at a time, and with finitely many choices
// in each step there is an infinite one, too (König's lemma).

// direction is the sense in which edges are read.
type direction bool

const (
	forwards  direction = false
	backwards direction = true
)

// maxSimulation and maxWork bound the relation, which has a bit for each pair of
// states, and the pairs of edges that its computation compares. Without an end in
// this bound the automaton stays as it is.
const (
	maxSimulation = 1 << 13
	maxWork       = 1 << 23
)

// simulate merges and prunes by direct simulation. Edges between components carry
// no marks, or all of them where full is set: they mean the same, but one of them
// may be what a better edge needs.
func (a *Automaton) simulate(d direction, full bool, interrupt func() error) (*Automaton, error) {
	if a.Len() > maxSimulation {
		return a, nil
	}
	edges := a.Edges
	if full {
		comp := a.components()
		edges = make([][]Edge, a.Len())
		for s, es := range a.Edges {
			for _, e := range es {
				if comp.of[e.To] != comp.of[s] {
					e.Acc = AllMarks(a.Sets)
				}
				edges[s] = append(edges[s], e)
			}
			edges[s] = normalize(a.Guards, edges[s])
		}
	}
	if d == backwards {
		edges = turned(edges)
	}
	r, err := a.simulation(edges, d, interrupt)
	if r == nil || err != nil {
		return a, err
	}
	class, first := r.classes()
	better := func(c, d int) bool { return c != d && r.has(first[c], first[d]) }
	out := make([][]Edge, len(first))
	for c, s := range first {
		if out[c], err = a.best(a.lead(edges[s], class), better, interrupt); err != nil {
			return nil, err
		}
	}
	if d == backwards {
		out = turned(out)
	}
	var initial []int
	for _, s := range a.Initial {
		initial = append(initial, class[s])
	}
	slices.Sort(initial)
	initial = slices.Compact(initial)
	if d == forwards {
		all := slices.Clone(initial)
		initial = slices.DeleteFunc(initial, func(c int) bool {
			return slices.ContainsFunc(all, func(d int) bool { return better(c, d) })
		})
	}
	return a.sub(initial, a.Sets, out), nil
}

// best takes from each edge the letters under which another one carries as many
// marks to a better state, or more marks to the same state. All are compared with
// the edges as they were, so those on top of a chain remain.
func (a *Automaton) best(es []Edge, better func(c, d int) bool, interrupt func() error) ([]Edge, error) {
	groups := a.byTarget(es)
	var out []Edge
	for _, g := range groups {
		kept := slices.Clone(g.edges)
		for _, h := range groups {
			same := g.to == h.to
			if same && g.disjoint || !same && (!better(g.to, h.to) || a.Guards.And(g.guard, h.guard) == bdd.False) {
				continue
			}
			for i, e := range g.edges {
				if err := interrupt(); err != nil {
					return nil, err
				}
				for j, f := range h.edges {
					if f.Acc.Has(e.Acc) && !(same && i == j) {
						kept[i].Guard = a.Guards.Diff(kept[i].Guard, f.Guard)
					}
				}
			}
		}
		out = append(out, kept...)
	}
	return normalize(a.Guards, out), nil
}

// bundle are the edges of a state to one target. They are often many, one for each
// set of marks, without a letter in common.
type bundle struct {
	to       int
	edges    []Edge
	guard    bdd.Ref // the letters of all of them
	disjoint bool
}

// byTarget bundles edges in normal order.
func (a *Automaton) byTarget(es []Edge) []bundle {
	var out []bundle
	for _, e := range es {
		if n := len(out); n == 0 || out[n-1].to != e.To {
			out = append(out, bundle{to: e.To, guard: bdd.False, disjoint: true})
		}
		b := &out[len(out)-1]
		b.edges = append(b.edges, e)
		b.disjoint = b.disjoint && a.Guards.And(b.guard, e.Guard) == bdd.False
		b.guard = a.Guards.Or(b.guard, e.Guard)
	}
	return out
}

// turned are the edges from target to source.
func turned(edges [][]Edge) [][]Edge {
	out := make([][]Edge, len(edges))
	for s, es := range edges {
		for _, e := range es {
			out[e.To] = append(out[e.To], Edge{e.Guard, s, e.Acc})
		}
	}
	return out
}

// relation is a relation between states: row s has the states that simulate s.
type relation struct {
	n    int
	rows [][]uint64
}

func (r *relation) has(s, t int) bool { return r.rows[s][t>>6]>>(t&63)&1 != 0 }
func (r *relation) drop(s, t int)     { r.rows[s][t>>6] &^= 1 << (t & 63) }

// each calls yield for the states that simulate s.
func (r *relation) each(s int, yield func(t int)) {
	for w, word := range r.rows[s] {
		for ; word != 0; word &= word - 1 {
			yield(w<<6 + bits.TrailingZeros64(word))
		}
	}
}

// simulation is the greatest simulation on the given edges, nil when it takes too
// long.
func (a *Automaton) simulation(edges [][]Edge, d direction, interrupt func() error) (*relation, error) {
	n := len(edges)
	r := &relation{n: n, rows: make([][]uint64, n)}
	letters := make([]bdd.Ref, n)
	initial := make([]bool, n)
	for _, s := range a.Initial {
		initial[s] = d == backwards
	}
	before := make([][]int, n) // states with an edge to each state
	for s, es := range edges {
		letters[s] = bdd.False
		for _, e := range es {
			letters[s] = a.Guards.Or(letters[s], e.Guard)
			before[e.To] = append(before[e.To], s)
		}
	}
	for s := range n {
		if err := interrupt(); err != nil {
			return nil, err
		}
		r.rows[s] = make([]uint64, (n+63)/64)
		for t := range n {
			if (initial[t] || !initial[s]) && a.Guards.Diff(letters[s], letters[t]) == bdd.False {
				r.rows[s][t>>6] |= 1 << (t & 63)
			}
		}
	}
	work := 0
	covers := func(s, t int) bool {
		for _, e := range edges[s] {
			rest := e.Guard
			fits := func(f Edge) bool { work++; return f.Acc.Has(e.Acc) && r.has(e.To, f.To) }
			if slices.ContainsFunc(edges[t], func(f Edge) bool { return f.Guard == rest && fits(f) }) {
				continue
			}
			for _, f := range edges[t] {
				if fits(f) {
					if rest = a.Guards.Diff(rest, f.Guard); rest == bdd.False {
						break
					}
				}
			}
			if rest != bdd.False {
				return false
			}
		}
		return true
	}
	// A row is looked at again when the row of a target has lost something.
	todo, queued := make([]int, n), make([]bool, n)
	for s := range todo {
		todo[s], queued[s] = s, true
	}
	for len(todo) > 0 {
		if err := interrupt(); err != nil {
			return nil, err
		}
		if work > maxWork {
			return nil, nil
		}
		s := todo[0]
		todo, queued[s] = todo[1:], false
		changed := false
		r.each(s, func(t int) {
			if s != t && !covers(s, t) {
				r.drop(s, t)
				changed = true
			}
		})
		if changed {
			for _, p := range before[s] {
				if !queued[p] {
					queued[p] = true
					todo = append(todo, p)
				}
			}
		}
	}
	return r, nil
}

// classes numbers the sets of states that simulate each other, and gives the first
// state of each.
func (r *relation) classes() (class, first []int) {
	class = make([]int, r.n)
	for s := range class {
		class[s] = -1
	}
	for s := range class {
		if class[s] >= 0 {
			continue
		}
		r.each(s, func(t int) {
			if r.has(t, s) {
				class[t] = len(first)
			}
		})
		first = append(first, s)
	}
	return class, first
}
