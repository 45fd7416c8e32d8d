package main

import (
	"context"
	"fmt"

	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/netlist"
)

// writeEvidence writes what proves the verdicts of a run. After an interruption
// too: what is decided is proved, the rest is listed as unknown.
func writeEvidence(ctx context.Context, dir string, compact bool, in *input, opt coverage.Options, results []*coverage.Result) error {
	run := &evidence.Run{Design: in.file, Name: in.path}
	for _, r := range results {
		if r.Property.Kind == netlist.PropertyJustice {
			continue // these files prove safety only
		}
		run.Properties = append(run.Properties, r.Records(opt.Mux))
	}
	err := evidence.Write(context.WithoutCancel(ctx), dir, run, evidence.WriteOptions{NoMutants: compact})
	if err != nil {
		return fmt.Errorf("writing the evidence: %w", err)
	}
	return nil
}
