// Package btor2 reads BTOR2 (A. Niemetz, M. Preiner,
// C. Wolf, A. Biere, "BTOR2, BtorMC and Boolector 3.0", CAV 2018) into a
// design, and writes witnesses in BTOR2's own format.
//
// Every operator on bit-vectors is there; each word becomes one literal a bit,
// least significant bit first. A state with a next function becomes latches,
// reset to 0, to 1, to a function of inputs and other states at time 0, or to
// nothing. A state without next takes any value in every step (section 2 of the
// paper); without init as well, it is an input of the netlist.
//
// Division by zero is as in SMT-LIB: udiv gives all ones, urem the dividend,
// and the signed operators follow from these two.
//
// An array becomes registers, as a memory of other languages does: element k of
// mem is mem[k]. One of more bits than Options.MemoryBits is refused with its line, or,
// for model checking, kept by word (abstract.go, replay.go).
package btor2
