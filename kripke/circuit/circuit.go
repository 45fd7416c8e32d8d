// Package circuit is the sequential circuit of CKV01 section 2,
// ⟨I, O, C, θ, ρ, δ⟩: input signals, output signals and control signals with
// an initial state, a next-state function and an output function, and the
// Kripke structure that it induces, one state for each pair of a control state
// and an input valuation.
//
// Three points go beyond the paper. An output may depend on the inputs, as in
// AIGER; flipping it in a control state flips it under every input. θ may
// be a set: registers without a reset, and resets that are functions of the
// inputs and of other registers at time 0. And ρ may be a relation: choices are
// inputs that no state holds, so ⟨s, i⟩ leads to ρ(s, i, d) for every valuation d
// of the choices. The dual circuits and the x-fixed ones change where a
// transition leads, so they mean the same with choices.
//
// ρ and δ are and-inverter graphs, so they can be evaluated in control states
// that the circuit never reaches; the dual circuits need that.
package circuit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"netcov/aig"
	"netcov/netlist"
)

// Signal is a named edge of the circuit's graph.
type Signal struct {
	Name string
	Lit  aig.Lit
}

// Control is a control signal: a register.
type Control struct {
	Name string
	Lit  aig.Lit // the register itself
	Next aig.Lit // its part of ρ
	// Reset is its initial value as a function of inputs and other registers
	// at time 0: a constant, or Lit itself when both values are initial.
	Reset aig.Lit
}

// Circuit is immutable after New.
type Circuit struct {
	Name   string
	Graph  *aig.Graph
	Inputs []Signal
	// Choices are read by ρ and θ only. They have no names in specifications.
	Choices  []Signal
	Controls []Control
	// Outputs are the output signals O. One that has the name of a control
	// signal is that signal, made visible.
	Outputs []Signal
	// Constraint restricts the runs to those where it always holds; netlist.True
	// when there is none. Fairness holds literals that fair runs meet infinitely
	// often; one that reads choices is met by steps, not by states.
	Constraint aig.Lit
	Fairness   []aig.Lit
	// StateName names a control state; nil writes its bits in the order of
	// Controls.
	StateName func(bits []bool) string

	byName map[string]aig.Lit
	kinds  map[string]Kind
}

// Kind is the class of a signal (CKV01 section 2).
type Kind uint8

// The classes. Coverage is never asked of an input.
const (
	Unknown Kind = iota
	Input
	PureOutput
	PureControl
	VisibleControl
)

// String is the name of the class in reports.
func (k Kind) String() string {
	return [...]string{"unknown", "input", "pure-output", "pure-control", "visible-control"}[k]
}

