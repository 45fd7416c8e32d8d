package certify

import (
	"fmt"

	"netcov/aiger/sim"
	"netcov/mutant"
)

// Mutation is one mutant of a design: a fault at a latch, or at an AND gate,
// of which Index is the position in the file (from 0).
type Mutation struct {
	Gate  bool
	Index int
	Fault mutant.Fault
	Mux   mutant.Mux
}

// String names the mutation, as in "zero at latch 3".
func (m Mutation) String() string {
	node, place := "latch", ""
	if m.Gate {
		node = "gate"
	}
	if m.Mux == mutant.AtNext {
		place = " (mux next)"
	}
	return fmt.Sprintf("%v at %s %d%s", m.Fault, node, m.Index, place)
}

// place is where the mutation's multiplexer stands.
func (m Mutation) place() mutant.Mux { return sim.Place(m.Fault, m.Mux) }

// Added is the number of latches that the mutation's file has after those of the
// design. They start at 0.
func (m Mutation) Added() int {
	n := 0
	if m.Gate && m.place() == mutant.AtNext || sim.ReadsOf(m.Fault).First {
		n++
	}
	if m.Fault.Remembers() {
		n++
	}
	return n
}

// HasFree reports whether the mutation's file has a further input, the free value.
func (m Mutation) HasFree() bool { return m.Fault.Free() }

// Condition is one of the three that make an invariant a proof.
type Condition uint8

// The conditions, in the order in which they are checked.
const (
	Initiation Condition = iota
	Consecution
	Safety
)

// String returns the condition's usual name.
func (c Condition) String() string {
	return [...]string{"initiation", "consecution", "safety"}[c]
}

// Failure says which condition an invariant fails, and on which mutant.
type Failure struct {
	Condition Condition
	Mutation  *Mutation // nil: on the design itself
}

// Error returns one line.
func (f *Failure) Error() string {
	where := "the design itself"
	if f.Mutation != nil {
		where = f.Mutation.String()
	}
	return fmt.Sprintf("the invariant fails %v for %s", f.Condition, where)
}
