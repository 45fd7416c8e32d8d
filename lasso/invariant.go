package lasso

import (
	"math/bits"
	"slices"

	"netcov/aig"
	"netcov/cert"
)

// The invariant of the translation: the state is reachable, and where one was remembered,
// its level is higher than that of the state now, or the levels are equal and the
// literal of the state now was not seen since. A state that equals the remembered one
// has the same rank, so that not all literals were seen. Before, no literal was seen.

// invariant returns it; all states and steps are known, and there is no lasso.
func (s *Search) invariant() *cert.Invariant {
	all, of := s.components()
	ranks := s.ranks(all, of)
	type ranked struct {
		state uint64
		rank  rank
	}
	list := make([]ranked, len(s.states))
	top := 0
	for v, x := range s.states {
		list[v] = ranked{x, ranks[of[v]]}
		top = max(top, list[v].rank.level)
	}
	slices.SortFunc(list, func(a, b ranked) int {
		// The first latch decides first, as in the decision diagrams below.
		d := bits.TrailingZeros64(a.state ^ b.state)
		return int(a.state>>d&1) - int(b.state>>d&1)
	})
	inv := &cert.Invariant{Graph: aig.NewGraph()}
	g := inv.Graph
	latch := func(i int) aig.Lit {
		l := g.Latch()
		inv.Support = append(inv.Support, cert.SupportLatch{Lit: l, Latch: i})
		return l
	}
	now, then := make([]aig.Lit, len(s.bits)), make([]aig.Lit, len(s.bits))
	for k, i := range s.bits {
		now[k] = latch(i)
		then[k] = latch(s.layout.Copies[i])
		if s.turned[k] {
			then[k] = then[k].Not()
		}
	}
	// function is the diagram of a set of states; what it says of states that are not
	// reachable is of no account, unless it must be exact.
	function := func(of []aig.Lit, exact bool, yes func(rank) bool) aig.Lit {
		var build func(part []ranked, k int) aig.Lit
		build = func(part []ranked, k int) aig.Lit {
			some, every := false, true
			for _, x := range part {
				y := yes(x.rank)
				some, every = some || y, every && y
			}
			switch {
			case !some:
				return aig.False
			case every && (!exact || len(s.bits)-k < 63 && len(part) == 1<<(len(s.bits)-k)):
				return aig.True
			}
			at, _ := slices.BinarySearchFunc(part, uint64(1), func(x ranked, one uint64) int { return int(x.state>>k&1) - int(one) })
			return g.Mux(of[k], build(part[at:], k+1), build(part[:at], k+1))
		}
		return build(list, 0)
	}
	less, equal := aig.False, aig.True // the level now against that then, from the lowest bit on
	for bit := range bits.Len(uint(top)) {
		high := func(r rank) bool { return r.level>>bit&1 == 1 }
		a, b := function(now, false, high), function(then, false, high)
		same := g.Xor(a, b).Not()
		less = g.Or(g.And(a.Not(), b), g.And(same, less))
		equal = g.And(equal, same)
	}
	unseen := aig.False
	for k, i := range s.layout.Seen {
		mine := function(now, false, func(r rank) bool { return r.literal == k })
		unseen = g.Or(unseen, g.And(mine, latch(i).Not()))
	}
	saved := latch(s.layout.Saved)
	for _, i := range s.layout.Seen {
		inv.Clauses = append(inv.Clauses, cert.Clause{cert.MkStateLit(s.layout.Saved, false), cert.MkStateLit(i, true)})
	}
	inv.Formulas = []aig.Lit{
		function(now, true, func(rank) bool { return true }),
		g.OrAll(saved.Not(), less, g.And(equal, unseen)),
	}
	return inv
}
