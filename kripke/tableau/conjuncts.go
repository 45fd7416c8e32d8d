package tableau

import "netcov/kripke/bdd"

// relationOf is a transition relation as a list of conjuncts over the variables of
// now and of next. An image takes up one conjunct after the other, and each variable
// goes with the last conjunct that has it. Sets may depend on other variables as well,
// which stay.
type relationOf struct {
	m                 *bdd.Manager
	parts             []bdd.Ref
	nowLast, nextLast []bdd.Ref // cubes: of what no part has, and then for each part
	toNext, toNow     *bdd.Renaming
}

// mostTogether bounds the nodes of conjuncts that are joined beforehand.
const mostTogether = 2000

func newRelationOf(m *bdd.Manager, conjuncts []bdd.Ref, now, next []int) *relationOf {
	r := &relationOf{m: m}
	for _, f := range conjuncts {
		if n := len(r.parts); n > 0 {
			if both := m.And(r.parts[n-1], f); m.Size(both) <= mostTogether {
				r.parts[n-1] = both
				continue
			}
		}
		r.parts = append(r.parts, f)
	}
	for _, f := range r.parts {
		m.Protect(f)
	}
	r.nowLast, r.nextLast = r.cubes(now), r.cubes(next)
	toNext, toNow := map[int]int{}, map[int]int{}
	for i := range now {
		toNext[now[i]], toNow[next[i]] = next[i], now[i]
	}
	r.toNext, r.toNow = m.NewRenaming(toNext), m.NewRenaming(toNow)
	return r
}

func (r *relationOf) cubes(vars []int) []bdd.Ref {
	last := map[int]int{}
	for i, f := range r.parts {
		for _, v := range r.m.Support(f) {
			last[v] = i + 1
		}
	}
	lists := make([][]int, len(r.parts)+1)
	for _, v := range vars {
		lists[last[v]] = append(lists[last[v]], v)
	}
	out := make([]bdd.Ref, len(lists))
	for i, l := range lists {
		out[i] = r.m.Protect(r.m.Cube(l...))
	}
	return out
}

func (r *relationOf) through(f bdd.Ref, cubes []bdd.Ref) bdd.Ref {
	f = r.m.Exists(f, cubes[0])
	for i, p := range r.parts {
		f = r.m.AndExists(f, p, cubes[i+1])
	}
	return f
}

// post is the set of successors of a set, both over now.
func (r *relationOf) post(f bdd.Ref) bdd.Ref {
	return r.m.Rename(r.through(f, r.nowLast), r.toNow)
}

// pre is the set of predecessors of a set, both over now.
func (r *relationOf) pre(f bdd.Ref) bdd.Ref { return r.preOf(r.m.Rename(f, r.toNext)) }

// preOf is pre of a set over next.
func (r *relationOf) preOf(f bdd.Ref) bdd.Ref { return r.through(f, r.nextLast) }

// within is the relation between the states of two sets, the second over next.
func (r *relationOf) within(from, to bdd.Ref) bdd.Ref {
	f := r.m.And(from, to)
	for _, p := range r.parts {
		f = r.m.And(f, p)
	}
	return f
}
