package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"netcov/coverage/claims"
	"netcov/coverage/report"
	"netcov/coverage/report/diff"
	"netcov/coverage/waiver"
	"netcov/internal/atomicfile"
	"netcov/internal/visible"
)

// reportFlags are the settings of the commands that write a report and judge it.
type reportFlags struct {
	set        *pflag.FlagSet // that has these flags
	formats    []string
	html       string
	output     string
	outputs    []output // from formats, html and output
	rows       int
	failUnder  string
	threshold  float64 // from failUnder; below 0: none
	waivers    string
	waived     []waiver.Waiver // from waivers
	baseline   string
	old        *report.Report // from baseline
	regression bool
	quiet      bool
}

// addReport adds the flags.
func (f *reportFlags) addReport(t topic) {
	f.set = t.flags
	t.flags.StringArrayVar(&f.formats, "format", []string{"text"}, "form of the report, NAME or NAME=FILE; may be repeated:\n"+formatHelp())
	t.flags.StringVar(&f.html, "html", "", htmlHelp)
	t.flags.StringVarP(&f.output, "output", "o", "", "file for the form that names none (default standard output)")
	t.flags.IntVar(&f.rows, "rows", 40, "rows of the table of nodes in the text report; 0 shows all")
	t.flags.BoolVar(&f.quiet, "quiet", false, "no progress, no warnings, and one line for the text report on standard output (default false)")
	t.flags.StringVar(&f.failUnder, "fail-under", "", "exit with 5 when the coverage, of a sample that of the drawn nodes, is below this percentage (default none)")
	t.flags.StringVar(&f.waivers, "waivers", "", "TOML file of mutants that are not to be counted, as netcov waive writes it (default none)")
	t.flags.StringVar(&f.baseline, "baseline", "", "JSON report of an earlier run; the text report tells what differs, as netcov diff does (default none)")
	t.flags.BoolVar(&f.regression, "fail-on-regression", false, "exit with 7 when a mutant that the --baseline has as covered is not covered, or a property holds no more (default false)")
}

// completeFormat makes a shell offer the forms of the report.
func completeFormat(c *cobra.Command) {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	complete(c, "format", names...)
}

// parse reads the values of the flags.
func (f *reportFlags) parse() error {
	if f.rows < 0 {
		return usagef("--rows %d: give a number of rows, or 0 for all", f.rows)
	}
	f.threshold = -1
	var err error
	if f.set.Changed("fail-under") {
		if f.threshold, err = parsePercent("--fail-under", f.failUnder); err != nil {
			return err
		}
	}
	if f.regression && f.baseline == "" {
		return usagef("--fail-on-regression goes with --baseline")
	}
	f.outputs, err = parseOutputs(withPage(f.formats, f.html), f.output)
	return err
}

const htmlHelp = "file of a page beside the other forms, as by --format html=FILE (default none)"

// withPage adds the page to the forms, if it has a file.
func withPage(forms []string, file string) []string {
	if file == "" {
		return forms
	}
	return append(slices.Clone(forms), "html="+file)
}

// readBeside reads what the report is judged with.
func (f *reportFlags) readBeside() error {
	var err error
	if f.waivers != "" {
		if f.waived, err = waiver.Read(f.waivers); err != nil {
			return err
		}
	}
	if f.baseline != "" {
		if f.old, err = claims.Open(f.baseline); err != nil {
			return err
		}
	}
	return nil
}

// spare refuses forms of the report that would overwrite what is read. The baseline of
// the next run may be written over that of this one.
func (f *reportFlags) spare(paths ...string) error {
	for _, o := range f.outputs {
		read := append(slices.Clone(paths), f.waivers)
		if o.format.Name != "json" {
			read = append(read, f.baseline)
		}
		if err := spare(o.path, read); err != nil {
			return err
		}
	}
	return nil
}

// files lists the files that the report goes to.
func (f *reportFlags) files() []string {
	var out []string
	for _, o := range f.outputs {
		if o.path != "" {
			out = append(out, o.path)
		}
	}
	return out
}

// probe tells whether all files can be written.
func (f *reportFlags) probe() error {
	for _, file := range f.files() {
		if err := atomicfile.Probe(file); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

// wants reports whether a form of that name is written.
func (f *reportFlags) wants(name string) bool {
	return slices.ContainsFunc(f.outputs, func(o output) bool { return o.format.Name == name })
}

// textOnTerminal reports whether the text form goes to standard output.
func (f *reportFlags) textOnTerminal() bool {
	for _, o := range f.outputs {
		if o.path == "" && o.format.Name == "text" {
			return true
		}
	}
	return false
}

// waive takes what is waived out of the counts.
func (f *reportFlags) waive(r *report.Report) {
	if f.waivers != "" {
		waiver.Apply(r, f.waived, time.Now())
	}
}

// write writes all forms, whatever becomes of one of them, and returns the first
// error.
func (f *reportFlags) write(out io.Writer, r *report.Report, how report.Rendering) error {
	var failed error
	how.Rows, how.HowAll = f.rows, "--rows 0 shows all"
	for _, o := range f.outputs {
		if o.path == "" {
			screen := how
			screen.Brief = f.quiet
			screen.Width, screen.Colour = terminal(out)
			failed = cmp.Or(failed, o.format.Write(r, out, screen))
			continue
		}
		if err := atomicfile.Write(o.path, func(w io.Writer) error { return o.format.Write(r, w, how) }); err != nil {
			failed = cmp.Or(failed, fmt.Errorf("writing the report: %w", err))
		}
	}
	return failed
}

// compare compares the report with the baseline, and tells what differs below the text
// report. It returns nil without a baseline.
func (f *reportFlags) compare(out io.Writer, r *report.Report) (*diff.Diff, error) {
	if f.old == nil {
		return nil, nil
	}
	d := diff.Compare(f.old, r)
	if !f.textOnTerminal() || f.quiet {
		return d, nil
	}
	fmt.Fprintf(out, "\nsince the baseline %s\n", visible.Line(f.baseline))
	return d, d.WriteText(out, f.rows)
}

// judge is the exit error of a coverage below the threshold, or of a regression.
func (f *reportFlags) judge(r *report.Report, d *diff.Diff) error {
	if f.threshold >= 0 && r.Summary.Counts.Mutants > 0 && r.Summary.Counts.Low < f.threshold {
		return &exitError{exitBelow, fmt.Sprintf("coverage %s%s is below --fail-under %s", share(r.Summary.Counts), estimate(r.Summary.Sample), f.failUnder)}
	}
	if f.regression {
		return regression(d)
	}
	return nil
}

// share is a coverage as a threshold is compared with it, where rounding could
// hide the difference.
func share(c report.Counts) string {
	return fmt.Sprintf("%.1f%% (%d of %d)", 100*c.Low, c.Covered, c.Mutants)
}

// estimate says what a sample's coverage is worth.
func estimate(s *report.Sample) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf(" of a sample, 95%% interval %.1f%% to %.1f%%,", 100*s.Low, 100*s.High)
}
