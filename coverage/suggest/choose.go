package suggest

import "slices"

// mostOfGroup is the number of suggestions about one register.
const mostOfGroup = 5

// rated is a candidate with the mutants that it notices.
type rated struct {
	c  *candidate
	by bitset
}

// choose takes candidates until none adds a mutant: always the one that newly notices
// the most mutants for each of its literals; a condition that is seldom met, or an
// operator that few would write, counts as more of them. Those that say nearly what the
// next-state function says come last.
func choose(all []rated, mutants int) []rated {
	var out []rated
	open := newBitset(mutants)
	for i := range mutants {
		open.add(i)
	}
	count := map[*Word]int{}
	for _, copies := range []bool{false, true} {
		for {
			var best *rated
			most := 0.0
			for i := range all {
				r := &all[i]
				if r.c.copies != copies || count[r.c.about] >= mostOfGroup {
					continue
				}
				n := r.by.and(open).count()
				if n == 0 {
					continue
				}
				if value := float64(n) / r.c.cost; value > most {
					most, best = value, r
				}
			}
			if best == nil {
				break
			}
			out = append(out, *best)
			count[best.c.about]++
			open = open.minus(best.by)
		}
	}
	return out
}

// pool takes candidates for the proof: each mutant has some that notice it, the best
// first, since not all will hold.
func pool(all []rated, mutants, each, most int) []rated {
	left := slices.Clone(all)
	var out []rated
	for range each {
		for _, r := range choose(left, mutants) {
			if len(out) == most {
				return out
			}
			out = append(out, r)
			left = slices.DeleteFunc(left, func(x rated) bool { return x.c == r.c })
		}
	}
	return out
}
