// From the syntax of a sequence to its automaton: the operators that annex F.3.4
// derives are written with the basic ones.

package sva

import "slices"

// atoms numbers the boolean expressions of one assertion.
type atoms struct {
	toks  [][]token
	index map[string]int
}

// of returns the cube of a boolean expression.
func (a *atoms) of(n *node) cube {
	key := join(n.toks)
	switch key {
	case "1", "1'b1", "'1", "1'd1", "1'h1":
		return nil
	}
	i, ok := a.index[key]
	if !ok {
		if a.index == nil {
			a.index = map[string]int{}
		}
		i = len(a.toks)
		a.index[key] = i
		a.toks = append(a.toks, n.toks)
	}
	return cube{literal(2 * i)}
}

var anyLetter = cube(nil)

// not returns the edges' cubes of a negated expression; it has at most one literal.
func notLetter(c cube) *nfa {
	if len(c) == 0 { // not 1: no word
		a := &nfa{}
		a.state(false)
		return a
	}
	return letterNFA(cube{c[0] ^ 1})
}

// automaton returns the automaton of a sequence.
func (a *atoms) automaton(n *node) *nfa {
	sub := func(i int) *nfa { return a.automaton(n.kids[i]) }
	switch n.op {
	case opBool:
		return letterNFA(a.of(n))
	case opDelay:
		return a.delay(n)
	case opRepeat:
		return repeat(sub(0), n.lo, n.hi)
	case opGoto, opNonconsec:
		// b[->1] is !b[*] ##1 b; b[=] may go on with !b.
		is := a.of(n.kids[0])
		once := concat(repeat(notLetter(is), 0, unbounded), letterNFA(is))
		g := repeat(once, n.lo, n.hi)
		if n.op == opNonconsec {
			g = concat(g, repeat(notLetter(is), 0, unbounded))
		}
		return g
	case opThroughout:
		return intersect(repeat(sub(0), 0, unbounded), sub(1))
	case opWithin:
		inner := concat(concat(anyWord(), sub(0)), anyWord())
		return intersect(inner, sub(1))
	case opIntersect:
		return intersect(sub(0), sub(1))
	case opAnd:
		p, q := sub(0), sub(1)
		return union(intersect(concat(p, anyWord()), q), intersect(p, concat(q, anyWord())))
	case opOr:
		return sub(0).otherwise(sub(1))
	case opFirstMatch:
		return firstMatch(sub(0).trim())
	}
	panic("not a sequence")
}

// anyWord accepts all words.
func anyWord() *nfa { return repeat(letterNFA(anyLetter), 0, unbounded) }

// delay is a ##[lo:hi] b, or ##[lo:hi] b.
func (a *atoms) delay(n *node) *nfa {
	right := a.automaton(n.kids[1])
	wait := func(lo, hi int) *nfa { return repeat(letterNFA(anyLetter), lo, hi) }
	if n.kids[0] == nil {
		return concat(wait(n.lo, n.hi), right)
	}
	left := a.automaton(n.kids[0])
	if n.lo > 0 {
		return left.then(wait(n.lo-1, less(n.hi))).then(right)
	}
	if n.hi == 0 {
		return left.fuse(right)
	}
	return left.clone().fuse(right).otherwise(left.then(wait(0, less(n.hi))).then(right))
}

func less(hi int) int {
	if hi == unbounded {
		return unbounded
	}
	return hi - 1
}

// proper returns the automaton of a sequence that stands as a property or before
// an implication, where 16.12.22 allows no degenerate one.
func (a *atoms) proper(n *node, emptyToo bool) *nfa {
	m := a.automaton(n).trim()
	if m.accept[0] && !emptyToo {
		refuse(n.at, "", "a sequence that admits the empty match is no property")
	}
	if !slices.Contains(m.accept[1:], true) && !(emptyToo && m.accept[0]) {
		refuse(n.at, "", "this sequence never matches")
	}
	return m
}
