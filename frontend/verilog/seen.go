// What the readers of a register see. With an asynchronous reset, or as a transparent
// latch, a register shows a new value within a step, before it stores it: behind the
// latch stands a multiplexer, and its output is the register that the source names. A
// fault belongs there. It is what a simulator's force does to the register: all readers
// see the forced value, whatever the reset says.

package verilog

import (
	"cmp"
	"slices"

	"netcov/aig"
)

// see finds, for each register that is not its latch, the gate that shows it, and says
// of that gate that it is the register.
func (b *builder) see(shown []aig.Lit) {
	b.d.Seen = map[int]int{}
	for i, l := range shown {
		if l == aig.Undef || l == b.n.Latches[i].Lit {
			continue
		}
		gate, ok := slices.BinarySearchFunc(b.n.Gates, l.Node(), func(g aig.Lit, n aig.Node) int { return cmp.Compare(g.Node(), n) })
		if !ok {
			continue // a constant, or another latch
		}
		b.d.Seen[i] = gate
		b.d.Gates[gate] = b.d.Latches[i]
		b.d.Gates[gate].Inverted = l.Neg()
	}
}

// shown returns, by latch, what the net of its register is in the last netlist; Undef
// for latches that are no registers.
func (b *builder) shown() ([]aig.Lit, error) {
	lits := make([]aig.Lit, len(b.n.Latches))
	for i := range lits {
		lits[i] = aig.Undef
		r, ok := b.registerOf[i]
		if !ok {
			continue
		}
		n := b.net.Netnames[r.net]
		if n == nil || r.pos >= len(n.Bits) {
			continue // a word of a memory
		}
		l, err := b.eval(n.Bits[r.pos])
		if err != nil {
			return nil, err
		}
		lits[i] = l
	}
	return lits, nil
}
