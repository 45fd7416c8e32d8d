// Sequences as nondeterministic automata. A run reads one letter a clock tick.
// State 0 is the start, and no edge leads back to it, so that automata can be
// chained without empty steps. An edge asks for a cube of atoms; a cube that
// contradicts itself is kept, since annex F lets the end of a finite trace satisfy
// every expression.

package sva

import (
	"fmt"
	"slices"
)

// literal is an atom, negated when odd: 2*atom, 2*atom+1.
type literal int

// cube is a conjunction of literals, sorted.
type cube []literal

// edge leads to a state when its cube holds.
type edge struct {
	to   int
	when cube
}

// nfa accepts the words on which a run ends in an accepting state; the empty
// word when the start accepts.
type nfa struct {
	edges  [][]edge
	accept []bool
}

// Limits on the size of automata.
const (
	maxStates = 20_000 // of one automaton of a sequence
	maxEdges  = 400_000
)

// tooLarge travels as a panic when a limit is met.
type tooLarge struct{ what string }

func grow(what string, n, limit int) {
	if n > limit {
		panic(tooLarge{fmt.Sprintf("the %s more than %d", what, limit)})
	}
}

func meet(a, b cube) cube {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	c := append(slices.Clone(a), b...)
	slices.Sort(c)
	return slices.Compact(c)
}

// consistent reports whether some letter satisfies the cube.
func (c cube) consistent() bool {
	for i := 1; i < len(c); i++ {
		if c[i-1]^1 == c[i] {
			return false
		}
	}
	return true
}

func (a *nfa) state(accept bool) int {
	grow("states of a sequence are", len(a.accept)+1, maxStates)
	a.edges = append(a.edges, nil)
	a.accept = append(a.accept, accept)
	return len(a.accept) - 1
}

func (a *nfa) link(from, to int, when cube) {
	for _, e := range a.edges[from] {
		if e.to == to && slices.Equal(e.when, when) {
			return
		}
	}
	grow("edges of a state of a sequence are", len(a.edges[from])+1, maxStates)
	a.edges[from] = append(a.edges[from], edge{to, when})
}

// letterNFA accepts the words of one letter that satisfies the cube.
func letterNFA(when cube) *nfa {
	a := &nfa{}
	a.state(false)
	a.state(true)
	a.link(0, 1, when)
	return a
}

// emptyNFA accepts the empty word alone.
func emptyNFA() *nfa {
	a := &nfa{}
	a.state(true)
	return a
}

// copyNFA appends the states of b but its start, and returns their offset: state q > 0
// of b is q + offset.
func (a *nfa) copyNFA(b *nfa) int {
	offset := len(a.accept) - 1
	for q := 1; q < len(b.accept); q++ {
		a.state(b.accept[q])
	}
	total := 0
	for q := 1; q < len(b.accept); q++ {
		for _, e := range b.edges[q] {
			a.edges[q+offset] = append(a.edges[q+offset], edge{e.to + offset, e.when})
		}
		total += len(b.edges[q])
	}
	grow("edges of a sequence are", total, maxEdges)
	return offset
}

func (a *nfa) clone() *nfa {
	c := &nfa{accept: slices.Clone(a.accept)}
	for _, es := range a.edges {
		c.edges = append(c.edges, slices.Clone(es))
	}
	return c
}

// concat is a ##1 b: words of a, then words of b.
func concat(a, b *nfa) *nfa { return a.clone().then(b) }

// then turns c into c ##1 b, without the copy that would make chains quadratic.
func (c *nfa) then(b *nfa) *nfa {
	first := len(c.accept)
	offset := c.copyNFA(b)
	total := 0
	for q := range first {
		if !c.accept[q] {
			continue
		}
		total += len(b.edges[0])
		grow("edges of a sequence are", total, maxEdges)
		for _, e := range b.edges[0] {
			c.edges[q] = append(c.edges[q], edge{e.to + offset, e.when})
		}
		c.accept[q] = b.accept[0]
	}
	return c
}

// fuse turns c into c ##0 b: the last letter of c is the first of b.
func (c *nfa) fuse(b *nfa) *nfa {
	first := len(c.accept)
	offset := c.copyNFA(b)
	for q := range first {
		for _, e := range c.edges[q] {
			if e.to >= first || !c.accept[e.to] {
				continue
			}
			for _, f := range b.edges[0] {
				c.link(q, f.to+offset, meet(e.when, f.when))
			}
		}
	}
	for q := range first {
		c.accept[q] = false
	}
	return c
}

// union is a or b.
func union(a, b *nfa) *nfa { return a.clone().otherwise(b) }

// otherwise turns c into c or b.
func (c *nfa) otherwise(b *nfa) *nfa {
	offset := c.copyNFA(b)
	for _, e := range b.edges[0] {
		c.edges[0] = append(c.edges[0], edge{e.to + offset, e.when})
	}
	c.accept[0] = c.accept[0] || b.accept[0]
	return c
}

// plus is a[*1:$].
func plus(a *nfa) *nfa {
	c := a.clone()
	for q := 1; q < len(c.accept); q++ {
		if !c.accept[q] {
			continue
		}
		for _, e := range a.edges[0] {
			c.link(q, e.to, e.when)
		}
	}
	return c
}

