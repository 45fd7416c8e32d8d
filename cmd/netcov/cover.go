package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"netcov/cert"
	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/coverage/campaign"
	"netcov/coverage/report"
	"netcov/frontend/btor2"
	"netcov/internal/effort"
	"netcov/internal/memlimit"
	"netcov/internal/plainfile"
	"netcov/mutant"
)

func newCoverCommand() *cobra.Command {
	var f coverFlags
	c := &cobra.Command{
		Use:   "cover [FILE...]",
		Short: "Decide which mutants of a design its properties notice",
		Long: `Model checks the properties, then cuts each register out of the netlist
(stuck-at-0, stuck-at-1, free) and decides whether they still hold. A mutant on
which one of them fails is covered. An independent checker confirms every
verdict: a trace by simulation, an invariant by another solver.

The text report has the answer first. On a terminal it is wrapped and coloured; the
environment variable NO_COLOR, set to anything, turns colours off.

` + designHelp + projectHelp + `

Exit codes: 0 done; 1 bad input or failure; 2 usage; 3 the property fails on the
design itself; 4 the design is undecided in the time given; 5 coverage below
--fail-under; 7 worse than the baseline, with --fail-on-regression; 130 or 143
interrupted (the report of what is decided is written).`,
		Args: f.input.args,
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c, args)
		},
	}
	effort := f.effortTopic()
	effort.flags.StringVar(&f.stopAt, "stop-at", "100%", "stop when this share of the mutants is decided, and of the matrix this share of the cells")
	f.addRoom(effort, "workers")
	effort.flags.StringVar(&f.journal, "journal", "", "file that records every verdict; a run that was killed goes on where its journal ends (default none)")
	effort.flags.StringVar(&f.earlier, "baseline-evidence", "", "evidence of an earlier run, as --evidence writes it, of a design that has changed a little since: what still stands is checked, not searched again (default none)")
	groupFlags(c, f.designTopic(), f.faultsTopic(), effort, f.outputsTopic(), f.trustTopic())
	f.input.given = c.Flags().Changed
	runsProject(c, &f.project)
	complete(c, "fault", mutant.Words(mutant.Faults())...)
	complete(c, "mux", "output", "next")
	complete(c, "nodes", "latches", "gates", "all")
	complete(c, "observe", "default", "outputs", "registers")
	complete(c, "engine", append([]string{coverage.EngineSet}, coverage.Engines...)...)
	complete(c, "cascade", "full", "dac10")
	complete(c, "tests", coverage.AllTests()...)
	complete(c, "solver", coverage.Solvers...)
	complete(c, "recheck", "second", "both", "none")
	completeFormat(c)
	return c
}

