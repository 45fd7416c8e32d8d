// Package design holds what a front end hands to the rest of the program: a
// netlist, the user's names for its nodes, and the properties that stand in the
// source. Each input format is one package that returns a *Design.
package design

import (
	"io"

	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// Design is a netlist with the user's names and sources.
type Design struct {
	File   string // as the user gave it
	SHA256 string // of the input, in hexadecimal
	Format string // the kind of sources: a name of the table in package frontend

	Netlist *netlist.Netlist

	// Outputs lists the output ports where the netlist does not: in a netlist
	// without bad-state literals they would count as properties.
	Outputs []netlist.Signal

	// Latches says of each latch of the netlist where it comes from. It is
	// either empty or as long as Netlist.Latches.
	Latches []Origin
	// Gates does the same for the AND gates, where the source still knows.
	Gates []Origin
	// Seen gives, by latch, the gate whose output is the register that the latch
	// stores, where that is not the latch itself: a register with an asynchronous reset
	// shows the reset value at once. The gate has the register's Origin, Inverted where
	// the register is its complement.
	Seen map[int]int
	// Properties describes the netlist's properties, in the order of
	// Netlist.Properties. It is either empty or as long as that.
	Properties []Origin

	// Words are the named signals of the source, each once, as far as their values are
	// edges of the netlist; nil where the language tells no more than the netlist.
	Words []Word
	// Enums names the values of registers and ports, by their hierarchical names, where the
	// source has them as enumerations.
	Enums map[string]Enum
	// Clock is the input that all registers step at; nil where the netlist has no such
	// input.
	Clock *Clock

	// Antecedents is the number of assertions with an antecedent, of which another reading
	// of the source makes covers.
	Antecedents int

	// Specs are specifications that are no safety property of the netlist.
	Specs []Spec
	// Notes tell the user what was skipped or assumed, a line each.
	Notes []string

	// Abstraction is there where the netlist allows more than the source does: what holds
	// on the netlist holds, and a trace on which a property fails may be spurious.
	Abstraction Abstraction

	// WriteWitness writes a trace on which a safety property fails, given by its
	// position, in the format of counterexamples that goes with the language; nil
	// where that is AIGER's.
	WriteWitness func(w io.Writer, property int, t *cert.Trace) error
}

// Abstraction is what stands between a netlist that allows more than its source and that.
type Abstraction interface {
	// Replay runs a trace on which a safety property fails on the source, or on a mutant of
	// it. It returns that run as a trace of the netlist; nil where the property does not
	// fail in it, and the trace is noted for Refine. An error says why it cannot be noted.
	Replay(property int, t *cert.Trace, cut *Cut) (*cert.Trace, error)
	// Refine returns the design with a netlist without the traces that were noted. Latches
	// keep their positions; more follow them.
	Refine() (*Design, error)
	// Own reports whether an input of the netlist, given by its position, is none of the
	// source's.
	Own(input int) bool
	// Elements are those of arrays of the source that the run of Replay uses.
	Elements(property int) []Element
}

// Cut is a mutant: a latch, by its position, whose readers see a constant, or the last
// input of the trace. nil is the source itself.
type Cut struct {
	Latch int
	Fault mutant.Fault // Zero, One or Nondet
}

// Element is an element of an array in a run.
type Element struct {
	Name   string   // of the array
	At     string   // the address in bits, the highest first
	Input  bool     // the array is an input
	Values []string // by step, in bits, the highest first; x: not known
}

// Artefact reports whether a tool made a latch, given by its position: it is none
// of the design's registers.
func (d *Design) Artefact(latch int) bool { return latch < len(d.Latches) && d.Latches[latch].Artefact }

// Origin ties a node or property to the user's source.
type Origin struct {
	Register string // hierarchical name without index, such as top.u1.count
	Bit      int    // HDL index of the bit; -1 for a register without an index
	Instance string // hierarchical name of the instance, such as top.u1
	Module   string // name of the module
	File     string
	Line     int // from 1; 0 is unknown
	// Inverted tells that the netlist stores the complement of the register:
	// stuck-at-0 of the latch is stuck-at-1 of the register.
	Inverted bool
	// Artefact tells that a tool made the node: it is no register of the design
	// and is not counted as one.
	Artefact bool
	// PropertyOnly tells that no output of the design depends on the register, and that
	// properties do. Only front ends of source languages know it.
	PropertyOnly bool
}

// Word is a named signal of the source.
type Word struct {
	Name      string    // hierarchical, without the index
	High, Low int       // indices of the ends; both -1 for a single bit
	Bits      []aig.Lit // the lowest first
	Input     bool      // the environment chooses it
	Register  string    // the register (see Origin) whose value it is; "" for none
}

// Enum names the values of a signal of so many bits.
type Enum struct {
	Width int
	Names map[uint64]string
}

// Clock is a clock input: its name in the top module, and whether registers step at
// its falling edge.
type Clock struct {
	Name    string
	Falling bool
}

// SpecKind is the logic of a specification.
type SpecKind string

// The kinds of specifications that front ends find.
const (
	SpecCTL SpecKind = "ctl"
	SpecLTL SpecKind = "ltl"
)

// Spec is a specification in temporal logic, in NuSMV's spelling.
type Spec struct {
	Kind SpecKind
	Text string
	Line int
	Name string
}
