package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"netcov/cert"
	"netcov/coverage"
	"netcov/coverage/campaign"
	"netcov/coverage/report"
	"netcov/frontend/btor2"
	"netcov/internal/atomicfile"
	"netcov/internal/clock"
	"netcov/internal/effort"
	"netcov/internal/memlimit"
)

// checkFlags are the settings of netcov check.
type checkFlags struct {
	project   string // file of the project that runs, or ""
	input     netlistFlags
	engine    string
	timeout   time.Duration
	proofs    time.Duration // --proof-budget
	begin     time.Time     // of the model checking
	open      int           // properties that are not asked about yet
	property  string
	noRecheck bool
	paranoid  bool
	quiet     bool
	verbose   bool
	effort    effort.Engines // what each engine did
	memory    string
	output    string
	covers    bool
	// certificate is the path for the proof of the answer.
	certificate string
	format      string
	form        campaign.AnswerForm
}

func newCheckCommand() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "Model check the properties of a design",
		Long: `Model checks the properties and prints an answer for each, as it comes. Several
safety properties are checked together, each with the help of the others.

The form text speaks in the design's names. The counterexample of a property that
fails is a table: the inputs that matter, then the registers on which the property
depends, the nearest first; words are hexadecimal, and x stands for any value.

The form hwmcc has the result lines of the hardware model checking competition: 0
(holds), 1 (fails) or 2 (undecided), then b and the property's number; after a 1
the counterexample in AIGER's witness format, or in BTOR2's where the design is a
BTOR2 file. Of several properties, a line that begins with c has the name of the one
whose answer follows.

` + designHelp + projectHelp + `

With --covers it tells which cover statements some run reaches, in how many steps,
and which none does; an assertion whose antecedent is never met is vacuous. A cover
that no run reaches counts as a failure.

Exit codes: 0 all hold; 1 bad input or failure; 2 usage; 3 a property fails;
4 a property is undecided (and none fails); 130 or 143 interrupted.`,
		Args: f.input.args,
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c, args)
		},
	}
	fs := c.Flags()
	f.input.add(fs)
	fs.StringVar(&f.engine, "engine", coverage.EngineSet, "engine: "+coverage.EngineSet+" (the safety properties together; a single one by "+coverage.DefaultEngine+"), or for each property "+strings.Join(coverage.Engines, ", ")+"; bmc finds counterexamples only")
	fs.DurationVar(&f.timeout, "timeout", 0, "time limit for each property, such as 60s; a set has the sum (default none)")
	fs.DurationVar(&f.proofs, "proof-budget", 0, "time limit for all properties, such as 10m, second opinions apart; what is open then is undecided (default none)")
	fs.StringVar(&f.property, "property", "all", "property to check: its number from 0, its name, or all")
	fs.BoolVar(&f.noRecheck, "no-recheck", false, "do not ask a second solver or simulator about each answer (default false)")
	fs.StringVar(&f.format, "format", "", "form of the answers: text or hwmcc (default hwmcc for AIGER and BTOR2, else text)")
	fs.StringVarP(&f.output, "output", "o", "", "file for the answers (default standard output)")
	fs.StringVar(&f.memory, "memory-limit", "", "abandon the running engine when memory reaches this, such as 2GiB (default none)")
	fs.BoolVar(&f.quiet, "quiet", false, "no warnings (default false)")
	fs.BoolVar(&f.verbose, "verbose", false, "log what each engine did to standard error (default false)")
	fs.BoolVar(&f.paranoid, "paranoid", false, "check every model, clause, interpolant and invariant inside the engine; slow (default false)")
	fs.BoolVar(&f.covers, "covers", false, "Verilog: instead of the assertions, tell which cover statements are reached, in a table; -o takes their traces (default false)")
	fs.StringVar(&f.certificate, "certificate", "", "file for the proof of the answer about one property: a witness circuit where it holds, a trace where it fails (default none)")
	runsProject(c, &f.project)
	complete(c, "format", "text", "hwmcc")
	complete(c, "engine", append([]string{coverage.EngineSet}, coverage.Engines...)...)
	return c
}

