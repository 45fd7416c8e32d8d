package automaton

import (
	"fmt"
	"slices"

	"netcov/kripke/bdd"
	"netcov/kripke/formula"
	"netcov/kripke/hoa"
)

// FromHOA makes an automaton of a HOA file. Labels may stand on edges or on
// states; a label on a state guards all its edges. Marks of a state go to all
// its edges, as the format defines them.
func FromHOA(h *hoa.Automaton) (*Automaton, error) {
	if h.AccSets > MaxSets {
		return nil, fmt.Errorf("the automaton has %d acceptance sets; at most %d are supported", h.AccSets, MaxSets)
	}
	a := &Automaton{
		AP: h.AP, Initial: slices.Clone(h.Start), Sets: h.AccSets,
		Edges: make([][]Edge, len(h.States)), Guards: bdd.New(len(h.AP), bdd.Options{}),
	}
	index := map[string]int{}
	for i, p := range h.AP {
		index[p] = i
	}
	for i := range h.States {
		s := &h.States[i]
		if s.Name != "" && a.Names == nil {
			a.Names = make([]string, len(h.States))
		}
		if a.Names != nil {
			a.Names[i] = s.Name
		}
		for _, e := range s.Edges {
			label := e.Label
			if label == (formula.Formula{}) {
				label = s.Label
			}
			if label == (formula.Formula{}) {
				return nil, fmt.Errorf("state %s: an edge has no label", h.StateName(i))
			}
			guard := guardOf(a.Guards, index, label)
			var acc Marks
			for _, set := range slices.Concat(s.Acc, e.Acc) {
				acc |= 1 << set
			}
			a.Edges[i] = append(a.Edges[i], Edge{guard, e.To, acc})
		}
		a.Edges[i] = normalize(a.Guards, a.Edges[i])
	}
	return a, nil
}

// HOA is the automaton in the format's terms, with labels on edges, and
// acceptance on states where all edges of each state agree.
func (a *Automaton) HOA(name string) *hoa.Automaton {
	h := &hoa.Automaton{Name: name, AP: a.AP, Start: slices.Clone(a.Initial), AccSets: a.Sets}
	onStates := a.StateBased()
	for s, es := range a.Edges {
		state := hoa.State{}
		if a.Names != nil {
			state.Name = a.Names[s]
		}
		for i, e := range es {
			edge := hoa.Edge{Label: a.GuardFormula(e.Guard), To: e.To}
			acc := &edge.Acc
			if onStates {
				acc = &state.Acc
			}
			if !onStates || i == 0 {
				for set := range a.Sets {
					if e.Acc.Has(1 << set) {
						*acc = append(*acc, set)
					}
				}
			}
			state.Edges = append(state.Edges, edge)
		}
		h.States = append(h.States, state)
	}
	slices.Sort(h.Start)
	return h
}
