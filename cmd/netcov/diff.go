package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"netcov/coverage/claims"
	"netcov/coverage/report"
	"netcov/coverage/report/diff"
)

// diffFlags are the settings of netcov diff.
type diffFlags struct {
	format string
	rows   int
	fail   bool
}

func newDiffCommand() *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use:   "diff BEFORE.json AFTER.json",
		Short: "Compare the reports of two runs: new gaps, closed gaps, what came and went",
		Long: `Compares the JSON reports of two runs of netcov cover, before and after a change
of the design or of its properties: mutants that were covered and are not covered
now, mutants that are covered now, registers that came and went, and what became of
the properties.

Nodes and properties are matched by name, and by number where they have none. A
report that contradicts itself is refused.

Exit codes: 0 done; 1 bad input; 2 usage; 7 with --fail-on-regression, when a mutant
that was covered is not covered now, or a property that held does not hold, or is gone.`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args[0], args[1]) },
	}
	c.Flags().StringVar(&f.format, "format", "text", "form of the comparison: text or json")
	c.Flags().IntVar(&f.rows, "rows", 40, "lines of each list in the text; 0 shows all")
	c.Flags().BoolVar(&f.fail, "fail-on-regression", false, "exit with 7 when something got worse (default false)")
	return c
}

func (f *diffFlags) run(c *cobra.Command, before, after string) error {
	if f.format != "text" && f.format != "json" {
		return usagef("--format %q: it is text or json", f.format)
	}
	if f.rows < 0 {
		return usagef("--rows %d: give a number of lines, or 0 for all", f.rows)
	}
	a, err := claims.Open(before)
	if err != nil {
		return err
	}
	b, err := claims.Open(after)
	if err != nil {
		return err
	}
	d := diff.Compare(a, b)
	write := func(w io.Writer) error { return d.WriteText(w, f.rows) }
	if f.format == "json" {
		write = d.WriteJSON
	}
	if err := write(c.OutOrStdout()); err != nil {
		return err
	}
	if f.fail {
		return regression(d)
	}
	return nil
}

// regression is the exit error where something got worse.
func regression(d *diff.Diff) error {
	mutants, properties := d.Regressions()
	if mutants+properties == 0 {
		return nil
	}
	return &exitError{exitRegression, fmt.Sprintf("regression: %s that were covered are not covered now; properties that held and do not now, or are gone: %d",
		report.Plural(mutants, "mutant"), properties)}
}
