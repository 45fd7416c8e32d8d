package certify

import "slices"

// Outside reports whether no property can depend on the mutated node: it lies
// outside of the cone of influence of the bad-state literals and of all
// constraints, through next-state and reset functions in any number of steps. A
// mutant there behaves as the design does.
func (k *Checker) Outside(m Mutation) (bool, error) {
	if k.err != nil {
		return false, k.err
	}
	v, err := k.variable(m)
	if err != nil {
		return false, err
	}
	k.coneOnce.Do(func() { k.cone = k.influence() })
	return !k.cone[v], nil
}

// influence marks the variables of the cone of influence.
func (k *Checker) influence() []bool {
	in := make([]bool, len(k.kind))
	var stack []uint32
	push := func(v uint32) {
		if !in[v] {
			in[v] = true
			stack = append(stack, v)
		}
	}
	for _, l := range slices.Concat(k.bads, k.justice, k.fairness, k.file.Constraints) {
		push(l >> 1)
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch k.kind[v] {
		case latch:
			l := k.file.Latches[k.at[v]]
			push(l.Next >> 1)
			push(l.Reset >> 1)
		case gate:
			a := k.file.Ands[k.at[v]]
			push(a.Rhs0 >> 1)
			push(a.Rhs1 >> 1)
		}
	}
	return in
}
