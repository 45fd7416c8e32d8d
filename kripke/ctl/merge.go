package ctl

// Merging of cycles. In a greatest fixpoint, conjunctions that read each other
// in a cycle are all true exactly when all their inputs from outside of the
// cycle are; in a least fixpoint the same holds for disjunctions and false.
// AG and EF over a strongly connected part of a structure are such cycles, and
// without merging them a graph would keep a gate for every state as long as one
// mutation is open.
//
// The cycles are the strongly connected components of those gates (Tarjan
// 1972, with an explicit stack). Components come out inputs first, so a gate
// whose inputs have become one gate is recognised as that gate on the way.

type tarjanFrame struct {
	gate int32
	next int32 // position in its children
}

// merges reports whether a gate is of the kind that may be merged in its stratum.
func (s *shrinker) merges(g *graph, i int32) bool {
	if s.value[i] != unknown || g.leaf(i) || int(g.stratum[i]) >= len(s.p) {
		return false
	}
	switch ins := s.p[g.stratum[i]]; ins.op {
	case eu, au:
		return g.kind[i] == gateOr
	case er, ar:
		return g.kind[i] == gateAnd
	}
	return false
}

func (s *shrinker) mergeCycles(g *graph) {
	n := int32(g.len())
	clear(s.index[:n])
	s.path = s.path[:0]
	count := int32(0)
	for root := range n {
		if s.index[root] != 0 || s.alias[root] != root || !s.merges(g, root) {
			continue
		}
		s.calls = append(s.calls[:0], tarjanFrame{gate: root})
		count++
		s.open(root, count)
		for len(s.calls) > 0 {
			top := &s.calls[len(s.calls)-1]
			i := top.gate
			if children := g.children(i); int(top.next) < len(children) {
				c := children[top.next]
				top.next++
				if s.value[c] != unknown {
					continue
				}
				c = s.resolve(c)
				if g.stratum[c] != g.stratum[i] || !s.merges(g, c) {
					continue
				}
				if s.index[c] == 0 {
					s.calls = append(s.calls, tarjanFrame{gate: c})
					count++
					s.open(c, count)
				} else if s.index[c] > 0 {
					s.low[i] = min(s.low[i], s.index[c])
				}
				continue
			}
			s.calls = s.calls[:len(s.calls)-1]
			if len(s.calls) > 0 {
				parent := s.calls[len(s.calls)-1].gate
				s.low[parent] = min(s.low[parent], s.low[i])
			}
			if s.low[i] == s.index[i] {
				s.closeComponent(g, i)
			}
		}
	}
}

func (s *shrinker) open(i, count int32) {
	s.index[i], s.low[i] = count, count
	s.path = append(s.path, i)
}

// closeComponent takes the component of i from the path and merges it into i.
// A closed gate has index -1.
func (s *shrinker) closeComponent(g *graph, i int32) {
	for {
		member := s.path[len(s.path)-1]
		s.path = s.path[:len(s.path)-1]
		s.index[member] = -1
		if member == i {
			break
		}
		s.alias[member] = i
		s.link[member], s.link[i] = s.link[i], member
	}
	// Inputs from outside, with their aliases resolved.
	only := int32(-1)
	for member := i; member >= 0; member = s.link[member] {
		for _, c := range g.children(member) {
			if s.value[c] != unknown {
				continue
			}
			c = s.resolve(c)
			if c == i || c == only {
				continue
			}
			if only >= 0 {
				return
			}
			only = c
		}
	}
	if only >= 0 {
		s.alias[i] = only
	}
}
