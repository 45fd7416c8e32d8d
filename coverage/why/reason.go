package why

import (
	"fmt"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/mutant"
	"netcov/netlist"
)

// Reason is why no property notices a mutant.
type Reason uint8

// The reasons, in the order in which they are tried: see the package comment. None
// is the reason of a mutant that is covered.
const (
	None Reason = iota
	Outside
	Constant
	Equivalent
	Vacuous
	Gap
	Open
)

var reasonWords = [...]string{"", "outside", "constant", "equivalent", "vacuous", "gap", "open"}

// String returns the word used in reports.
func (r Reason) String() string { return reasonWords[r] }

// Reasons lists the reasons in the order of tables.
func Reasons() []Reason { return []Reason{Outside, Constant, Equivalent, Vacuous, Gap, Open} }

// Matters reports whether a property could notice the mutant: it is neither constant
// nor equivalent.
func (r Reason) Matters() bool { return r != Constant && r != Equivalent }

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
	Reason Reason
	// Witness comes with gap: a run of the design and of the mutant. Where the mutant has
	// free values they are the last of each row. The last step shows a difference. An x
	// may be replaced by either value.
	Witness *aiger.Witness
	// Bound is the number of steps within which an open mutant shows no difference; -1:
	// not known.
	Bound int
}
