package explicit

import "netcov/aiger"

// failsJustice reports whether a justice property fails: whether a run within the
// constraints comes back to a state, and meets all literals of the property and of
// fairness in between. Inputs and latches together should be at most some ten.
func failsJustice(f *aiger.File, justice int) bool {
	e := &enumeration{f: f, value: make([]bool, f.MaxVar+1)}
	due := append(append([]aiger.Lit(nil), f.Justice[justice]...), f.Fairness...)
	// A node is a state with what has been met since the search began.
	type node struct {
		state uint64
		met   int
	}
	all := 1<<len(due) - 1
	successors := func(n node, in uint64) (node, bool) {
		e.evaluate(n.state, in)
		if !e.all(f.Constraints) {
			return node{}, false
		}
		for i, l := range due {
			if e.read(l) {
				n.met |= 1 << i
			}
		}
		return node{e.next(), n.met}, true
	}
	reach := func(from []node, ends func(node) bool) (seen map[node]bool, found bool) {
		seen = map[node]bool{}
		for len(from) > 0 {
			n := from[len(from)-1]
			from = from[:len(from)-1]
			for in := range uint64(1) << len(f.Inputs) {
				to, ok := successors(n, in)
				if ok && ends(to) {
					return seen, true
				}
				if ok && !seen[to] {
					seen[to] = true
					from = append(from, to)
				}
			}
		}
		return seen, false
	}
	var first []node // after the first step: reset functions read its inputs
	for in := range uint64(1) << len(f.Inputs) {
		for _, s := range e.initial(in) {
			if to, ok := successors(node{state: s}, in); ok {
				first = append(first, node{state: to.state})
			}
		}
	}
	states := map[uint64]bool{}
	for _, n := range first {
		states[n.state] = true
	}
	later, _ := reach(first, func(node) bool { return false })
	for n := range later {
		states[n.state] = true
	}
	for s := range states {
		if _, found := reach([]node{{state: s}}, func(n node) bool { return n.state == s && n.met == all }); found {
			return true
		}
	}
	return false
}
