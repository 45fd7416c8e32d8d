package ltl

import (
	"context"
	"fmt"

	"netcov/kripke/automaton"
	"netcov/kripke/structure"
)

// The naive algorithm of CKKV01 section 2.2: one model checking of a modified
// structure for each state. It is the oracle of the other algorithms and the
// baseline of their measurements.
//
//	structure coverage  q is flipped in w
//	tree coverage       w gets a copy with q flipped
//	node coverage       the copy leads to a second copy of the whole structure
//
// Coverage can be asked of classes of states that are flipped together, such as
// the states ⟨s, i⟩ of one control state s of a circuit.

// Naive is the set of covered classes. class gives the class of each state, from
// 0 to classes-1.
func Naive(ctx context.Context, k *structure.Structure, a *automaton.Automaton, kind Kind, signal string, class []int, classes int) (structure.Set, error) {
	out := structure.NewSet(classes)
	p, ok := k.Proposition(signal)
	if !ok {
		return nil, &UnknownSignalError{signal, k.AP}
	}
	members := make([][]int, classes)
	for s, c := range class {
		members[c] = append(members[c], s)
	}
	for c, states := range members {
		var m *structure.Structure
		var err error
		switch kind {
		case StructureCoverage:
			m = k.Flip(p, states...)
		case TreeCoverage:
			m, err = withCopies(k, p, states, false)
		case NodeCoverage:
			m, err = withCopies(k, p, states, true)
		}
		if err != nil {
			return nil, err
		}
		holds, err := satisfies(ctx, m, a)
		if err != nil {
			return nil, err
		}
		if !holds {
			out.Add(c)
		}
	}
	return out, nil
}

// satisfies model checks a structure.
func satisfies(ctx context.Context, k *structure.Structure, a *automaton.Automaton) (bool, error) {
	m, err := FromStructure(k, a.AP)
	if err != nil {
		return false, err
	}
	c, err := NewChecker(ctx, m, a)
	if err != nil {
		return false, err
	}
	counterexample, err := c.Holds()
	return counterexample == nil, err
}

// withCopies adds a flipped copy of each of the states. When once is set, the
// copies lead to a second copy of the structure and can be visited once only.
func withCopies(k *structure.Structure, p int, states []int, once bool) (*structure.Structure, error) {
	b := structure.NewBuilder(k.AP)
	n := k.Len()
	fair := make([][]int, len(k.Fair))
	add := func(s int, name string, flipped bool) int {
		var holds []string
		for i, prop := range k.AP {
			if k.Holds(s, i) != (flipped && i == p) {
				holds = append(holds, prop)
			}
		}
		t := b.AddState(name, holds...)
		for i, f := range k.Fair {
			if f.Has(s) {
				fair[i] = append(fair[i], t)
			}
		}
		return t
	}
	for s := range n {
		add(s, k.States[s], false)
	}
	second := 0 // number of the first state of the second copy
	if once {
		second = n
		for s := range n {
			add(s, fmt.Sprint(s, " after the flip"), false)
		}
	}
	copies := map[int]int{}
	for _, s := range states {
		copies[s] = add(s, fmt.Sprint(s, " flipped"), true)
	}
	for s := range n {
		for _, t := range k.Successors(s) {
			b.AddTransition(s, int(t))
			if once {
				b.AddTransition(second+s, second+int(t))
			}
			if c, ok := copies[int(t)]; ok {
				b.AddTransition(s, c)
			}
			if c, ok := copies[s]; ok {
				b.AddTransition(c, second+int(t))
				if to, ok := copies[int(t)]; ok && !once {
					b.AddTransition(c, to)
				}
			}
		}
	}
	for _, s := range k.Initial {
		b.AddInitial(s)
		if c, ok := copies[s]; ok {
			b.AddInitial(c)
		}
	}
	for _, f := range fair {
		b.AddFair(f...)
	}
	return b.Build()
}
