package netlist

import (
	"slices"

	"netcov/aig"
	"netcov/mutant"
)

// Force is what the readers of a cut see in place of what it lets through: a
// constant, or a fresh input in every frame. Engines know cuts and forces; which of
// these a fault comes to is said here alone.
type Force uint8

// The forces.
const (
	ForceZero Force = iota
	ForceOne
	ForceFree
)

// Forces is the number of forces.
const Forces = 3

// meaning is a fault as engines see it: a cut, and how it is forced.
type meaning struct {
	force Force
	// see returns what the readers of the node see where the cut is a switch, which the
	// design has at 0. nil: the cut is the value itself, and all such faults share it.
	// So engines need no more than stuck-at and free cuts, and what holds of these holds
	// of every fault.
	see func(c *compiler, at site) aig.Lit
	// output tells that the fault is at the output of the node, wherever others are, and
	// next that it is at the next-state input.
	output, next bool
}

// place is where the cut of a fault stands.
func (m *meaning) place(asked mutant.Mux) mutant.Mux {
	if m.output {
		return mutant.AtOutput
	}
	if m.next {
		return mutant.AtNext
	}
	return asked
}

// site is a node at one place of its multiplexer.
type site struct {
	value aig.Lit // what the readers see in the design
	on    aig.Lit // the switch
	// operands are what a gate reads, in the order of the file.
	operands [2]aig.Lit
	shown    aig.Lit // at a next-state input: what the register shows now
}

// meanings are the faults in the terms of engines.
var meanings = [...]meaning{
	mutant.Zero:   {force: ForceZero},
	mutant.One:    {force: ForceOne},
	mutant.Nondet: {force: ForceFree},
	mutant.Inverted: {force: ForceOne, see: func(c *compiler, at site) aig.Lit {
		return c.m.Graph.Xor(at.value, at.on)
	}},
	// What is seen of a gate is never 0 where the gate is 1.
	mutant.Or: {force: ForceOne, see: func(c *compiler, at site) aig.Lit {
		return c.m.Graph.Or(at.value, c.m.Graph.And(at.on, c.m.Graph.Or(at.operands[0], at.operands[1])))
	}},
	mutant.Input0: {force: ForceOne, see: func(c *compiler, at site) aig.Lit {
		return c.m.Graph.Or(at.value, c.m.Graph.And(at.on, at.operands[1]))
	}},
	mutant.Reset: {force: ForceOne, output: true, see: func(c *compiler, at site) aig.Lit {
		return c.m.Graph.Xor(at.value, c.m.Graph.And(at.on, c.firstFrame()))
	}},
	// The switch is free. Where it is on for the first time, the update is missed.
	mutant.Missed: {force: ForceFree, next: true, see: func(c *compiler, at site) aig.Lit {
		c.misses = append(c.misses, at.on)
		return c.m.Graph.Mux(c.m.Graph.And(at.on, c.missed().Not()), at.shown, at.value)
	}},
	mutant.Input1: {force: ForceOne, see: func(c *compiler, at site) aig.Lit {
		return c.m.Graph.Or(at.value, c.m.Graph.And(at.on, at.operands[0]))
	}},
}

// cutKey names a cut; fault is 0 for those that are the value itself.
type cutKey struct {
	target mutant.Target
	fault  mutant.Fault
}

func keyOf(t mutant.Target, f mutant.Fault) cutKey {
	if meanings[f].see == nil {
		f = 0
	}
	return cutKey{t, f}
}

// Find returns the cut of a mutant, by its position in Cuts, and how the mutant forces
// it; false where there is none: the node is outside of the cone, or the model has not
// been compiled for the fault.
func (m *Model) Find(t mutant.Target, f mutant.Fault) (cut int, force Force, ok bool) {
	cut, ok = m.cutOf[keyOf(t, f)]
	return cut, meanings[f].force, ok
}

// mutated returns what the readers of a target see at one place: the value behind the
// cuts of all faults there.
func (c *compiler) mutated(t mutant.Target, place mutant.Mux, at site) aig.Lit {
	if !c.targets[t] {
		return at.value
	}
	for _, f := range c.faults {
		key := keyOf(t, f)
		if _, done := c.m.cutOf[key]; done || !c.from.Has(t, f) || meanings[f].place(c.place) != place {
			continue
		}
		see := meanings[f].see
		origin := aig.False
		if see == nil {
			origin = at.value
		}
		cut := c.m.Graph.Cut(origin)
		c.m.cutOf[key] = len(c.m.Cuts)
		c.m.Cuts = append(c.m.Cuts, Cut{t, cut})
		if see == nil {
			at.value = cut
		} else {
			at.on = cut
			at.value = see(c, at)
		}
	}
	return at.value
}

// missed returns the register that remembers that an update was missed. It stands
// after the latch "first frame", whether that is in use or not.
func (c *compiler) missed() aig.Lit {
	if len(c.misses) == 1 {
		c.firstFrame()
		c.m.Latches = append(c.m.Latches, ModelLatch{Lit: c.m.Graph.Latch(), InCone: true})
	}
	return c.m.Latches[len(c.m.Latches)-1].Lit
}

// remember gives that register its next-state function.
func (c *compiler) remember() {
	if len(c.misses) > 0 {
		l := &c.m.Latches[len(c.m.Latches)-1]
		l.Next = c.m.Graph.OrAll(append(c.misses, l.Lit)...)
	}
}

// Has reports whether the netlist has a mutant: not every fault is defined at every
// node.
func (n *Netlist) Has(t mutant.Target, f mutant.Fault) bool {
	if !f.At(t) {
		return false
	}
	return !f.Initialised() || n.Latches[t.Index].Reset != n.Latches[t.Index].Lit
}

// FaultsAt lists the faults that some of the targets have.
func (n *Netlist) FaultsAt(targets []mutant.Target) []mutant.Fault {
	return slices.DeleteFunc(mutant.Faults(), func(f mutant.Fault) bool {
		return !slices.ContainsFunc(targets, func(t mutant.Target) bool { return n.Has(t, f) })
	})
}
