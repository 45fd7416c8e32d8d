package automaton

import (
	"slices"

	"netcov/internal/scc"
)

// Büchi acceptance on states, with levels (Gastin and Oddoux, CAV 2001; Giannakopoulou
// and Lerda, FORTE 2002): a state remembers how many of the acceptance sets, in some
// order, were met since the last state that accepts. Component by component:
//
//   - a component has levels for the sets that its cycles can miss, the others none
//   - the order is the one that needs the fewest states, of all orders of up to four sets
//   - levels that no cycle comes back to are left out: a run may begin a component at any
//     level, so it begins at the lowest one where it can stay
//
// What comes out is reduced as any automaton, and what the reductions find may need
// levels anew. Left out, since it saved nothing on the formulas of the benchmarks: to
// count a mark that all edges leaving a state carry when the state is entered, and to
// begin at the highest level.

// mostOrdered is the largest number of sets of which all orders are tried.
const mostOrdered = 4

// Buchi is an automaton for the same language with one acceptance set, which states
// carry. The error is the interrupt's.
func (a *Automaton) Buchi(interrupt func() error) (*Automaton, error) {
	var best *Automaton
	keep := func(b *Automaton) {
		if b != nil && (best == nil || b.Len() < best.Len() || b.Len() == best.Len() && b.NumEdges() < best.NumEdges()) {
			best = b
		}
	}
	for b, size := a, 0; ; {
		b = b.levels()
		keep(b.onStates())
		size = b.Len()
		var err error
		if b, err = b.reduce(interrupt); err != nil {
			return nil, err
		}
		keep(b.onStates())
		if b.Len() >= size {
			return best, nil
		}
	}
}

// onStates puts the marks of edges that stay in their component on states, and on all
// edges of these; nil where the edges of a state differ.
func (a *Automaton) onStates() *Automaton {
	comp := a.components()
	edges := make([][]Edge, a.Len())
	for s, es := range a.Edges {
		var mark, seen Marks // of a state without a choice, 0
		for _, e := range es {
			if comp.of[e.To] != comp.of[s] || !comp.accepting[comp.of[s]] {
				continue
			}
			m := Marks(1)
			if a.Sets > 0 {
				m = e.Acc
			}
			if seen != 0 && m != mark {
				return nil
			}
			mark, seen = m, 1
		}
		for _, e := range es {
			edges[s] = append(edges[s], Edge{e.Guard, e.To, mark})
		}
		edges[s] = normalize(a.Guards, edges[s])
	}
	return a.sub(a.Initial, 1, edges)
}

// copied is a state at a level.
type copied struct{ state, level int }

// levels makes the automaton with levels.
func (a *Automaton) levels() *Automaton {
	comp := a.components()
	order := make([][]int, len(comp.members))
	at := make([][]int, a.Len()) // the levels that a state has, ascending
	for i, members := range comp.members {
		if !comp.accepting[i] {
			for _, s := range members {
				at[s] = []int{0}
			}
			continue
		}
		var fewest []copied
		permutations(a.neededSets(members, comp.of), func(sets []int) {
			if c := a.staying(members, comp.of, sets); fewest == nil || len(c) < len(fewest) {
				fewest, order[i] = c, slices.Clone(sets)
			}
		})
		for _, c := range fewest {
			at[c.state] = append(at[c.state], c.level)
		}
	}
	number := map[copied]int{}
	var all []copied
	for s := range at {
		slices.Sort(at[s])
		for _, level := range at[s] {
			number[copied{s, level}] = len(all)
			all = append(all, copied{s, level})
		}
	}
	enter := func(s int) int { return number[copied{s, at[s][0]}] }
	edges := make([][]Edge, len(all))
	for n, c := range all {
		i := comp.of[c.state]
		var acc Marks
		if comp.accepting[i] && c.level == len(order[i]) {
			acc = 1
		}
		for _, e := range a.Edges[c.state] {
			to := enter(e.To)
			if comp.of[e.To] == i && comp.accepting[i] {
				to = number[copied{e.To, level(c.level, e, order[i])}]
			}
			edges[n] = append(edges[n], Edge{e.Guard, to, acc})
		}
		edges[n] = normalize(a.Guards, edges[n])
	}
	var initial []int
	for _, s := range a.Initial {
		initial = append(initial, enter(s))
	}
	slices.Sort(initial)
	return a.sub(slices.Compact(initial), 1, edges).trim()
}

// level is where an edge inside a component leads from a level.
func level(from int, e Edge, order []int) int {
	if from == len(order) {
		from = 0
	}
	for from < len(order) && e.Acc.Has(1<<order[from]) {
		from++
	}
	return from
}

// staying are the states with their levels of the smallest part of a component with
// levels that no edge leaves.
func (a *Automaton) staying(members []int32, of []int32, order []int) []copied {
	width := len(order) + 1
	index := make(map[int]int, len(members))
	for i, s := range members {
		index[int(s)] = i
	}
	successors := func(v int32) (to []int32) {
		c := copied{int(members[int(v)/width]), int(v) % width}
		for _, e := range a.Edges[c.state] {
			if of[e.To] == of[c.state] {
				to = append(to, int32(index[e.To]*width+level(c.level, e, order)))
			}
		}
		return to
	}
	n := len(members) * width
	found := scc.Find(n, scc.All(n), successors, func(w int32) int32 { return w })
	var best []int32
	for id, part := range found.Members {
		closed := true
		for _, v := range part {
			for _, w := range successors(v) {
				closed = closed && found.Of[w] == int32(id)
			}
		}
		if closed && (best == nil || len(part) < len(best)) {
			best = part
		}
	}
	var out []copied
	for _, v := range best {
		out = append(out, copied{int(members[int(v)/width]), int(v) % width})
	}
	return out
}

// permutations calls f with the orders of a list, with itself alone where it is long.
func permutations(list []int, f func([]int)) {
	if len(list) > mostOrdered {
		f(list)
		return
	}
	var put func(n int)
	put = func(n int) {
		if n == len(list) {
			f(list)
		}
		for i := n; i < len(list); i++ {
			list[n], list[i] = list[i], list[n]
			put(n + 1)
			list[n], list[i] = list[i], list[n]
		}
	}
	put(0)
}