func (f *checkFlags) run(c *cobra.Command, paths []string) error {
	if f.input.script {
		return f.input.showScript(c, paths)
	}
	if f.engine != coverage.EngineSet && !slices.Contains(coverage.Engines, f.engine) {
		return usagef("there is no engine %q; the engines are %s, %s", f.engine, coverage.EngineSet, strings.Join(coverage.Engines, ", "))
	}
	err := cmp.Or(timeLimit("--timeout", f.timeout), timeLimit("--proof-budget", f.proofs))
	if err != nil {
		return err
	}
	if f.input.memory, err = parseBytes("memory-limit", f.memory); err != nil {
		return err
	}
	defer memlimit.Apply(f.input.memory)()
	outputs := []string{f.output, f.certificate}
	if f.certificate != "" {
		outputs = append(outputs, campaign.ModelPath(f.certificate))
	}
	for i, out := range outputs {
		if err := spare(out, append(slices.Clone(paths), f.project)); err != nil {
			return err
		}
		if i > 0 && sameFile(f.output, out) {
			return usagef("-o and --certificate need a file each")
		}
	}
	if f.covers && f.format != "" && f.format != "hwmcc" {
		return usagef("--format %s does not go with --covers: their traces are in the form hwmcc", f.format)
	}
	if f.covers && f.certificate != "" {
		return usagef("--certificate does not go with --covers")
	}
	if f.input.verilog.Covers = f.covers; f.covers {
		f.format = "hwmcc"
	}
	if f.certificate == "" {
		f.input.abstract = btor2.Sooner
	}
	in, err := f.input.read(c.Context(), paths)
	if err != nil {
		return err
	}
	if !f.quiet {
		if err := writeNotes(c.ErrOrStderr(), in.Design.Notes); err != nil {
			return err
		}
	}
	if len(in.Netlist.Properties()) == 0 || f.covers && len(in.Netlist.Bads) == 0 {
		fmt.Fprintf(c.ErrOrStderr(), "netcov: %s: there is no %s to check\n", in.Path, map[bool]string{false: "property", true: "cover statement"}[f.covers])
		return nil
	}
	var known bool
	if f.form, known = in.AnswerForm(f.format); !known {
		return usagef("--format %q: it is text or hwmcc", f.format)
	}
	which, err := in.Choose(f.property)
	if err != nil {
		return err
	}
	if f.certificate != "" && len(which) != 1 {
		return usagef("--certificate proves one property, and %d are to be checked; choose one with --property", len(which))
	}
	for _, out := range []string{f.output, f.certificate} {
		if err := atomicfile.Probe(out); err != nil {
			return fmt.Errorf("writing the answers: %w", err)
		}
	}
	f.begin, f.open = time.Now(), len(which)
	if f.covers {
		return f.checkCovers(c, in, which)
	}
	in.FindLongestRun(c.Context(), f.input.memory)
	if in.RunSteps != nil && !f.quiet {
		fmt.Fprintf(c.ErrOrStderr(), "netcov: %s: warning: %s\n", in.Path, report.Vacuous(*in.RunSteps, in.Conflict))
	}
	if f.output == "" {
		return f.checkAll(c, in, which, c.OutOrStdout())
	}
	var text bytes.Buffer
	outcome := f.checkAll(c, in, which, &text)
	var e *exitError
	if outcome != nil && !errors.As(outcome, &e) {
		return outcome
	}
	if err := atomicfile.Write(f.output, func(w io.Writer) error {
		_, err := text.WriteTo(w)
		return err
	}); err != nil {
		return fmt.Errorf("writing the answers: %w", err)
	}
	return outcome
}

// how are the settings of the model checking of so many properties, which have their
// share of the time that is left.
func (f *checkFlags) how(properties int) *campaign.Check {
	left := f.proofs
	if left > 0 {
		left = clock.Share(max(1, left-time.Since(f.begin)), properties, f.open)
		f.open -= properties
	}
	return &campaign.Check{Engine: f.engine, Timeout: f.timeout, Left: left, Memory: f.input.memory, NoRecheck: f.noRecheck, Paranoid: f.paranoid, Invariant: f.certificate != "", Effort: &f.effort}
}

