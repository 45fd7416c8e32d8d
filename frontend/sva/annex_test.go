package sva

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// attempt is a property's automaton with its atoms.
type attempt struct {
	machine *machine
	atoms   []int // signal of each atom, 2*signal+1 when the text is negated
}

// compile builds what check would emit; ok is false when the property is refused.
func compile(t *testing.T, text string) (a attempt, ok bool) {
	t.Helper()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case tooLarge:
		case refusal:
			if r.what != "this sequence never matches" && r.what != "a sequence that admits the empty match is no property" {
				t.Fatalf("%s: %s", text, r.what)
			}
		default:
			panic(r)
		}
	}()
	sp := parseSpec(lex(text), newScope("", nil), nil)
	b := newBuilder(false)
	root := b.build(sp.body, false)
	a.machine = b.reach(root)
	if !b.temporary() {
		if m := b.recurrent(root); m != nil {
			a.machine = m
		}
	}
	for _, toks := range b.atoms.toks {
		s := join(toks)
		negated := s[0] == '!'
		if negated {
			s = s[1:]
		}
		k := 2 * slices.Index(signals, s)
		if negated {
			k++
		}
		a.atoms = append(a.atoms, k)
	}
	return a, true
}

func (a attempt) enabled(c cube, letter int) bool {
	for _, l := range c {
		if satisfies(letter, a.atoms[l>>1]) == (l&1 == 1) {
			return false
		}
	}
	return true
}

// run simulates the checker's registers; it returns the first tick at which an
// attempt ends, or -1.
func (a attempt) run(letters []int) int {
	state := make([]bool, len(a.machine.next))
	for tick, letter := range letters {
		next := make([]bool, len(state))
		ended := false
		follow := func(ts []transition) {
			for _, t := range ts {
				if !a.enabled(t.when, letter) {
					continue
				}
				if t.to == endState {
					ended = true
				} else {
					next[t.to] = true
				}
			}
		}
		follow(a.machine.start)
		for q, on := range state {
			if on {
				follow(a.machine.next[q])
			}
		}
		if ended {
			return tick
		}
		state = next
	}
	return -1
}

// accepts reports whether some run of the automaton on the lasso is accepted: it
// ends, or passes accepting states infinitely often.
func (a attempt) accepts(w lassoWord) bool {
	n, m := w.positions(), a.machine
	at := func(q, i int) int { return q*n + i }
	after := func(i int) int {
		if i+1 == n {
			return len(w.prefix)
		}
		return i + 1
	}
	ended := false
	var first []int
	step := func(ts []transition, i int) (to []int) {
		for _, t := range ts {
			if !a.enabled(t.when, w.letter(i)) {
				continue
			}
			if t.to == endState {
				ended = true
			} else {
				to = append(to, at(t.to, after(i)))
			}
		}
		return to
	}
	for i := range n {
		first = append(first, step(m.start, i)...)
	}
	next := func(s int) []int { return step(m.next[s/n], s%n) }
	seen := reach(len(m.next)*n, first, next)
	if ended {
		return true
	}
	for s, ok := range seen {
		if ok && m.accept != nil && m.accept[s/n] {
			var from []int
			from = append(from, next(s)...)
			if reach(len(seen), from, next)[s] {
				return true
			}
		}
	}
	return false
}

// Each property against annex F: the first tick at which a prefix refutes some
// attempt, and whether a lasso does.
func TestAnnexF(t *testing.T) {
	count := 400
	if testing.Short() {
		count = 150
	}
	g := generator{rand.New(rand.NewPCG(16, 2017))}
	finite, live := 0, 0
	for n := 0; n < count; n++ {
		p := g.property(1 + g.IntN(4))
		text := p.write()
		a, ok := compile(t, text)
		if !ok {
			continue
		}
		if a.machine.accept == nil {
			finite++
		} else {
			live++
		}
		for range 3 {
			w := g.word(1+g.IntN(6), 1)
			if a.machine.accept == nil {
				want := -1
			ticks:
				for tick := range w.prefix {
					for from := 0; from <= tick; from++ {
						if !w.suffix(from).cut(tick-from+1, top).holds(p, false) {
							want = tick
							break ticks
						}
					}
				}
				if got := a.run(w.prefix); got != want {
					t.Fatalf("%s on %v: fails at tick %d, want %d", text, w.prefix, got, want)
				}
			}
			w = g.word(g.IntN(4), 1+g.IntN(3))
			want := false
			for i := range w.positions() {
				want = want || !w.suffix(i).holds(p, false)
			}
			if got := a.accepts(w); got != want {
				t.Fatalf("%s on %v: fails is %v, want %v", text, w, got, want)
			}
		}
	}
	t.Logf("%d properties that prefixes refute, %d of liveness", finite, live)
	if finite < count/4 || live < count/40 {
		t.Error("too few properties were compared")
	}
}
