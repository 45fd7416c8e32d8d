package ltl

import (
	"slices"

	"netcov/kripke/structure"
)

// maxPath bounds the steps of a path that Nearest gives.
const maxPath = 1000

// Nearest is a shortest path from an initial state to a cell with a property; nil when
// none is reached, or the path has more than maxPath steps. A constraint that Unconstrain
// has made a signal holds in all its states.
func (m *Model) Nearest(wanted func(cell int) bool) *Computation {
	constraint := slices.Index(m.AP, ConstraintSignal)
	allowed := func(x *move) bool { return constraint < 0 || m.letters.letters[x.letter][constraint] }
	type visit struct{ node, parent, letter int }
	var queue []visit
	seen := structure.NewSet(m.Len())
	enter := func(node, parent, letter int) {
		if !seen.Has(node) {
			seen.Add(node)
			queue = append(queue, visit{node, parent, letter})
		}
	}
	for _, n := range m.Initial {
		enter(n, -1, -1)
	}
	for at := 0; at < len(queue); at++ {
		node := queue[at].node
		i := slices.IndexFunc(m.moves[node], func(x move) bool { return allowed(&x) })
		if i < 0 {
			continue // no run is here
		}
		if wanted(int(m.cell[node])) {
			out := &Computation{AP: m.AP}
			letter := int(m.moves[node][i].letter)
			for n := at; n >= 0; n = queue[n].parent {
				out.Steps = append(out.Steps, ComputationStep{State: m.Cells[m.cell[queue[n].node]], Letter: m.letters.letters[letter]})
				letter = queue[n].letter
			}
			slices.Reverse(out.Steps)
			if out.Loop = len(out.Steps); out.Loop > maxPath+1 {
				return nil
			}
			return out
		}
		for _, x := range m.moves[node] {
			if allowed(&x) {
				for _, to := range x.to {
					enter(int(to), at, int(x.letter))
				}
			}
		}
	}
	return nil
}
