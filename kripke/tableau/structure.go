package tableau

import (
	"fmt"

	"netcov/kripke/formula"
	"netcov/kripke/hoa"
	"netcov/kripke/structure"
)

// FromStructure takes a structure in the place of a tableau: its labels, on the
// given propositions, have two values. No propositions are all. With fairness sets
// its fair part is taken.
func FromStructure(k *structure.Structure, ap []string) (*Tableau, error) {
	k = k.FairPart()
	if len(ap) == 0 {
		ap = k.AP
	}
	t := &Tableau{AP: ap}
	for s := range k.Len() {
		lits := map[string]bool{}
		for _, name := range ap {
			p, ok := k.Proposition(name)
			if !ok {
				return nil, fmt.Errorf("the specification has no proposition %q", name)
			}
			lits[name] = k.Holds(s, p)
		}
		t.States = append(t.States, State{Literals: lits, Name: k.States[s]})
		t.succ = append(t.succ, k.Successors(s))
	}
	t.Initial = k.Initial
	return t.trim(), nil
}

// FromHOA takes a state-labelled automaton in the place of a tableau, or the part of
// it that starts accepting runs. A label that is a conjunction of literals may leave
// propositions open.
func FromHOA(a *hoa.Automaton) (*Tableau, error) {
	t := &Tableau{AP: a.AP}
	fair := make([]structure.Set, a.AccSets)
	for i := range fair {
		fair[i] = structure.NewSet(len(a.States))
	}
	for i := range a.States {
		s := &a.States[i]
		if s.Label == (formula.Formula{}) {
			return nil, fmt.Errorf("state %s has no label: the automaton is read as a structure, whose labels are on states", a.StateName(i))
		}
		lits, err := hoa.Cube(s.Label)
		if err != nil {
			return nil, fmt.Errorf("state %s: %w", a.StateName(i), err)
		}
		if lits == nil {
			lits = map[string]bool{}
		}
		t.States = append(t.States, State{Literals: lits, Name: a.StateName(i)})
		for _, set := range s.Acc {
			fair[set].Add(i)
		}
		var to []int32
		for _, e := range s.Edges {
			if len(e.Acc) > 0 {
				return nil, fmt.Errorf("state %s: acceptance on edges is not supported in a specification to compare with, put it on states", a.StateName(i))
			}
			to = append(to, int32(e.To))
		}
		t.succ = append(t.succ, to)
	}
	t.Initial = a.Start
	if len(fair) > 0 {
		runs := structure.FairPaths(len(t.States), func(s int) []int32 { return t.succ[s] }, fair)
		for s := range t.succ {
			if !runs.Has(s) {
				t.succ[s] = nil // a dead end, which is trimmed
			}
		}
	}
	return t.trim(), nil
}
