package confirm

import (
	"slices"

	"netcov/aig"
	"netcov/kripke/automaton"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
)

// Opinion is about one circuit and one automaton of wrong behaviours.
type Opinion struct {
	c *circuit.Circuit
	a *automaton.Automaton
	// edges are the automaton's; where it has several initial states, one more state
	// has the edges of all of them. initial is the only initial state, -1 without any.
	edges    [][]automaton.Edge
	initial  int
	terminal []bool // everything is accepted from there
	finite   bool   // and nothing without going there
	reads    []bool // which propositions some edge depends on
}

// New prepares an opinion. The circuit has no choices.
func New(c *circuit.Circuit, wrong *automaton.Automaton) *Opinion {
	o := &Opinion{c: c, a: wrong, edges: wrong.Edges, initial: -1}
	switch len(wrong.Initial) {
	case 0:
	case 1:
		o.initial = wrong.Initial[0]
	default:
		var first []automaton.Edge
		for _, s := range wrong.Initial {
			for _, e := range wrong.Edges[s] {
				at := slices.IndexFunc(first, func(x automaton.Edge) bool { return x.To == e.To && x.Acc == e.Acc })
				if at < 0 {
					first = append(first, e)
				} else {
					first[at].Guard = wrong.Guards.Or(first[at].Guard, e.Guard)
				}
			}
		}
		o.initial = len(wrong.Edges)
		o.edges = append(slices.Clone(wrong.Edges), first)
	}
	o.reads = make([]bool, len(wrong.AP))
	for _, es := range o.edges {
		for _, e := range es {
			for _, v := range wrong.Guards.Support(e.Guard) {
				o.reads[v] = true
			}
		}
	}
	o.terminal = make([]bool, len(o.edges))
	for s, es := range o.edges {
		stays := bdd.False
		for _, e := range es {
			if e.To == s && o.marked(e.Acc, wrong.Sets) {
				stays = wrong.Guards.Or(stays, e.Guard)
			}
		}
		o.terminal[s] = stays == bdd.True
	}
	o.finite = len(c.Fairness) == 0 && c.Constraint == aig.True && o.acceptsInTerminalOnly()
	return o
}

// marked reports whether marks are all of so many.
func (o *Opinion) marked(m automaton.Marks, sets int) bool {
	for k := range sets {
		if m>>k&1 == 0 {
			return false
		}
	}
	return true
}

func (o *Opinion) acceptsInTerminalOnly() bool {
	return !endless(len(o.edges), o.a.Sets, func(s int) bool { return !o.terminal[s] }, func(s int, yield func(to int, m automaton.Marks)) {
		for _, e := range o.edges[s] {
			if e.Guard != bdd.False {
				yield(e.To, e.Acc)
			}
		}
	})
}

// endless reports whether a graph has an infinite path through allowed nodes that meets
// each of the first sets marks again and again: the greatest set in which every node
// reaches an edge with each mark, within the set (Emerson and Lei 1986).
func endless(n, sets int, allowed func(int) bool, successors func(int, func(int, automaton.Marks))) bool {
	in := make([]bool, n)
	before := make([][]int32, n)
	for v := range n {
		in[v] = allowed(v)
		successors(v, func(w int, _ automaton.Marks) { before[w] = append(before[w], int32(v)) })
	}
	for {
		changed := false
		for k := range max(1, sets) {
			reaches := make([]bool, n)
			var queue []int32
			for v := range n {
				successors(v, func(w int, m automaton.Marks) {
					if in[v] && in[w] && !reaches[v] && (sets == 0 || m>>k&1 != 0) {
						reaches[v] = true
						queue = append(queue, int32(v))
					}
				})
			}
			for len(queue) > 0 {
				v := queue[0]
				queue = queue[1:]
				for _, w := range before[v] {
					if in[w] && !reaches[w] {
						reaches[w] = true
						queue = append(queue, w)
					}
				}
			}
			for v := range n {
				if in[v] && !reaches[v] {
					in[v], changed = false, true
				}
			}
		}
		if !changed {
			return slices.Contains(in, true)
		}
	}
}
