// Package mutant names mutations: the faults, the nodes they stand at, and the
// side of a register on which they act (DAC10, section 3). Everything else that
// treats faults, engines and second opinions alike, imports these names; none has
// a table of its own.
package mutant
