package automaton

import (
	"fmt"
	"math/bits"
	"slices"

	"netcov/kripke/bdd"
)

// Automata as gates and registers. The state is a binary number in registers: s+1
// for state s, and 0 when the run has ended because no edge could be taken. Where
// edges of a state share letters, inputs choose. Several initial states become
// one new state that has the edges of all.

// Gates is what an automaton is built of: some and-inverter graph with edges L.
type Gates[L any] interface {
	Constant(bool) L
	And(a, b L) L
	Not(a L) L
	// Input adds an input, Latch a register with its reset.
	Input(name string) L
	Latch(name string, reset bool) L
	SetNext(latch, next L)
}

// Monitor is an automaton in gates. Its edges hold in a step in which the
// automaton takes a transition of the kind.
type Monitor[L any] struct {
	Alive L   // any transition
	Win   L   // one to a state that accepts everything
	Marks []L // one with the mark, by acceptance set
	// Bits and Choices count the registers and inputs.
	Bits, Choices int
}

// Encode adds the automaton to a circuit in which it reads the given edges, one
// for each proposition. Names begin with prefix.
func Encode[L any](a *Automaton, g Gates[L], prefix string, read []L) Monitor[L] {
	e := &encoding[L]{a: a, g: g, read: read, guards: map[bdd.Ref]L{}}
	return e.run(prefix)
}

type encoding[L any] struct {
	a      *Automaton
	g      Gates[L]
	read   []L
	guards map[bdd.Ref]L
}

func (e *encoding[L]) run(prefix string) Monitor[L] {
	a, g := e.a, e.g
	initial, edges := a.singleInitial()
	width := bits.Len(uint(len(edges)))
	state := make([]L, width)
	for i := range state {
		state[i] = g.Latch(fmt.Sprint(prefix, "automaton", i), (initial+1)>>i&1 != 0)
	}
	choices := 1
	for _, es := range edges {
		if a.overlap(es) {
			choices = max(choices, len(es))
		}
	}
	var choice []L
	for i := range bits.Len(uint(choices - 1)) {
		choice = append(choice, g.Input(fmt.Sprint(prefix, "pick", i)))
	}
	terminal := a.Terminal()
	next := make([][]L, width)
	marks := make([][]L, a.Sets)
	var alive, win []L
	for s, es := range edges {
		here := e.equals(state, s+1)
		picks := a.overlap(es)
		for i, t := range es {
			taken := g.And(here, e.guard(t.Guard))
			if picks {
				taken = g.And(taken, e.equals(choice, i))
			}
			for j := range next {
				if (t.To+1)>>j&1 != 0 {
					next[j] = append(next[j], taken)
				}
			}
			for j := range marks {
				if t.Acc.Has(1 << j) {
					marks[j] = append(marks[j], taken)
				}
			}
			alive = append(alive, taken)
			if terminal[t.To] {
				win = append(win, taken)
			}
		}
	}
	for j, l := range state {
		g.SetNext(l, e.or(next[j]))
	}
	m := Monitor[L]{Alive: e.or(alive), Win: e.or(win), Bits: width, Choices: len(choice)}
	for _, taken := range marks {
		m.Marks = append(m.Marks, e.or(taken))
	}
	return m
}

func (e *encoding[L]) or(list []L) L {
	if len(list) == 0 {
		return e.g.Constant(false)
	}
	for len(list) > 1 { // as a balanced tree
		var half []L
		for i := 0; i+1 < len(list); i += 2 {
			half = append(half, e.g.Not(e.g.And(e.g.Not(list[i]), e.g.Not(list[i+1]))))
		}
		if len(list)%2 == 1 {
			half = append(half, list[len(list)-1])
		}
		list = half
	}
	return list[0]
}

func (e *encoding[L]) equals(vector []L, code int) L {
	out := e.g.Constant(true)
	for i, l := range vector {
		if code>>i&1 == 0 {
			l = e.g.Not(l)
		}
		out = e.g.And(out, l)
	}
	return out
}

// guard is a guard over what the automaton reads. The depth of the recursion is
// the number of propositions.
func (e *encoding[L]) guard(f bdd.Ref) L {
	switch f {
	case bdd.False, bdd.True:
		return e.g.Constant(f == bdd.True)
	}
	l, ok := e.guards[f]
	if !ok {
		m := e.a.Guards
		v := m.Support(f)[0]
		high := e.g.And(e.read[v], e.guard(m.Cofactor(f, v, true)))
		low := e.g.And(e.g.Not(e.read[v]), e.guard(m.Cofactor(f, v, false)))
		l = e.or([]L{high, low})
		e.guards[f] = l
	}
	return l
}

// singleInitial gives the automaton one initial state: a new one with the edges
// of all of them where there are several; -1 without any.
func (a *Automaton) singleInitial() (int, [][]Edge) {
	switch len(a.Initial) {
	case 0:
		return -1, a.Edges
	case 1:
		return a.Initial[0], a.Edges
	}
	var first []Edge
	for _, s := range a.Initial {
		first = append(first, a.Edges[s]...)
	}
	return len(a.Edges), append(slices.Clip(a.Edges), normalize(a.Guards, first))
}

// overlap reports whether two edges share a letter.
func (a *Automaton) overlap(es []Edge) bool {
	seen := bdd.False
	for _, e := range es {
		if a.Guards.And(seen, e.Guard) != bdd.False {
			return true
		}
		seen = a.Guards.Or(seen, e.Guard)
	}
	return false
}
