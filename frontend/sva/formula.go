// Properties in negation normal form, after annex F.3.4. A formula is a state of
// an alternating automaton. Those that may hold for ever without being discharged
// are weak; a strong one must be discharged in finite time.

package sva

import (
	"cmp"
	"fmt"
	"slices"
)

type formulaKind uint8

const (
	fTrue formulaKind = iota
	fFalse
	fCube   // the letter satisfies a cube
	fAnd    // a and b
	fOr     // a or b
	fNext   // a after this letter
	fUntil  // a until b
	fSome   // some run of the sequence from state q matches, and then a at its last letter
	fEvery  // at each match of the sequence from state q, a at its last letter
	fAccept // a, but true at the first letter with the cube
	fReject // a, but false at the first letter with the cube
)

// id numbers a formula in its table.
type id int

type formula struct {
	kind formulaKind
	a, b id
	when cube
	seq  int // index of an automaton
	q    int
	weak bool
}

// formulas shares equal formulas.
type formulas struct {
	atoms atoms
	seqs  []*nfa
	all   []formula
	index map[string]id
	steps map[id][]branching
	nfas  map[string]int // indexes in seqs
	work  int            // spent so far
}

const (
	isTrue  id = 0
	isFalse id = 1
)

const maxFormulas = 50_000

// maxWork bounds the comparisons that one automaton takes, some seconds.
const maxWork = 200_000_000

func newFormulas() *formulas {
	f := &formulas{index: map[string]id{}, steps: map[id][]branching{}, nfas: map[string]int{}}
	f.add(formula{kind: fTrue})
	f.add(formula{kind: fFalse})
	return f
}

func (f *formulas) add(g formula) id {
	key := fmt.Sprint(g)
	if i, ok := f.index[key]; ok {
		return i
	}
	grow("subformulas are", len(f.all)+1, maxFormulas)
	f.all = append(f.all, g)
	f.index[key] = id(len(f.all) - 1)
	return id(len(f.all) - 1)
}

func (f *formulas) and(a, b id) id {
	switch {
	case a == isFalse || b == isFalse:
		return isFalse
	case a == isTrue || a == b:
		return b
	case b == isTrue:
		return a
	}
	return f.add(formula{kind: fAnd, a: min(a, b), b: max(a, b)})
}

func (f *formulas) or(a, b id) id {
	switch {
	case a == isTrue || b == isTrue:
		return isTrue
	case a == isFalse || a == b:
		return b
	case b == isFalse:
		return a
	}
	return f.add(formula{kind: fOr, a: min(a, b), b: max(a, b)})
}

// next puts n letters before a formula.
func (f *formulas) next(a id, n int) id {
	if a == isTrue || a == isFalse {
		return a
	}
	for range n {
		a = f.add(formula{kind: fNext, a: a})
	}
	return a
}

func (f *formulas) until(a, b id, weak bool) id {
	if b == isTrue || weak && a == isTrue {
		return isTrue
	}
	return f.add(formula{kind: fUntil, a: a, b: b, weak: weak})
}

// letter is a boolean expression or its negation.
func (f *formulas) letter(c cube, positive bool) id {
	if positive {
		if len(c) == 0 {
			return isTrue
		}
		return f.add(formula{kind: fCube, when: c})
	}
	r := isFalse
	for _, l := range c {
		r = f.or(r, f.add(formula{kind: fCube, when: cube{l ^ 1}}))
	}
	return r
}

// spend counts work, and refuses when it is too much.
func (f *formulas) spend(n int) {
	f.work += n
	grow("steps to make its automaton are", f.work, maxWork)
}

// sequence numbers an automaton; equal ones have one number.
func (f *formulas) sequence(m *nfa) int {
	key := fmt.Sprint(*m)
	i, ok := f.nfas[key]
	if !ok {
		i = len(f.seqs)
		f.seqs = append(f.seqs, m)
		f.nfas[key] = i
	}
	return i
}

// operands returns the leaves of a tree of one binary operator, each once, from the left.
func (f *formulas) operands(k formulaKind, root id) []id {
	var leaves []id
	seen := map[id]bool{}
	for open := []id{root}; len(open) > 0; {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		if g := f.all[i]; g.kind == k {
			open = append(open, g.b, g.a)
		} else {
			leaves = append(leaves, i)
		}
	}
	return leaves
}

func (f *formulas) some(m *nfa, a id, weak bool) id {
	return f.add(formula{kind: fSome, seq: f.sequence(m), a: a, weak: weak})
}

func (f *formulas) every(m *nfa, a id, weak bool) id {
	return f.add(formula{kind: fEvery, seq: f.sequence(m), a: a, weak: weak})
}

// builder translates syntax. strong tells what a sequence without strong or weak
// is: strong in a cover, weak elsewhere (16.12.2).
type builder struct {
	*formulas
	strong bool
	built  map[half]id
}

