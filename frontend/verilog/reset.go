// The reset sequence: the design is run with the reset active and all else
// unknown, in three-valued logic. What comes out 0 or 1 is the initial value;
// the rest stays uninitialised, which can only add behaviour.

package verilog

import (
	"fmt"
	"sort"
	"strings"

	"netcov/aig"
	"netcov/netlist"
)

// ternary is 0, 1 or unknown, as two bits: can be 0, can be 1.
type ternary uint8

const (
	known0  ternary = 1
	known1  ternary = 2
	unknown ternary = 3
)

func (t ternary) not() ternary { return t>>1 | t&1<<1 }

func andTernary(a, b ternary) ternary {
	return (a|b)&known0 | a&b&known1
}

// runReset replaces the resets by the state after the given number of steps
// with the reset active, and constrains it to be inactive from then on.
func (b *builder) runReset(name string, cycles int) error {
	active := known1
	if strings.HasPrefix(name, "!") || strings.HasPrefix(name, "~") {
		active, name = known0, name[1:]
	}
	reset, ok := b.ports[name]
	if !ok {
		var have []string
		for p := range b.ports {
			have = append(have, p)
		}
		sort.Slice(have, func(i, k int) bool { return naturalLess(have[i], have[k]) })
		return &Error{What: fmt.Sprintf("the reset %q is no input of one bit of the top module", name), Cure: "its inputs are " + strings.Join(shortList(have), ", ")}
	}
	state := make([]ternary, len(b.n.Latches))
	for i, l := range b.n.Latches {
		switch l.Reset {
		case aig.False:
			state[i] = known0
		case aig.True:
			state[i] = known1
		default:
			state[i] = unknown
		}
	}
	for range cycles {
		value := b.ternary(reset, active, state)
		changed := false
		for i, l := range b.n.Latches {
			next := value.edge(l.Next)
			changed = changed || next != state[i]
			state[i] = next
		}
		if !changed {
			break
		}
	}
	for i := range b.n.Latches {
		l := &b.n.Latches[i]
		switch state[i] {
		case known0:
			l.Reset = aig.False
		case known1:
			l.Reset = aig.True
		default:
			l.Reset = l.Lit
		}
	}
	if held, free := b.held(reset, active.not()), b.held(reset, active); held > free {
		b.note("after the reset %s the design may stay in reset for ever: the value that it then has (%s) sets %d of %d register bits to constants, the other one %d; is it active %s?",
			name, map[ternary]string{known0: "0", known1: "1"}[active.not()], held, b.registers(), free, map[ternary]string{known0: "high", known1: "low"}[active])
	}
	inactive := reset.XorSign(active == known1)
	b.n.Constraints = append(b.n.Constraints, netlist.Signal{Lit: inactive, Name: "reset " + name + " is inactive"})
	b.note("initial state: after %d steps with the reset %s active; it is inactive from then on", cycles, name)
	return nil
}

// values are those of all nodes.
type values []ternary

func (v values) edge(l aig.Lit) ternary {
	if l.Neg() {
		return v[l.Node()].not()
	}
	return v[l.Node()]
}

// ternary computes a step with a reset, all other inputs unknown.
func (b *builder) ternary(reset aig.Lit, active ternary, state []ternary) values {
	value := make(values, b.n.Graph.Size())
	for i := range value {
		value[i] = unknown
	}
	value[0] = known0
	value[reset.Node()] = active
	for i, l := range b.n.Latches {
		value[l.Lit.Node()] = state[i]
	}
	for i := range value {
		if n := aig.Node(i); b.n.Graph.Kind(n) == aig.KindAnd {
			x, y := b.n.Graph.Fanins(n)
			value[i] = andTernary(value.edge(x), value.edge(y))
		}
	}
	return value
}

// held counts the register bits that a value of the reset sets to a constant,
// whatever all else is.
func (b *builder) held(reset aig.Lit, at ternary) int {
	state := make([]ternary, len(b.n.Latches))
	for i := range state {
		state[i] = unknown
	}
	value := b.ternary(reset, at, state)
	count := 0
	for i, l := range b.n.Latches {
		if !b.d.Latches[i].Artefact && value.edge(l.Next) != unknown {
			count++
		}
	}
	return count
}

// registers counts the latches that are register bits of the design.
func (b *builder) registers() int {
	count := 0
	for _, o := range b.d.Latches {
		if !o.Artefact {
			count++
		}
	}
	return count
}