// New checks a circuit's names and literals and completes it. Unnamed signals
// get the names i0, l0, o0 of their positions.
func New(c Circuit) (*Circuit, error) {
	c.byName, c.kinds = map[string]aig.Lit{}, map[string]Kind{}
	if c.Graph == nil {
		return nil, errors.New("a circuit without a graph")
	}
	declare := func(name, what string, lit aig.Lit, k Kind) error {
		if int(lit.Node()) >= c.Graph.Size() {
			return fmt.Errorf("%s %q: its literal is outside of the graph", what, name)
		}
		if old, ok := c.byName[name]; ok {
			if old != lit || k != PureOutput {
				return fmt.Errorf("%s %q: another signal has the same name; rename one of them", what, name)
			}
			if c.kinds[name] == PureControl {
				c.kinds[name] = VisibleControl
			}
			return nil
		}
		c.byName[name], c.kinds[name] = lit, k
		return nil
	}
	// Copies, so that default names do not change the caller's slices.
	c.Inputs = append([]Signal(nil), c.Inputs...)
	c.Controls = append([]Control(nil), c.Controls...)
	c.Outputs = append([]Signal(nil), c.Outputs...)
	for i := range c.Inputs {
		s := &c.Inputs[i]
		s.Name = orDefault(s.Name, "i", i)
		if err := declare(s.Name, "input", s.Lit, Input); err != nil {
			return nil, err
		}
	}
	for i := range c.Controls {
		s := &c.Controls[i]
		s.Name = orDefault(s.Name, "l", i)
		if err := declare(s.Name, "register", s.Lit, PureControl); err != nil {
			return nil, err
		}
	}
	for i := range c.Outputs {
		s := &c.Outputs[i]
		s.Name = orDefault(s.Name, "o", i)
		if err := declare(s.Name, "output", s.Lit, PureOutput); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

func orDefault(name, prefix string, i int) string {
	if name == "" {
		return prefix + strconv.Itoa(i)
	}
	return name
}

// FromNetlist makes a circuit of a netlist: its inputs, its latches as control
// signals, and its outputs and bad-state literals as outputs. A bad-state
// literal without a name is called b0, b1, ….
func FromNetlist(n *netlist.Netlist, name string) (*Circuit, error) {
	c := Circuit{Name: name, Graph: n.Graph, Constraint: aig.True}
	for _, s := range n.Inputs {
		c.Inputs = append(c.Inputs, Signal{s.Name, s.Lit})
	}
	for _, l := range n.Latches {
		c.Controls = append(c.Controls, Control{l.Name, l.Lit, l.Next, l.Reset})
	}
	for i, s := range n.Outputs {
		c.Outputs = append(c.Outputs, Signal{orDefault(s.Name, "o", i), s.Lit})
	}
	for i, s := range n.Bads {
		c.Outputs = append(c.Outputs, Signal{orDefault(s.Name, "b", i), s.Lit})
	}
	for _, s := range n.Constraints {
		if s.Lit != aig.True {
			c.Constraint = n.Graph.And(c.Constraint, s.Lit)
		}
	}
	for _, s := range n.Fairness {
		c.Fairness = append(c.Fairness, s.Lit)
	}
	return New(c)
}

// ChoicesAsInputs is the circuit in which a state holds the choices of its step too.
// It has the same runs, so it serves for linear time. For branching time it does not:
// `AX p | AX q` may hold only because a state knows its choice.
func (c *Circuit) ChoicesAsInputs() (*Circuit, error) {
	if len(c.Choices) == 0 {
		return c, nil
	}
	d := *c
	d.Inputs, d.Choices = slices.Concat(c.Inputs, c.Choices), nil
	return New(d)
}

// ReadsChoices reports whether an edge depends on choices.
func (c *Circuit) ReadsChoices(l aig.Lit) bool {
	cone := c.Graph.Cone(l)
	return slices.ContainsFunc(c.Choices, func(s Signal) bool { return slices.Contains(cone, s.Lit.Node()) })
}

// Kind is the class of the named signal, Unknown when there is none.
func (c *Circuit) Kind(name string) Kind { return c.kinds[name] }

// Lit is the edge of the named signal.
func (c *Circuit) Lit(name string) (aig.Lit, bool) {
	l, ok := c.byName[name]
	return l, ok
}

// Signals lists the names of the signals of which coverage can be asked: the
// outputs that are no input, then the control signals that are no output.
func (c *Circuit) Signals() []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range c.Outputs {
		if !seen[s.Name] && c.kinds[s.Name] != Input {
			out = append(out, s.Name)
		}
		seen[s.Name] = true
	}
	for _, s := range c.Controls {
		if !seen[s.Name] {
			out = append(out, s.Name)
		}
	}
	return out
}

// ControlIndex is the position of the named control signal, or -1.
func (c *Circuit) ControlIndex(name string) int {
	for i, s := range c.Controls {
		if s.Name == name {
			return i
		}
	}
	return -1
}

// NameOf writes a control state.
func (c *Circuit) NameOf(bits []bool) string {
	if c.StateName != nil {
		return c.StateName(bits)
	}
	return BitString(bits)
}

// BitString writes bits as 0 and 1, the first bit first.
func BitString(bits []bool) string {
	b := make([]byte, len(bits))
	for i, v := range bits {
		b[i] = '0'
		if v {
			b[i] = '1'
		}
	}
	return string(b)
}
