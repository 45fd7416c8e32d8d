package structure

import (
	"fmt"
	"slices"

	"netcov/kripke/formula"
	"netcov/kripke/hoa"
)

func sortedUnique(s []int32) []int32 {
	slices.Sort(s)
	return slices.Compact(s)
}

// FromHOA turns a state-labelled automaton into a structure. Every label must
// fix every proposition, since a state has one valuation. A state without name
// gets its number as name. Acceptance sets become fairness sets.
func FromHOA(a *hoa.Automaton) (*Structure, error) {
	b := NewBuilder(a.AP)
	b.Name = a.Name
	fair := make([][]int, a.AccSets)
	for i := range a.States {
		s := &a.States[i]
		name := a.StateName(i)
		if s.Label == (formula.Formula{}) {
			return nil, fmt.Errorf("state %s has no label: a structure needs labels on states, an automaton over words has them on edges", name)
		}
		values, err := hoa.Cube(s.Label)
		if err != nil {
			return nil, fmt.Errorf("state %s: %w", name, err)
		}
		var holds []string
		for _, p := range a.AP {
			v, ok := values[p]
			if !ok {
				return nil, fmt.Errorf("state %s: its label leaves the proposition %q open; a structure's state has one value for each", name, p)
			}
			if v {
				holds = append(holds, p)
			}
		}
		b.AddState(name, holds...)
		for _, acc := range s.Acc {
			fair[acc] = append(fair[acc], i)
		}
		for _, e := range s.Edges {
			if len(e.Acc) > 0 {
				return nil, fmt.Errorf("state %s: acceptance on edges is not supported in a structure, put it on states", name)
			}
		}
	}
	for i := range a.States {
		for _, e := range a.States[i].Edges {
			b.AddTransition(i, e.To)
		}
	}
	for _, s := range a.Start {
		b.AddInitial(s)
	}
	for _, f := range fair {
		b.AddFair(f...)
	}
	return b.Build()
}
