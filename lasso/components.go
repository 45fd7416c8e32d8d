package lasso

// component is a strongly connected one. They come with those first that others lead to.
type component struct {
	states []int32
	loops  bool   // some step stays inside
	due    uint16 // the literals that hold in some step inside
}

// components returns those of the states and steps that are known.
func (s *Search) components() []component {
	const none = -1
	n := len(s.steps)
	order, low := make([]int32, n), make([]int32, n) // order of the visit; the first state that is reached
	inside := make([]bool, n)                        // of the stack
	next := make([]int32, n)                         // the step that is looked at
	for i := range order {
		order[i] = none
	}
	var out []component
	var stack, path []int32
	var visited int32
	for root := range int32(n) {
		if order[root] != none {
			continue
		}
		path = append(path, root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if order[v] == none {
				order[v], low[v], inside[v] = visited, visited, true
				visited++
				stack = append(stack, v)
			}
			deeper := false
			for ; int(next[v]) < len(s.steps[v]); next[v]++ {
				w := s.steps[v][next[v]].to
				if int(w) >= n {
					continue // its steps are not known yet
				}
				if order[w] == none {
					path, deeper = append(path, w), true
					break
				}
				if inside[w] {
					low[v] = min(low[v], low[w])
				}
			}
			if deeper {
				continue
			}
			path = path[:len(path)-1]
			if low[v] < order[v] {
				continue
			}
			at := len(stack) - 1
			for stack[at] != v {
				at--
			}
			c := component{states: append([]int32(nil), stack[at:]...)}
			for _, w := range c.states {
				inside[w] = false
			}
			stack = stack[:at]
			out = append(out, c)
		}
	}
	s.label(out)
	return out
}

// label notes what the steps inside of components are.
func (s *Search) label(all []component) {
	of := s.componentOf(all)
	for k := range all {
		c := &all[k]
		for _, v := range c.states {
			for _, x := range s.steps[v] {
				if int(x.to) < len(of) && of[x.to] == int32(k) {
					c.loops = true
					c.due |= x.due
				}
			}
		}
	}
}

// componentOf returns the component of each state whose steps are known.
func (s *Search) componentOf(all []component) []int32 {
	of := make([]int32, len(s.steps))
	for k, c := range all {
		for _, v := range c.states {
			of[v] = int32(k)
		}
	}
	return of
}
