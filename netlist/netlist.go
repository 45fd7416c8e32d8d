package netlist

import "netcov/aig"

// Netlist is a design as its file describes it. Its graph has one node for
// each input, latch and gate of the file; nothing is merged, so that each of
// them can be mutated alone.
type Netlist struct {
	Graph       *aig.Graph
	Inputs      []Input
	Latches     []Latch
	Gates       []aig.Lit // AND gates by their position in the file
	Outputs     []Signal
	Bads        []Signal
	Constraints []Signal
	Justice     []Justice
	Fairness    []Signal
}

// Input is a primary input.
type Input struct {
	Lit  aig.Lit
	Name string
}

// Latch is a register of one bit.
type Latch struct {
	Lit  aig.Lit
	Next aig.Lit
	// Reset is False or True, the latch's own literal (uninitialised), or
	// else a function of inputs and other latches at time 0.
	Reset aig.Lit
	Name  string
}

// Signal is a named edge.
type Signal struct {
	Lit  aig.Lit
	Name string
}

// Justice is a liveness property: all its literals infinitely often.
type Justice struct {
	Lits []aig.Lit
	Name string
}

// PropertyKind tells which section of the file a property stands in.
type PropertyKind uint8

// The kinds of properties. Plain outputs are bad-state literals only where
// the file has no bad section (the format before 1.9).
const (
	PropertyOutput PropertyKind = iota
	PropertyBad
	PropertyJustice
)

// String returns the word used in reports.
func (k PropertyKind) String() string {
	return [...]string{"output", "bad", "justice"}[k]
}

// Property is one property of a netlist.
type Property struct {
	Kind  PropertyKind
	Index int     // position in its section
	Bad   aig.Lit // bad-state literal; False for justice
	Name  string
}

// Properties lists the properties: the bad-state literals, or the outputs where
// there are none, and then the justice sets.
func (n *Netlist) Properties() []Property {
	ps := make([]Property, n.safety()+len(n.Justice))
	for i := range ps {
		ps[i] = n.Property(i)
	}
	return ps
}

// safety is the number of safety properties.
func (n *Netlist) safety() int {
	if len(n.Bads) == 0 {
		return len(n.Outputs)
	}
	return len(n.Bads)
}

// Property returns one of Properties, by its position.
func (n *Netlist) Property(i int) Property {
	switch k := i - n.safety(); {
	case k >= 0:
		return Property{Kind: PropertyJustice, Index: k, Name: n.Justice[k].Name}
	case len(n.Bads) == 0:
		return Property{PropertyOutput, i, n.Outputs[i].Lit, n.Outputs[i].Name}
	default:
		return Property{PropertyBad, i, n.Bads[i].Lit, n.Bads[i].Name}
	}
}
