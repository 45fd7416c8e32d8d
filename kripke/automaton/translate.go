package automaton

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"netcov/kripke/bdd"
	"netcov/kripke/formula"
)

// LTL to Büchi automata, on the fly, in the manner of
//
//	Gastin, Oddoux: Fast LTL to Büchi automata translation, CAV 2001
//
// The formula's elementary subformulas (temporal ones, and whole propositional
// ones) are the states of a very weak alternating automaton. A state of the
// generalised Büchi automaton is a set of them, all of which the rest of the
// word has to satisfy; it is expanded when a run reaches it. Each until gives an
// acceptance set: an edge carries its mark unless the until is put off along the
// edge. Edges that ask more than another edge under the same letter are never
// made, and states with equal edges are one.
//
// G F g has an acceptance set of its own and leaves no F g behind: its edges carry
// the mark when their letter satisfies g, or begins to. So a conjunction of n such
// formulas has one state, and not one for each set of what was put off (the idea of
// Babiak, Křetínský, Řehák, Strejček, TACAS 2012, in its simplest form).
//
// Unlike in the first paper, guards are decision diagrams and not conjunctions of
// literals, so an edge is split by the letters under which it could fulfil an
// until, and what a better edge covers is taken away letter by letter.

// Options bound a translation. Zero values stand for the defaults.
type Options struct {
	// MaxStates and MaxEdges bound the generalised automaton; defaults 100,000
	// and 2,000,000.
	MaxStates, MaxEdges int
	// Interrupt is asked now and then; an error from it ends the translation.
	Interrupt func() error
	// Raw leaves the formula and the automaton as they are, without rewriting
	// and reduction.
	Raw bool
}

// FromLTL is an automaton that accepts the words that satisfy f, over the atoms
// of f: generalised, with its acceptance on edges.
func FromLTL(f formula.Formula, opt Options) (*Automaton, error) {
	if !f.In(formula.LTL) {
		return nil, fmt.Errorf("%.100s is no formula of LTL: it has a path quantifier", f)
	}
	if opt.MaxStates <= 0 {
		opt.MaxStates = 100_000
	}
	if opt.MaxEdges <= 0 {
		opt.MaxEdges = 2_000_000
	}
	if opt.Interrupt == nil {
		opt.Interrupt = func() error { return nil }
	}
	ap := formula.Atoms(f)
	index := map[string]int{}
	for i, p := range ap {
		index[p] = i
	}
	r := newRewriter(bdd.New(len(ap), bdd.Options{Interrupt: opt.Interrupt}), index, opt.Interrupt)
	if opt.Raw {
		return r.translate(ap, f, opt)
	}
	// small is an automaton of a formula, nil when it is too large to be of use here.
	small := func(f formula.Formula) (*Automaton, error) {
		bound := opt
		bound.MaxStates, bound.MaxEdges = min(opt.MaxStates, maxPowerset), min(opt.MaxEdges, maxPowerset)
		a, err := r.translate(ap, f, bound)
		if errors.Is(err, errTooLarge) {
			return nil, nil
		}
		return a, err
	}
	f, err := r.withoutIdle(f, small)
	if err != nil {
		return nil, err
	}
	a, err := r.translate(ap, f, opt)
	if err != nil {
		return nil, err
	}
	w, err := a.weak(func() (*Automaton, error) { return small(formula.Not(f)) }, opt.Interrupt)
	if err == nil && w != nil && (w.Len() < a.Len() || w.Len() == a.Len() && w.NumEdges() <= a.NumEdges()) {
		a = w
	}
	return a, err
}

// maxIdle is the number of operands up to which withoutIdle looks at each.
const maxIdle = 8

// withoutIdle drops the operands of a conjunction that always hold, and those of a
// disjunction that never do.
func (r *rewriter) withoutIdle(f formula.Formula, small func(formula.Formula) (*Automaton, error)) (formula.Formula, error) {
	f = r.rewrite(f)
	op := f.Op()
	list := r.operands(f, op)
	if r.propositional(f) || op != formula.OpAnd && op != formula.OpOr || len(list) > maxIdle {
		return f, nil
	}
	var kept []formula.Formula
	for _, g := range list {
		never := g
		if op == formula.OpAnd {
			never = formula.Not(g)
		}
		a, err := small(never)
		if err != nil {
			return f, err
		}
		if a == nil || a.Len() > 0 {
			kept = append(kept, g)
		}
	}
	if op == formula.OpAnd {
		return formula.And(kept...), nil
	}
	return formula.Or(kept...), nil
}

