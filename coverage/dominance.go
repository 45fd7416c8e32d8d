package coverage

import (
	"sync"

	"netcov/cert"
	"netcov/netlist"
)

// What the verdict on one mutant says of others, where gates are mutated. All that a cut
// changes may be seen through another cut, which dominates it. Then a free value there
// can do whatever a fault of the first can, in the same states:
//
//   - an invariant under which the dominator's free mutant is not covered serves each
//     mutant of the cuts that it dominates;
//   - a trace of such a mutant, with what the dominator's readers see in it as the free
//     value, covers the dominator's free mutant.
//
// And a stuck-at fault that one AND passes on is the same as that of the AND: one of
// them is asked about, and its evidence is that of all. The second opinion hears each
// mutant by itself, and knows nothing of this.

// order is what mutants have to do with each other; nil: nothing.
type order struct {
	over   []int // [cut]: the nearest one that dominates it; -1: none
	below  [][]int
	leader map[*Mutant]*Mutant   // of those that are the same, to the one that is asked about
	class  map[*Mutant][]*Mutant // of the leader: all others
}

func newOrder(d *netlist.Dominance, byCut [][netlist.Forces]*Mutant) *order {
	o := &order{over: d.Over, below: make([][]int, len(d.Over)), leader: map[*Mutant]*Mutant{}, class: map[*Mutant][]*Mutant{}}
	for k, over := range d.Over {
		if over >= 0 {
			o.below[over] = append(o.below[over], k)
		}
	}
	for k := range d.Same {
		for v, next := range d.Same[k] {
			m, last := byCut[k][v], (*Mutant)(nil)
			for m != nil && next.Cut >= 0 {
				i := 0
				if next.Ones {
					i = 1
				}
				if byCut[next.Cut][i] != nil {
					last = byCut[next.Cut][i]
				}
				next = d.Same[next.Cut][i]
			}
			if last != nil {
				o.leader[m] = last
				o.class[last] = append(o.class[last], m)
			}
		}
	}
	return o
}

// follows reports whether a mutant is decided with another one that is open.
func (o *order) follows(m *Mutant) bool {
	if o == nil {
		return false
	}
	l := o.leader[m]
	return l != nil && l.open()
}

// alike returns the mutants that are the same as one, and perhaps that one.
func (o *order) alike(m *Mutant) []*Mutant {
	if o == nil {
		return nil
	}
	if l := o.leader[m]; l != nil {
		return append([]*Mutant{l}, o.class[l]...)
	}
	return o.class[m]
}

// under returns a cut and all that it dominates.
func (o *order) under(cut int) []int {
	list := []int{cut}
	if o == nil {
		return list
	}
	for i := 0; i < len(list); i++ {
		list = append(list, o.below[list[i]]...)
	}
	return list
}

// withAlike adds to hits those on the mutants that are the same.
func (l *ledger) withAlike(hits []hit) []hit {
	out := hits
	for _, h := range hits {
		for _, m := range l.order.alike(h.m) {
			if m != h.m {
				out = append(out, hit{m: m, trace: h.trace})
			}
		}
	}
	return out
}

// lifter turns traces of mutants into such of their dominators' free mutants.
type lifter struct {
	mu  sync.Mutex
	sim *netlist.Simulator
}

// lifted is a trace of a mutant, and the free mutants that it is to cover.
type lifted struct {
	hit
	over []*Mutant
}

// lift returns the runs that cover open free mutants by dominance, given runs that cover
// others.
func (k *stock) lift(l *ledger, hits []hit) []hit {
	if l.order == nil {
		return nil
	}
	var todo []lifted
	wanted := map[*Mutant]bool{}
	for _, h := range hits {
		t := lifted{hit: h}
		for cut := l.order.over[h.m.cut]; cut >= 0; cut = l.order.over[cut] {
			if m := l.byCut[cut][netlist.ForceFree]; m != nil && !wanted[m] && l.isOpen(m) {
				wanted[m] = true
				t.over = append(t.over, m)
			}
		}
		if len(t.over) > 0 {
			todo = append(todo, t)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	f := k.lifter
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sim == nil {
		f.sim = netlist.NewSimulator(k.model)
	}
	var out []hit
	for len(todo) > 0 {
		n := min(64, len(todo))
		out = append(out, f.run(k.model, todo[:n])...)
		todo = todo[n:]
	}
	return out
}

// run simulates up to 64 traces, a lane each.
func (f *lifter) run(m *netlist.Model, todo []lifted) []hit {
	frames := 0
	for _, t := range todo {
		frames = max(frames, len(t.trace.Inputs))
	}
	bit := func(i int, b bool) uint64 { return spread(b) & (1 << i) }
	for latch := range m.Latches {
		var w uint64
		for i, t := range todo {
			w |= bit(i, latch < len(t.trace.Latches) && t.trace.Latches[latch])
		}
		f.sim.SetState(latch, w)
	}
	traces := make([][]*cert.Trace, len(todo))
	var out []hit
	for i, t := range todo {
		for _, over := range t.over {
			tr := &cert.Trace{Latches: t.trace.Latches, Inputs: make([][]bool, len(t.trace.Inputs))}
			traces[i] = append(traces[i], tr)
			out = append(out, hit{m: over, trace: tr})
		}
	}
	f.sim.ClearFaults()
	inputs := make([]uint64, len(m.Inputs))
	for frame := range frames {
		clear(inputs)
		for i, t := range todo {
			if frame >= len(t.trace.Inputs) {
				continue
			}
			row := t.trace.Inputs[frame]
			for k := range inputs {
				inputs[k] |= bit(i, row[k])
			}
			value := t.m.force == netlist.ForceOne || t.m.free() && row[len(inputs)]
			f.sim.SetFault(t.m.cut, 1<<i, spread(value))
		}
		f.sim.Eval(inputs)
		for i, t := range todo {
			if frame >= len(t.trace.Inputs) {
				continue
			}
			for j, over := range t.over {
				row := append(make([]bool, 0, len(inputs)+1), t.trace.Inputs[frame][:len(inputs)]...)
				traces[i][j].Inputs[frame] = append(row, f.sim.Value(m.Cuts[over.cut].Lit)>>i&1 == 1)
			}
		}
		f.sim.Step()
	}
	return out
}