// half is a property or its negation.
type half struct {
	n        *node
	positive bool
}

func newBuilder(strong bool) *builder {
	return &builder{newFormulas(), strong, map[half]id{}}
}

// build returns the formula of a property, or of its negation.
func (b *builder) build(n *node, positive bool) id {
	h := half{n, positive}
	i, ok := b.built[h]
	if !ok {
		i = b.translate(n, positive)
		b.built[h] = i
	}
	return i
}

func (b *builder) translate(n *node, positive bool) id {
	if n.sequence() {
		return b.matches(n, positive, b.strong)
	}
	kid := func(i int, positive bool) id { return b.build(n.kids[i], positive) }
	same := func(i int) id { return kid(i, positive) }
	// Dual operators, so that each case is written once.
	and, or := b.and, b.or
	if !positive {
		and, or = b.or, b.and
	}
	switch n.op {
	case opStrong, opWeak:
		return b.matches(n.kids[0], positive, n.op == opStrong)
	case opNot:
		return kid(0, !positive)
	case opAnd:
		return and(same(0), same(1))
	case opOr:
		return or(same(0), same(1))
	case opImplies:
		return or(kid(0, !positive), same(1))
	case opIff: // (p and q) or (not p and not q); negated: p and not q, or q and not p
		return b.or(b.and(kid(0, true), kid(1, positive)), b.and(kid(0, false), kid(1, !positive)))
	case opIf:
		cond := b.atoms.of(n.kids[0])
		yes, no := same(1), isTrue
		if n.kids[2] != nil {
			no = same(2)
		} else if !positive {
			no = isFalse
		}
		return b.or(b.and(b.letter(cond, true), yes), b.and(b.letter(cond, false), no))
	case opNext:
		return b.next(same(0), n.lo)
	case opAlways, opEventually:
		return b.ranged(n, positive)
	case opUntil, opUntilWith:
		p, q := same(0), same(1)
		if n.op == opUntilWith {
			q = and(q, p)
		}
		if positive {
			return b.until(p, q, !n.strong)
		}
		// not (p until q) is (not q) until (not p and not q), of the other strength
		return b.until(q, b.and(p, q), n.strong)
	case opOverlap, opNonoverlap, opFollows, opFollowsLater:
		return b.implication(n, positive)
	case opAcceptOn, opRejectOn:
		k := fAccept
		if (n.op == opRejectOn) == positive {
			k = fReject
		}
		return b.add(formula{kind: k, a: same(1), when: b.atoms.of(n.kids[0])})
	}
	panic("unknown operator")
}

// matches is a sequence that stands as a property.
func (b *builder) matches(n *node, positive, strong bool) id {
	if n.op == opBool {
		return b.letter(b.atoms.of(n), positive)
	}
	m := b.atoms.proper(n, false)
	if positive {
		return b.some(m, isTrue, !strong)
	}
	return b.every(m, isFalse, strong)
}

// ranged is always and eventually, with a range or without.
func (b *builder) ranged(n *node, positive bool) id {
	p := b.build(n.kids[0], positive)
	always := (n.op == opAlways) == positive
	var r id
	if n.hi == unbounded {
		if r = b.until(isTrue, p, false); always {
			r = b.until(p, isFalse, true)
		}
	} else {
		r = p
		for range n.hi - n.lo {
			if r = b.next(r, 1); always {
				r = b.and(p, r)
			} else {
				r = b.or(p, r)
			}
		}
	}
	return b.next(r, n.lo)
}

// implication is |->, |=>, #-# and #=#. a #-# p is not (a |-> not p).
func (b *builder) implication(n *node, positive bool) id {
	follows := n.op == opFollows || n.op == opFollowsLater
	later := n.op == opNonoverlap || n.op == opFollowsLater
	p := b.build(n.kids[1], positive)
	if n.kids[0].op == opBool && !later {
		c := b.atoms.of(n.kids[0])
		if follows == positive {
			return b.and(b.letter(c, true), p)
		}
		return b.or(b.letter(c, false), p)
	}
	m := b.atoms.proper(n.kids[0], later)
	if later { // a |=> p is (a ##1 1) |-> p
		m = concat(m, letterNFA(anyLetter))
	}
	if follows == positive {
		return b.some(m, p, false)
	}
	return b.every(m, p, true)
}

// branching is one way to go on from a formula: when the letter satisfies the
// cube, all formulas of the set must hold from the next letter on.
type branching struct {
	when cube
	then []id // sorted
}

// maxBranches bounds the ways to go on from one set of formulas.
const maxBranches = 4096

// step returns the ways in which a formula can hold.
func (f *formulas) step(i id) []branching {
	if bs, ok := f.steps[i]; ok {
		return bs
	}
	bs := f.derive(f.all[i])
	f.steps[i] = bs
	return bs
}