// checkAll checks the properties of the set together, then the others one after
// the other, and writes each answer.
func (f *checkFlags) checkAll(c *cobra.Command, in *campaign.Design, which []int, out io.Writer) error {
	if f.verbose {
		defer func() { logEngines(newLog(c.ErrOrStderr()), f.effort.List()) }()
	}
	var all tally
	limit := f.timeout
	for {
		again, err := f.round(c, in, which, out, &all)
		if err != nil {
			return err
		}
		if len(again) == 0 {
			break
		}
		if in, err = in.Refine(); err != nil {
			return err
		}
		if which = again; limit > 0 {
			f.timeout = max(1, limit-time.Since(f.begin)/time.Duration(all.asked))
		}
		f.open = len(which)
	}
	if code := all.code(); code != exitDone {
		return &exitError{code: code}
	}
	return nil
}

// tally counts answers.
type tally struct{ asked, fails, unknown int }

func (t *tally) add(s cert.Status) {
	switch s {
	case cert.Fails:
		t.fails++
	case cert.Unknown:
		t.unknown++
	}
}

func (t *tally) code() int {
	switch {
	case t.fails > 0:
		return exitFails
	case t.unknown > 0:
		return exitUndecided
	}
	return exitDone
}

// round checks properties once, and returns those whose counterexamples are spurious, of
// a netlist that allows more than its source.
func (f *checkFlags) round(c *cobra.Command, in *campaign.Design, which []int, out io.Writer, all *tally) (again []int, err error) {
	all.asked = max(all.asked, len(which))
	answered := func(a *campaign.Answer, named bool) error {
		settled, err := in.Settle(a)
		switch {
		case err != nil:
			return err
		case !settled:
			again = append(again, a.Property)
			return nil
		}
		all.add(a.Status)
		f.tell(c, in, a)
		return f.form.Write(in, out, *a, named)
	}
	together, alone := in.Split(which)
	if f.engine != coverage.EngineSet {
		together, alone = nil, which
	}
	if len(together) > 0 {
		if err := f.how(len(together)).Set(c.Context(), in, together, func(a *campaign.Answer) error { return answered(a, true) }); err != nil {
			return nil, err
		}
		if err := interrupted(c.Context()); err != nil {
			return nil, err
		}
	}
	for _, i := range alone {
		a, err := f.check(c, in, i)
		if err != nil {
			return nil, err
		}
		if err := answered(a, false); err != nil {
			return nil, err
		}
		if err := interrupted(c.Context()); err != nil {
			return nil, err
		}
	}
	return again, nil
}

// check decides one property, has the answer confirmed and writes its certificate.
func (f *checkFlags) check(c *cobra.Command, in *campaign.Design, property int) (*campaign.Answer, error) {
	s, err := in.Subject(property)
	if err != nil {
		return nil, err
	}
	p, err := f.how(1).One(c.Context(), in, s)
	if err != nil {
		return nil, err
	}
	a := &campaign.Answer{Property: property, Status: p.Status, Trace: p.Trace, Reason: p.Reason, Bound: p.Bound}
	if s.Live() {
		a.Bound = -1 // of the translation
	}
	if f.certificate == "" {
		return a, nil
	}
	model, err := in.WriteCertificate(f.certificate, s, p)
	if model != "" {
		fmt.Fprintf(c.ErrOrStderr(), "netcov: the certificate is about the model in %s\n", model)
	}
	return a, err
}

// tell says why a property is undecided, where the form of the answers does not.
func (f *checkFlags) tell(c *cobra.Command, in *campaign.Design, a *campaign.Answer) {
	if words := a.Open(); a.Status == cert.Unknown && words != "" && f.form.Name == "hwmcc" && !f.covers {
		fmt.Fprintf(c.ErrOrStderr(), "netcov: %s: property %d: %s\n", in.Path, a.Property, words)
	}
}
