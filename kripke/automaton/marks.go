package automaton

import (
	"slices"

	"netcov/kripke/bdd"
)

// Acceptance, component by component. A run stays in one strongly connected
// component from some step on, so marks on edges between components mean nothing,
// and each component needs only the sets that its own cycles can miss:
//
//   - none in a component that is not accepting,
//   - a set is not needed when every cycle has an edge with its mark,
//   - nor when another set has its mark on no edge without this one's.
//
// What remains is renumbered, so the automaton has as many sets as its most
// demanding component. The edges of a component that needs fewer carry the marks
// of the rest; where other components are not accepting, and none needs a set, one
// set tells them apart.

// orderMarks gives the number of acceptance sets, and the marks of the edges that
// leave the kept states.
func (a *Automaton) orderMarks(comp *components, keep []int) (int, func(s int, e Edge) Marks) {
	kept := make([]bool, a.Len())
	for _, s := range keep {
		kept[s] = true
	}
	need := make([][]int, len(comp.members))
	sets := 0
	for i, members := range comp.members {
		if !comp.accepting[i] {
			if sets == 0 && kept[members[0]] && a.cyclic(members, comp.of, -1) {
				sets = 1
			}
			continue
		}
		if kept[members[0]] {
			need[i] = a.neededSets(members, comp.of)
			sets = max(sets, len(need[i]))
		}
	}
	return sets, func(s int, e Edge) Marks {
		i := comp.of[s]
		if !comp.accepting[i] || comp.of[e.To] != i {
			return 0
		}
		out := AllMarks(sets)
		for to, set := range need[i] {
			if !e.Acc.Has(1 << set) {
				out &^= 1 << to
			}
		}
		return out
	}
}

// neededSets are the acceptance sets that some cycle of an accepting component may
// miss, without those that follow from others.
func (a *Automaton) neededSets(members []int32, of []int32) []int {
	var sets []int
	for set := range a.Sets {
		if a.cyclic(members, of, set) {
			sets = append(sets, set)
		}
	}
	follows := func(set, by int) bool {
		for _, s := range members {
			for _, e := range a.Edges[s] {
				if of[e.To] == of[s] && e.Acc.Has(1<<by) && !e.Acc.Has(1<<set) {
					return false
				}
			}
		}
		return true
	}
	for i := len(sets) - 1; i >= 0; i-- {
		if slices.ContainsFunc(sets, func(by int) bool { return by != sets[i] && follows(sets[i], by) }) {
			sets = slices.Delete(sets, i, i+1)
		}
	}
	return sets
}

// cyclic reports whether a component has a cycle that misses the mark of a set; any
// cycle for set -1.
func (a *Automaton) cyclic(members []int32, of []int32, set int) bool {
	inside := func(s int32, e Edge) bool {
		return e.Guard != bdd.False && of[e.To] == of[s] && (set < 0 || !e.Acc.Has(1<<set))
	}
	// Kahn's algorithm: what remains when states without edges into them are taken
	// away again and again lies behind a cycle.
	into := make(map[int]int, len(members))
	for _, s := range members {
		for _, e := range a.Edges[s] {
			if inside(s, e) {
				into[e.To]++
			}
		}
	}
	var free []int32
	for _, s := range members {
		if into[int(s)] == 0 {
			free = append(free, s)
		}
	}
	left := len(members)
	for len(free) > 0 {
		s := free[len(free)-1]
		free = free[:len(free)-1]
		left--
		for _, e := range a.Edges[s] {
			if inside(s, e) {
				if into[e.To]--; into[e.To] == 0 {
					free = append(free, int32(e.To))
				}
			}
		}
	}
	return left > 0
}
