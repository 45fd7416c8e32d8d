// Package verilog turns Verilog with assertions into a design. It runs yosys
// (C. Wolf, "Yosys Open SYnthesis Suite") with a script of its own and reads
// the JSON netlists that yosys writes.
//
// yosys sees neither the sources nor their names: package preprocess replaces macros
// and included files, and yosys gets the texts under plain names in a folder of its
// own, to which the kernel confines it where it can (sources.go, confine_linux.go).
//
// Formal flows commonly delete registers that no property reads. Here every
// register of the source stays: the registers, asserts and assumes of the
// netlist are compared with an inventory taken before anything is optimised,
// and one that is missing is an error.
//
// Netlists in RTLIL, JSON and BLIF go the same way (netlists.go).
//
// What becomes what:
//
//	assert      a bad-state literal of its own
//	assume      a constraint
//	register    a latch a bit, reset to its initial value or uninitialised
//	memory      a latch a bit, up to a limit on the size
//	input port  an input a bit; the clock is left out
//	no driver   an input
//
// All registers step at once: one clock, one edge. Several clocks or edges,
// gated clocks and a clock that is read as data need Options.Multiclock, by which
// each step may change any clock (sampling.go). Combinational loops, tri-states
// and black boxes are refused by name. An asynchronous reset acts at once: the
// registers' readers see the reset value in the very step in which the reset is
// active, through a gate behind the latch. That gate is the register for faults
// (seen.go). Level-sensitive latches are modelled the same way.
package verilog
