package suggest

import (
	"cmp"
	"fmt"
	"slices"

	"netcov/aig"
)

// The miner looks for candidates about one register at a time, among the words near to
// it. A conclusion is a term of one bit, such as "the next value is the last one plus
// one"; the samples in which it is true are a set. A condition is a conjunction of
// atoms, small terms such as "the state is 2", and each atom is a set of samples as
// well. So the search for conditions under which a conclusion holds is one of few and
// large intersections that lie inside of a set.

const (
	mostNear       = 40   // words that a register is looked at with
	mostAtoms      = 120  // atoms that conditions are made of
	mostTripled    = 48   // the first of them, of which three may go together
	mostConditions = 10   // conditions kept for one conclusion
	leastSupport   = 3    // samples in which a condition is met
	mostValues     = 16   // values of a word that atoms and conclusions name
	mostOfShape    = 400  // candidates of one shape about one register
	widestNumbered = 8    // width of words whose values are named
	widestTaken    = 64   // width of words that are looked at
	mostLeaves     = 2000 // of a word's cone, when neighbours are looked for
)

// atom is a term of one bit with the samples in which it is 1.
type atom struct {
	t    *term
	true bitset
}

// miner has what the searches about all registers share.
type miner struct {
	s       *samples
	near    *neighbourhood
	reset   *atom // a term of this step that is 1 while the reset is inactive; nil for none
	sets    map[string]bitset
	clauses [][]*term // of the proofs: one of the terms is 1
	found   []*candidate
	known   map[string]bool
}

// group is the search about one register.
type group struct {
	*miner
	r      *Word
	words  []*Word // near to it, itself first
	bits   []*Word // those of one bit
	now    []atom  // atoms of this step
	before []atom  // the same one step ago
	count  map[string]int
}

func newMiner(s *samples, near *neighbourhood) *miner {
	m := &miner{s: s, near: near, sets: map[string]bitset{}, known: map[string]bool{}}
	m.reset = m.findReset()
	return m
}

// where is samples.where, each term once; a term of the past is that of the present,
// moved.
func (m *miner) where(t *term) bitset {
	key := t.text(wordName)
	if b, ok := m.sets[key]; ok {
		return b
	}
	b := m.s.where(t)
	m.sets[key] = b
	return b
}

// ago returns an atom n steps earlier.
func (m *miner) ago(a atom, n int) atom {
	return atom{a.t.ago(n), a.true.later(n).and(m.s.valid[min(maxHistory, n+a.t.history())])}
}

func (m *miner) atom(t *term) atom { return atom{t, m.where(t)} }

func wordName(w *Word) string { return w.Name }

// column is the values of a word.
func (m *miner) column(w *Word) []uint64 { return m.s.rows[m.s.at[w]] }

// values lists the values of a word on all samples, the most frequent first; nil where
// there are more than so many.
func (m *miner) values(w *Word, most int) []uint64 {
	count := map[uint64]int{}
	for _, v := range m.column(w) {
		if count[v]++; len(count) > most {
			return nil
		}
	}
	out := make([]uint64, 0, len(count))
	for v := range count {
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b uint64) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	return out
}

// about mines candidates about a register.
func (m *miner) about(r *Word) {
	g := &group{miner: m, r: r, words: m.near.of(r, mostNear), count: map[string]int{}}
	for _, w := range g.words {
		if w.Width() == 1 {
			g.bits = append(g.bits, w)
		}
	}
	g.now = m.atoms(g.words)
	for _, a := range g.now {
		g.before = append(g.before, m.ago(a, 1))
	}
	for _, s := range shapes {
		s.mine(g, func(given []*term, then *term) { g.propose(s.name, given, then) })
	}
}

// propose adds a candidate of a shape, unless it is known.
func (g *group) propose(shape string, given []*term, then *term) {
	c := &candidate{shape: shape, about: g.r, given: given, then: then}
	if c.key = c.text(wordName); g.known[c.key] || g.count[shape] >= mostOfShape || c.history() > maxHistory {
		return
	}
	g.known[c.key] = true
	g.count[shape]++
	c.copies = shape == "next" && g.near.covers(g.r, c)
	g.found = append(g.found, c)
}

// atoms lists the atoms of some words: signals and their complements first, then
// values, bits of words, and words that are equal.
func (m *miner) atoms(words []*Word) []atom {
	var out []atom
	add := func(t *term) {
		a := m.atom(t)
		if n := a.true.count(); n >= leastSupport && n < m.s.size {
			out = append(out, a)
		}
	}
	for _, w := range words {
		if w.Width() == 1 {
			add(now(w))
			add(apply(opUnless, now(w)))
		}
	}
	for _, w := range words {
		if w.Width() == 1 {
			continue
		}
		zero := number(0, w.Width())
		values := m.values(w, mostValues)
		if values == nil || w.Width() > widestNumbered {
			add(apply(opEq, now(w), zero))
			add(apply(opNe, now(w), zero))
			continue
		}
		for _, v := range values {
			add(apply(opEq, now(w), number(v, w.Width())))
			add(apply(opNe, now(w), number(v, w.Width())))
		}
	}
	for _, w := range words {
		if w.Width() > 1 && w.Width() <= widestNumbered {
			for i := range w.Width() {
				add(slice(now(w), i, i))
				add(apply(opUnless, slice(now(w), i, i)))
			}
		}
	}
	for i, w := range words[:min(len(words), 12)] {
		for _, x := range words[:i] {
			if w.Width() > 1 && x.Width() == w.Width() {
				add(apply(opEq, now(x), now(w)))
				add(apply(opNe, now(x), now(w)))
			}
		}
	}
	return out[:min(len(out), mostAtoms)]
}

