package automaton

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

// StronglyConnected finds the components (Tarjan 1972, without recursion).
func StronglyConnected(g Graph, roots []int) *Components {
	n := g.Len()
	c := &Components{Of: make([]int32, n)}
	index := make([]int32, n) // 0: not seen; else the order of discovery
	low := make([]int32, n)
	for i := range c.Of {
		c.Of[i] = -1
	}
	type frame struct {
		node int32
		succ []int32
	}
	var stack []int32
	var calls []frame
	next := int32(1)
	enter := func(v int32) {
		index[v], low[v] = next, next
		next++
		stack = append(stack, v)
		f := frame{node: v}
		g.Successors(int(v), func(to int, _ Marks) { f.succ = append(f.succ, int32(to)) })
		calls = append(calls, f)
	}
	for _, r := range roots {
		if index[r] != 0 {
			continue
		}
		enter(int32(r))
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			if len(f.succ) > 0 {
				w := f.succ[len(f.succ)-1]
				f.succ = f.succ[:len(f.succ)-1]
				if index[w] == 0 {
					enter(w)
				} else if c.Of[w] < 0 {
					low[f.node] = min(low[f.node], index[w])
				}
				continue
			}
			v := f.node
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				p := calls[len(calls)-1].node
				low[p] = min(low[p], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			id := int32(len(c.Members))
			var members []int32
			for {
				w := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				c.Of[w] = id
				members = append(members, w)
				if w == v {
					break
				}
			}
			c.Members = append(c.Members, members)
		}
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
