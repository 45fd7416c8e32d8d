package certify

import (
	"netcov/aiger"
	"netcov/mutant"
)

// effect is what a fault does, as models, replays and evidence need to know it.
type effect struct {
	free bool // the mutant has a further input: the free value
	// see returns what the readers of a node see, from its value and the free one.
	see func(value, free aiger.Lit) aiger.Lit
}

// effects has one entry for each fault. Models, traces, indexes and scopes know no
// fault by its name.
var effects = [...]effect{
	mutant.Zero:   {see: func(_, _ aiger.Lit) aiger.Lit { return 0 }},
	mutant.One:    {see: func(_, _ aiger.Lit) aiger.Lit { return 1 }},
	mutant.Nondet: {free: true, see: func(_, free aiger.Lit) aiger.Lit { return free }},
}

// HasFree reports whether the mutation's file has a further input, the free value.
func (m Mutation) HasFree() bool { return effects[m.Fault].free }
