package suggest

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"sort"

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
	mostConditions = 5    // conditions of one size and guard that are kept for a conclusion
	leastSupport   = 3    // samples in which a condition is met
	mostValues     = 16   // values of a word that atoms and conclusions name
	mostOfShape    = 400  // candidates of one shape about one register
	widestNumbered = 8    // width of words whose values are named
	widestTaken    = 64   // width of words that are looked at
	mostLeaves     = 2000 // of a word's cone, when neighbours are looked for
	dataWidth      = 4    // from here on a word that has most of its values is data

	// chance is how improbable it must be, as the logarithm of the odds, that a conclusion
	// holds wherever a condition is met by chance alone. Thousands are tried.
	chance = 8
)

// atom is a term of one bit with the samples in which it is 1.
type atom struct {
	t    *term
	true bitset
}

// miner has what the searches about all registers share.
type miner struct {
	ctx     context.Context // of the register that is mined
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
	r       *Word
	words   []*Word // near to it, itself first
	bits    []*Word // those of one bit
	changed bitset  // samples in which the register has another value than before
	now     []atom  // atoms of this step
	before  []atom  // the same one step ago
	count   map[string]int
}

func newMiner(s *samples, near *neighbourhood) *miner {
	m := &miner{s: s, near: near, sets: map[string]bitset{}, known: map[string]bool{}}
	if t := s.inactive(); t != nil {
		a := m.atom(t)
		m.reset = &a
	}
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
func (m *miner) column(w *Word) []uint64 { return m.s.rows[w.at] }

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

// about mines candidates about a register until ctx ends.
func (m *miner) about(ctx context.Context, r *Word) {
	m.ctx = ctx
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
	g.changed = m.s.valid[1].minus(m.where(apply(opEq, now(r), before(r, 1))))
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
	c.copies = shape == "next" && g.near.covers(g.r, c)
	c.cost = float64(c.literals()) + c.oddity()
	if len(given) > 0 {
		met := g.s.valid[c.history()]
		n := met.count()
		for _, t := range given {
			met = met.and(g.where(t))
		}
		if then.op == opEq && then.args[1].op != opConst && g.s.fixed(g.r, met) {
			return // that it has this value says more
		}
		c.cost += math.Log2(float64(n)/float64(max(1, met.count()))) / 2
	}
	g.known[c.key] = true
	g.count[shape]++
	g.found = append(g.found, c)
}

// atoms lists the atoms of some words: signals and their complements first, then, the
// nearest word first, bits of words and values; words that are equal.
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
		values := func() {
			for _, v := range append([]uint64{0}, m.named(w)...) {
				add(apply(opEq, now(w), number(v, w.Width())))
				add(apply(opNe, now(w), number(v, w.Width())))
			}
		}
		if w.Width() < dataWidth {
			values()
		}
		for i := 0; w.Width() <= widestNumbered && i < w.Width(); i++ {
			add(slice(now(w), i, i))
			add(apply(opUnless, slice(now(w), i, i)))
		}
		if w.Width() >= dataWidth {
			values()
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

// named lists the values of a word but 0 that are worth to be named: none where the word
// seems to be data.
func (m *miner) named(w *Word) []uint64 {
	values := m.values(w, mostValues)
	if w.Width() > widestNumbered || w.Width() >= dataWidth && 4*len(values) > 3<<w.Width() {
		return nil
	}
	return slices.DeleteFunc(values, func(v uint64) bool { return v == 0 })
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
	if all.empty() || !all.meets(f) || g.ctx.Err() != nil {
		return
	}
	bad := all.minus(f)
	if bad.empty() {
		propose(nil, then)
		return
	}
	var found []underGuard
	guards := g.guards(steps)
	for size := 0; size <= most; size++ {
		for k, guard := range guards {
			wrong, base := bad, all
			var given []*term
			for _, a := range guard {
				wrong, base = wrong.and(a.true), base.and(a.true)
				given = append(given, a.t)
			}
			for _, at := range g.conjunctions(wrong, base, f, atoms, size) {
				if slices.ContainsFunc(found, func(u underGuard) bool { return u.weaker(k, at) }) {
					continue
				}
				found = append(found, underGuard{k, at})
				ts := slices.Clone(given)
				for _, i := range at {
					ts = append(ts, atoms[i].t)
				}
				propose(ts, then)
			}
		}
	}
}

// underGuard is a condition that was found: a guard and some atoms.
type underGuard struct {
	guard int
	atoms []int
}

// weaker tells whether the condition is met wherever another one is.
func (u underGuard) weaker(guard int, atoms []int) bool {
	return u.guard <= guard && !slices.ContainsFunc(u.atoms, func(i int) bool { return !slices.Contains(atoms, i) })
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

// conjunctions finds sets of so many atoms that exclude all bad samples, and none of
// which can be left out; those that are met on the most samples.
func (g *group) conjunctions(bad, base, f bitset, atoms []atom, size int) [][]int {
	const most = mostConditions
	var sets []conjunction
	good := base.and(f)
	each := -math.Log(float64(good.count()) / float64(max(1, base.count())))
	need := max(leastSupport, int(math.Ceil(chance/each)))
	keep := func(at ...int) {
		n := g.support(good, atoms, at)
		if n < need || len(sets) == most && n <= sets[most-1].support || twice(atoms, at) {
			return
		}
		met := good
		for _, i := range at {
			met = met.and(atoms[i].true)
		}
		if g.s.runs(met, need) < need {
			return
		}
		sets = slices.Insert(sets, sort.Search(len(sets), func(k int) bool { return sets[k].support < n }), conjunction{at, n})
		sets = sets[:min(most, len(sets))]
	}
	if size == 0 {
		if bad.empty() && g.s.runs(good, leastSupport) >= leastSupport {
			return [][]int{nil}
		}
		return nil
	}
	var open []int // atoms that do not exclude them alone
	for i, a := range atoms {
		if a.true.meets(bad) {
			open = append(open, i)
		} else if size == 1 {
			keep(i)
		}
	}
	for k, i := range open {
		if size != 2 {
			break
		}
		for _, j := range open[:k] {
			if !bad.meets2(atoms[i].true, atoms[j].true) {
				keep(j, i)
			}
		}
	}
	if size == 3 {
		open = open[:min(len(open), mostTripled)]
		pair := make(bitset, len(bad))
		for a, i := range open {
			for b, j := range open[:a] {
				some := uint64(0)
				x, y := atoms[i].true, atoms[j].true
				for w := range pair {
					pair[w] = bad[w] & x[w] & y[w]
					some |= pair[w]
				}
				if some == 0 {
					continue
				}
				for _, k := range open[:b] {
					if !pair.meets(atoms[k].true) && bad.meets2(atoms[k].true, atoms[i].true) && bad.meets2(atoms[k].true, atoms[j].true) {
						keep(k, j, i)
					}
				}
			}
		}
	}
	var out [][]int
	for _, s := range sets {
		out = append(out, s.at)
	}
	return out
}

// twice tells whether two atoms speak of one word alone, but for two of its bits.
func twice(atoms []atom, at []int) bool {
	for k, i := range at {
		for _, j := range at[:k] {
			a, b := atoms[i].t, atoms[j].t
			if w, v := only(a), only(b); w == v && w != nil && !(ofBit(a) && ofBit(b)) {
				return true
			}
		}
	}
	return false
}

// only returns the word that a term speaks of, nil where there are several.
func only(t *term) *Word {
	var w *Word
	several := false
	t.leaves(func(x *Word, _ int) {
		several = several || w != nil && w != x
		w = x
	})
	if several {
		return nil
	}
	return w
}

func ofBit(t *term) bool {
	return t.op == opSlice || t.op == opUnless && t.args[0].op == opSlice
}

// conjunction is a set of atoms that was found.
type conjunction struct {
	at      []int
	support int // samples on which it is met
}

// support counts the samples of a set on which all of some atoms are met.
func (g *group) support(good bitset, atoms []atom, at []int) int {
	n := 0
	for k, w := range good {
		for _, i := range at {
			w &= atoms[i].true[k]
		}
		n += bits.OnesCount64(w)
	}
	return n
}

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