// when proposes a conclusion under each weakest condition under which it holds on the
// samples that have steps enough before them: under none, under the reset being
// inactive, or under up to so many atoms.
func (g *group) when(then *term, atoms []atom, most int, propose func(given []*term, then *term)) {
	f := g.where(then)
	steps := then.history()
	for _, a := range atoms {
		steps = max(steps, a.t.history())
		break // all look back as far
	}
	all := g.s.valid[steps]
	if all.empty() || !all.meets(f) {
		return
	}
	bad := all.minus(f)
	if bad.empty() {
		propose(nil, then)
		return
	}
	for _, guard := range g.guards(steps) {
		left := bad
		var given []*term
		for _, a := range guard {
			left = left.and(a.true)
			given = append(given, a.t)
		}
		base := all
		for _, a := range guard {
			base = base.and(a.true)
		}
		if left.empty() && base.count() >= leastSupport {
			propose(given, then)
			return
		}
		if g.conjunctions(left, base, f, atoms, most, func(extra []*term) {
			propose(append(slices.Clone(given), extra...), then)
		}) {
			return
		}
	}
}

// guards are the ways in which a candidate may rely on the reset being inactive: not at
// all, in the steps before, and in this step too.
func (g *group) guards(steps int) [][]atom {
	out := [][]atom{nil}
	if g.reset == nil {
		return out
	}
	var past []atom
	for n := 1; n <= steps; n++ {
		past = append(past, g.ago(*g.reset, n))
	}
	if steps > 0 {
		out = append(out, past)
	}
	return append(out, append([]atom{*g.reset}, past...))
}

// conjunctions finds the smallest sets of atoms that exclude all bad samples, those that
// are met on the most samples first. It tells whether there are any.
func (g *group) conjunctions(bad, base, f bitset, atoms []atom, most int, found func([]*term)) bool {
	type set struct {
		at      []int
		support int
	}
	var sets []set
	good := base.and(f)
	support := func(at ...int) int {
		b := good
		for _, i := range at {
			b = b.and(atoms[i].true)
		}
		return b.count()
	}
	keep := func(at ...int) {
		if n := support(at...); n >= leastSupport {
			sets = append(sets, set{at, n})
		}
	}
	var open []int // atoms that do not exclude them alone
	for i, a := range atoms {
		if !a.true.meets(bad) {
			keep(i)
		} else {
			open = append(open, i)
		}
	}
	if most >= 2 {
		for k, i := range open {
			for _, j := range open[:k] {
				if !bad.meets2(atoms[i].true, atoms[j].true) {
					keep(j, i)
				}
			}
		}
	}
	if most >= 3 && len(sets) < mostConditions {
		open = open[:min(len(open), mostTripled)]
		for a, i := range open {
			for b, j := range open[:a] {
				pair := bad.and(atoms[i].true).and(atoms[j].true)
				if pair.empty() {
					continue
				}
				for _, k := range open[:b] {
					if !pair.meets(atoms[k].true) {
						keep(k, j, i)
					}
				}
			}
		}
	}
	slices.SortStableFunc(sets, func(a, b set) int { return cmp.Or(len(a.at)-len(b.at), b.support-a.support) })
	for _, s := range sets[:min(len(sets), mostConditions)] {
		var ts []*term
		for _, i := range s.at {
			ts = append(ts, atoms[i].t)
		}
		found(ts)
	}
	return len(sets) > 0
}

// findReset looks for an input of one bit after whose active step most registers have
// one value each: their values then are those of the reset.
func (m *miner) findReset() *atom {
	var best *atom
	most := 0
	registers := 0
	for _, w := range m.s.words {
		if w.Register != "" {
			registers++
		}
	}
	for _, in := range m.s.words {
		if !in.Input || in.Width() != 1 {
			continue
		}
		for _, inactive := range []*term{apply(opUnless, now(in)), now(in)} {
			a := m.atom(inactive)
			active := m.s.valid[0].minus(a.true).later(1).and(m.s.valid[1])
			if active.count() < leastSupport {
				continue
			}
			n := 0
			for _, w := range m.s.words {
				if w.Register != "" && m.fixed(w, active) && !m.fixed(w, m.s.valid[1]) {
					n++
				}
			}
			if n > most {
				most, best = n, &a
			}
		}
	}
	if 4*most < registers || most == 0 {
		return nil
	}
	return best
}

// fixed tells whether a word has one value on some samples.
func (m *miner) fixed(w *Word, on bitset) bool {
	first, some := uint64(0), false
	for i, v := range m.column(w) {
		if !on.has(i) {
			continue
		}
		if !some {
			first, some = v, true
		} else if v != first {
			return false
		}
	}
	return true
}

// clause adds a clause of a proof's invariant, over bits of registers.
func (m *miner) clause(ts []*term) { m.clauses = append(m.clauses, ts) }

// bitOf finds the word that has an edge of the netlist as a bit.
func bitOf(words []*Word, l aig.Lit) *term {
	for _, w := range words {
		if w.Register == "" {
			continue
		}
		for i, b := range w.Bits {
			if b.Node() == l.Node() {
				t := slice(now(w), i, i)
				if b != l {
					t = apply(opUnless, t)
				}
				return t
			}
		}
	}
	return nil
}

// describe names a candidate in messages.
func (c *candidate) String() string { return fmt.Sprintf("%s: %s", c.shape, c.text(wordName)) }
