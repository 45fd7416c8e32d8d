package automaton

import (
	"slices"

	"netcov/internal/scc"
)

// Graph is a directed graph with marks on its edges, given by its successors:
// an automaton, or a product of a structure and an automaton.
type Graph interface {
	// Len is the number of nodes, Successors calls yield for each edge of one.
	Len() int
	Successors(node int, yield func(to int, acc Marks))
}

// Components are the strongly connected components of the part of a graph that
// is reachable from some nodes. They are numbered so that edges between
// components go from higher to lower numbers.
type Components struct {
	Of      []int32 // component of each node; -1 when it was not reached
	Members [][]int32
	// Cyclic tells which components have an edge inside, Marks which marks those
	// edges carry together.
	Cyclic []bool
	Marks  []Marks
}

// StronglyConnected finds the components.
func StronglyConnected(g Graph, roots []int) *Components {
	from := make([]int32, len(roots))
	for i, r := range roots {
		from[i] = int32(r)
	}
	found := scc.Find(g.Len(), from, func(v int32) (to []int32) {
		g.Successors(int(v), func(w int, _ Marks) { to = append(to, int32(w)) })
		slices.Reverse(to)
		return to
	}, func(w int32) int32 { return w })
	c := &Components{Of: found.Of, Members: found.Members}
	for _, members := range c.Members {
		slices.Reverse(members)
	}
	c.Cyclic = make([]bool, len(c.Members))
	c.Marks = make([]Marks, len(c.Members))
	for id, members := range c.Members {
		for _, v := range members {
			g.Successors(int(v), func(to int, acc Marks) {
				if c.Of[to] == int32(id) {
					c.Cyclic[id] = true
					c.Marks[id] |= acc
				}
			})
		}
	}
	return c
}

// Successors makes an automaton a Graph.
func (a *Automaton) Successors(s int, yield func(to int, acc Marks)) {
	for _, e := range a.Edges[s] {
		yield(e.To, e.Acc)
	}
}

// components are those of an automaton: those that are accepting hold an
// accepting run.
type components struct {
	of        []int32
	members   [][]int32
	accepting []bool
}

func (a *Automaton) components() *components {
	roots := make([]int, a.Len())
	for s := range roots {
		roots[s] = s
	}
	c := StronglyConnected(a, roots)
	r := &components{of: c.Of, members: c.Members, accepting: make([]bool, len(c.Members))}
	for i := range c.Members {
		r.accepting[i] = c.Cyclic[i] && c.Marks[i].Has(AllMarks(a.Sets))
	}
	return r
}
