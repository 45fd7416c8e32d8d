package why

import (
	"math/bits"

	"netcov/aig"
	"netcov/aiger"
	"netcov/netlist"
)

// The inputs of a gap that do not matter become x. Ternary simulation of both sides
// decides what matters: with x at an input the constraints must still be known to hold,
// and some observation point in the last step must be known on both sides and differ.
// 64 lanes try 64 sets of inputs at a time, each with one x more than the one before;
// the largest set that will do is taken, and the input that was too much stays.

// three is 64 ternary values: those that may be 1 and those that may be 0.
type three struct{ one, zero uint64 }

func (v three) not(neg bool) three {
	if neg {
		return three{v.zero, v.one}
	}
	return v
}

// known returns the lanes with a value that is no x.
func (v three) known() uint64 { return v.one ^ v.zero }

// free is a place of a trace that may hold x: an input in a step, or, with step -1, the
// initial value of a latch without a reset.
type free struct{ step, index int }

// ternary simulates one mutant beside the design.
type ternary struct {
	d      *design
	m      Mutant
	w      *aiger.Witness
	values [2][]three // by side and node of the model
	state  [2][]three
	points []int
}

// minimise sets what does not matter of a gap's trace to x.
func (d *design) minimise(m Mutant, w *aiger.Witness) {
	t := &ternary{d: d, m: m, w: w}
	for side := range 2 {
		t.values[side] = make([]three, d.model.Graph.Size())
		t.state[side] = make([]three, len(d.model.Latches))
	}
	for i := range d.points {
		if d.observes(i, m.Target) {
			t.points = append(t.points, i)
		}
	}
	var open []free
	for i, l := range d.Netlist.Latches {
		if l.Reset == l.Lit {
			open = append(open, free{-1, i})
		}
	}
	for step := range w.Inputs {
		for i := range w.Inputs[step] {
			open = append(open, free{step, i})
		}
	}
	for len(open) > 0 {
		some := open[:min(63, len(open))]
		// Lane k has the first k of them at x; lane 0 is the trace as it is.
		good := max(0, min(len(some), bits.TrailingZeros64(^t.run(some))-1))
		for _, f := range some[:good] {
			t.set(f, aiger.Unknown)
		}
		if open = open[good:]; good < len(some) {
			open = open[1:] // that one matters
		}
	}
}

func (t *ternary) set(f free, v aiger.Ternary) {
	if f.step < 0 {
		t.w.Init[f.index] = v
	} else {
		t.w.Inputs[f.step][f.index] = v
	}
}

// run simulates the trace and returns the lanes in which it still shows the gap.
func (t *ternary) run(some []free) uint64 {
	m := t.d.model
	extra := make(map[free]uint64, len(some))
	for k, f := range some {
		extra[f] = ^uint64(0) << (k + 1)
	}
	value := func(v aiger.Ternary, f free) three {
		out := three{extra[f], extra[f]}
		if v != aiger.False {
			out.one = ^uint64(0)
		}
		if v != aiger.True {
			out.zero = ^uint64(0)
		}
		return out
	}
	for side := range 2 {
		for i, l := range m.Latches {
			switch {
			case l.Reset == netlist.Reset1:
				t.state[side][i] = three{one: ^uint64(0)}
			case l.Reset == netlist.ResetX && i < len(t.w.Init):
				t.state[side][i] = value(t.w.Init[i], free{-1, i})
			default:
				t.state[side][i] = three{zero: ^uint64(0)}
			}
		}
	}
	good := ^uint64(0)
	for step, row := range t.w.Inputs {
		for side := range 2 {
			for i, l := range m.Inputs {
				t.values[side][l.Node()] = value(row[i], free{step, i})
			}
			forced := three{zero: ^uint64(0)}
			switch _, force := t.d.cut(t.m); force {
			case netlist.ForceOne:
				forced = three{one: ^uint64(0)}
			case netlist.ForceFree:
				forced = value(row[len(m.Inputs)], free{step, len(m.Inputs)})
			}
			t.eval(side, forced)
			c := t.at(side, m.Constraint)
			good &= c.one &^ c.zero
		}
		if step == len(t.w.Inputs)-1 {
			break
		}
		for side := range 2 {
			next := make([]three, len(m.Latches))
			for i, l := range m.Latches {
				next[i] = t.at(side, l.Next)
			}
			t.state[side] = next
		}
	}
	shown := uint64(0)
	for _, i := range t.points {
		a, b := t.at(0, t.d.points[i]), t.at(1, t.d.points[i])
		shown |= a.known() & b.known() & (a.one ^ b.one)
	}
	return good & shown
}

func (t *ternary) at(side int, l aig.Lit) three { return t.values[side][l.Node()].not(l.Neg()) }

// eval evaluates a frame of one side; the mutant's cut shows forced.
func (t *ternary) eval(side int, forced three) {
	m, v := t.d.model, t.values[side]
	v[0] = three{zero: ^uint64(0)}
	for i, l := range m.Latches {
		v[l.Lit.Node()] = t.state[side][i]
	}
	cut := t.d.node(t.m)
	for n := aig.Node(1); int(n) < m.Graph.Size(); n++ {
		a, b := m.Graph.Fanins(n)
		switch m.Graph.Kind(n) {
		case aig.KindAnd:
			x, y := t.at(side, a), t.at(side, b)
			v[n] = three{x.one & y.one, x.zero | y.zero}
		case aig.KindCut:
			v[n] = t.at(side, a)
			if side == 1 && n == cut {
				v[n] = forced
			}
		}
	}
}
