package automaton

import (
	"encoding/binary"
	"slices"

	"netcov/kripke/bdd"
)

// Reductions that keep the language.
//
//	trim       states that no run reaches, or from which none is accepted, go;
//	           marks outside of accepting components mean nothing and go; an
//	           acceptance set that follows from another one goes
//	bisimulate equal futures are merged by partition refinement
//	simulate   direct simulation (Etessami and Holzmann 2000; Somenzi and Bloem
//	           2000), with acceptance on edges: states that simulate each other
//	           are merged, and an edge goes under those letters under which a
//	           better edge leaves the same state
//
// Left out: delayed and backward simulation, which would find a little more.

// maxSimulation is the number of states up to which the simulation relation,
// which has a bit for each pair of states, is computed.
const maxSimulation = 512

// maxRounds is the number of rounds of partition refinement after which it is
// given up. Long chains of states need as many rounds as they have states, and
// seldom have equal ones.
const maxRounds = 200

// reduce applies all reductions until nothing changes. The error is the interrupt's.
func (a *Automaton) reduce(interrupt func() error) (*Automaton, error) {
	if interrupt == nil {
		interrupt = func() error { return nil }
	}
	for {
		before, beforeEdges, beforeSets := a.Len(), a.NumEdges(), a.Sets
		a = a.trim()
		var err error
		if a, err = a.bisimulate(interrupt); err != nil {
			return nil, err
		}
		if a.Len() <= maxSimulation {
			if a, err = a.simulate(interrupt); err != nil {
				return nil, err
			}
			a = a.trim()
		}
		if a.Len() == before && a.NumEdges() == beforeEdges && a.Sets == beforeSets {
			return a, nil
		}
	}
}

// trim drops what no accepting run uses. A state-based automaton stays one.
func (a *Automaton) trim() *Automaton {
	reach := make([]bool, a.Len())
	var stack []int
	push := func(s int) {
		if !reach[s] {
			reach[s] = true
			stack = append(stack, s)
		}
	}
	for _, s := range a.Initial {
		push(s)
	}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range a.Edges[s] {
			push(e.To)
		}
	}
	comp := a.components()
	// Components come in reverse topological order: targets first.
	useful := make([]bool, a.Len())
	for i, members := range comp.members {
		live := comp.accepting[i]
		for _, s := range members {
			for _, e := range a.Edges[s] {
				live = live || useful[e.To]
			}
		}
		for _, s := range members {
			useful[s] = live
		}
	}
	renumber := make([]int, a.Len())
	var keep []int
	for s := range renumber {
		renumber[s] = -1
		if reach[s] && useful[s] {
			renumber[s] = len(keep)
			keep = append(keep, s)
		}
	}
	onStates := a.StateBased()
	sets := a.neededSets(comp)
	var edges [][]Edge
	var names []string
	for _, s := range keep {
		c := comp.of[s]
		var out []Edge
		for _, e := range a.Edges[s] {
			if renumber[e.To] < 0 {
				continue
			}
			acc := e.Acc
			if !comp.accepting[c] || !onStates && comp.of[e.To] != c {
				acc = 0
			}
			out = append(out, Edge{e.Guard, renumber[e.To], project(acc, sets)})
		}
		edges = append(edges, normalize(a.Guards, out))
		if a.Names != nil {
			names = append(names, a.Names[s])
		}
	}
	var initial []int
	for _, s := range a.Initial {
		if renumber[s] >= 0 {
			initial = append(initial, renumber[s])
		}
	}
	return a.sub(initial, len(sets), edges, names)
}

// neededSets are the acceptance sets that remain when each one is dropped that
// every accepting component meets anyway: because all its edges carry the mark,
// or because another set's mark is on no edge without it.
func (a *Automaton) neededSets(comp *components) []int {
	implied := func(set, by int) bool { // by < 0: nothing needed
		for s, es := range a.Edges {
			if !comp.accepting[comp.of[s]] {
				continue
			}
			for _, e := range es {
				if comp.of[e.To] == comp.of[s] && !e.Acc.Has(1<<set) && (by < 0 || e.Acc.Has(1<<by)) {
					return false
				}
			}
		}
		return true
	}
	var sets []int
	for set := range a.Sets {
		sets = append(sets, set)
	}
	for i := len(sets) - 1; i >= 0; i-- {
		// One set must remain where some component is not accepting: trim leaves
		// its edges without marks.
		drop := implied(sets[i], -1) && (len(sets) > 1 || a.allAccept(comp))
		for _, by := range sets {
			drop = drop || by != sets[i] && implied(sets[i], by)
		}
		if drop {
			sets = slices.Delete(sets, i, i+1)
		}
	}
	return sets
}

