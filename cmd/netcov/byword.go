package main

import (
	"slices"

	"netcov/coverage"
	"netcov/coverage/campaign"
	"netcov/mutant"
)

// byWord refuses what cannot be said where arrays are kept by word: verdicts are about
// registers alone, and traces and invariants speak of netlists that allow more than the design.
func (f *coverFlags) byWord(in *campaign.Design, opt coverage.Options) error {
	if in.Design.Abstraction == nil {
		return nil
	}
	refused := f.input.misplaced([]string{"evidence", "witness-dir", "vcd", "suggest", "matrix", "journal", "baseline-evidence"})
	switch {
	case refused != "":
		refused = "--" + refused
	case f.nodes != "latches":
		refused = "--nodes " + f.nodes
	case f.mux != "output":
		refused = "--mux " + f.mux
	case f.input.given("why") && f.reasons.budget != (coverage.Budget{}):
		refused = "--why"
	case slices.ContainsFunc(opt.Faults, func(x mutant.Fault) bool { return !slices.Contains(mutant.Standard(), x) }):
		refused = "--fault " + f.faults
	}
	if refused != "" {
		return usagef("%s: %s does not go with arrays above the limit, which are kept by word; leave it out, or raise --memory-bits", in.Path, refused)
	}
	f.reasons.budget = coverage.Budget{}
	in.Design.Notes = append(in.Design.Notes, "what is kept by word has no mutants; reasons are not looked for")
	return nil
}
