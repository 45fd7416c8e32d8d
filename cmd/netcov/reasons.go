package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"netcov/certify"
	"netcov/coverage"
)

// mostGaps is the number of gaps that a page draws; each takes some kilobytes.
const mostGaps = 200

// reasonFlags ask why the mutants are not covered that no property notices.
type reasonFlags struct {
	time    string // as given
	budget  coverage.Budget
	where   string // as given
	observe certify.Observation
	vcd     string
}

func (w *reasonFlags) faults(fs *pflag.FlagSet) {
	fs.StringVar(&w.where, "observe", "default", "where a mutant that is not covered must differ from the design to be a gap: outputs, registers, or default: outputs where there are some")
}

func (w *reasonFlags) effort(fs *pflag.FlagSet) {
	fs.StringVar(&w.time, "why", "1x", "time for the reasons of mutants that are not covered: 1x (times the coverage, at least 1s), 60s, or none: no reasons")
}

func (w *reasonFlags) outputs(fs *pflag.FlagSet) {
	fs.StringVar(&w.vcd, "vcd", "", "directory for each gap's trace: a waveform of design and mutant (.vcd), and a file (.aig) with a witness (.wit) for machines (default none)")
}

func (w *reasonFlags) check(func(string) bool) (err error) {
	if w.budget, err = parseBudget("--why", w.time); err != nil {
		return err
	}
	if w.observe, err = certify.ParseObservation(w.where); err != nil {
		return usagef("--observe: %v", err)
	}
	return nil
}

func (w *reasonFlags) file() (flag, path string) { return "--vcd", w.vcd }

func (w *reasonFlags) prepare() error { return os.MkdirAll(w.vcd, 0o777) }

func (w *reasonFlags) run(c *cobra.Command, f *coverFlags, x *found) error {
	looking := f.display(c.ErrOrStderr(), "looking for reasons")
	defer looking.end()
	reasons, err := x.design.Explain(c.Context(), w.budget, w.observe, f.evidence != "", x.opt, x.set)
	if err != nil || reasons == nil {
		return err
	}
	x.reasons = reasons
	x.report.Explain(reasons.Report(x.design, w.time))
	if f.wants("html") {
		gaps, left, err := x.design.Gaps(reasons, mostGaps)
		if err != nil {
			return err
		}
		x.report.ShowGaps(gaps, left)
	}
	if w.vcd == "" {
		return nil
	}
	return x.design.WriteGaps(w.vcd, reasons)
}
