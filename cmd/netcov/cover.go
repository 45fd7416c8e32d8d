package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"netcov/cert"
	"netcov/certify"
	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/coverage/campaign"
	"netcov/coverage/claims"
	"netcov/coverage/report"
	"netcov/coverage/report/diff"
	"netcov/internal/atomicfile"
	"netcov/internal/effort"
	"netcov/internal/memlimit"
	"netcov/internal/plainfile"
	"netcov/internal/visible"
	"netcov/mutant"
)

// coverFlags are the settings of netcov cover.
type coverFlags struct {
	input      netlistFlags
	faults     string
	mux        string
	property   string
	nodes      string
	tests      string
	cascade    string
	naive      bool
	engine     string
	timeout    time.Duration
	budget     string
	stopAt     string
	failUnder  string
	baseline   string
	regression bool
	formats    []string
	output     string
	outputs    []output // from formats and output
	witnessDir string
	evidence   string
	compact    bool
	rows       int
	jobs       int
	sample     int
	population int // nodes that the sample was drawn from
	journal    string
	memory     string
	seed       uint64
	recheck    string
	solver     string
	paranoid   bool
	noRecheck  bool
	why        string
	whyBudget  coverage.Budget // from why
	observe    string
	observed   certify.Observation // from observe
	vcd        string
	quiet      bool
	verbose    bool
}