// allAccept reports whether every cycle lies in an accepting component, so that
// an automaton without sets means the same once its sets are met everywhere.
func (a *Automaton) allAccept(comp *components) bool {
	for s, es := range a.Edges {
		for _, e := range es {
			if comp.of[s] == comp.of[e.To] && !comp.accepting[comp.of[s]] {
				return false
			}
		}
	}
	return true
}

func project(acc Marks, sets []int) Marks {
	var out Marks
	for i, set := range sets {
		if acc.Has(1 << set) {
			out |= 1 << i
		}
	}
	return out
}

// bisimulate merges states with equal futures.
func (a *Automaton) bisimulate(interrupt func() error) (*Automaton, error) {
	class := make([]int, a.Len())
	count := 1
	for round := 0; ; round++ {
		if err := interrupt(); err != nil {
			return nil, err
		}
		if round == maxRounds {
			return a, nil
		}
		next := make([]int, a.Len())
		number := map[string]int{}
		var key []byte
		var out []Edge
		for s, es := range a.Edges {
			out = out[:0]
			for _, e := range es {
				out = append(out, Edge{e.Guard, class[e.To], e.Acc})
			}
			key = binary.LittleEndian.AppendUint32(key[:0], uint32(class[s]))
			for _, e := range normalize(a.Guards, out) {
				key = binary.LittleEndian.AppendUint32(key, uint32(e.Guard))
				key = binary.LittleEndian.AppendUint32(key, uint32(e.To))
				key = binary.LittleEndian.AppendUint64(key, uint64(e.Acc))
			}
			n, ok := number[string(key)]
			if !ok {
				n = len(number)
				number[string(key)] = n
			}
			next[s] = n
		}
		stable := len(number) == count
		class, count = next, len(number)
		if stable {
			break
		}
	}
	if count == a.Len() {
		return a, nil
	}
	better := func(int, int) bool { return false }
	return a.quotient(class, count, better), nil
}

// simulate merges and prunes by direct simulation.
func (a *Automaton) simulate(interrupt func() error) (*Automaton, error) {
	n := a.Len()
	// rel[s*n+t]: t simulates s.
	rel := make([]bool, n*n)
	for i := range rel {
		rel[i] = true
	}
	covers := func(s, t int) bool {
		for _, e := range a.Edges[s] {
			rest := e.Guard
			for _, f := range a.Edges[t] {
				if f.Acc.Has(e.Acc) && rel[e.To*n+f.To] {
					rest = a.Guards.Diff(rest, f.Guard)
					if rest == bdd.False {
						break
					}
				}
			}
			if rest != bdd.False {
				return false
			}
		}
		return true
	}
	for changed := true; changed; {
		changed = false
		for s := range n {
			if err := interrupt(); err != nil {
				return nil, err
			}
			for t := range n {
				if s != t && rel[s*n+t] && !covers(s, t) {
					rel[s*n+t] = false
					changed = true
				}
			}
		}
	}
	class := make([]int, n)
	count := 0
	var representative []int
next:
	for s := range n {
		for c, r := range representative {
			if rel[s*n+r] && rel[r*n+s] {
				class[s] = c
				continue next
			}
		}
		class[s] = count
		representative = append(representative, s)
		count++
	}
	return a.quotient(class, count, func(c, d int) bool {
		return rel[representative[c]*n+representative[d]]
	}), nil
}

// quotient keeps the first state of each class, with its edges led to classes.
// better(c, d) tells that class d simulates c, for c ≠ d; edges are pruned by
// it, and so are initial states.
func (a *Automaton) quotient(class []int, count int, better func(c, d int) bool) *Automaton {
	edges := make([][]Edge, count)
	done := make([]bool, count)
	var names []string
	for s, es := range a.Edges {
		c := class[s]
		if done[c] {
			continue
		}
		done[c] = true
		var out []Edge
		for _, e := range es {
			out = append(out, Edge{e.Guard, class[e.To], e.Acc})
		}
		out = normalize(a.Guards, out)
		// Each letter keeps the best edges. All are compared with the edges as
		// they were, so those on top of a chain remain.
		pruned := slices.Clone(out)
		for i := range pruned {
			for _, f := range out {
				e := out[i]
				if e == f || !f.Acc.Has(e.Acc) || e.To != f.To && !better(e.To, f.To) {
					continue
				}
				pruned[i].Guard = a.Guards.Diff(pruned[i].Guard, f.Guard)
			}
		}
		edges[c] = normalize(a.Guards, pruned)
		if a.Names != nil {
			names = append(names, a.Names[s])
		}
	}
	var initial []int
	for _, s := range a.Initial {
		if c := class[s]; !slices.Contains(initial, c) {
			initial = append(initial, c)
		}
	}
	all := slices.Clone(initial)
	initial = slices.DeleteFunc(initial, func(c int) bool {
		return slices.ContainsFunc(all, func(d int) bool { return c != d && better(c, d) })
	})
	return a.sub(initial, a.Sets, edges, names)
}
