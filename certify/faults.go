package certify

import (
	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/mutant"
)

// effect is what a fault does, as models, replays and evidence need to know it.
type effect struct {
	sim  sim.Kind
	free bool // the mutant has a further input: the free value
	// see returns what the readers of a node see, from its value and the free one.
	see func(value, free aiger.Lit) aiger.Lit
}

// effects has one entry for each fault. Models, traces, indexes and scopes know no
// fault by its name.
var effects = [...]effect{
	mutant.Zero:   {sim: sim.Zero, see: func(_, _ aiger.Lit) aiger.Lit { return 0 }},
	mutant.One:    {sim: sim.One, see: func(_, _ aiger.Lit) aiger.Lit { return 1 }},
	mutant.Nondet: {sim: sim.Nondet, free: true, see: func(_, free aiger.Lit) aiger.Lit { return free }},
}

// Faults returns all faults.
func Faults() []mutant.Fault {
	all := make([]mutant.Fault, len(effects))
	for i := range all {
		all[i] = mutant.Fault(i)
	}
	return all
}

// ParseFault returns the fault of a word, and whether there is one.
func ParseFault(word string) (mutant.Fault, bool) {
	for _, f := range Faults() {
		if f.String() == word {
			return f, true
		}
	}
	return 0, false
}

// HasFree tells whether the mutation's file has a further input, the free value.
func (m Mutation) HasFree() bool { return effects[m.Fault].free }
