package automaton

import (
	"netcov/kripke/formula"
)

// Word is an ultimately periodic word: the letters of Prefix, then those of Loop
// for ever. A letter gives the values of the propositions in the order of AP.
type Word struct {
	AP     []string
	Prefix [][]bool
	Loop   [][]bool // at least one letter
}

// Len is the number of positions, after which the word repeats.
func (w *Word) Len() int { return len(w.Prefix) + len(w.Loop) }

// Letter is the letter at a position from 0 to Len()-1.
func (w *Word) Letter(i int) []bool {
	if i < len(w.Prefix) {
		return w.Prefix[i]
	}
	return w.Loop[i-len(w.Prefix)]
}

// Next is the position after i.
func (w *Word) Next(i int) int {
	if i+1 == w.Len() {
		return len(w.Prefix)
	}
	return i + 1
}

// Satisfies evaluates a formula of LTL at the word's beginning, by the
// operators' definitions and with no automaton: the value of each subformula at
// each position, U as a least and R as a greatest fixpoint. It is the check of
// counterexamples and the oracle of the translation. A proposition that the
// word does not have is false.
func (w *Word) Satisfies(f formula.Formula) bool {
	n := w.Len()
	index := map[string]int{}
	for i, p := range w.AP {
		index[p] = i
	}
	values := map[formula.Formula][]bool{}
	for _, g := range formula.Subformulas(f) {
		l, r := values[g.Left()], values[g.Right()]
		v := make([]bool, n)
		// fixpoint iterates v := step(i, v at the next position) from a value.
		fixpoint := func(start bool, step func(i int, next bool) bool) {
			for i := range v {
				v[i] = start
			}
			for changed := true; changed; {
				changed = false
				for i := n - 1; i >= 0; i-- {
					if x := step(i, v[w.Next(i)]); x != v[i] {
						v[i], changed = x, true
					}
				}
			}
		}
		point := func(value func(i int) bool) {
			for i := range v {
				v[i] = value(i)
			}
		}
		switch g.Op() {
		case formula.OpTrue:
			point(func(int) bool { return true })
		case formula.OpFalse:
		case formula.OpAtom:
			if p, ok := index[g.Name()]; ok {
				point(func(i int) bool { return w.Letter(i)[p] })
			}
		case formula.OpNot:
			point(func(i int) bool { return !l[i] })
		case formula.OpAnd:
			point(func(i int) bool { return l[i] && r[i] })
		case formula.OpOr:
			point(func(i int) bool { return l[i] || r[i] })
		case formula.OpXor:
			point(func(i int) bool { return l[i] != r[i] })
		case formula.OpIff, formula.OpXnor:
			point(func(i int) bool { return l[i] == r[i] })
		case formula.OpImplies:
			point(func(i int) bool { return !l[i] || r[i] })
		case formula.OpX:
			point(func(i int) bool { return l[w.Next(i)] })
		case formula.OpF:
			fixpoint(false, func(i int, next bool) bool { return l[i] || next })
		case formula.OpG:
			fixpoint(true, func(i int, next bool) bool { return l[i] && next })
		case formula.OpU:
			fixpoint(false, func(i int, next bool) bool { return r[i] || l[i] && next })
		case formula.OpW:
			fixpoint(true, func(i int, next bool) bool { return r[i] || l[i] && next })
		case formula.OpR:
			fixpoint(true, func(i int, next bool) bool { return r[i] && (l[i] || next) })
		}
		values[g] = v
	}
	return values[f][0]
}

// run is the product of a word and an automaton.
type run struct {
	a       *Automaton
	w       *Word
	letters [][]bool // by position, in the automaton's order
}

func (r *run) Len() int { return r.a.Len() * r.w.Len() }

func (r *run) Successors(node int, yield func(int, Marks)) {
	i, s := node/r.a.Len(), node%r.a.Len()
	for _, e := range r.a.Edges[s] {
		if r.a.Matches(e.Guard, r.letters[i]) {
			yield(r.w.Next(i)*r.a.Len()+e.To, e.Acc)
		}
	}
}

// Accepts reports whether the automaton accepts the word. A proposition that the
// word does not have is false.
func (a *Automaton) Accepts(w *Word) bool {
	index := map[string]int{}
	for i, p := range w.AP {
		index[p] = i
	}
	r := &run{a: a, w: w}
	for i := range w.Len() {
		letter := make([]bool, len(a.AP))
		for v, p := range a.AP {
			if at, ok := index[p]; ok {
				letter[v] = w.Letter(i)[at]
			}
		}
		r.letters = append(r.letters, letter)
	}
	return StronglyConnected(r, a.Initial).accepting(a.Sets)
}
