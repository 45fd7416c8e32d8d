package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"netcov/aiger"
	"netcov/certify"
	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/coverage/journal"
	"netcov/mutant"
	"netcov/netlist"
)

// evidenceEvery is the number of properties of one of which the evidence is
// verified.
const evidenceEvery = 20

// refusedEvidence writes the evidence of a run and says what of it does not stand,
// or "".
func refusedEvidence(ctx context.Context, f *aiger.File, n *netlist.Netlist, res *coverage.Result, opt coverage.Options) string {
	dir, err := os.MkdirTemp("", "netcov-fuzz-")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir)
	set := coverage.NewSet(n, opt.Targets, opt.Faults)
	set.AddOutcome(n.Property(res.Properties[0]), res)
	run := &evidence.Run{Design: f, Name: "random", Scope: evidence.NewScope(true, true, set.Faults, opt.Mux), Properties: set.Records(opt.Mux)}
	if err := evidence.Write(ctx, dir, run, evidence.WriteOptions{}); err != nil {
		if ctx.Err() != nil {
			return ""
		}
		return err.Error()
	}
	r, err := evidence.Verify(ctx, dir, evidence.Options{Solver: certify.Both, Jobs: 1})
	switch {
	case ctx.Err() != nil || err == nil && r.Stands():
		return ""
	case err != nil:
		return err.Error()
	}
	return r.Failures[0].String()
}

// resumed runs with a journal, runs again from a part of its records, and says
// what came out differently, or "".
func (q question) resumed(ctx context.Context, f *aiger.File, n *netlist.Netlist, opt coverage.Options) string {
	dir, err := os.MkdirTemp("", "netcov-fuzz-")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "journal")
	if opt.Journal, _, _, err = journal.Open(path, journal.Header{}); err != nil {
		return err.Error()
	}
	first, err := coverage.Run(ctx, f, n, q.property, opt)
	opt.Journal.Close()
	if ctx.Err() != nil {
		return ""
	}
	if err != nil {
		return err.Error()
	}
	j, records, _, err := journal.Open(path, journal.Header{})
	if err != nil {
		return err.Error()
	}
	j.Close()
	taken := records[:opt.Seed%uint64(len(records)+1)]
	opt.Journal, opt.Resume = nil, []coverage.Source{{Records: taken}}
	second, err := coverage.Run(ctx, f, n, q.property, opt)
	switch {
	case ctx.Err() != nil:
		return ""
	case err != nil:
		return "resumed: " + err.Error()
	case first.Proof.Status != second.Proof.Status || len(first.Mutants) != len(second.Mutants):
		return fmt.Sprintf("%s, and %s when resumed from %d records", first.Proof.Status, second.Proof.Status, len(taken))
	}
	for i, m := range first.Mutants {
		n := second.Mutants[i]
		if m.Verdict != n.Verdict && m.Verdict != mutant.Unknown && n.Verdict != mutant.Unknown {
			return fmt.Sprintf("%s at %v is %s, and %s when resumed from %d records", m.Fault, m.Target, m.Verdict, n.Verdict, len(taken))
		}
	}
	return ""
}