func (f *coverFlags) run(c *cobra.Command, paths []string) error {
	if f.input.script {
		return f.input.showScript(c, paths)
	}
	opt, err := f.options()
	if err != nil {
		return err
	}
	if err := f.checkOutputs(paths); err != nil {
		return err
	}
	if err := plainfile.NoPipe(f.journal); err != nil {
		return err
	}
	if opt.MemoryLimit, err = parseBytes("memory-limit", f.memory); err != nil {
		return err
	}
	f.input.memory, f.input.abstract = opt.MemoryLimit, btor2.AboveLimit
	defer memlimit.Apply(opt.MemoryLimit)()
	reading := f.display(c.ErrOrStderr(), "reading the design")
	in, err := f.input.read(c.Context(), paths)
	reading.end()
	if err != nil {
		return err
	}
	if err := f.byWord(in, opt); err != nil {
		return err
	}
	if !f.quiet {
		if err := writeNotes(c.ErrOrStderr(), in.Design.Notes); err != nil {
			return err
		}
	}
	which, err := f.question(in, &opt)
	if err != nil {
		return err
	}
	if f.earlier != "" {
		if opt.Earlier, err = in.Earlier(f.earlier, opt.Mux); err != nil {
			return err
		}
		opt.Tests = coverage.WithBaseline(opt.Tests)
	}
	if f.journal != "" {
		if err := f.openJournal(c.ErrOrStderr(), in, which, &opt); err != nil {
			return err
		}
		defer opt.Journal.Close()
	}
	if err := f.makeOutputs(); err != nil {
		return err
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
	return f.finish(c, in, opt, set, failed, paths)
}

// question chooses the properties and fills in what depends on them and on the design:
// the nodes and the tests.
func (f *coverFlags) question(in *campaign.Design, opt *coverage.Options) ([]int, error) {
	which, err := in.Choose(f.property)
	if err != nil {
		return nil, err
	}
	if err := f.reasons.observe.Check(in.File); err != nil {
		return nil, usagef("--observe %v", err)
	}
	all := in.Targets(f.nodes != "gates", f.nodes != "latches")
	f.population = len(all)
	if f.checkers == report.CheckersApart {
		counted, apart := in.Apart(all)
		f.population, f.apart = len(counted), apart
		if f.sample > 0 {
			all = counted // the estimate is of what is counted
		}
	}
	opt.Targets = campaign.Sample(all, f.sample, f.seed)
	// By word a mutant often differs in what addresses are the same, which k-induction knows.
	if together, _ := in.Split(which); (len(together) > 0 || in.Design.Abstraction != nil) && f.cascade == "full" && f.tests == "" && !f.naive {
		opt.Tests = coverage.SetTests(f.nodes != "latches")
	}
	return which, nil
}

// finish explains the verdicts, writes all outputs and chooses the exit code. failed is
// what ended the run early, if anything did.
func (f *coverFlags) finish(c *cobra.Command, in *campaign.Design, opt coverage.Options, set *coverage.Set, failed error, paths []string) error {
	// Each output is written, whatever becomes of the others and of further
	// properties.
	r := f.report(in, opt, set)
	f.waive(r)
	x := &found{design: in, paths: paths, opt: opt, set: set, report: r}
	for _, a := range slices.Backward(f.additions()) {
		if failed == nil {
			failed = a.run(c, f, x)
		}
	}
	if f.verbose {
		logEngines(opt.Log, r.Summary.Engines)
	}
	form := report.Rendering{Source: sourcesAmong(paths)}
	if in.Design.Abstraction == nil {
		form.Explain = f.howToExplain(c, paths)
	}
	failed = cmp.Or(failed, f.write(c.OutOrStdout(), r, form))
	if f.witnessDir != "" {
		failed = cmp.Or(failed, in.WriteWitnesses(f.witnessDir, opt, set))
	}
	if f.evidence != "" {
		// Registers with an asynchronous reset are gates, too.
		gates := f.nodes != "latches" || slices.ContainsFunc(opt.Targets, func(t mutant.Target) bool { return t.Gate })
		scope := evidence.NewScope(f.nodes != "gates", gates, opt.Faults, opt.Mux)
		scope.At(in.File, in.Targets(f.nodes != "gates", f.nodes != "latches"))
		failed = cmp.Or(failed, in.WriteEvidence(c.Context(), f.evidence, f.compact, scope, opt, set, x.reasons, x.matrix))
	}
	if failed != nil {
		return failed
	}
	if set.JournalErr != nil {
		return set.JournalErr
	}
	d, err := f.compare(c.OutOrStdout(), r)
	if err != nil {
		return err
	}
	if err := f.outcome(c, in, set); err != nil {
		return err
	}
	return f.judge(r, d)
}

func (f *coverFlags) report(in *campaign.Design, opt coverage.Options, set *coverage.Set) *report.Report {
	d := report.Design{
		File: in.Path, Format: in.Design.Format, SHA256: in.File.SHA256, Inputs: len(in.File.Inputs), Latches: len(in.File.Latches),
		Ands: len(in.File.Ands), Constraints: len(in.File.Constraints),
	}
	o := report.Options{Mux: f.mux, Tests: opt.Tests, Engine: opt.Engine, Budget: f.budget, Seed: f.seed, Recheck: !opt.NoRecheck, Checkers: f.checkers}
	for _, x := range opt.Faults {
		o.Faults = append(o.Faults, x.String())
	}
	d.RunSteps, d.Conflict, d.Apart = in.RunSteps, in.Conflict, f.apart
	r := report.Build(d, o, version, in.Describe(), set)
	r.Summary.Engines = opt.Effort.List()
	if f.sample > 0 && f.sample < f.population {
		r.Estimate(f.sample, f.population)
	}
	return r
}

// outcome is the exit error of what the design itself does.
func (f *coverFlags) outcome(c *cobra.Command, in *campaign.Design, set *coverage.Set) error {
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
	}
	return nil
}

// writeCounterexample prints the run on which the design itself fails.
func writeCounterexample(w io.Writer, in *campaign.Design, o coverage.Outcome) error {
	form, _ := in.AnswerForm("")
	if _, err := fmt.Fprintf(w, "\ncounterexample of property %d:\n", o.Position); err != nil {
		return err
	}
	return form.Write(in.OfTrace(o.Position), w, campaign.Answer{Property: o.Position, Status: cert.Fails, Trace: o.Proof.Trace}, false)
}
