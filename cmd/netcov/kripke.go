package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"netcov/frontend"
	"netcov/internal/atomicfile"
	"netcov/internal/clock"
	"netcov/internal/memlimit"
	"netcov/internal/plainfile"
	"netcov/kripke/analysis"
	"netcov/kripke/formula"
	"netcov/kripke/load"
	"netcov/kripke/report"
)

// kripkeFlags are the flags that the commands on Kripke structures share.
type kripkeFlags struct {
	input       inputFlags
	specs       []string
	specFile    string
	timeout     time.Duration
	memoryLimit string
	limits      readLimits
	memory      int64 // from memoryLimit, once the limits hold
	formats     []string
	html        string
	output      string
	forms       []form // from formats, html and output
	dot         string
	quiet       bool
	top         string
	rows        int
	failUnder   string
	threshold   float64 // from failUnder
}

func (f *kripkeFlags) addRun(fs *pflag.FlagSet) {
	f.input.add(fs)
	fs.StringVar(&f.top, "top", "", "top module of a Verilog file (default: found)")
	fs.DurationVar(&f.timeout, "timeout", 0, "time limit, such as 60s (default none)")
	fs.StringVar(&f.memoryLimit, "memory-limit", "", "memory limit, such as 2GB (default none)")
	f.limits.add(fs)
	fs.StringArrayVar(&f.formats, "format", []string{"text"}, "form of the report: text, json, or html (one page with a drawing of the states);\nNAME or NAME=FILE, may be repeated")
	fs.StringVar(&f.html, "html", "", htmlHelp)
	fs.StringVarP(&f.output, "output", "o", "", "file for the form that names none (default standard output)")
	fs.BoolVar(&f.quiet, "quiet", false, "no progress (default false)")
}

func (f *kripkeFlags) addSpecs(fs *pflag.FlagSet, logic formula.Logic) {
	fs.StringArrayVar(&f.specs, "spec", nil, fmt.Sprintf("specification in %s, in NuSMV's spelling; may be repeated (default those of the file)", logic))
	fs.StringVar(&f.specFile, "spec-file", "", "file of specifications, each ended by ';' (default none)")
}

func (f *kripkeFlags) addRows(fs *pflag.FlagSet, most int, what string) {
	fs.IntVar(&f.rows, "rows", most, what+" in the text report and the page; 0 shows all")
}

func (f *kripkeFlags) addFailUnder(fs *pflag.FlagSet) {
	fs.StringVar(&f.failUnder, "fail-under", "", "exit with 5 when the share of covered pairs of a signal and a state is below this percentage (default none)")
}

func (f *kripkeFlags) addDot(fs *pflag.FlagSet) {
	fs.StringVar(&f.dot, "dot", "", "file for a drawing of the states, Graphviz, or SVG when it ends in .svg (default none)")
}

