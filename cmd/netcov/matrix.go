package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"netcov/coverage"
)

// matrixFlags ask which property fails on which mutant.
type matrixFlags struct {
	wanted bool
	time   string // as given
	budget coverage.Budget
}

func (m *matrixFlags) effort(fs *pflag.FlagSet) {
	fs.BoolVar(&m.wanted, "matrix", false, "find out for each covered mutant which of the properties fail on it, and what each property adds (default false)")
	fs.StringVar(&m.time, "matrix-budget", "none", "time for the matrix, beside --budget: 2x (times the coverage), 60s, or none; cells that are left are unknown")
}

func (m *matrixFlags) check(func(string) bool) (err error) {
	if m.budget, err = parseBudget("--matrix-budget", m.time); err != nil {
		return err
	}
	if m.time != "none" && !m.wanted {
		return usagef("--matrix-budget goes with --matrix")
	}
	return nil
}

func (m *matrixFlags) run(c *cobra.Command, f *coverFlags, x *found) error {
	if !m.wanted {
		return nil
	}
	cells, err := x.design.Matrix(c.Context(), m.budget, x.opt, x.set)
	if errors.Is(err, coverage.ErrResume) {
		return withPath(f.journal, err)
	}
	if err != nil || cells == nil {
		return err
	}
	x.matrix = cells
	x.report.AddMatrix(cells, m.time)
	return cells.JournalErr
}
