package netlist

import "netcov/mutant"

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

// meanings are the faults as engines see them: see Model.Find.
var meanings = [...]Force{
	mutant.Zero:   ForceZero,
	mutant.One:    ForceOne,
	mutant.Nondet: ForceFree,
}

// Find returns the cut of a mutant, by its position in Cuts, and how the mutant forces
// it; false where the node is outside of the cone.
func (m *Model) Find(t mutant.Target, f mutant.Fault) (cut int, force Force, ok bool) {
	cut, ok = m.cutOf[t]
	return cut, meanings[f], ok
}
