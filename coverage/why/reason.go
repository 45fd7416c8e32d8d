package why

import (
	"fmt"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/mutant"
	"netcov/netlist"
)

// Problem is a design whose properties hold.
type Problem struct {
	// File is the design, and Netlist what was built from it.
	File    *aiger.File
	Netlist *netlist.Netlist
	// Properties are the positions of those that hold, among the netlist's: one at least.
	Properties []int
	// Invariant is one of the design; nil is none. It makes the search shorter and is
	// part of what certify checks.
	Invariant *cert.Invariant
	// Mux is the place of the faults.
	Mux mutant.Mux
	// Observe says where a difference counts.
	Observe certify.Observation
}

// Mutant is a mutant that no property notices.
type Mutant struct {
	Target mutant.Target
	Fault  mutant.Fault
	// Invariant is one of the mutant, the proof that no property notices it; nil is
	// none.
	Invariant *cert.Invariant
}

// String names the mutant in messages.
func (m Mutant) String() string { return fmt.Sprintf("%v, %v", m.Target, m.Fault) }

// Finding is the reason of one mutant, with its evidence.
type Finding struct {
	Reason mutant.Reason
	// Witness comes with gap: a run of the design and of the mutant. Where the mutant has
	// free values they are the last of each row. The last step shows a difference. An x
	// may be replaced by either value. With vacuous, where the design has a run, the
	// constraints hold in the last step on one side only.
	Witness *aiger.Witness
	// Invariant proves constant, equivalent and vacuous, where Options.Proofs asks for it.
	// It is one of the design for constant, else of the pair (see certify.Comparison). nil
	// with vacuous where the design has no run.
	Invariant *cert.Invariant
	// Bound is the number of steps within which an open mutant shows no difference; -1:
	// not known.
	Bound int
}
