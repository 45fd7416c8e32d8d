package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"netcov/coverage"
	"netcov/coverage/campaign"
	"netcov/coverage/matrix"
	"netcov/coverage/report"
)

// addition is what netcov cover finds out beside the verdicts. Each has a file of its
// own, with its flags.
type addition interface {
	// effort adds the flags that say how much is done.
	effort(fs *pflag.FlagSet)
	// check parses the flags; given reports whether one was given.
	check(given func(flag string) bool) error
	// run adds what is found to the report, where it is asked for.
	run(c *cobra.Command, f *coverFlags, x *found) error
}

// writer is an addition that writes a file, or files in a directory, beside the report.
type writer interface {
	// outputs adds the flags that name them.
	outputs(fs *pflag.FlagSet)
	// file is the flag's name, and the file, "" for none.
	file() (flag, path string)
	// prepare makes the directory, or tells that the file cannot be written.
	prepare() error
}

// additionFlags are the settings of the additions.
type additionFlags struct {
	matrix      matrixFlags
	reasons     reasonFlags
	antecedents antecedentFlags
	suggestions suggestFlags
}

// additions lists them in the order of the help. They run in the opposite order:
// suggestions leave out what is known to equal the design.
func (f *additionFlags) additions() []addition {
	return []addition{&f.suggestions, &f.reasons, &f.antecedents, &f.matrix}
}

// found is a run with its verdicts, and what has been added.
type found struct {
	design  *campaign.Design
	paths   []string // of the sources
	opt     coverage.Options
	set     *coverage.Set
	report  *report.Report
	matrix  *matrix.Matrix      // nil: not asked for, or no property holds
	reasons *campaign.Explained // nil: not known
}

// written are the additions that write a file, or files in a directory.
func (f *additionFlags) written() []writer {
	var out []writer
	for _, a := range f.additions() {
		if o, ok := a.(writer); ok {
			if _, path := o.file(); path != "" {
				out = append(out, o)
			}
		}
	}
	return out
}
