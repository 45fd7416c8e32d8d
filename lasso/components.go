package lasso

import "netcov/internal/scc"

// component is a strongly connected one. They come with those first that others lead to.
type component struct {
	states []int32
	loops  bool   // some step stays inside
	due    uint16 // the literals that hold in some step inside
}

// components returns those of the states whose steps are known, and which one each of
// these states is in.
func (s *Search) components() (all []component, of []int32) {
	n := len(s.steps)
	found := scc.Find(n, scc.All(n), func(v int32) []step { return s.steps[v] }, func(x step) int32 { return x.to })
	of = found.Of
	for k, states := range found.Members {
		c := component{states: states}
		for _, v := range states {
			for _, x := range s.steps[v] {
				if int(x.to) < n && of[x.to] == int32(k) {
					c.loops = true
					c.due |= x.due
				}
			}
		}
		all = append(all, c)
	}
	return all, of
}
