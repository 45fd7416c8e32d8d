package campaign

import (
	"context"
	"fmt"

	"netcov/certify"
	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/coverage/matrix"
)

// WriteEvidence writes what proves the verdicts of a run. After an interruption
// too: what is decided is proved, the rest is listed as unknown. x are the reasons of
// mutants that are not covered, cells the run's matrix; nil for none.
func (d *Design) WriteEvidence(ctx context.Context, dir string, compact bool, scope evidence.Scope, opt coverage.Options, set *coverage.Set, x *Explained, cells *matrix.Matrix) error {
	run := &evidence.Run{Design: d.File, Name: d.Path, Source: d.Raw(), Mapped: d.Mapped, Labels: d.Labels(opt.Targets), Scope: scope, Properties: set.Records(opt.Mux)}
	if x != nil {
		run.Observe = x.Problem.Observe.In(d.File).String()
		for i, m := range x.Mutants {
			f := x.Found[i]
			run.Reasons = append(run.Reasons, evidence.Explained{
				Mutation: certify.Mutation{Gate: m.Target.Gate, Index: m.Target.Index, Fault: m.Fault, Mux: opt.Mux},
				Reason:   f.Reason, Invariant: f.Invariant, Trace: f.Witness,
			})
		}
	}
	if cells != nil {
		run.Cells = cells.Records(set, opt.Mux)
	}
	err := evidence.Write(context.WithoutCancel(ctx), dir, run, evidence.WriteOptions{NoMutants: compact})
	if err != nil {
		return fmt.Errorf("writing the evidence: %w", err)
	}
	return nil
}
