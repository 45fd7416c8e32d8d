package suggest

import (
	"context"
	"math/bits"
	"math/rand/v2"

	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// Which candidates notice which mutants: 64 mutants run side by side, each on random
// inputs of its own, with all candidates as monitors.

// noticeLengths are the lengths of the runs of each 64 mutants.
var noticeLengths = []int{4, 8, 8, 16, 16, 32, 32, 64, 128}

// noticed are the mutants that each of some bad-state literals notices.
type noticed struct {
	by     []bitset                // [bad-state literal] mutants
	traces map[[2]int]*cert.Trace // literal, mutant; where traces were asked for
}

// notice simulates the mutants on a netlist with monitors. Where the runs are asked for,
// the first of each literal and mutant is kept.
func notice(ctx context.Context, n *netlist.Netlist, mux mutant.Mux, ms []Mutant, traces bool) *noticed {
	out := &noticed{traces: map[[2]int]*cert.Trace{}}
	var bads []aig.Lit
	for _, b := range n.Bads {
		bads = append(bads, b.Lit)
		out.by = append(out.by, newBitset(len(ms)))
	}
	var targets []mutant.Target
	seen := map[mutant.Target]bool{}
	for _, m := range ms {
		if !seen[m.Target] {
			seen[m.Target] = true
			targets = append(targets, m.Target)
		}
	}
	model := netlist.CompileSet(n, bads, targets, mux)
	cut := map[mutant.Target]int{}
	for k, c := range model.Cuts {
		cut[c.Target] = k
	}
	w := &noticing{model: model, sim: netlist.NewSimulator(model), rng: rand.New(rand.NewPCG(2010, 17)), out: out, traces: traces}
	var inside []int
	for i, m := range ms {
		if _, ok := cut[m.Target]; ok {
			inside = append(inside, i)
		}
	}
	for len(inside) > 0 && ctx.Err() == nil {
		some := inside[:min(64, len(inside))]
		inside = inside[len(some):]
		for _, length := range noticeLengths {
			w.walk(ms, some, cut, length)
		}
	}
	return out
}

type noticing struct {
	model  *netlist.Model
	sim    *netlist.Simulator
	rng    *rand.Rand
	out    *noticed
	traces bool
}

// walk runs some of the mutants, one a lane.
func (w *noticing) walk(ms []Mutant, some []int, cut map[mutant.Target]int, length int) {
	m := w.model
	bias := biases(w.rng, len(m.Inputs))
	w.sim.Reset(func(int) uint64 { return w.rng.Uint64() })
	begin := make([]uint64, len(m.Latches))
	for i := range begin {
		begin[i] = w.sim.State(i)
	}
	live := ^uint64(0)
	if len(some) < 64 {
		live = 1<<len(some) - 1
	}
	var inputs [][]uint64
	var frees []uint64
	for range length {
		var in []uint64
		var free, now uint64
		n := tries
		if m.Constraint == aig.True {
			n = 1
		}
		for range n {
			try := make([]uint64, len(m.Inputs))
			for i := range try {
				try[i] = word(w.rng, bias[i])
			}
			f := w.rng.Uint64()
			w.fault(ms, some, cut, f)
			w.sim.Eval(try)
			if alive := live & w.sim.Value(m.Constraint); in == nil || bits.OnesCount64(alive) > bits.OnesCount64(now) {
				in, free, now = try, f, alive
			}
		}
		w.fault(ms, some, cut, free)
		w.sim.Eval(in)
		if live = now; live == 0 {
			return
		}
		inputs, frees = append(inputs, in), append(frees, free)
		for b, l := range m.Bads {
			for v := w.sim.Value(l) & live; v != 0; v &= v - 1 {
				lane := bits.TrailingZeros64(v)
				i := some[lane]
				if !w.out.by[b].has(i) {
					w.out.by[b].add(i)
					if w.traces {
						w.out.traces[[2]int{b, i}] = ofLane(begin, inputs, frees, ms[i].Fault, lane)
					}
				}
			}
		}
		w.sim.Step()
	}
}

// fault gives each lane its mutant, those of free values the given ones.
func (w *noticing) fault(ms []Mutant, some []int, cut map[mutant.Target]int, free uint64) {
	w.sim.ClearFaults()
	for lane, i := range some {
		value := free
		switch ms[i].Fault {
		case mutant.Zero:
			value = 0
		case mutant.One:
			value = ^uint64(0)
		}
		w.sim.SetFault(cut[ms[i].Target], 1<<lane, value)
	}
}

// ofLane is the run of one lane.
func ofLane(begin []uint64, inputs [][]uint64, frees []uint64, fault mutant.Fault, lane int) *cert.Trace {
	t := &cert.Trace{}
	for _, v := range begin {
		t.Latches = append(t.Latches, v>>lane&1 == 1)
	}
	for step, in := range inputs {
		row := make([]bool, 0, len(in)+1)
		for _, v := range in {
			row = append(row, v>>lane&1 == 1)
		}
		if fault == mutant.Nondet {
			row = append(row, frees[step]>>lane&1 == 1)
		}
		t.Inputs = append(t.Inputs, row)
	}
	return t
}
