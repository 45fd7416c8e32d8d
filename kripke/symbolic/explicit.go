package symbolic

import (
	"errors"
	"math/big"
	"slices"

	"netcov/kripke/bdd"
	"netcov/kripke/structure"
)

// Size is the number of reachable states of a system with a transition
// relation, and of the transitions between them.
func (s *System) Size() (states, transitions *big.Int) {
	reached := s.Reached(nil)
	both := append(s.Vars(0), s.Vars(1)...)
	return s.M.SatCount(reached, s.Vars(0)), s.M.SatCount(s.M.And(s.relation, reached), both)
}

// Structure lists the reachable states of a system with a transition relation.
// Its propositions are the system's labels with the given names.
func (s *System) Structure(ap []string) (*structure.Structure, error) {
	m := s.M
	reached := s.Reached(nil)
	b := structure.NewBuilder(ap)
	at := map[string]int{}
	key := func(bits []bool, track, step int) string {
		k := make([]byte, (s.Bits+7)/8)
		for i := range s.Bits {
			if bits[step*i+track] {
				k[i/8] |= 1 << (i % 8)
			}
		}
		return string(k)
	}
	for bits := range m.All(reached, s.Vars(0)) {
		value := func(v int) bool { return bits[v/s.Tracks] }
		var holds []string
		for _, p := range ap {
			if m.Eval(s.labels[p], value) {
				holds = append(holds, p)
			}
		}
		at[key(bits, 0, 1)] = b.AddState(s.names(bits), holds...)
		if m.Eval(s.Init, value) {
			b.AddInitial(at[key(bits, 0, 1)])
		}
	}
	both := append(s.Vars(0), s.Vars(1)...)
	slices.Sort(both)
	for bits := range m.All(m.And(s.relation, reached), both) {
		from, ok := at[key(bits, 0, 2)]
		to, ok2 := at[key(bits, 1, 2)]
		if !ok || !ok2 {
			return nil, errors.New("symbolic: a transition of a reachable state leads to no reachable one")
		}
		b.AddTransition(from, to)
	}
	if m.Err() != nil {
		return nil, m.Err()
	}
	return b.Build()
}

// Listable reports whether a system's reachable part has at most the given
// numbers of states and transitions.
func (s *System) Listable(states, transitions int64) bool {
	if s.step == nil || s.relation == bdd.False {
		return false
	}
	n, t := s.Size()
	return n.Cmp(big.NewInt(states)) <= 0 && t.Cmp(big.NewInt(transitions)) <= 0
}
