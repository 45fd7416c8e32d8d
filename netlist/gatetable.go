package netlist

import (
	"slices"

	"netcov/sat"
)

// gateTable finds gates of the same shape with the same inputs, over all frames of an
// unrolling: from fixed initial states, registers that go the same way have one variable.
type gateTable struct {
	slots []int32 // position in gates, from 1; 0: free
	gates []tableGate
	lits  []sat.Lit // inputs of all gates
	found int
}

// A table of so many gates, of which so few in a hundred were found, is given up.
const (
	tableFrom  = 1 << 14
	tableLeast = 2
)

// pays reports whether enough gates are found.
func (t *gateTable) pays() bool {
	return len(t.gates) < tableFrom || 100*t.found >= tableLeast*len(t.gates)
}

type tableGate struct {
	hash uint64
	out  sat.Lit
	kind shapeKind
	at   int32 // of the inputs
	n    int32
}

// find returns the output of a gate, or where it is to be added.
func (t *gateTable) find(kind shapeKind, in []sat.Lit) (out sat.Lit, slot int, hash uint64) {
	if 2*len(t.gates) >= len(t.slots) {
		t.grow()
	}
	hash = uint64(kind) + 1
	for _, l := range in {
		hash = (hash ^ uint64(uint32(l))) * 0x9e3779b97f4a7c15
		hash ^= hash >> 29
	}
	for slot = t.slot(hash); t.slots[slot] > 0; slot = (slot + 1) & (len(t.slots) - 1) {
		g := &t.gates[t.slots[slot]-1]
		if g.hash == hash && g.kind == kind && slices.Equal(t.lits[g.at:g.at+g.n], in) {
			t.found++
			return g.out, slot, hash
		}
	}
	return unset, slot, hash
}

// add puts a gate that was not found in its place.
func (t *gateTable) add(kind shapeKind, in []sat.Lit, slot int, hash uint64, out sat.Lit) {
	t.gates = append(t.gates, tableGate{hash: hash, out: out, kind: kind, at: int32(len(t.lits)), n: int32(len(in))})
	t.lits = append(t.lits, in...)
	t.slots[slot] = int32(len(t.gates))
}

func (t *gateTable) slot(hash uint64) int { return int(hash>>32) & (len(t.slots) - 1) }

func (t *gateTable) grow() {
	t.slots = make([]int32, max(64, 4*len(t.gates)))
	for i, g := range t.gates {
		slot := t.slot(g.hash)
		for t.slots[slot] > 0 {
			slot = (slot + 1) & (len(t.slots) - 1)
		}
		t.slots[slot] = int32(i + 1)
	}
}
