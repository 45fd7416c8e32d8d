package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/internal/memlimit"
	"netcov/liveness"
	"netcov/mutant"
	"netcov/netlist"
)

// view is a property as the engines see it: a safety property of the design, or
// of the translation that stands for a liveness property. Nodes of the design
// have the same positions in both.
type view struct {
	in       *input
	property int // of the design
	file     *aiger.File
	netlist  *netlist.Netlist
	position int           // of the property in file
	lassos   *liveness.Map // nil for safety
}

func (in *input) view(property int) (*view, error) {
	p := in.netlist.Properties()[property]
	if p.Kind != netlist.PropertyJustice {
		return &view{in, property, in.file, in.netlist, property, nil}, nil
	}
	f, m, err := liveness.Safety(in.file, p.Index)
	if err != nil {
		return nil, err
	}
	return &view{in, property, f, netlist.FromAIGER(f), 0, m}, nil
}

// cover runs the cascade on the view; results speak of the design's property.
// The lassos of a liveness property are replayed on the design.
func (v *view) cover(ctx context.Context, opt coverage.Options) (*coverage.Result, error) {
	opt.Label = v.property
	r, err := coverage.Run(ctx, v.file, v.netlist, v.position, opt)
	if r == nil {
		return nil, err
	}
	r.Position, r.Property = v.property, v.in.netlist.Properties()[v.property]
	for _, m := range r.Mutants {
		if err != nil || v.lassos == nil || opt.NoRecheck && len(opt.Resume) == 0 || m.Verdict != coverage.Covered {
			continue
		}
		fault := faultOf(v.in, m, opt.Mux)
		if bad := v.replay(m.Evidence.Trace, &fault); bad != nil {
			return nil, fmt.Errorf("%w: %w", coverage.ErrRecheck, bad)
		}
	}
	return r, err
}

// replay checks a counterexample of the translation as a lasso of the design.
func (v *view) replay(t *cert.Trace, fault *sim.Fault) error {
	l, err := v.lassos.Lasso(t, fault != nil && fault.Kind == mutant.Nondet)
	if err != nil {
		return err
	}
	return liveness.Replay(v.in.file, v.lassos.Justice, l, fault)
}

// confirm asks for the second opinion on an answer about the design itself. Where
// ctx ends first, the answer is as good as none.
func (v *view) confirm(ctx context.Context, p *coverage.Proof) error {
	k := certify.NewChecker(v.file, v.position)
	var err error
	switch p.Status {
	case coverage.Holds:
		err = k.Invariant(ctx, p.Invariant, nil)
	case coverage.Fails:
		if err = k.Trace(p.Trace); err == nil && v.lassos != nil {
			err = v.replay(p.Trace, nil)
		}
	}
	if no := (*certify.Failure)(nil); errors.As(err, &no) || err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", coverage.ErrRecheck, err)
	}
	if err != nil {
		p.Status, p.Reason = coverage.Undecided, "the run ended before the second opinion"
		if memlimit.Exceeded(ctx) {
			p.Reason = "the memory limit was reached before the second opinion; raise it"
		}
	}
	return nil
}

// writeWitness writes a counterexample of the design in the format that goes with
// its language: BTOR2's for a safety property of a BTOR2 file, else AIGER's.
func (v *view) writeWitness(w io.Writer, t *cert.Trace) error {
	if v.in.btor2 != nil && v.lassos == nil {
		return v.in.btor2.WriteWitness(w, v.property, t)
	}
	witness, err := v.witness(t, false)
	if err != nil {
		return err
	}
	return aiger.WriteWitness(w, witness)
}

// witness is a counterexample in AIGER's format: of the design, or of the mutant
// with a fault whose free value is the last input.
func (v *view) witness(t *cert.Trace, free bool) (*aiger.Witness, error) {
	if v.lassos == nil {
		return certify.NewChecker(v.file, v.position).Witness(t)
	}
	l, err := v.lassos.Lasso(t, free)
	if err != nil {
		return nil, err
	}
	return l.Witness(v.lassos.Justice), nil
}
