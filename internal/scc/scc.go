// Package scc finds the strongly connected components of a graph (Tarjan, Depth-first
// search and linear graph algorithms, SIAM Journal on Computing 1(2), 1972), without
// recursion.
package scc

import "slices"

// Components are numbered so that an edge between two of them leads from the higher
// number to the lower one.
type Components struct {
	Of      []int32   // component of each node; -1 when it was not reached
	Members [][]int32 // nodes of each, in the order in which they were met
}

// Find returns the components of what some roots reach in a graph of n nodes. Edges are
// followed in the order given; those to nodes from n on are left out.
func Find[E any](n int, roots []int32, edges func(node int32) []E, to func(E) int32) *Components {
	c := &Components{Of: make([]int32, n)}
	for i := range c.Of {
		c.Of[i] = -1
	}
	type frame struct {
		node int32
		left []E
	}
	index := make([]int32, n) // 0: not met; else the order
	low := make([]int32, n)   // the first that is met again
	var stack []int32         // nodes whose component is open
	var calls []frame
	met := int32(0)
	enter := func(v int32) {
		met++
		index[v], low[v] = met, met
		stack = append(stack, v)
		calls = append(calls, frame{v, edges(v)})
	}
	for _, r := range roots {
		if index[r] != 0 {
			continue
		}
		enter(r)
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			if len(f.left) > 0 {
				w := to(f.left[0])
				f.left = f.left[1:]
				switch {
				case int(w) >= n:
				case index[w] == 0:
					enter(w)
				case c.Of[w] < 0:
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
			first := len(stack) - 1
			for stack[first] != v {
				first--
			}
			for _, w := range stack[first:] {
				c.Of[w] = int32(len(c.Members))
			}
			c.Members = append(c.Members, slices.Clone(stack[first:]))
			stack = stack[:first]
		}
	}
	return c
}

// All are the nodes of a graph, as roots.
func All(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}
