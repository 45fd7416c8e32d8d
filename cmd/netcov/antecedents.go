package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"netcov/coverage"
	"netcov/coverage/campaign"
)

// antecedentFlags ask which assertions have an antecedent that is met.
type antecedentFlags struct {
	time   string // as given
	budget coverage.Budget
}

func (a *antecedentFlags) effort(fs *pflag.FlagSet) {
	fs.StringVar(&a.time, "vacuity", "10s", "time for asking whether the antecedents of concurrent assertions are met: 1x (times the coverage, at least 1s), 10s, or none;\nthe sources are read a second time for it")
}

func (a *antecedentFlags) check(func(string) bool) (err error) {
	a.budget, err = parseBudget("--vacuity", a.time)
	return err
}

func (a *antecedentFlags) run(c *cobra.Command, f *coverFlags, x *found) error {
	asking := f.display(c.ErrOrStderr(), "looking for antecedents")
	defer asking.end()
	check := campaign.Check{Memory: x.opt.MemoryLimit, NoRecheck: x.opt.NoRecheck, Paranoid: x.opt.Paranoid}
	met, err := x.design.Antecedents(c.Context(), a.budget, check, x.set, func(ctx context.Context) (*campaign.Design, error) {
		again := f.input
		again.verilog.Covers = true
		return again.read(ctx, x.paths)
	})
	if err != nil || met == nil {
		return err
	}
	x.report.AddAntecedents(met, a.time)
	return nil
}
