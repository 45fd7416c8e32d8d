package suggest

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// Which candidates notice which mutants: 64 mutants run side by side, each on random
// inputs of its own, with all candidates as monitors. In every second walk a reset is
// seldom active.

// noticeLengths are the lengths of the runs of each 64 mutants.
var noticeLengths = []int{4, 8, 8, 16, 16, 32, 32, 64, 64, 128}

// noticed are the mutants that each of some bad-state literals notices.
type noticed struct {
	by     []bitset               // [bad-state literal] mutants
	traces map[[2]int]*cert.Trace // literal, mutant; where traces were asked for
}

// notice simulates the mutants on a netlist with monitors. Where the runs are asked for,
// the first of each literal and mutant is kept.
func notice(ctx context.Context, n *netlist.Netlist, mux mutant.Mux, ms []Mutant, reset *resetInput, traces bool) *noticed {
	out := &noticed{traces: map[[2]int]*cert.Trace{}}
	var bads []aig.Lit
	for _, b := range n.Bads {
		bads = append(bads, b.Lit)
		out.by = append(out.by, newBitset(len(ms)))
	}
	var targets []mutant.Target
	var faults []mutant.Fault
	seen := map[mutant.Target]bool{}
	for _, m := range ms {
		if !slices.Contains(faults, m.Fault) {
			faults = append(faults, m.Fault)
		}
		if !seen[m.Target] {
			seen[m.Target] = true
			targets = append(targets, m.Target)
		}
	}
	model := netlist.CompileSet(n, bads, targets, mux, faults...)
	w := &noticing{model: model, sim: netlist.NewSimulator(model), rng: rand.New(rand.NewPCG(2010, 17)), out: out, traces: traces}
	at := 0 // the reset among the inputs
	for i, in := range n.Inputs {
		if reset != nil && reset.word.Bits[0].Node() == in.Lit.Node() {
			at = i
		}
	}
	var inside []lane
	for i, m := range ms {
		if cut, force, ok := model.Find(m.Target, m.Fault); ok {
			inside = append(inside, lane{i, cut, force})
		}
	}
	for len(inside) > 0 && ctx.Err() == nil {
		some := inside[:min(64, len(inside))]
		inside = inside[len(some):]
		for i, length := range noticeLengths {
			bias := biases(w.rng, len(model.Inputs))
			if reset != nil && i%2 == 1 {
				reset.quiet(bias, model.Inputs[at], model.Inputs)
			}
			w.walk(some, length, bias)
		}
	}
	return out
}

// lane is one lane's mutant.
type lane struct {
	mutant int
	cut    int
	force  netlist.Force
}

type noticing struct {
	model  *netlist.Model
	sim    *netlist.Simulator
	rng    *rand.Rand
	out    *noticed
	traces bool
}

// walk runs some of the mutants, one a lane.
func (w *noticing) walk(some []lane, length int, bias []int) {
	m := w.model
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
		in := make([]uint64, len(m.Inputs))
		var free, now uint64
		for try := 0; try < tries && live&^now != 0; try++ {
			drawn := make([]uint64, len(in))
			for i := range drawn {
				drawn[i] = word(w.rng, bias[i])
			}
			values := w.rng.Uint64()
			w.fault(some, values)
			w.sim.Eval(drawn)
			better := w.sim.Value(m.Constraint) &^ now
			for i := range in {
				in[i] = in[i]&^better | drawn[i]&better
			}
			free = free&^better | values&better
			now |= better
		}
		w.fault(some, free)
		w.sim.Eval(in)
		if live &= now; live == 0 {
			return
		}
		inputs, frees = append(inputs, in), append(frees, free)
		for b, l := range m.Bads {
			for v := w.sim.Value(l) & live; v != 0; v &= v - 1 {
				at := bits.TrailingZeros64(v)
				i := some[at].mutant
				if !w.out.by[b].has(i) {
					w.out.by[b].add(i)
					if w.traces {
						w.out.traces[[2]int{b, i}] = ofLane(begin, inputs, frees, some[at].force, at)
					}
				}
			}
		}
		w.sim.Step()
	}
}

// fault gives each lane its mutant, those of free values the given ones.
func (w *noticing) fault(some []lane, free uint64) {
	w.sim.ClearFaults()
	for at, l := range some {
		value := free
		switch l.force {
		case netlist.ForceZero:
			value = 0
		case netlist.ForceOne:
			value = ^uint64(0)
		}
		w.sim.SetFault(l.cut, 1<<at, value)
	}
}

// ofLane is the run of one lane.
func ofLane(begin []uint64, inputs [][]uint64, frees []uint64, force netlist.Force, lane int) *cert.Trace {
	t := &cert.Trace{}
	for _, v := range begin {
		t.Latches = append(t.Latches, v>>lane&1 == 1)
	}
	for step, in := range inputs {
		row := make([]bool, 0, len(in)+1)
		for _, v := range in {
			row = append(row, v>>lane&1 == 1)
		}
		if force == netlist.ForceFree {
			row = append(row, frees[step]>>lane&1 == 1)
		}
		t.Inputs = append(t.Inputs, row)
	}
	return t
}
