package campaign

import (
	"context"
	"fmt"

	"netcov/certify/evidence"
	"netcov/coverage"
)

// WriteEvidence writes what proves the verdicts of a run. After an interruption
// too: what is decided is proved, the rest is listed as unknown.
func (d *Design) WriteEvidence(ctx context.Context, dir string, compact bool, scope evidence.Scope, opt coverage.Options, set *coverage.Set) error {
	run := &evidence.Run{Design: d.File, Name: d.Path, Source: d.Raw(), Mapped: d.Mapped, Labels: d.Labels(opt.Targets), Scope: scope, Properties: set.Records(opt.Mux)}
	err := evidence.Write(context.WithoutCancel(ctx), dir, run, evidence.WriteOptions{NoMutants: compact})
	if err != nil {
		return fmt.Errorf("writing the evidence: %w", err)
	}
	return nil
}
