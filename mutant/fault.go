package mutant

import (
	"fmt"
	"slices"
)

// Target is a node that is to be mutated: a latch or an AND gate, by its
// position in the file.
type Target struct {
	Gate  bool
	Index int
}

// Kind returns the word for the node's kind: "latch" or "gate".
func (t Target) Kind() string {
	if t.Gate {
		return "gate"
	}
	return "latch"
}

// String names the target in messages: "latch 3", "gate 0".
func (t Target) String() string { return fmt.Sprintf("%s %d", t.Kind(), t.Index) }

// Mux is the place of the multiplexer that brings a fault in.
type Mux uint8

// The places.
const (
	// AtOutput is on the edges that leave the node (DAC10, figure 1): its readers
	// see the fault in every frame, frame 0 included.
	AtOutput Mux = iota
	// AtNext is on a latch's next-state input: frame 0 still shows the reset value,
	// and the free value of step t is what the latch shows in step t+1. The readers
	// of a gate see the fault from frame 1 on, the free value at once.
	AtNext
)

var muxWords = [...]string{AtOutput: "output", AtNext: "next"}

// String returns the word used in reports and evidence.
func (m Mux) String() string { return muxWords[m] }

// ParseMux is the inverse of String; false for any other word.
func ParseMux(word string) (Mux, bool) {
	i := slices.Index(muxWords[:], word)
	return Mux(max(i, 0)), i >= 0
}

// Fault is what the readers of a mutated node see (DAC10, section 3). What it means is
// said twice, on purpose: for engines in package netlist, for the second opinion in
// package aiger/sim. All else that is known of a fault is its row in the table.
type Fault uint8

// The faults.
const (
	Zero Fault = iota
	One
	Nondet
	Inverted
	Or
	Input0
	Input1
	Reset
	Missed
)

// row is what is known of a fault beside its meaning.
type row struct {
	word string
	// help ends the sentence "The readers of the node see …".
	help string
	// on are the nodes at which the fault is defined.
	on nodes
	// initialised tells that registers without a reset value have no such fault.
	initialised bool
	// standard faults are injected where none are asked for.
	standard bool
	// complement is the fault at the complement of the node.
	complement Fault
	// free tells that the mutant reads one more input, the free value.
	free bool
	// remembers tells that the mutant has a register that the design has not: it is 1
	// after the first step in which the free value was.
	remembers bool
	// stuck tells that readers see the same value always: value.
	stuck, value bool
}

// nodes are kinds of nodes.
type nodes uint8

const (
	latches nodes = 1 << iota
	gates
)

// faults is the table of faults, in the order of reports.
var faults = [...]row{
	Zero:     {word: "zero", help: "0", on: latches | gates, standard: true, complement: One, stuck: true},
	One:      {word: "one", help: "1", on: latches | gates, standard: true, complement: Zero, stuck: true, value: true},
	Nondet:   {word: "nondet", help: "a free value, a new one in each step", on: latches | gates, standard: true, complement: Nondet, free: true},
	Inverted: {word: "inverted", help: "its complement", on: latches | gates, complement: Inverted},
	Or:       {word: "or", help: "the OR of what the gate reads, in place of the AND", on: gates, complement: Or},
	Input0:   {word: "input0", help: "the gate with its first input cut off, as if that were 1", on: gates, complement: Input0},
	Input1:   {word: "input1", help: "the gate with its second input cut off, as if that were 1", on: gates, complement: Input1},
	Reset:    {word: "reset", help: "its complement in the first step: the register starts with the other reset value", on: latches, initialised: true, complement: Reset},
	Missed:   {word: "missed", help: "the value from before one update: in one step, any one, the register keeps its value", on: latches, free: true, remembers: true, complement: Missed},
}

// String returns the word used in reports and evidence.
func (f Fault) String() string { return faults[f].word }

// Help says what the readers of the node see.
func (f Fault) Help() string { return faults[f].help }

// Valid reports whether f is one of the faults.
func (f Fault) Valid() bool { return int(f) < len(faults) }

// Complement is the fault at the complement of a node.
func (f Fault) Complement() Fault { return faults[f].complement }

// Free reports whether the mutant has an input that the design has not, after those of
// the design: the free value.
func (f Fault) Free() bool { return faults[f].free }

// Remembers reports whether the mutant has a register that the design has not: it is 1
// after the first step in which the free value was.
func (f Fault) Remembers() bool { return faults[f].remembers }

// Stuck returns the value that the readers of the node see always; false where there is
// none.
func (f Fault) Stuck() (value, ok bool) { return faults[f].value, faults[f].stuck }

// At reports whether the fault is defined at nodes of the target's kind.
func (f Fault) At(t Target) bool {
	if t.Gate {
		return faults[f].on&gates != 0
	}
	return faults[f].on&latches != 0
}

// Initialised reports whether only registers with a reset value have the fault.
func (f Fault) Initialised() bool { return faults[f].initialised }

// ParseFault is the inverse of String; false for any other word.
func ParseFault(word string) (Fault, bool) {
	i := slices.IndexFunc(faults[:], func(r row) bool { return r.word == word })
	return Fault(max(i, 0)), i >= 0
}

// Faults lists the faults in the order of tables.
func Faults() []Fault { return list(func(row) bool { return true }) }

// Standard lists the faults that are injected where none are asked for: those of DAC10.
func Standard() []Fault { return list(func(r row) bool { return r.standard }) }

func list(which func(row) bool) []Fault {
	var out []Fault
	for i, r := range faults {
		if which(r) {
			out = append(out, Fault(i))
		}
	}
	return out
}

// Words returns the words of faults.
func Words(faults []Fault) []string {
	out := make([]string, len(faults))
	for i, f := range faults {
		out[i] = f.String()
	}
	return out
}
