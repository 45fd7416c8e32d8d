package campaign

import (
	"fmt"

	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
)

// Settle holds an answer about a netlist that allows more than its source against that:
// a counterexample is run on the source. Where it is spurious, the answer is none, and
// Refine gives a netlist without it.
func (d *Design) Settle(a *Answer) (settled bool, err error) {
	if a.Status != cert.Fails || d.Design.Abstraction == nil {
		return true, nil
	}
	t, err := d.Design.Abstraction.Replay(a.Property, a.Trace)
	switch {
	case err != nil:
		a.Status, a.Trace, a.Reason, a.Bound = cert.Unknown, nil, err.Error(), -1
		return true, nil
	case t == nil:
		return false, nil
	}
	if err := certify.NewChecker(d.File, a.Property).Trace(t); err != nil {
		return false, fmt.Errorf("%w: %w", coverage.ErrRecheck, err)
	}
	a.Trace = t
	return true, nil
}

// Refine returns the design without the counterexamples that Settle found spurious.
func (d *Design) Refine() (*Design, error) {
	s, err := d.Source.Refine()
	if err != nil {
		return nil, err
	}
	return New(s), nil
}