func (f *formulas) derive(g formula) []branching {
	switch g.kind {
	case fTrue:
		return []branching{{}}
	case fFalse:
		return nil
	case fCube:
		return f.either([]branching{{when: g.when}})
	case fAnd:
		return f.stepSet(f.operands(fAnd, f.add(g)))
	case fOr:
		var ways [][]branching
		for _, i := range f.operands(fOr, f.add(g)) {
			ways = append(ways, f.step(i))
		}
		return f.either(ways...)
	case fNext:
		return f.later(nil, g.a)
	case fUntil:
		return f.either(f.step(g.b), f.both(f.step(g.a), f.later(nil, f.add(g))))
	case fSome:
		m := f.seqs[g.seq]
		var ways [][]branching
		for _, e := range m.edges[g.q] {
			if m.accept[e.to] {
				ways = append(ways, f.both([]branching{{when: e.when}}, f.step(g.a)))
			}
			if len(m.edges[e.to]) > 0 {
				ways = append(ways, f.later(e.when, f.at(g, e.to)))
			}
		}
		return f.either(ways...)
	case fEvery:
		m := f.seqs[g.seq]
		ways := []branching{{}}
		for _, e := range m.edges[g.q] {
			must := []branching{{when: e.when}}
			if m.accept[e.to] {
				must = f.both(must, f.step(g.a))
			}
			if len(m.edges[e.to]) > 0 {
				must = f.both(must, f.later(nil, f.at(g, e.to)))
			}
			for _, l := range e.when {
				must = append(must, branching{when: cube{l ^ 1}})
			}
			ways = f.both(ways, f.either(must))
		}
		return ways
	default: // fAccept, fReject
		var ways []branching
		for _, b := range f.step(g.a) {
			var then []id
			for _, t := range b.then {
				then = append(then, f.add(formula{kind: g.kind, a: t, when: g.when}))
			}
			slices.Sort(then)
			ways = append(ways, branching{b.when, then})
		}
		if len(g.when) == 0 { // the condition is always true
			ways = nil
		} else {
			ways = f.both(ways, []branching{{when: cube{g.when[0] ^ 1}}})
		}
		if g.kind == fAccept {
			ways = append(ways, branching{when: g.when})
		}
		return f.either(ways)
	}
}

// at is the formula of a sequence, from another state on.
func (f *formulas) at(g formula, q int) id {
	g.q = q
	return f.add(g)
}

// later is one way: a from the next letter on. Conjunctions become sets.
func (f *formulas) later(when cube, a id) []branching {
	if a == isFalse {
		return nil
	}
	return []branching{{when, f.members(nil, a)}}
}

func (f *formulas) members(set []id, a id) []id {
	switch g := f.all[a]; {
	case a == isTrue:
		return set
	case g.kind == fAnd:
		return f.members(f.members(set, g.a), g.b)
	}
	if i, ok := slices.BinarySearch(set, a); !ok {
		set = slices.Insert(slices.Clone(set), i, a)
	}
	return set
}

// both is the product of two lists of ways.
func (f *formulas) both(as, bs []branching) []branching {
	f.spend(len(as) * len(bs))
	grow("ways to go on from a state are", len(as)*len(bs), 16*maxBranches)
	var all []branching
	for _, a := range as {
		for _, b := range bs {
			if when := meet(a.when, b.when); when.consistent() {
				all = append(all, branching{when, merge(a.then, b.then)})
			}
		}
	}
	return f.either(all)
}

func merge(a, b []id) []id {
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

// either joins lists of ways, and drops those that another one makes superfluous:
// it asks for less now, and for less later. A shorter one can only be superfluous
// through one that is shorter still, so that each is compared with those kept.
func (f *formulas) either(lists ...[]branching) []branching {
	all := slices.Concat(lists...)
	all = slices.DeleteFunc(all, func(b branching) bool { return !b.when.consistent() })
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(len(all[i].when)+len(all[i].then), len(all[j].when)+len(all[j].then))
	})
	var kept []int
	for _, i := range order {
		f.spend(1 + len(kept))
		b := all[i]
		if !slices.ContainsFunc(kept, func(k int) bool { return within(all[k].when, b.when) && within(all[k].then, b.then) }) {
			kept = append(kept, i)
			grow("ways to go on from a state are", len(kept), maxBranches)
		}
	}
	slices.Sort(kept)
	ways := make([]branching, len(kept))
	for n, i := range kept {
		ways[n] = all[i]
	}
	return ways
}

// within reports whether a sorted list is part of another.
func within[T ~int](a, b []T) bool {
	for _, x := range a {
		i, ok := slices.BinarySearch(b, x)
		if !ok {
			return false
		}
		b = b[i+1:]
	}
	return true
}

// forever reports whether a formula may hold without being discharged.
func (f *formulas) forever(i id) bool {
	switch g := f.all[i]; g.kind {
	case fUntil, fSome, fEvery:
		return g.weak
	case fAccept, fReject:
		return f.forever(g.a)
	}
	return false
}
