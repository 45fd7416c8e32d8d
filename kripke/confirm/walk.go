package confirm

import (
	"fmt"
	"slices"
)

// Walk runs the circuit without flips: its states, and what the automaton reads in them.
// Start has values of registers that may start with any; the others get theirs.
func (o *Opinion) Walk(start []bool, inputs [][]bool) (states, letters [][]bool, err error) {
	s := newSimulator(o.c)
	now := slices.Clone(start)
	for range now { // reset functions are acyclic
		s.load(now, inputs[0], -1)
		for i, c := range o.c.Controls {
			now[i] = s.value(c.Reset)
		}
	}
	for t, in := range inputs {
		s.load(now, in, -1)
		if !s.value(o.c.Constraint) {
			return nil, nil, fmt.Errorf("step %d breaks the constraint", t)
		}
		letter := make([]bool, len(o.a.AP))
		for i, name := range o.a.AP {
			l, _ := o.c.Lit(name)
			letter[i] = s.value(l)
		}
		states, letters = append(states, now), append(letters, letter)
		next := make([]bool, len(now))
		for i, c := range o.c.Controls {
			next[i] = s.value(c.Next)
		}
		now = next
	}
	return states, letters, nil
}
