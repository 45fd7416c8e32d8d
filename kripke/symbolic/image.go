package symbolic

import "netcov/kripke/bdd"

// Post of a circuit is the range of its next-state functions over a set. Where
// few states are in it, splitting on the value of one function after the other
// (Coudert, Berthet and Madre 1989) is by far the best: each split makes the rest
// of the set smaller. Where the splits become many, the conjunction of all
// u_i ↔ ρ_i is computed, with each variable quantified as early as it can be.

// mostSplits is how many splits are tried.
const mostSplits = 1 << 13

type imagePart struct {
	conjunct bdd.Ref
	cube     bdd.Ref // variables of track 0 that no later conjunct has
}

// Post is the set of successors of a set of states.
func (s *System) Post(f bdd.Ref) bdd.Ref {
	if s.step != nil {
		return s.M.Compose(s.swap, s.relation, f)
	}
	if s.image == nil {
		if s.prepareImage(); s.M.Err() != nil {
			s.image = nil
			return bdd.False
		}
	}
	sp := splitter{s: s, left: s.splits, memo: map[split]bdd.Ref{}}
	if range0 := sp.image(0, f); sp.left > 0 {
		return range0
	}
	return s.conjoin(f)
}

// conjoin is Post by early quantification. Each conjunct matters where f holds,
// and is mostly smaller there.
func (s *System) conjoin(f bdd.Ref) bdd.Ref {
	from := f
	for _, p := range s.image {
		f = s.M.AndExists(f, s.M.Restrict(p.conjunct, from), p.cube)
	}
	return s.M.Rename(f, s.back)
}

// Conjuncts is the transition relation over both tracks as a conjunction.
func (s *System) Conjuncts() []bdd.Ref {
	if s.step != nil {
		return []bdd.Ref{s.relation}
	}
	if s.image == nil {
		s.prepareImage()
	}
	out := make([]bdd.Ref, len(s.image))
	for i, p := range s.image {
		out[i] = p.conjunct
	}
	return out
}

// split is a set of states of which the functions from number n on remain.
type split struct {
	n int
	f bdd.Ref
}

type splitter struct {
	s    *System
	left int // splits
	memo map[split]bdd.Ref
}

// image is the range of the functions from number n on over a set; it means
// nothing when no split is left.
func (sp *splitter) image(n int, f bdd.Ref) bdd.Ref {
	if f == bdd.False || n == len(sp.s.ControlBits) {
		return bdd.Constant(f != bdd.False)
	}
	at := split{n, f}
	if r, ok := sp.memo[at]; ok {
		return r
	}
	if sp.left--; sp.left <= 0 {
		sp.left = 0
		return bdd.False
	}
	m, bit := sp.s.M, sp.s.ControlBits[n]
	next, cube := sp.s.nextFuncs[bit], sp.s.image[n].cube
	high := sp.image(n+1, m.AndExists(f, next, cube))
	low := sp.image(n+1, m.AndExists(f, next.Not(), cube))
	r := m.Ite(m.Var(sp.s.Var(0, bit)), high, low)
	sp.memo[at] = r
	return r
}

// prepareImage makes the conjuncts u_i ↔ ρ_i and quantifies each variable of
// track 0 where it occurs for the last time.
func (s *System) prepareImage() {
	m := s.M
	last := map[int]int{}
	for _, v := range s.Vars(0) {
		last[v] = 0
	}
	for j, i := range s.ControlBits {
		p := m.Protect(m.Iff(m.Var(s.Var(1, i)), s.nextFuncs[i]))
		s.image = append(s.image, imagePart{conjunct: p})
		for _, v := range m.Support(s.nextFuncs[i]) {
			last[v] = j
		}
	}
	if len(s.image) == 0 {
		s.image = []imagePart{{conjunct: bdd.True}}
	}
	for j := range s.image {
		var vars []int
		for v, l := range last {
			if l == j {
				vars = append(vars, v)
			}
		}
		s.image[j].cube = m.Protect(m.Cube(vars...))
	}
	s.back = s.MoveTrack(1, 0)
}
