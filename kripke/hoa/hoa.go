// Package hoa reads and writes automata in the Hanoi Omega-Automata format,
// version 1 (Babiak et al., CAV 2015): labelled structures (labels on states)
// and nondeterministic Büchi automata (labels on edges), with generalised
// Büchi acceptance on states or on edges.
//
// Left out, each with an error that names it: alternation (conjunctions of
// states as a target or a start), acceptance beyond conjunctions of Inf, and
// files with more than one automaton.
package hoa

import (
	"fmt"

	"netcov/kripke/formula"
)

// Automaton is the content of one file, as it stands there. A Kripke structure
// has a label on every state, an automaton over words one on every edge.
type Automaton struct {
	Name  string
	AP    []string // proposition names in the file's order
	Start []int    // initial states, sorted, no repetition
	// AccSets is the number of acceptance sets: a run is accepted when it meets
	// each of them infinitely often; 0 accepts every infinite run.
	AccSets int
	States  []State
}

// State is a state with its outgoing edges.
type State struct {
	Name string // "" when the file gives none
	// Label is a propositional formula over AP, the zero Formula when the state
	// has no label.
	Label formula.Formula
	Acc   []int // acceptance sets that the state belongs to, sorted
	Edges []Edge
}

// Edge is a transition. The zero Formula as label means that the state's label
// guards it. Acc holds the acceptance sets of the edge itself, without those
// of its source.
type Edge struct {
	Label formula.Formula
	To    int
	Acc   []int
}

// StateLabelled reports whether every state carries a label.
func (a *Automaton) StateLabelled() bool {
	for i := range a.States {
		if a.States[i].Label == (formula.Formula{}) {
			return false
		}
	}
	return true
}

// StateName is the name of state i, its number when it has none.
func (a *Automaton) StateName(i int) string {
	if a.States[i].Name != "" {
		return a.States[i].Name
	}
	return fmt.Sprint(i)
}

// Cube reads a label that is a conjunction of literals: the value of each
// proposition that it mentions. A contradictory or other label is an error.
func Cube(label formula.Formula) (map[string]bool, error) {
	values := map[string]bool{}
	for _, c := range formula.Conjuncts(formula.NNF(label)) {
		positive := c.Op() != formula.OpNot
		if !positive {
			c = c.Left()
		}
		switch {
		case c.Op() == formula.OpTrue && positive:
			continue
		case c.Op() != formula.OpAtom:
			return nil, fmt.Errorf("the label %s is not a conjunction of propositions and their negations", label)
		}
		if old, ok := values[c.Name()]; ok && old != positive {
			return nil, fmt.Errorf("the label %s contradicts itself", label)
		}
		values[c.Name()] = positive
	}
	return values, nil
}
