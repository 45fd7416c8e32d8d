package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"netcov/certify"
	"netcov/certify/evidence"
	"netcov/coverage/claims"
	"netcov/internal/visible"
	"netcov/mutant"
)

// verifyFlags are the settings of netcov verify.
type verifyFlags struct {
	solver string
	design string
	names  string
	report string
	format string
	jobs   int
	quiet  bool
}

func newVerifyCommand() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify DIR",
		Short: "Check the evidence of a finished run from its files alone",
		Long: `Checks the directory that netcov cover --evidence has written: rebuilds each
mutant from the stored design, replays each trace by simulation, and checks each
certificate (reset, transition, safety, base and step of the witness circuit)
with a solver that found none of them. Shares no code with the engines.

Names whatever does not stand, and what the evidence leaves out: mutants that
are due by the scope of the run and the design, whatever the evidence lists.
With --design it also checks that the evidence is about that AIGER file, which
can not be done for other languages; else the stored design is the one judged.
With --report it checks that the report is as netcov wrote it, adds up, and says
what the evidence says.

Exit codes: 0 everything stands; 1 something does not, or there is no evidence,
or a file cannot be read; 2 usage; 6 the evidence is partial: what it speaks of
stands, but something is missing or not verified; 130 or 143 interrupted.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c, args[0])
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.design, "design", "", "AIGER file that the evidence must be about (default any)")
	fs.StringVar(&f.names, "map", "", "file of names that the run read beside --design (default none)")
	fs.StringVar(&f.report, "report", "", "JSON report that must say the same (default none)")
	fs.StringVar(&f.solver, "solver", certify.Gini.String(), "solver: gini, gophersat, or both (they must agree)")
	fs.StringVar(&f.format, "format", "text", "form of the outcome: text or json")
	fs.IntVar(&f.jobs, "jobs", 1, "workers")
	fs.BoolVar(&f.quiet, "quiet", false, "no progress (default false)")
	return c
}

func (f *verifyFlags) run(c *cobra.Command, dir string) error {
	opt := evidence.Options{Design: f.design, Jobs: f.jobs}
	var err error
	if opt.Solver, err = certify.ParseSolver(f.solver); err != nil {
		return usagef("--solver: %v", err)
	}
	if f.format != "text" && f.format != "json" {
		return usagef("--format %q: it is text or json", f.format)
	}
	if f.jobs < 1 {
		return usagef("--jobs %d: at least one worker is needed", f.jobs)
	}
	if f.names != "" {
		if f.design == "" {
			return usagef("--map needs --design, whose names it has")
		}
		if opt.Labels, err = labelsOf(c.Context(), f.design, f.names); err != nil {
			return err
		}
	}
	if f.report != "" {
		if opt.Claims, err = claims.Read(f.report); err != nil {
			return err
		}
	}
	finish := f.progress(c.ErrOrStderr(), &opt)
	r, err := evidence.Verify(c.Context(), dir, opt)
	finish()
	if err != nil {
		if stopped := interrupted(c.Context()); stopped != nil {
			return stopped
		}
		return err
	}
	if f.format == "json" {
		e := json.NewEncoder(c.OutOrStdout())
		e.SetIndent("", " ")
		e.SetEscapeHTML(false)
		err = e.Encode(r)
	} else {
		err = writeVerification(c.OutOrStdout(), r)
	}
	if err != nil {
		return err
	}
	switch r.Outcome {
	case evidence.Refused:
		return &exitError{exitFailure, fmt.Sprintf("%s: the evidence does not stand: %d failures", dir, len(r.Failures))}
	case evidence.Partial:
		return &exitError{exitPartial, dir + ": the evidence is partial"}
	}
	return nil
}

// labelsOf returns what an AIGER file and its file of names call all nodes.
func labelsOf(ctx context.Context, path, names string) ([]evidence.Label, error) {
	flags := netlistFlags{inputFlags: inputFlags{lenient: true}, mapFile: names, given: func(string) bool { return false }}
	in, err := flags.read(ctx, []string{path})
	if err != nil {
		return nil, err
	}
	return in.Labels(in.Targets(true, true)), nil
}

// origins says how the hash of the design is known.
var origins = map[evidence.Origin]string{
	evidence.Claimed: "as the run claims; --design checks it for AIGER files",
	evidence.Stored:  "which the stored design has",
	evidence.Given:   "which the file given has",
}

// bases says which design the proofs are about.
var bases = map[evidence.Origin]string{
	evidence.Claimed: "for the stored design; that this is the design of the run is the run's word",
	evidence.Stored:  "for the stored design",
	evidence.Given:   "for the design given",
}

// writeVerification writes the outcome as text.
func writeVerification(w io.Writer, r *evidence.Report) error {
	m := r.Mutants
	var b strings.Builder
	fmt.Fprintf(&b, `design        %s, as the run calls it
              SHA-256 %s, %s
properties    %d
due           %s
mutants       %d: %d covered, %d not covered, %d unknown
%schecked       %d certificates, %d traces, %d files, in %.2f s
`, visible.Line(r.Design.Name), visible.Line(r.Design.SHA256), origins[r.Origin], r.Properties, visible.Line(r.Scope),
		m.Mutants, m.Covered, m.NotCovered, m.Unknown, reasonsLine(r), r.Certificates, r.Traces, r.Files, r.Seconds)
	for _, p := range r.Partial {
		fmt.Fprintln(&b, "partial      ", visible.Line(p))
	}
	for _, f := range r.Failures {
		fmt.Fprintln(&b, "FAILS        ", visible.Line(f.String()))
	}
	switch r.Outcome {
	case evidence.Partial:
		fmt.Fprintln(&b, "what the evidence speaks of stands; it is partial")
	case evidence.Stands:
		fmt.Fprintln(&b, "everything stands,", bases[r.Origin])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// reasonsLine tells how many mutants have which reason; "" where none has any.
func reasonsLine(r *evidence.Report) string {
	var words []string
	for _, reason := range mutant.Reasons() {
		if n := r.Reasons[reason.String()]; n > 0 {
			words = append(words, fmt.Sprintf("%d %v", n, reason))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "reasons       " + strings.Join(words, ", ") + "\n"
}

// progress shows a bar while a terminal watches; the function returned ends it.
func (f *verifyFlags) progress(w io.Writer, opt *evidence.Options) func() {
	if f.quiet || !isTerminal(w) {
		return func() {}
	}
	bar := progressbar.NewOptions(1, progressbar.OptionSetWriter(w), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(), progressbar.OptionShowCount(), progressbar.OptionSetWidth(24))
	opt.Progress = func(done, total int) {
		bar.ChangeMax(total)
		_ = bar.Set(done)
	}
	return func() { _ = bar.Finish() }
}
