package ic3

import (
	"errors"

	"netcov/cert"
	"netcov/netlist"
)

// fail ends the run with the counterexample that starts in an obligation which
// meets the initial states. In a family only some mutants are done then.
func (e *Engine) fail(o *obligation) {
	if e.onFail != nil {
		e.onFail(o)
		return
	}
	t := e.trace(o)
	e.phase = phaseDone
	at := netlist.Replay(e.m, t)
	if at < 0 {
		e.result.Err = errNoReplay
		return
	}
	t.Inputs = t.Inputs[:at+1]
	e.result.Status, e.result.Trace = cert.Fails, t
	e.result.Depth = at - 1
}

var errNoReplay = errors.New("ic3: internal fault: a counterexample does not replay on the model")

// trace follows the obligations from an initial state to the bad one.
func (e *Engine) trace(o *obligation) *cert.Trace {
	t := &cert.Trace{Latches: make([]bool, len(e.m.Latches))}
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
	return t
}