func newCoverCommand() *cobra.Command {
	var f coverFlags
	c := &cobra.Command{
		Use:   "cover FILE...",
		Short: "Decide which mutants of a design its properties notice",
		Long: `Model checks the properties, then cuts each register out of the netlist
(stuck-at-0, stuck-at-1, free) and decides whether they still hold. A mutant on
which one of them fails is covered. An independent checker confirms every
verdict: a trace by simulation, an invariant by another solver.

The text report has the answer first. On a terminal it is wrapped and coloured; the
environment variable NO_COLOR, set to anything, turns colours off.

` + designHelp + `

Exit codes: 0 done; 1 bad input or failure; 2 usage; 3 the property fails on the
design itself; 4 the design is undecided in the time given; 5 coverage below
--fail-under; 7 worse than the baseline, with --fail-on-regression; 130 or 143
interrupted (the report of what is decided is written).`,
		Args: f.input.args,
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c, args)
		},
	}
	design := newTopic("The design")
	f.input.add(design.flags)
	design.flags.StringVar(&f.property, "property", "all", "property: its number from 0, its name, or all")
	faults := newTopic("Faults")
	faults.flags.StringVar(&f.faults, "fault", strings.Join(mutant.FaultNames(), ","), "faults to inject")
	faults.flags.StringVar(&f.mux, "mux", "output", "place of the fault: output (every reader, from frame 0 on) or next (the next-state input)")
	faults.flags.StringVar(&f.nodes, "nodes", "latches", "nodes to mutate: latches, gates or all")
	faults.flags.IntVar(&f.sample, "sample", 0, "mutate only so many nodes, drawn by --seed, and estimate the coverage; 0 mutates all")
	faults.flags.Uint64Var(&f.seed, "seed", 0, "seed of the random choices (default 0)")
	faults.flags.StringVar(&f.observe, "observe", "default", "where a mutant that is not covered must differ from the design to be a gap: outputs, registers, or default: outputs where there are some")
	effort := newTopic("Effort")
	effort.flags.StringVar(&f.engine, "engine", coverage.EngineSet, "engine for the design itself: "+coverage.EngineSet+" (the safety properties together; a single one by "+coverage.DefaultEngine+"),\nor for each property "+strings.Join(coverage.Engines, ", "))
	effort.flags.DurationVar(&f.timeout, "timeout", 0, "time limit for model checking each property on the design itself, such as 60s; a set has the sum (default none)")
	effort.flags.StringVar(&f.budget, "budget", "none", "time for the coverage tests: 2x (times the model checking), 30s, or none")
	effort.flags.StringVar(&f.why, "why", "1x", "time for the reasons of mutants that are not covered: 1x (times the coverage, at least 1s), 60s, or none: no reasons")
	effort.flags.StringVar(&f.stopAt, "stop-at", "100%", "stop when this share of the mutants is decided")
	effort.flags.StringVar(&f.cascade, "cascade", "full", "tests to run: full, or dac10 (the five tests of the paper)")
	effort.flags.StringVar(&f.tests, "tests", "", "tests to run, in this order, separated by commas (default those of --cascade), of\n"+strings.Join(coverage.AllTests(), ", "))
	effort.flags.BoolVar(&f.naive, "naive", false, "model check each mutant from nothing (default false)")
	effort.flags.StringVar(&f.solver, "solver", coverage.SolverCDCL, "solver of the coverage tests: "+strings.Join(coverage.Solvers, ", "))
	effort.flags.IntVar(&f.jobs, "jobs", 1, "workers")
	effort.flags.StringVar(&f.memory, "memory-limit", "", "abandon the running engine when memory reaches this, such as 2GiB (default none)")
	effort.flags.StringVar(&f.journal, "journal", "", "file that records every verdict; a run that was killed goes on where its journal ends (default none)")
	outputs := newTopic("Outputs")
	outputs.flags.StringSliceVar(&f.formats, "format", []string{"text"}, "form of the report, NAME or NAME=FILE; may be repeated:\n"+formatHelp())
	outputs.flags.StringVarP(&f.output, "output", "o", "", "file for the form that names none (default standard output)")
	outputs.flags.IntVar(&f.rows, "rows", 40, "rows of the table of nodes in the text report; 0 shows all")
	outputs.flags.StringVar(&f.failUnder, "fail-under", "", "exit with 5 when the coverage, with --sample that of the drawn nodes, is below this percentage (default none)")
	outputs.flags.StringVar(&f.baseline, "baseline", "", "JSON report of an earlier run; the text report tells what differs, as netcov diff does (default none)")
	outputs.flags.BoolVar(&f.regression, "fail-on-regression", false, "exit with 7 when a mutant that the --baseline has as covered is not covered, or a property holds no more (default false)")
	outputs.flags.StringVar(&f.witnessDir, "witness-dir", "", "directory for the trace and the mutant's AIGER file of each covered mutant (default none)")
	outputs.flags.StringVar(&f.vcd, "vcd", "", "directory for each gap's trace: a waveform of design and mutant (.vcd), and a file (.aig) with a witness (.wit) for machines (default none)")
	outputs.flags.StringVar(&f.evidence, "evidence", "", "new directory for what proves each verdict, as netcov verify takes it (default none)")
	outputs.flags.BoolVar(&f.compact, "evidence-compact", false, "leave out the files of covered mutants, which follow from the design (default false)")
	outputs.flags.BoolVar(&f.quiet, "quiet", false, "no progress, no warnings, and one line for the text report on standard output (default false)")
	outputs.flags.BoolVar(&f.verbose, "verbose", false, "log what happens, and what each engine did, to standard error (default false)")
	trust := newTopic("Trust")
	trust.flags.StringVar(&f.recheck, "recheck", "second", "who confirms verdicts: second (gini and the simulator), both (gophersat too), or none; what a journal says is always confirmed")
	trust.flags.BoolVar(&f.noRecheck, "no-recheck", false, "the same as --recheck none (default false)")
	trust.flags.BoolVar(&f.paranoid, "paranoid", false, "check every model, clause, interpolant and invariant inside the engines; slow (default false)")
	groupFlags(c, design, faults, effort, outputs, trust)
	f.input.given = c.Flags().Changed
	return c
}

