// Package automaton holds nondeterministic Büchi automata over the words that
// Kripke structures produce, and the translation of LTL into them.
//
//	translate.go    LTL → generalised Büchi automaton, acceptance on edges
//	rewrite.go      simpler formulas before the translation
//	reduce.go       fewer states and edges: trimming, bisimulation
//	marks.go        fewer acceptance sets, by component
//	simulate.go     fewer states and edges by simulation, forwards and backwards
//	weak.go         the smallest automaton of an obligation
//	buchi.go        one acceptance set on states, as few states as can be found
//	hoa.go          from and to the Hanoi omega-automata format
//	word.go         ultimately periodic words: the formula's own semantics, and
//	                acceptance by an automaton
//
// One type serves all kinds. Acceptance stands on edges; an automaton whose
// states accept is one in which all edges that leave a state carry the same
// marks. Guards are decision diagrams over the automaton's propositions, so an
// edge can stand for many letters, and equal guards are equal values.
package automaton

import (
	"fmt"
	"math/bits"
	"slices"

	"netcov/kripke/bdd"
)

// Marks is a set of acceptance sets, bit i for set i.
type Marks uint64

// MaxSets bounds the number of acceptance sets.
const MaxSets = 64

// AllMarks is the set of the first n acceptance sets.
func AllMarks(n int) Marks {
	if n >= MaxSets {
		return ^Marks(0)
	}
	return 1<<n - 1
}

// Has reports whether m contains all of o.
func (m Marks) Has(o Marks) bool { return m&o == o }

// Count is the number of sets in m.
func (m Marks) Count() int { return bits.OnesCount64(uint64(m)) }

// Edge is a transition: it can be taken when the letter satisfies Guard.
type Edge struct {
	Guard bdd.Ref // over Automaton.Guards
	To    int
	Acc   Marks
}

// Automaton is a nondeterministic generalised Büchi automaton over 2^AP: a run
// is accepting when it meets, for each of Sets acceptance sets, infinitely
// many edges that carry its mark. With no set, every infinite run is accepting.
//
// No function of this package changes an automaton after it is made. Guards is
// not safe for concurrent use, evaluation of letters apart.
type Automaton struct {
	AP      []string // proposition i is variable i of Guards
	Initial []int
	Sets    int
	Edges   [][]Edge // by source
	Names   []string // of the states; nil where they have none
	Guards  *bdd.Manager
}

// Len is the number of states.
func (a *Automaton) Len() int { return len(a.Edges) }

// NumEdges is the number of edges.
func (a *Automaton) NumEdges() int {
	n := 0
	for _, es := range a.Edges {
		n += len(es)
	}
	return n
}

// StateName is the name of a state, its number when it has none.
func (a *Automaton) StateName(s int) string {
	if a.Names != nil && a.Names[s] != "" {
		return a.Names[s]
	}
	return fmt.Sprint(s)
}

// StateBased reports whether all edges that leave a state carry the same marks,
// for each state.
func (a *Automaton) StateBased() bool {
	for _, es := range a.Edges {
		for _, e := range es {
			if e.Acc != es[0].Acc {
				return false
			}
		}
	}
	return true
}

// sub is an automaton with the given parts and a's alphabet.
func (a *Automaton) sub(initial []int, sets int, edges [][]Edge) *Automaton {
	return &Automaton{AP: a.AP, Guards: a.Guards, Initial: initial, Sets: sets, Edges: edges}
}

// Matches reports whether the letter, the values of the propositions in AP's
// order, satisfies a guard.
func (a *Automaton) Matches(guard bdd.Ref, letter []bool) bool {
	return a.Guards.Eval(guard, func(v int) bool { return letter[v] })
}

// Terminal lists the states from which every word is accepted for the plain
// reason that they have an edge to themselves under every letter with all
// marks. A run that reaches one has won.
func (a *Automaton) Terminal() []bool {
	all := AllMarks(a.Sets)
	t := make([]bool, a.Len())
	for s, es := range a.Edges {
		loop := bdd.False
		for _, e := range es {
			if e.To == s && e.Acc.Has(all) {
				loop = a.Guards.Or(loop, e.Guard)
			}
		}
		t[s] = loop == bdd.True
	}
	return t
}

// IsTerminal reports whether runs accept only in terminal states, so that the
// language is a co-safety language: every accepted word has a finite prefix
// after which the rest does not matter. The automaton of the negation of a
// safety formula is of this kind when the translation sees it.
func (a *Automaton) IsTerminal() bool {
	terminal := a.Terminal()
	c := a.components()
	for i, members := range c.members {
		if c.accepting[i] && !(len(members) == 1 && terminal[members[0]]) {
			return false
		}
	}
	return true
}

// IsInvariant reports whether the automaton accepts the words of which some letter
// satisfies a guard: it waits in one state, under whatever letters, and leaves it for
// terminal ones. It is the automaton of ¬G p, without temporal operators in p, when the
// translation sees it.
func (a *Automaton) IsInvariant() bool {
	if len(a.Initial) != 1 {
		return false
	}
	terminal := a.Terminal()
	wait := a.Initial[0]
	letters, marks := bdd.False, Marks(0)
	for _, e := range a.Edges[wait] {
		switch {
		case e.To == wait:
			marks |= e.Acc
		case !terminal[e.To]:
			return false
		}
		letters = a.Guards.Or(letters, e.Guard)
	}
	return letters == bdd.True && !marks.Has(AllMarks(a.Sets))
}

// normalize sorts the edges of each state and joins those that differ in the
// guard only.
func normalize(m *bdd.Manager, edges []Edge) []Edge {
	slices.SortFunc(edges, func(x, y Edge) int {
		switch {
		case x.To != y.To:
			return x.To - y.To
		case x.Acc < y.Acc:
			return -1
		case x.Acc > y.Acc:
			return 1
		}
		return 0
	})
	out := edges[:0]
	for _, e := range edges {
		if e.Guard == bdd.False {
			continue
		}
		if n := len(out); n > 0 && out[n-1].To == e.To && out[n-1].Acc == e.Acc {
			out[n-1].Guard = m.Or(out[n-1].Guard, e.Guard)
			continue
		}
		out = append(out, e)
	}
	return out
}

// Assume is the automaton that accepts the words of a in which a proposition
// always holds.
func (a *Automaton) Assume(proposition string) *Automaton {
	ap, to := a.AP, slices.Index(a.AP, proposition)
	if to < 0 {
		to = len(ap)
		ap = append(slices.Clone(ap), proposition)
	}
	b := &Automaton{AP: ap, Initial: a.Initial, Sets: a.Sets, Names: a.Names, Guards: bdd.New(len(ap), bdd.Options{})}
	holds := b.Guards.Var(to)
	for _, es := range a.Edges {
		out := make([]Edge, 0, len(es))
		for _, e := range es {
			guard := bdd.False
			for _, c := range a.Cubes(e.Guard) {
				cube := holds
				for v := len(a.AP) - 1; v >= 0; v-- {
					if value, ok := c[v]; ok {
						cube = b.Guards.And(b.Guards.Literal(v, value), cube)
					}
				}
				guard = b.Guards.Or(guard, cube)
			}
			out = append(out, Edge{guard, e.To, e.Acc})
		}
		b.Edges = append(b.Edges, normalize(b.Guards, out))
	}
	return b
}
