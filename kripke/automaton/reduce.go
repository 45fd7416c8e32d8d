package automaton

import (
	"encoding/binary"
	"slices"
)

// Reductions that keep the language.
//
//	trim       states that no run reaches, or from which none is accepted, go;
//	           marks are put in order, component by component (marks.go)
//	bisimulate equal futures are merged by partition refinement
//	simulate   direct simulation, forwards and backwards (simulate.go)
//
// Left out: delayed and fair simulation, which would find a little more.

// maxRounds is the number of rounds of partition refinement after which it is
// given up. Long chains of states need as many rounds as they have states, and
// seldom have equal ones.
const maxRounds = 200

// reduce applies all reductions until nothing changes. The error is the interrupt's.
func (a *Automaton) reduce(interrupt func() error) (*Automaton, error) {
	a = a.trim()
	for {
		before, beforeEdges, beforeSets := a.Len(), a.NumEdges(), a.Sets
		var err error
		a, err = a.bisimulate(interrupt)
		for _, d := range []direction{forwards, backwards} {
			for _, full := range []bool{false, true} {
				if err == nil {
					a, err = a.trim().simulate(d, full, interrupt)
				}
			}
		}
		if err != nil {
			return nil, err
		}
		a = a.trim()
		if a.Len() == before && a.NumEdges() == beforeEdges && a.Sets == beforeSets {
			return a, nil
		}
	}
}

// trim drops what no accepting run uses.
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
	sets, marks := a.orderMarks(comp, keep)
	var edges [][]Edge
	for _, s := range keep {
		var out []Edge
		for _, e := range a.Edges[s] {
			if renumber[e.To] >= 0 {
				out = append(out, Edge{e.Guard, renumber[e.To], marks(s, e)})
			}
		}
		edges = append(edges, normalize(a.Guards, out))
	}
	var initial []int
	for _, s := range a.Initial {
		if renumber[s] >= 0 {
			initial = append(initial, renumber[s])
		}
	}
	return a.sub(initial, sets, edges)
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
	edges := make([][]Edge, count)
	for s, es := range a.Edges {
		if c := class[s]; edges[c] == nil {
			edges[c] = a.lead(es, class)
		}
	}
	var initial []int
	for _, s := range a.Initial {
		initial = append(initial, class[s])
	}
	slices.Sort(initial)
	return a.sub(slices.Compact(initial), a.Sets, edges), nil
}

// lead is a list of edges that go to the classes of their targets.
func (a *Automaton) lead(es []Edge, class []int) []Edge {
	out := make([]Edge, 0, len(es))
	for _, e := range es {
		out = append(out, Edge{e.Guard, class[e.To], e.Acc})
	}
	return normalize(a.Guards, out)
}