// options turns the flags into a run's options.
func (f *coverFlags) options() (coverage.Options, error) {
	opt := coverage.Options{Engine: f.engine, Timeout: f.timeout, Jobs: f.jobs, Seed: f.seed}
	switch {
	case f.noRecheck && f.recheck != "none" && f.input.given("recheck"):
		return opt, usagef("--no-recheck and --recheck %s exclude each other", f.recheck)
	case f.noRecheck || f.recheck == "none":
		opt.NoRecheck = true
	case f.recheck == "both":
		opt.Opinion = certify.Both
	case f.recheck != "second":
		return opt, usagef("--recheck %q: it is second, both or none", f.recheck)
	}
	if f.engine != coverage.EngineSet && !slices.Contains(coverage.Engines, f.engine) {
		return opt, usagef("there is no engine %q; the engines are %s, %s", f.engine, coverage.EngineSet, strings.Join(coverage.Engines, ", "))
	}
	if !slices.Contains(coverage.Solvers, f.solver) {
		return opt, usagef("there is no solver %q; the solvers are %s", f.solver, strings.Join(coverage.Solvers, ", "))
	}
	if f.paranoid && f.solver != coverage.SolverCDCL {
		return opt, usagef("--paranoid checks the solver %s only", coverage.SolverCDCL)
	}
	opt.Solver, opt.Paranoid = f.solver, f.paranoid
	if f.timeout < 0 {
		return opt, usagef("--timeout %v: give a time, or 0 for none", f.timeout)
	}
	if f.nodes != "latches" && f.nodes != "gates" && f.nodes != "all" {
		return opt, usagef("--nodes %q: it is latches, gates or all", f.nodes)
	}
	if f.sample < 0 {
		return opt, usagef("--sample %d: give a number of nodes, or 0 for all", f.sample)
	}
	if f.rows < 0 {
		return opt, usagef("--rows %d: give a number of rows, or 0 for all", f.rows)
	}
	if f.jobs < 1 {
		return opt, usagef("--jobs %d: at least 1 is needed", f.jobs)
	}
	var err error
	if opt.Faults, err = parseFaults(f.faults); err != nil {
		return opt, err
	}
	switch f.mux {
	case "output":
	case "next":
		opt.Mux = mutant.AtNext
	default:
		return opt, usagef("--mux %q: it is output or next", f.mux)
	}
	if opt.Tests, err = f.testNames(); err != nil {
		return opt, err
	}
	if opt.Budget, err = parseBudget("--budget", f.budget); err != nil {
		return opt, err
	}
	if f.whyBudget, err = parseBudget("--why", f.why); err != nil {
		return opt, err
	}
	if f.observed, err = certify.ParseObservation(f.observe); err != nil {
		return opt, usagef("--observe: %v", err)
	}
	if opt.StopAt, err = parsePercent("--stop-at", f.stopAt); err != nil {
		return opt, err
	}
	if f.compact && f.evidence == "" {
		return opt, usagef("--evidence-compact goes with --evidence")
	}
	if f.outputs, err = parseOutputs(f.formats, f.output); err != nil {
		return opt, err
	}
	return opt, nil
}

func (f *coverFlags) testNames() ([]string, error) {
	switch {
	case f.naive && (f.tests != "" || f.cascade != "full"):
		return nil, usagef("--naive cannot be combined with --tests or --cascade")
	case f.tests != "" && f.cascade != "full":
		return nil, usagef("--tests and --cascade %s exclude each other", f.cascade)
	case f.naive:
		return []string{coverage.TestNaive}, nil
	case f.tests != "":
		names := strings.Split(strings.ToUpper(f.tests), ",")
		if err := coverage.CheckTests(names); err != nil {
			return nil, usagef("--tests: %v", err)
		}
		return names, nil
	case f.cascade == "full" && f.nodes == "latches":
		return coverage.DefaultTests(), nil
	case f.cascade == "full":
		return coverage.GateTests(), nil
	case f.cascade == "dac10":
		return coverage.DAC10Tests(), nil
	}
	return nil, usagef("--cascade %q: it is full or dac10", f.cascade)
}

func parseFaults(list string) ([]mutant.Fault, error) {
	var out []mutant.Fault
	for _, w := range strings.Split(list, ",") {
		f, known := mutant.ParseFault(w)
		if !known {
			return nil, usagef("--fault %q: the faults are %s", w, strings.Join(mutant.FaultNames(), ", "))
		}
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out, nil
}

func parseBudget(flag, s string) (coverage.Budget, error) {
	if s == "none" {
		return coverage.Budget{}, nil
	}
	if x, ok := strings.CutSuffix(s, "x"); ok {
		if v, err := strconv.ParseFloat(x, 64); err == nil && v > 0 && v < 1e9 {
			return coverage.Budget{Factor: v}, nil
		}
	} else if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return coverage.Budget{Limit: d}, nil
	}
	return coverage.Budget{}, usagef("%s %q: give a multiple (2x), a time (30s), or none", flag, s)
}

func parsePercent(flag, s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || v < 0 || v > 100 || v != v {
		return 0, usagef("%s %q: give a percentage from 0 to 100", flag, s)
	}
	if v > 0 && v <= 1 && !strings.HasSuffix(s, "%") {
		return 0, usagef("%s %q: write %g%% or %g%%", flag, s, 100*v, v)
	}
	return v / 100, nil
}

