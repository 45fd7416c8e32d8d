package liveness

import "netcov/aiger"

// cone marks the variables that the roots depend on in any number of steps,
// resets aside: two states that agree on the marked latches have the same
// futures as far as the roots can tell.
func cone(f *aiger.File, roots ...[]aiger.Lit) []bool {
	seen := make([]bool, f.MaxVar+1)
	next := make(map[uint32]aiger.Lit, len(f.Latches))
	for _, l := range f.Latches {
		next[l.Lit>>1] = l.Next
	}
	gate := make(map[uint32]aiger.And, len(f.Ands))
	for _, a := range f.Ands {
		gate[a.Lhs>>1] = a
	}
	var stack []uint32
	push := func(l aiger.Lit) {
		if v := l >> 1; v != 0 && !seen[v] {
			seen[v] = true
			stack = append(stack, v)
		}
	}
	for _, list := range roots {
		for _, l := range list {
			push(l)
		}
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if a, ok := gate[v]; ok {
			push(a.Rhs0)
			push(a.Rhs1)
		} else if n, ok := next[v]; ok {
			push(n)
		}
	}
	return seen
}
