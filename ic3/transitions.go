package ic3

import (
	"math/bits"

	"netcov/cert"
	"netcov/ic3/internal/framesat"
	"netcov/netlist"
	"netcov/sat"
)

// Most queries of IC3 are satisfiable, and about half of these by a transition
// that has been seen before. The cache keeps the last models as transitions
// between total states, 64 to a word, with the last frame that excludes each
// origin; a query for a step into a cube looks there first.
type transitions struct {
	sim     *netlist.Simulator
	from    [][]uint64     // [latch][word]
	to      [][]uint64     // [latch][word]
	inputs  []uint64       // [input], of the newest word
	used    []uint64       // [word]: lanes in use
	lastOut []framesat.Tag // [lane]: last frame that excludes the origin
	word    int            // the newest word
	lane    int            // its next free lane
	dirty   bool           // the newest word's successors are not computed
}

const transitionWords = 16

// worthSeeing bounds the latches of the model for which a transition is kept, as a
// multiple of the variables that its query looked at: keeping it costs time for each
// latch, and asking again for each of these variables.
const worthSeeing = 32

func newTransitions(m *netlist.Model) *transitions {
	t := &transitions{
		sim:     netlist.NewSimulator(m),
		from:    make([][]uint64, len(m.Latches)),
		to:      make([][]uint64, len(m.Latches)),
		inputs:  make([]uint64, len(m.Inputs)),
		used:    make([]uint64, transitionWords),
		lastOut: make([]framesat.Tag, 64*transitionWords),
	}
	slab := make([]uint64, 2*transitionWords*len(m.Latches))
	for i := range t.from {
		at := 2 * transitionWords * i
		t.from[i] = slab[at : at+transitionWords]
		t.to[i] = slab[at+transitionWords : at+2*transitionWords]
	}
	return t
}

// record stores the model of the last query, which asked for a step into a
// cube, where that pays.
func (e *Engine) record() {
	if len(e.t.cur) > worthSeeing*len(e.s.Domain()) {
		return
	}
	if e.seen == nil {
		e.seen = newTransitions(e.m)
	}
	t := e.seen
	if t.lane == 64 {
		e.syncTransitions()
		t.lane = 0
		t.word = (t.word + 1) % transitionWords
		t.used[t.word] = 0
	}
	set := func(words []uint64, k int, l sat.Lit, value bool) {
		if l != sat.LitUndef && e.s.Value(l) != 0 {
			value = e.s.Value(l) > 0
		}
		words[k] &^= 1 << t.lane
		if value {
			words[k] |= 1 << t.lane
		}
	}
	for i, l := range e.t.cur {
		set(t.from[i], t.word, l, e.atFirst(i))
	}
	for i, l := range e.t.inputs {
		set(t.inputs, i, l, false)
	}
	t.lane++
	t.dirty = true
}

// syncTransitions makes the newest transitions ready for use.
func (e *Engine) syncTransitions() {
	t := e.seen
	if t == nil || !t.dirty {
		return
	}
	t.dirty = false
	for i := range t.from {
		t.sim.SetState(i, t.from[i][t.word])
	}
	t.sim.Eval(t.inputs)
	t.sim.Step()
	for i := range t.to {
		t.to[i][t.word] = t.sim.State(i)
	}
	t.used[t.word] = ^uint64(0) >> (64 - t.lane)
	clear(t.lastOut[64*t.word : 64*t.word+64])
	e.eachFrom(1, func(l *lemma) bool {
		t.excludeIn(t.word, l.cube, l.tag)
		return true
	})
}

// exclude notes that a cube is out of the frames up to a tag.
func (t *transitions) exclude(c cube, tag framesat.Tag) {
	if t == nil {
		return
	}
	for w := range t.used {
		t.excludeIn(w, c, tag)
	}
}

func (t *transitions) excludeIn(w int, c cube, tag framesat.Tag) {
	if t.used[w] == 0 {
		return
	}
	for v := lanesIn(t.from, c, w) & t.used[w]; v != 0; v &= v - 1 {
		k := 64*w + bits.TrailingZeros64(v)
		t.lastOut[k] = max(t.lastOut[k], tag)
	}
}

// find returns a lane with a step of a frame from outside of the cube into it,
// or -1.
func (t *transitions) find(c cube, frame framesat.Tag) int {
	if t == nil {
		return -1
	}
	for w, used := range t.used {
		if used == 0 {
			continue
		}
		v := lanesIn(t.to, c, w) & used
		if v != 0 {
			v &^= lanesIn(t.from, c, w)
		}
		for ; v != 0; v &= v - 1 {
			if k := 64*w + bits.TrailingZeros64(v); t.lastOut[k] < frame {
				return k
			}
		}
	}
	return -1
}

// holds reports whether a literal is true in the origin of a lane.
func (t *transitions) holds(l cert.StateLit, lane int) bool {
	return (t.from[l.Latch()][lane/64]>>(lane%64)&1 == 1) != l.Neg()
}

// origin returns the origin of a lane.
func (e *Engine) origin(lane int) *state {
	var differs []int32
	for i := range e.t.cur {
		if e.seen.from[i][lane/64]>>(lane%64)&1 == 1 != e.atFirst(i) {
			differs = append(differs, int32(i))
		}
	}
	return e.newState(differs)
}