func (f *coverFlags) run(c *cobra.Command, paths []string) error {
	if f.input.script {
		return f.input.showScript(c, paths)
	}
	opt, err := f.options()
	if err != nil {
		return err
	}
	for _, file := range f.files() {
		if err := spare(file, paths); err != nil {
			return err
		}
		if sameFile(file, f.journal) {
			return usagef("the report and --journal need a file each")
		}
	}
	if f.witnessDir != "" {
		for _, p := range slices.Concat(f.files(), []string{f.journal}, paths) {
			if p != "" && sameFile(filepath.Dir(p), f.witnessDir) {
				return usagef("%s lies in the directory of --witness-dir, whose files are overwritten; choose another one", p)
			}
		}
	}
	if err := plainfile.NoPipe(f.journal); err != nil {
		return err
	}
	threshold := -1.0
	if f.input.given("fail-under") {
		if threshold, err = parsePercent("--fail-under", f.failUnder); err != nil {
			return err
		}
	}
	if f.regression && f.baseline == "" {
		return usagef("--fail-on-regression goes with --baseline")
	}
	var old *report.Report
	if f.baseline != "" {
		if old, err = claims.Open(f.baseline); err != nil {
			return err
		}
	}
	if opt.MemoryLimit, err = parseBytes(f.memory); err != nil {
		return err
	}
	f.input.memory = opt.MemoryLimit
	defer memlimit.Apply(opt.MemoryLimit)()
	in, err := f.input.read(c.Context(), paths)
	if err != nil {
		return err
	}
	if !f.quiet {
		if err := writeNotes(c.ErrOrStderr(), in.Design.Notes); err != nil {
			return err
		}
	}
	which, err := in.Choose(f.property)
	if err != nil {
		return err
	}
	all := in.Targets(f.nodes != "gates", f.nodes != "latches")
	f.population, opt.Targets = len(all), campaign.Sample(all, f.sample, f.seed)
	if together, _ := in.Split(which); len(together) == 0 && opt.Engine == coverage.EngineSet {
		opt.Engine = coverage.DefaultEngine
	} else if len(together) > 0 && f.cascade == "full" && f.tests == "" && !f.naive {
		opt.Tests = coverage.SetTests(f.nodes != "latches")
	}
	if f.journal != "" {
		if err := f.openJournal(c.ErrOrStderr(), in, which, &opt); err != nil {
			return err
		}
		defer opt.Journal.Close()
	}
	for _, file := range f.files() {
		if err := atomicfile.Probe(file); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	if f.evidence != "" && f.witnessDir != "" && filepath.Clean(f.evidence) == filepath.Clean(f.witnessDir) {
		return usagef("--evidence and --witness-dir need a directory each")
	}
	if f.witnessDir != "" {
		if err := os.MkdirAll(f.witnessDir, 0o777); err != nil {
			return err
		}
	}
	if f.vcd != "" {
		if err := os.MkdirAll(f.vcd, 0o777); err != nil {
			return err
		}
	}
	if f.evidence != "" {
		if err := evidence.Ready(f.evidence); err != nil {
			return err
		}
	}
	in.FindLongestRun(c.Context(), opt.MemoryLimit)
	if f.verbose {
		opt.Log = newLog(c.ErrOrStderr())
	}
	opt.Effort = &effort.Engines{}
	bar := f.progress(c.ErrOrStderr(), &opt)
	set, failed := in.Run(c.Context(), which, opt)
	bar()
	if errors.Is(failed, coverage.ErrResume) {
		failed = withPath(f.journal, failed)
	}
	if failed != nil && (set == nil || len(set.Outcomes) == 0) {
		return failed
	}
	// Each output is written, whatever becomes of the others and of further
	// properties.
	r := f.report(in, opt, set)
	if failed == nil {
		failed = f.explain(c.Context(), in, opt, set, r)
	}
	if f.verbose {
		logEngines(opt.Log, r.Summary.Engines)
	}
	failed = cmp.Or(failed, f.write(c, r, paths))
	if f.witnessDir != "" {
		failed = cmp.Or(failed, in.WriteWitnesses(f.witnessDir, opt, set))
	}
	if f.evidence != "" {
		failed = cmp.Or(failed, in.WriteEvidence(c.Context(), f.evidence, f.compact, evidence.NewScope(f.nodes != "gates", f.nodes != "latches", opt.Faults, opt.Mux), opt, set))
	}
	if failed != nil {
		return failed
	}
	if set.JournalErr != nil {
		return set.JournalErr
	}
	var d *diff.Diff
	if old != nil {
		d = diff.Compare(old, r)
		if f.textOnTerminal() && !f.quiet {
			fmt.Fprintf(c.OutOrStdout(), "\nsince the baseline %s\n", visible.Line(f.baseline))
			if err := d.WriteText(c.OutOrStdout(), f.rows); err != nil {
				return err
			}
		}
	}
	if err := f.outcome(c, in, set, r, threshold); err != nil || !f.regression {
		return err
	}
	return regression(d)
}

func (f *coverFlags) report(in *campaign.Design, opt coverage.Options, set *coverage.Set) *report.Report {
	d := report.Design{
		File: in.Path, Format: in.Design.Format, SHA256: in.File.SHA256, Inputs: len(in.File.Inputs), Latches: len(in.File.Latches),
		Ands: len(in.File.Ands), Constraints: len(in.File.Constraints),
	}
	o := report.Options{Mux: f.mux, Tests: opt.Tests, Engine: opt.Engine, Budget: f.budget, Seed: f.seed, Recheck: !opt.NoRecheck}
	for _, x := range opt.Faults {
		o.Faults = append(o.Faults, x.String())
	}
	d.RunSteps = in.RunSteps
	r := report.Build(d, o, version, in.Describe(), set)
	r.Summary.Engines = opt.Effort.List()
	if f.sample > 0 && f.sample < f.population {
		r.Estimate(f.sample, f.population)
	}
	return r
}

// explain adds to the report why the mutants are not covered that no property notices,
// and writes the traces of gaps where they are asked for.
func (f *coverFlags) explain(ctx context.Context, in *campaign.Design, opt coverage.Options, set *coverage.Set, r *report.Report) error {
	x, err := in.Explain(ctx, f.whyBudget, f.observed, opt, set)
	if err != nil || x == nil {
		return err
	}
	r.Explain(x.Report(in, f.why))
	if f.vcd == "" {
		return nil
	}
	return in.WriteGaps(f.vcd, x)
}

// outcome chooses the exit code.
func (f *coverFlags) outcome(c *cobra.Command, in *campaign.Design, set *coverage.Set, r *report.Report, threshold float64) error {
	if err := interrupted(c.Context()); err != nil {
		return err
	}
	fails, undecided := 0, 0
	for _, o := range set.Outcomes {
		switch o.Proof.Status {
		case cert.Fails:
			fails++
			if f.textOnTerminal() && !f.quiet {
				if err := writeCounterexample(c.OutOrStdout(), in, o); err != nil {
					return err
				}
			}
		case cert.Unknown:
			undecided++
		}
	}
	switch {
	case fails > 0:
		return &exitError{exitFails, fmt.Sprintf("%s: %d of %d properties fail on the design itself", in.Path, fails, len(set.Outcomes))}
	case undecided > 0:
		return &exitError{exitUndecided, fmt.Sprintf("%s: %d of %d properties are undecided on the design itself", in.Path, undecided, len(set.Outcomes))}
	case threshold >= 0 && r.Summary.Counts.Mutants > 0 && r.Summary.Counts.Low < threshold:
		return &exitError{exitBelow, fmt.Sprintf("coverage %s%s is below --fail-under %s", share(r.Summary.Counts), estimate(r.Summary.Sample), f.failUnder)}
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

// progress shows a bar while a terminal watches; the function returned ends it.
func (f *coverFlags) progress(w io.Writer, opt *coverage.Options) func() {
	if f.quiet || f.verbose || !isTerminal(w) {
		return func() {}
	}
	bar := progressbar.NewOptions(1, progressbar.OptionSetWriter(w), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(), progressbar.OptionShowCount(), progressbar.OptionSetWidth(24))
	opt.Progress = func(p coverage.Progress) {
		bar.ChangeMax(p.Mutants)
		bar.Describe(p.Stage)
		_ = bar.Set(p.Decided)
	}
	return func() { _ = bar.Finish() }
}

// writeCounterexample prints the run on which the design itself fails.
func writeCounterexample(w io.Writer, in *campaign.Design, o coverage.Outcome) error {
	form, _ := in.AnswerForm("")
	if _, err := fmt.Fprintf(w, "\ncounterexample of property %d:\n", o.Position); err != nil {
		return err
	}
	return form.Write(in, w, campaign.Answer{Property: o.Position, Status: cert.Fails, Trace: o.Proof.Trace}, false)
}
