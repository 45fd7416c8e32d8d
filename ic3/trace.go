package ic3

import (
	"errors"

	"netcov/netlist"
)

// fail ends the run with the counterexample that starts in an obligation which
// meets the initial states.
func (e *Engine) fail(o *obligation) {
	t := &netlist.Trace{Latches: make([]bool, len(e.m.Latches))}
	for i, l := range e.m.Latches {
		t.Latches[i] = l.Reset == netlist.Reset1
	}
	for _, l := range o.cube {
		if e.m.Latches[l.Latch()].Reset == netlist.ResetX {
			t.Latches[l.Latch()] = !l.Neg()
		}
	}
	for ; o != nil; o = o.next {
		in := make([]bool, len(e.m.Inputs))
		for _, i := range o.inputs {
			in[i] = true
		}
		t.Inputs = append(t.Inputs, in)
	}
	e.phase = phaseDone
	at := netlist.Replay(e.m, t)
	if at < 0 {
		e.result.Err = errors.New("ic3: internal fault: a counterexample does not replay on the model")
		return
	}
	t.Inputs = t.Inputs[:at+1]
	e.result.Status, e.result.Trace = Fails, t
	e.result.Depth = at - 1
}