// formulas parses --spec and --spec-file; none is no error.
func (f *kripkeFlags) formulas(logic formula.Logic) ([]formula.Formula, error) {
	var out []formula.Formula
	for _, text := range f.specs {
		g, err := formula.ParseAt("--spec", text, logic)
		if err != nil {
			return nil, usagef("%v", err)
		}
		out = append(out, g)
	}
	if f.specFile != "" {
		text, err := os.ReadFile(f.specFile)
		if err != nil {
			return nil, err
		}
		more, err := formula.ParseFile(f.specFile, string(text), logic)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// check refuses, before any work is done, an unknown --format, devices among the
// files to read, and a report or a drawing in the place of one of them.
func (f *kripkeFlags) check(files ...string) error {
	var err error
	if f.forms, err = parseForms(withPage(f.formats, f.html), f.output, []string{"text", "json", "html"}); err != nil {
		return err
	}
	if f.failUnder != "" {
		if f.threshold, err = parsePercent("--fail-under", f.failUnder); err != nil {
			return err
		}
	}
	files = append(files, f.specFile)
	for _, path := range files {
		if err := plainfile.CheckText(path); err != nil {
			return err
		}
	}
	for _, form := range append(f.forms, form{"dot", f.dot}) {
		if err := spare(form.path, files); err != nil {
			return err
		}
	}
	return nil
}

// distinct leaves out what was named before.
func distinct(names []string) (out []string) {
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// open reads the file that the command is given.
func (f *kripkeFlags) open(ctx context.Context, path string) (*load.Source, error) {
	opt := frontend.Options{Lenient: f.input.lenient, Memory: f.memory}
	opt.Verilog.Top = f.top
	if err := f.limits.set(&opt.Verilog, f.memory); err != nil {
		return nil, err
	}
	src, err := load.Open(ctx, path, opt)
	if err != nil && ctx.Err() != nil {
		return nil, stoppedAt(ctx, path)
	}
	return src, err
}

// grace is how long a computation may take to end after its context has; tests
// shorten it.
var grace = 5 * time.Second

// within runs a computation that ends by itself soon after its context does. One
// that does not is abandoned and its partial results are discarded.
func within[R any](ctx context.Context, path string, run func() (R, error)) (R, error) {
	done := begin(run)
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.result, o.err
	case <-time.After(grace):
		return *new(R), stoppedAt(ctx, path)
	}
}

// outcome is what a computation returns.
type outcome[R any] struct {
	result R
	err    error
}

// begin starts a computation, whose outcome comes when it ends, though nobody may wait.
func begin[R any](run func() (R, error)) <-chan outcome[R] {
	done := make(chan outcome[R], 1)
	go func() {
		r, err := run()
		done <- outcome[R]{r, err}
	}()
	return done
}

// stoppedAt is the error for a run that ended before there was a report.
func stoppedAt(ctx context.Context, path string) error {
	if err := interrupted(ctx); err != nil {
		return err
	}
	why := context.Cause(ctx).Error()
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		why = "the time limit was reached"
	}
	return &exitError{exitUndecided, fmt.Sprintf("%s: stopped: %s", path, why)}
}

// limited applies --timeout and --memory-limit; the function returned ends it.
// The bytes are those of the memory limit, 0 without one.
func (f *kripkeFlags) limited(ctx context.Context) (context.Context, func(), int64, error) {
	bytes, err := parseBytes("memory-limit", f.memoryLimit)
	if err != nil {
		return nil, nil, 0, err
	}
	if err := timeLimit("--timeout", f.timeout); err != nil {
		return nil, nil, 0, err
	}
	limited, cancel := clock.Limit(ctx, f.timeout)
	if bytes == 0 {
		return limited, cancel, 0, nil
	}
	restore := memlimit.Apply(bytes)
	limited, stop := memlimit.Watch(limited, bytes)
	return limited, func() {
		stop()
		cancel()
		restore()
	}, bytes, nil
}

// parseBytes reads a size such as 512MB or 2GiB; "" is 0.
func parseBytes(flag, s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	n, err := humanize.ParseBytes(s)
	if err != nil || n == 0 || n > 1<<62 {
		return 0, usagef("--%s %q: give a size such as 512MB or 2GiB", flag, s)
	}
	return int64(n), nil
}

// analyse opens the files within the limits, runs an analysis and writes its
// report; fails is what is wrong when the verdict is no. The first file names the
// run in messages.
func (f *kripkeFlags) analyse(c *cobra.Command, files []string, fails string, run func(context.Context, []*load.Source, analysis.Room) (report.Report, error)) error {
	ctx, end, bytes, err := f.limited(c.Context())
	if err != nil {
		return err
	}
	defer end()
	f.memory = bytes
	var sources []*load.Source
	for _, path := range files {
		src, err := f.open(ctx, path)
		if err != nil {
			return err
		}
		sources = append(sources, src)
	}
	progress, finish := f.spinner(c.ErrOrStderr())
	// A node and its part of the tables take about 32 bytes.
	room := analysis.Room{NodeLimit: int(bytes / 32), Progress: progress}
	r, err := within(ctx, files[0], func() (report.Report, error) { return run(ctx, sources, room) })
	finish()
	if analysis.TooLarge(err) {
		return fmt.Errorf("%w; raise --max-states", err)
	}
	if err != nil {
		return err
	}
	for _, w := range r.Warnings() {
		fmt.Fprintf(c.ErrOrStderr(), "netcov: %s: warning: %s\n", files[0], w)
	}
	if err := f.write(c, r); err != nil {
		return err
	}
	if f.dot != "" {
		if err := report.DrawFile(f.dot, r); err != nil {
			return err
		}
	}
	if err := interrupted(c.Context()); err != nil {
		return err
	}
	switch holds, stopped := r.Verdict(); {
	case holds != nil && !*holds:
		return &exitError{exitFails, fails}
	case stopped != "":
		return &exitError{exitUndecided, fmt.Sprintf("%s: stopped: %s", files[0], stopped)}
	}
	return f.enough(files[0], r)
}

// enough applies --fail-under.
func (f *kripkeFlags) enough(path string, r report.Report) error {
	c, ok := r.(interface {
		Covered() (covered, all *big.Int, known bool)
	})
	if !ok || f.failUnder == "" {
		return nil
	}
	covered, all, known := c.Covered()
	if !known {
		return &exitError{exitUndecided, path + ": the share of covered states is not known, so --fail-under cannot be applied"}
	}
	if all.Sign() == 0 {
		return nil
	}
	share, _ := new(big.Rat).SetFrac(covered, all).Float64()
	if share < f.threshold {
		return &exitError{exitBelow, fmt.Sprintf("%s: %s of %s pairs of a signal and a state are covered (%.1f%%), below --fail-under %s", path, covered, all, 100*share, f.failUnder)}
	}
	return nil
}

// write writes all forms of a report, whatever becomes of one of them, and returns the
// first error.
func (f *kripkeFlags) write(c *cobra.Command, r report.Report) error {
	var failed error
	for _, form := range f.forms {
		to := func(w io.Writer) error {
			switch form.name {
			case "json":
				return report.WriteJSON(w, r)
			case "html":
				return report.WriteHTML(w, r, f.rows)
			}
			return report.WriteText(w, r, f.rows)
		}
		if form.path == "" {
			failed = cmp.Or(failed, to(c.OutOrStdout()))
		} else if err := atomicfile.Write(form.path, to); err != nil {
			failed = cmp.Or(failed, fmt.Errorf("writing the report: %w", err))
		}
	}
	return failed
}

// spinner shows what happens while a terminal watches.
func (f *kripkeFlags) spinner(w io.Writer) (report func(string), finish func()) {
	if f.quiet || !isTerminal(w) {
		return func(string) {}, func() {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(w), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(), progressbar.OptionSpinnerType(14))
	return func(what string) {
		bar.Describe(what)
		_ = bar.Add(1)
	}, func() { _ = bar.Finish() }
}
