package ic3

import (
	"iter"
	"slices"

	"netcov/netlist"
)

// state is a total state of the latches. A query looks at a part of the design, and
// outside of it all is as in an initial state (see framesat), so that a state of a large
// design is kept as what differs from these.
type state struct {
	bits    []uint64 // [latch/64]; of a small design
	differs []int32  // the latches, in ascending order
}

// smallDesign is the number of latches up to which a state is kept as bits.
const smallDesign = 4096

// newState returns the state in which some latches differ from an initial state.
func (e *Engine) newState(differs []int32) *state {
	n := len(e.m.Latches)
	if n > smallDesign {
		slices.Sort(differs)
		return &state{differs: slices.Clip(differs)}
	}
	s := &state{bits: make([]uint64, (n+63)/64)}
	for i := range n {
		if e.atFirst(i) {
			s.bits[i/64] |= 1 << (i % 64)
		}
	}
	for _, i := range differs {
		s.bits[i/64] ^= 1 << (i % 64)
	}
	return s
}

// atFirst returns the value of a latch in an initial state.
func (e *Engine) atFirst(latch int) bool { return e.m.Latches[latch].Reset == netlist.Reset1 }

// at returns the value of a latch.
func (e *Engine) at(s *state, latch int) bool {
	if s.bits != nil {
		return s.bits[latch/64]>>(latch%64)&1 == 1
	}
	_, differs := slices.BinarySearch(s.differs, int32(latch))
	return differs != e.atFirst(latch)
}

// excludes reports whether the lemma's cube has the state.
func (e *Engine) excludes(l *lemma, s *state) bool {
	for _, p := range l.cube {
		if e.at(s, p.Latch()) == p.Neg() {
			return false
		}
	}
	return true
}

// note adds an event.
func (e *Engine) note(l *lemma) {
	if len(e.m.Latches) > smallDesign {
		if e.about == nil {
			e.about = map[int][]int{}
		}
		for _, p := range l.cube {
			if e.excludesInit(p) {
				e.about[p.Latch()] = append(e.about[p.Latch()], len(e.events))
			}
		}
	}
	e.events = append(e.events, l)
}

// against visits the events from a position on whose lemmas may exclude a state. No cube
// has an initial state, so that it has a literal that these contradict: only where the
// state differs from them can it have the state.
func (e *Engine) against(s *state, from int) iter.Seq[*lemma] {
	return func(yield func(*lemma) bool) {
		if s.bits != nil {
			for _, l := range e.events[from:] {
				if !yield(l) {
					return
				}
			}
			return
		}
		for _, i := range s.differs {
			list := e.about[int(i)]
			at, _ := slices.BinarySearch(list, from)
			for _, event := range list[at:] {
				if !yield(e.events[event]) {
					return
				}
			}
		}
	}
}

// witness returns the model of the last query.
func (e *Engine) witness() *state {
	for units := e.s.Permanent(); e.decided < len(units); e.decided++ {
		if i := e.t.latchOf[units[e.decided].Var()]; i >= 0 && e.s.Value(e.t.cur[i]) > 0 != e.atFirst(int(i)) {
			e.never = append(e.never, i)
		}
	}
	differs := slices.Clone(e.never)
	for _, v := range e.s.Domain() {
		if i := e.t.latchOf[v]; i >= 0 && e.s.Value(e.t.cur[i]) > 0 != e.atFirst(int(i)) {
			differs = append(differs, i)
		}
	}
	return e.newState(differs)
}
