package smv

import (
	"netcov/aig"
)

// Functions are a model's initial states and steps as edges of a graph, for
// algorithms that do not list states one by one.
type Functions struct {
	Graph *aig.Graph
	// State holds the leaves that carry a state: bit i of a State is the value
	// of State[i].
	State []aig.Node
	// The initial states are the values of Initial under all values of their
	// leaves that satisfy InitialCond.
	Initial     []aig.Lit
	InitialCond aig.Lit
	// The successors of a state are the values of Next under all values of the
	// other leaves that satisfy NextCond.
	Next     []aig.Lit
	NextCond aig.Lit
}

// Functions gives the model's functions.
func (m *Model) Functions() Functions {
	return Functions{
		Graph: m.enc.g, State: m.leaves,
		Initial: m.initial.outputs, InitialCond: m.initial.cond,
		Next: m.step.outputs, NextCond: m.step.cond,
	}
}

// Lit is the expression as an edge over the leaves of a state.
func (p *Prop) Lit() aig.Lit { return p.lit }
