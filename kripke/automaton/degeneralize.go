package automaton

// Degeneralisation: one acceptance set instead of several, by a level that says
// which set the run waits for. The level matters inside an accepting component
// only, so it starts anew when a run enters one, and an accepting component in
// which all edges carry all marks needs a single level.

// Degeneralize is a reduced automaton of the same language with at most one
// acceptance set. It is state-based when onStates is set, and otherwise has its
// marks on edges. The level at which a run enters a component is free: the
// lowest and the highest are tried.
func (a *Automaton) Degeneralize(onStates bool) *Automaton {
	best := a.degeneralize(onStates, 0).Reduce()
	if onStates {
		if b := a.degeneralize(true, a.Sets).Reduce(); b.Len() < best.Len() || b.Len() == best.Len() && b.NumEdges() < best.NumEdges() {
			best = b
		}
	}
	return best
}

// degeneralize lets runs enter components at the given level. The level where
// the run waits for set i is i; in the state-based form level Sets means that
// all have just been met.
func (a *Automaton) degeneralize(onStates bool, first int) *Automaton {
	if a.Sets == 1 && (!onStates || a.StateBased()) {
		return a
	}
	comp := a.components()
	full := AllMarks(a.Sets)
	// whole components: every edge inside carries all marks
	whole := make([]bool, len(comp.members))
	for i := range whole {
		whole[i] = comp.accepting[i]
	}
	for s, es := range a.Edges {
		for _, e := range es {
			if comp.of[s] == comp.of[e.To] && !e.Acc.Has(full) {
				whole[comp.of[s]] = false
			}
		}
	}
	type key struct{ state, level int }
	number := map[key]int{}
	entry := make([]int, a.Len()) // level of the first copy of a state, plus 1
	var todo []key
	visit := func(k key) int {
		n, ok := number[k]
		if !ok {
			n = len(todo)
			number[k] = n
			todo = append(todo, k)
			if entry[k.state] == 0 {
				entry[k.state] = k.level + 1
			}
		}
		return n
	}
	// enter is the level at which a run comes into the component of a state.
	enter := func(s int) int {
		switch {
		case whole[comp.of[s]] && onStates:
			return a.Sets
		case entry[s] > 0:
			return entry[s] - 1
		}
		return first
	}
	var initial []int
	for _, s := range a.Initial {
		initial = append(initial, visit(key{s, enter(s)}))
	}
	var edges [][]Edge
	for i := 0; i < len(todo); i++ {
		k := todo[i]
		var out []Edge
		for _, e := range a.Edges[k.state] {
			to := key{e.To, 0}
			var acc Marks
			c := comp.of[k.state]
			switch {
			case c != comp.of[e.To]:
				to.level = enter(e.To)
			case !comp.accepting[c]:
			case onStates:
				to.level = k.level
				if to.level == a.Sets {
					to.level = 0
				}
				for to.level < a.Sets && e.Acc.Has(1<<to.level) {
					to.level++
				}
			default:
				to.level = k.level
				for to.level < a.Sets && e.Acc.Has(1<<to.level) {
					to.level++
				}
				if to.level == a.Sets {
					acc, to.level = 1, 0
					for to.level < a.Sets-1 && e.Acc.Has(1<<to.level) {
						to.level++
					}
					if whole[c] {
						to.level = 0
					}
				}
			}
			if onStates && k.level == a.Sets && comp.accepting[c] {
				acc = 1
			}
			out = append(out, Edge{e.Guard, visit(to), acc})
		}
		edges = append(edges, normalize(a.Guards, out))
	}
	return a.sub(initial, 1, edges, nil)
}
