package main

import (
	"context"
	"fmt"

	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/coverage/claims"
	"netcov/mutant"
)

// writeEvidence writes what proves the verdicts of a run. After an interruption
// too: what is decided is proved, the rest is listed as unknown.
func writeEvidence(ctx context.Context, dir string, compact bool, in *input, scope evidence.Scope, opt coverage.Options, set *coverage.Set) error {
	run := &evidence.Run{Design: in.file, Name: in.path, Source: in.raw(), Mapped: in.mapped, Labels: in.labels(opt.Targets), Scope: scope, Properties: set.Records(opt.Mux)}
	err := evidence.Write(context.WithoutCancel(ctx), dir, run, evidence.WriteOptions{NoMutants: compact})
	if err != nil {
		return fmt.Errorf("writing the evidence: %w", err)
	}
	return nil
}

// labels tells what the report calls the design's properties and the mutated nodes.
func (in *input) labels(targets []mutant.Target) []evidence.Label {
	var out []evidence.Label
	for i, p := range in.netlist.Properties() {
		out = append(out, evidence.Label{Kind: evidence.KindProperty, Index: i, Name: p.Name})
	}
	describe := in.describe()
	for _, t := range targets {
		out = append(out, claims.Label(describe(t)))
	}
	return out
}