// translate is an automaton of f, reduced unless it is to be raw.
func (r *rewriter) translate(ap []string, f formula.Formula, opt Options) (*Automaton, error) {
	t := &translator{rewriter: r, opt: opt, ids: map[formula.Formula]int{}, terms: map[formula.Formula][]term{}}
	g := normalForm(f)
	if !opt.Raw {
		g = t.rewrite(f)
	}
	a, err := t.run(ap, g)
	if t.err != nil {
		return nil, t.err
	}
	if err := t.guards.Err(); err != nil {
		return nil, err
	}
	if err != nil || opt.Raw {
		return a, err
	}
	return a.reduce(opt.Interrupt)
}

// set is a set of elementary subformulas by their number.
type set []uint64

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

func (s set) subsetOf(t set) bool {
	for i := range s {
		if s[i]&^t[i] != 0 {
			return false
		}
	}
	return true
}

func (s set) union(t set) set {
	u := slices.Clone(s)
	for i := range u {
		u[i] |= t[i]
	}
	return u
}

func (s set) key() string {
	b := make([]byte, 0, 8*len(s))
	for _, w := range s {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}

// term is a way to satisfy a formula: a letter in guard now, and all of next
// from the following letter on.
type term struct {
	guard bdd.Ref
	next  set
}

type translator struct {
	*rewriter
	opt      Options
	elements []formula.Formula // elementary subformulas
	ids      map[formula.Formula]int
	marks    []int                      // those that have an acceptance set, by their number: U, F, and G F
	terms    map[formula.Formula][]term // the alternating automaton's δ, extended to & and |
	size     int                        // words of the sets in terms
}

// maxTermWords bounds the memory of the alternating automaton, in words of 8
// bytes.
const maxTermWords = 1 << 27

func (t *translator) empty() set { return make(set, (len(t.elements)+63)/64) }

func (t *translator) single(f formula.Formula) set {
	s := t.empty()
	i := t.ids[f]
	s[i>>6] |= 1 << (i & 63)
	return s
}

// recurrence reports whether f is G F g, and returns g.
func (t *translator) recurrence(f formula.Formula) (formula.Formula, bool) {
	if f.Op() != formula.OpG || t.propositional(f) || f.Left().Op() != formula.OpF {
		return formula.Formula{}, false
	}
	return f.Left().Left(), true
}

// subformulas lists the subformulas of f, operands first, without the F g of G F g
// where it stands nowhere else.
func (t *translator) subformulas(f formula.Formula) []formula.Formula {
	used := map[formula.Formula]bool{}
	stack := []formula.Formula{f}
	for len(stack) > 0 {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if used[g] {
			continue
		}
		used[g] = true
		if inner, ok := t.recurrence(g); ok {
			stack = append(stack, inner)
			continue
		}
		for _, h := range []formula.Formula{g.Left(), g.Right()} {
			if h != (formula.Formula{}) {
				stack = append(stack, h)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(formula.Subformulas(f)), func(g formula.Formula) bool { return !used[g] })
}

// prepare numbers the elementary subformulas.
func (t *translator) prepare(f formula.Formula) {
	for _, g := range t.subformulas(f) {
		op := g.Op()
		if !t.propositional(g) && (op == formula.OpAnd || op == formula.OpOr) {
			continue
		}
		t.ids[g] = len(t.elements)
		if _, again := t.recurrence(g); again || op == formula.OpU || op == formula.OpF {
			t.marks = append(t.marks, len(t.elements))
		}
		t.elements = append(t.elements, g)
	}
}

// conjunctions is the disjunctive normal form of f over elementary subformulas,
// without supersets.
func (t *translator) conjunctions(f formula.Formula) ([]set, error) {
	if op := f.Op(); op != formula.OpTrue && op != formula.OpFalse && (t.propositional(f) || op != formula.OpAnd && op != formula.OpOr) {
		return []set{t.single(f)}, nil
	}
	value := map[formula.Formula][]set{}
	for _, g := range formula.Subformulas(f) {
		op := g.Op()
		if t.propositional(g) || op != formula.OpAnd && op != formula.OpOr {
			switch {
			case op == formula.OpTrue:
				value[g] = []set{t.empty()}
			case op != formula.OpFalse:
				value[g] = []set{t.single(g)}
			}
			continue
		}
		l, r := value[g.Left()], value[g.Right()]
		var out []set
		if op == formula.OpOr {
			out = append(slices.Clone(l), r...)
		} else {
			if len(l)*len(r) > t.opt.MaxEdges {
				return nil, t.tooLarge()
			}
			for _, a := range l {
				for _, b := range r {
					out = append(out, a.union(b))
				}
			}
		}
		if len(out) > t.opt.MaxEdges {
			return nil, t.tooLarge()
		}
		if value[g] = t.minimal(out); t.err != nil {
			return nil, t.err
		}
	}
	return value[f], nil
}

// minimal drops supersets.
func (t *translator) minimal(sets []set) []set {
	var out []set
	for i, s := range sets {
		if t.stopped() {
			return nil
		}
		if !slices.ContainsFunc(sets, func(o set) bool { return o.subsetOf(s) && !s.subsetOf(o) }) &&
			!slices.ContainsFunc(sets[:i], func(o set) bool { return slices.Equal(o, s) }) {
			out = append(out, s)
		}
	}
	return out
}

var errTooLarge = errors.New("the automaton of the formula is too large")

func (t *translator) tooLarge() error {
	return fmt.Errorf("%w: more than %d states or %d edges; split the formula into its conjuncts", errTooLarge, t.opt.MaxStates, t.opt.MaxEdges)
}

// expand computes δ of f and of all its subformulas.
func (t *translator) expand(f formula.Formula) error {
	for _, g := range t.subformulas(f) {
		if _, ok := t.terms[g]; ok {
			continue
		}
		if t.stopped() {
			return t.err
		}
		if t.propositional(g) {
			if guard := t.guardOf(g); guard != bdd.False {
				t.terms[g] = []term{{guard, t.empty()}}
			}
			continue
		}
		l, r := t.terms[g.Left()], t.terms[g.Right()]
		inner, recurs := t.recurrence(g)
		if recurs {
			l = t.terms[inner]
		}
		if len(l)*len(r) > t.opt.MaxEdges {
			return t.tooLarge()
		}
		var out []term
		again := []term{{guard: bdd.True}}
		if op := g.Op(); op != formula.OpAnd && op != formula.OpOr {
			again[0].next = t.single(g)
		}
		switch g.Op() {
		case formula.OpX:
			sets, err := t.conjunctions(g.Left())
			if err != nil {
				return err
			}
			for _, s := range sets {
				out = append(out, term{bdd.True, s})
			}
		case formula.OpAnd:
			out = t.product(l, r)
		case formula.OpOr:
			out = slices.Concat(l, r)
		case formula.OpF:
			out = slices.Concat(l, again)
		case formula.OpG:
			out = t.product(l, again)
			if recurs {
				out = append(out, again...)
			}
		case formula.OpU:
			out = slices.Concat(r, t.product(l, again))
		case formula.OpR:
			out = t.product(r, slices.Concat(l, again))
		}
		if len(out) > t.opt.MaxEdges {
			return t.tooLarge()
		}
		if recurs {
			out = t.join(out) // what asks more may be what earns the mark
		} else {
			out = t.prune(out)
		}
		if t.err != nil {
			return t.err
		}
		if t.size += len(out) * len(t.empty()); t.size > maxTermWords {
			return t.tooLarge()
		}
		t.terms[g] = out
	}
	return nil
}

func (t *translator) product(l, r []term) []term {
	var out []term
	for _, a := range l {
		if t.stopped() {
			return nil
		}
		for _, b := range r {
			if g := t.guards.And(a.guard, b.guard); g != bdd.False {
				out = append(out, term{g, a.next.union(b.next)})
			}
		}
	}
	return out
}

// join makes one term of those that ask the same of the rest.
func (t *translator) join(terms []term) []term {
	at := map[string]int{}
	var joined []term
	for _, x := range terms {
		k := x.next.key()
		if i, ok := at[k]; ok {
			joined[i].guard = t.guards.Or(joined[i].guard, x.guard)
			continue
		}
		at[k] = len(joined)
		joined = append(joined, x)
	}
	return joined
}

// prune joins terms, and takes from each term the letters under which another
// one asks less. That is right for a single subformula, where it simplifies the
// alternating automaton, but not for a set of them: there the edge that asks
// more may be the one that fulfils an until (X F p beside F p, say).
func (t *translator) prune(terms []term) []term {
	joined := t.join(terms)
	var out []term
	for i, x := range joined {
		if t.stopped() {
			return nil
		}
		for j, y := range joined {
			if i != j && y.next.subsetOf(x.next) {
				x.guard = t.guards.Diff(x.guard, y.guard)
			}
		}
		if x.guard != bdd.False {
			out = append(out, x)
		}
	}
	return out
}

// run builds the generalised automaton.
func (t *translator) run(ap []string, f formula.Formula) (*Automaton, error) {
	if t.err != nil {
		return nil, t.err
	}
	t.prepare(f)
	if len(t.marks) > MaxSets {
		return nil, fmt.Errorf("the formula has %d subformulas of the kinds F and U (of its negation: G, U, V); at most %d are supported", len(t.marks), MaxSets)
	}
	if err := t.expand(f); err != nil {
		return nil, err
	}
	sets, err := t.conjunctions(f)
	if err != nil {
		return nil, err
	}
	a := &Automaton{AP: ap, Guards: t.guards, Sets: len(t.marks)}
	number := map[string]int{}
	var todo []set
	visit := func(s set) int {
		k := s.key()
		n, ok := number[k]
		if !ok {
			n = len(todo)
			number[k] = n
			todo = append(todo, s)
		}
		return n
	}
	for _, s := range sets {
		a.Initial = append(a.Initial, visit(s))
	}
	total := 0
	for i := 0; i < len(todo); i++ {
		if t.stopped() {
			return nil, t.err
		}
		edges, err := t.edges(todo[i], visit)
		if err != nil {
			return nil, err
		}
		total += len(edges)
		if len(todo) > t.opt.MaxStates || total > t.opt.MaxEdges {
			return nil, t.tooLarge()
		}
		a.Edges = append(a.Edges, edges)
	}
	return a, nil
}

// edges expands one state.
func (t *translator) edges(s set, visit func(set) int) ([]Edge, error) {
	terms := []term{{bdd.True, t.empty()}}
	for w, word := range s {
		for ; word != 0; word &= word - 1 {
			element := t.elements[w<<6+bits.TrailingZeros64(word)]
			if len(terms)*len(t.terms[element]) > t.opt.MaxEdges {
				return nil, t.tooLarge()
			}
			terms = t.join(t.product(terms, t.terms[element]))
		}
	}
	// Each term's edges have no letter in common.
	split := make([][]Edge, len(terms))
	for i, x := range terms {
		split[i] = t.mark(x)
	}
	var out []Edge
	for i, x := range terms {
		if t.stopped() {
			return nil, t.err
		}
		better := make([]bool, len(terms))
		for j, y := range terms {
			better[j] = i != j && y.next.subsetOf(x.next) && t.guards.And(x.guard, y.guard) != bdd.False
		}
		for _, e := range split[i] {
			for j := range terms {
				if !better[j] {
					continue
				}
				for _, f := range split[j] {
					if f.Acc.Has(e.Acc) {
						e.Guard = t.guards.Diff(e.Guard, f.Guard)
					}
				}
			}
			if e.Guard != bdd.False {
				e.To = visit(x.next)
				out = append(out, e)
			}
		}
	}
	return normalize(t.guards, out), nil
}

// mark splits a term by the marks that its letters earn. The edges have no target
// yet.
func (t *translator) mark(x term) []Edge {
	list := []Edge{{Guard: x.guard}}
	for i, u := range t.marks {
		bit := Marks(1) << i
		earned := t.earned(u, x.next)
		var split []Edge
		for _, e := range list {
			if g := t.guards.And(e.Guard, earned); g != bdd.False {
				split = append(split, Edge{Guard: g, Acc: e.Acc | bit})
			}
			if g := t.guards.Diff(e.Guard, earned); g != bdd.False {
				split = append(split, Edge{Guard: g, Acc: e.Acc})
			}
		}
		list = split
	}
	return list
}

// earned are the letters that earn the mark of an element on an edge to next. The
// mark of an until is earned when it is not in next, or when the letter fulfils it
// and what that asks of the rest is asked anyway; the mark of G F g likewise by
// letters that fulfil g.
func (t *translator) earned(u int, next set) bdd.Ref {
	if !next.has(u) {
		return bdd.True
	}
	f := t.elements[u]
	inner, recurs := t.recurrence(f)
	if recurs {
		f = inner
	}
	out := bdd.False
	for _, y := range t.terms[f] {
		if (recurs || !y.next.has(u)) && y.next.subsetOf(next) {
			out = t.guards.Or(out, y.guard)
		}
	}
	return out
}
