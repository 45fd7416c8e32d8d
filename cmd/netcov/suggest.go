package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"netcov/coverage"
	"netcov/internal/atomicfile"
)

// suggestFlags ask for assertions that would notice mutants which no property notices.
type suggestFlags struct {
	path   string
	time   string // as given
	budget coverage.Budget
}

func (s *suggestFlags) effort(fs *pflag.FlagSet) {
	fs.StringVar(&s.time, "suggest-budget", "60s", "time for suggested assertions: 4x (times the coverage, at least 1s), 60s, or none: no limit")
}

func (s *suggestFlags) outputs(fs *pflag.FlagSet) {
	fs.StringVar(&s.path, "suggest", "", "file for suggested assertions, proved on the design, that would cover more (.sv): a module with a bind statement;\ntext where the source is no Verilog (default none)")
}

func (s *suggestFlags) check(given func(string) bool) (err error) {
	if s.budget, err = parseBudget("--suggest-budget", s.time); err != nil {
		return err
	}
	if s.path == "" && given("suggest-budget") {
		return usagef("--suggest-budget goes with --suggest")
	}
	return nil
}

func (s *suggestFlags) file() (flag, path string) { return "--suggest", s.path }

func (s *suggestFlags) prepare() error {
	if err := atomicfile.Probe(s.path); err != nil {
		return fmt.Errorf("writing the suggestions: %w", err)
	}
	return nil
}

func (s *suggestFlags) run(c *cobra.Command, _ *coverFlags, x *found) error {
	if s.path == "" {
		return nil
	}
	all, err := x.design.Suggest(c.Context(), s.budget, x.opt, x.set, x.reasons, x.report.Uncounted)
	if err != nil {
		return err
	}
	said := all.Report(s.path)
	x.report.Suggest(said)
	said.Source = x.design.SuggestionFile(all, said.Before.Coverage(), said.After.Coverage())
	return atomicfile.Write(s.path, func(out io.Writer) error {
		_, err := io.WriteString(out, said.Source)
		return err
	})
}
