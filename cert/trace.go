package cert

// Trace is a run of a model: the initial values of all its latches and the
// inputs frame by frame. A counterexample's last frame is the bad one. Traces
// are values: they can be stored, shared and tried on other mutants of the same
// design, since positions agree between them.
type Trace struct {
	Latches []bool   // [latch]
	Inputs  [][]bool // [frame][input]
}

// Depth returns the number of steps before the last frame.
func (t *Trace) Depth() int { return len(t.Inputs) - 1 }
