package propset

import (
	"context"
	"errors"
	"time"

	"netcov/cert"
	"netcov/netlist"
)

// Run is the work on the question whether all properties of one model hold, in
// slices that the caller gives. A model that is no cluster of a design is a mutant's:
// the engines help each other there as they do on the design.
type Run struct {
	r     *run
	left  int // properties that are not proved
	trace *cert.Trace
	inv   *cert.Invariant
}

// errFails ends the work when some property fails.
var errFails = errors.New("a property fails")

// NewRun prepares the work on the properties of a model without cuts. The lemma is an
// inductive invariant that is part of its constraint.
func NewRun(m *netlist.Model, lemma *cert.Invariant, opt Options) *Run {
	x := &Run{left: len(m.Bads)}
	opt.Found = func(a *Answer) error {
		if a.Trace != nil {
			x.trace = a.Trace
			return errFails
		}
		x.left -= len(a.Properties)
		x.inv = a.Invariant
		return nil
	}
	c := &cluster{model: m}
	for i := range m.Bads {
		c.properties = append(c.properties, i)
	}
	x.r = newRun(c, &opt)
	x.r.layers = append(x.r.layers, cert.Layer{Invariant: lemma})
	return x
}

// Round gives each engine a slice. The answer has a trace where some property fails,
// or the invariant that proves all of them; its properties are not set. It is nil as
// long as neither is known. The error is a fault of the program.
func (x *Run) Round(ctx context.Context, slice time.Duration) (*Answer, error) {
	err := x.r.round(ctx, slice)
	switch {
	case x.trace != nil:
		return &Answer{Trace: x.trace}, nil
	case err != nil:
		return nil, err
	case x.left == 0:
		return &Answer{Invariant: x.inv}, nil
	}
	return nil, nil
}

// Bound is the number of steps within which no property fails, -1 where nothing is
// known.
func (x *Run) Bound() int {
	if x.r.bounded == nil {
		return -1
	}
	return x.r.bounded.Bound()
}
