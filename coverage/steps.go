package coverage

import (
	"context"
	"sync"

	"netcov/cert"
	"netcov/netlist"
)

// Steps that broke an invariant under some mutant often break the next one under the
// same mutant, too. They are kept, 64 to a block, and simulated with all mutants beside
// them before a solver is asked which mutants keep an invariant: a block costs a few
// hundred nodes a mutant, a solver's model as many as the design has.

// stepStock are steps that are known to break something.
type stepStock struct {
	mu     sync.Mutex
	sim    *netlist.Simulator
	net    *netlist.Beside
	blocks []stepBlock
	next   int // block that is filled next, once all are full
}

// stepBlock is 64 steps: states and inputs.
type stepBlock struct {
	latches, inputs []uint64
	lanes           int // filled
}

// The blocks that are kept, and the words in all of them.
const (
	mostBlocks     = 64
	mostBlockWords = 1 << 20
)

// add keeps a step, in the place of an old one where there are many.
func (k *stepStock) add(latches, inputs []bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if mostBlockWords/(len(latches)+len(inputs)+1) < mostBlocks {
		return
	}
	if len(k.blocks) < mostBlocks && (len(k.blocks) == 0 || k.blocks[k.next].lanes == 64) {
		k.next = len(k.blocks)
		k.blocks = append(k.blocks, stepBlock{latches: make([]uint64, len(latches)), inputs: make([]uint64, len(inputs))})
	}
	b := &k.blocks[k.next]
	if b.lanes == 64 {
		k.next = (k.next + 1) % len(k.blocks)
		b = &k.blocks[k.next]
		b.lanes = 0
	}
	bit := uint64(1) << b.lanes
	for i, v := range latches {
		b.latches[i] = b.latches[i]&^bit | spread(v)&bit
	}
	for i, v := range inputs {
		b.inputs[i] = b.inputs[i]&^bit | spread(v)&bit
	}
	b.lanes++
}

// drop takes out of keeps what breaks an invariant in one of the steps.
func (k *stepStock) drop(ctx context.Context, m *netlist.Model, inv *cert.Invariant, keeps []cases) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.net == nil {
		k.sim = netlist.NewSimulator(m)
		k.net = netlist.NewBeside(m, k.sim)
	}
	s := &stepSimulator{m: m, inv: inv, sim: k.sim, next: make([]uint64, len(m.Latches))}
	if inv.Graph != nil {
		s.nodes = make([]uint64, inv.Graph.Size())
	}
	for i := range k.blocks {
		if ctx.Err() != nil {
			return
		}
		s.beside(k.net, &k.blocks[i], keeps)
	}
}

// beside takes out of keeps what breaks the invariant in one of the steps of a block.
func (s *stepSimulator) beside(net *netlist.Beside, b *stepBlock, keeps []cases) {
	for i, w := range b.latches {
		s.sim.SetState(i, w)
	}
	s.sim.Eval(b.inputs)
	lanes := ^uint64(0) >> (64 - b.lanes) & s.holds(b.latches)
	lanes &= s.sim.Value(s.m.Constraint) &^ s.sim.Value(s.m.Bad)
	if lanes == 0 {
		return
	}
	for i, l := range s.m.Latches {
		if l.InCone {
			s.next[i] = s.sim.Value(l.Next)
		}
	}
	leaves := lanes &^ s.holds(s.next) // the invariant, without a fault
	var d netlist.Divergence
	for cut, c := range keeps {
		if !c[0] && !c[1] {
			continue
		}
		value := s.sim.Value(s.m.Cuts[cut].Lit)
		d.Latches = d.Latches[:0]
		hit, broken := net.Step(&d, cut, ^value, lanes) // a fault in all lanes
		if out := lanes &^ hit; len(d.Latches) == 0 {
			hit |= leaves
		} else {
			for _, l := range d.Latches {
				s.next[l.Latch] ^= l.Lanes
			}
			hit |= out &^ s.holds(s.next)
			for _, l := range d.Latches {
				s.next[l.Latch] ^= l.Lanes
			}
		}
		hit &^= broken
		keeps[cut][0] = c[0] && hit&value == 0 && leaves&^value == 0
		keeps[cut][1] = c[1] && hit&^value == 0 && leaves&value == 0
	}
}
