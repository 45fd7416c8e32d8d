package mutant

import "fmt"

// Target is a node that is to be mutated: a latch or an AND gate, by its
// position in the file.
type Target struct {
	Gate  bool
	Index int
}

// String names the target in messages: "latch 3", "gate 0".
func (t Target) String() string {
	if t.Gate {
		return fmt.Sprintf("gate %d", t.Index)
	}
	return fmt.Sprintf("latch %d", t.Index)
}

// MuxPlace tells on which side of a register the multiplexer of DAC10,
// figure 1, stands.
type Mux uint8

// MuxOutput: every reader sees the forced value, from frame 0 on. MuxNext: the
// next-state input is forced (of a gate: the output, but not in frame 0).
const (
	AtOutput Mux = iota
	AtNext
)

// Fault is what the readers of a mutated node see (DAC10, section 3).
type Fault uint8

// The faults: stuck-at-0, stuck-at-1, and a fresh input in every frame.
const (
	Zero Fault = iota
	One
	Nondet
)

// String returns the word used in reports.
func (f Fault) String() string { return [...]string{"zero", "one", "nondet"}[f] }