// repeat is a[*lo:hi].
func repeat(a *nfa, lo, hi int) *nfa {
	if len(a.accept) == 2 && len(a.edges[0]) == 1 && !a.accept[0] && len(a.edges[1]) == 0 && hi != unbounded {
		return chain(a.edges[0][0].when, lo, hi)
	}
	var tail *nfa
	switch {
	case hi == unbounded && lo == 0:
		return union(plus(a), emptyNFA())
	case hi == unbounded:
		tail, lo = plus(a), lo-1
	default: // (a (a (a)?)?)?, from the inside
		tail = emptyNFA()
		for range hi - lo {
			tail = union(concat(a, tail), emptyNFA())
		}
	}
	for range lo {
		tail = concat(a, tail)
	}
	return tail
}

// intersect accepts the words that both accept.
func intersect(a, b *nfa) *nfa {
	type pair struct{ p, q int }
	c := &nfa{}
	at := map[pair]int{}
	var queue []pair
	visit := func(p, q int) int {
		k := pair{p, q}
		if s, ok := at[k]; ok {
			return s
		}
		s := c.state(a.accept[p] && b.accept[q])
		at[k] = s
		queue = append(queue, k)
		return s
	}
	visit(0, 0)
	total := 0
	for len(queue) > 0 {
		k := queue[0]
		queue = queue[1:]
		from := at[k]
		for _, e := range a.edges[k.p] {
			for _, f := range b.edges[k.q] {
				c.link(from, visit(e.to, f.to), meet(e.when, f.when))
			}
		}
		total += len(c.edges[from])
		grow("edges of a sequence are", total, maxEdges)
	}
	return c.trim()
}

// chain is a letter [*lo:hi], which needs no copies.
func chain(when cube, lo, hi int) *nfa {
	c := &nfa{}
	for n := range hi + 1 {
		if c.state(n >= lo); n > 0 {
			c.link(n-1, n, when)
		}
	}
	return c
}

// trim drops the states that no run passes on its way to acceptance.
func (a *nfa) trim() *nfa {
	n := len(a.accept)
	back := make([][]int, n)
	for q, es := range a.edges {
		for _, e := range es {
			back[e.to] = append(back[e.to], q)
		}
	}
	forth := func(q int) []int {
		var to []int
		for _, e := range a.edges[q] {
			to = append(to, e.to)
		}
		return to
	}
	var ends []int
	for q, ok := range a.accept {
		if ok {
			ends = append(ends, q)
		}
	}
	from := reach(n, []int{0}, forth)
	to := reach(n, ends, func(q int) []int { return back[q] })
	index := make([]int, n)
	c := &nfa{}
	for q := range n {
		if index[q] = -1; q == 0 || from[q] && to[q] {
			index[q] = c.state(a.accept[q])
		}
	}
	for q, es := range a.edges {
		for _, e := range es {
			if index[q] >= 0 && index[e.to] >= 0 {
				c.link(index[q], index[e.to], e.when)
			}
		}
	}
	return c
}

// reach marks what can be reached from some numbers.
func reach(n int, from []int, next func(int) []int) []bool {
	seen := make([]bool, n)
	stack := slices.Clone(from)
	for _, q := range from {
		seen[q] = true
	}
	for len(stack) > 0 {
		q := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, r := range next(q) {
			if !seen[r] {
				seen[r] = true
				stack = append(stack, r)
			}
		}
	}
	return seen
}

// firstMatch accepts the words of a of which no shorter prefix is one: the
// deterministic automaton, cut at its first acceptance.
func firstMatch(a *nfa) *nfa {
	if a.accept[0] {
		return emptyNFA()
	}
	c := &nfa{}
	at := map[string]int{}
	var queue [][]int
	var accepted []bool
	visit := func(set []int) int {
		key := fmt.Sprint(set)
		if s, ok := at[key]; ok {
			return s
		}
		accept := slices.ContainsFunc(set, func(q int) bool { return a.accept[q] })
		grow("states of a first_match are", len(queue)+1, maxSets)
		s := c.state(accept)
		at[key] = s
		queue = append(queue, set)
		accepted = append(accepted, accept)
		return s
	}
	visit([]int{0})
	total := 0
	for i := 0; i < len(queue); i++ {
		if accepted[i] {
			continue
		}
		var es []edge
		for _, q := range queue[i] {
			es = append(es, a.edges[q]...)
		}
		minterms(es, nil, nil, func(when cube, set []int) {
			if len(set) > 0 {
				c.link(i, visit(set), when)
			}
		})
		total += len(c.edges[i])
		grow("edges of a sequence are", total, maxEdges)
	}
	return c.trim()
}

// minterms splits the letters by which edges they satisfy, and gives each part
// with the states that it reaches.
func minterms(es []edge, when cube, set []int, each func(cube, []int)) {
	var open []edge
	for _, e := range es {
		if len(e.when) == 0 {
			set = append(slices.Clip(set), e.to)
		} else {
			open = append(open, e)
		}
	}
	if len(open) == 0 {
		slices.Sort(set)
		slices.Sort(when)
		each(when, slices.Compact(set))
		return
	}
	atom := open[0].when[0] &^ 1
	for _, l := range []literal{atom, atom | 1} {
		var rest []edge
		for _, e := range open {
			if slices.Contains(e.when, l^1) {
				continue
			}
			left := slices.DeleteFunc(slices.Clone(e.when), func(m literal) bool { return m == l })
			rest = append(rest, edge{e.to, left})
		}
		minterms(rest, append(slices.Clone(when), l), slices.Clone(set), each)
	}
}
