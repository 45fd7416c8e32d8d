package main

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"netcov/certify"
	"netcov/coverage"
	"netcov/coverage/explain"
	"netcov/mutant"
)

// explainFlags are the settings of netcov explain.
type explainFlags struct {
	input    netlistFlags
	property string
	mux      string
	observe  string
	proofs   time.Duration // --proof-budget
	why      string
	traces   int
}

func newExplainCommand() *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use:   "explain FILE... REGISTER[:FAULT]",
		Short: "Tell everything about one register: who reads it, what covers it, why not",
		Long: `Tells on one page about one register: where it stands in the source, which
properties have it in their cone, which outputs it reaches, the verdict on each
fault, the trace by which a covered fault is noticed and the property that notices
it, why a fault is not covered, the trace of a gap, and what to try next.

REGISTER is a name, such as top.u1.count (all bits), count[2], or latch:3. FAULT is
zero, one or nondet, of which all three are told without it, or another fault of
netcov cover --fault.

` + designHelp,
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	f.input.add(c.Flags())
	c.Flags().StringVar(&f.property, "property", "all", "property: its number from 0, its name, or all")
	c.Flags().StringVar(&f.mux, "mux", "output", "place of the fault: output (every reader, from frame 0 on) or next (the next-state input)")
	c.Flags().StringVar(&f.observe, "observe", "default", "where a mutant must differ from the design to be a gap: outputs, registers, or default: outputs where there are some")
	c.Flags().DurationVar(&f.proofs, "proof-budget", 0, "time limit for model checking all properties on the design itself, such as 10m; a property that is open then is left out (default none)")
	c.Flags().StringVar(&f.why, "why", "60s", "time for the reasons")
	c.Flags().IntVar(&f.traces, "traces", 1, "traces to show of each kind and fault")
	f.input.given = c.Flags().Changed
	return c
}

func (f *explainFlags) run(c *cobra.Command, args []string) error {
	paths, which := args[:len(args)-1], args[len(args)-1]
	faults := mutant.Standard()
	if at := strings.LastIndexByte(which, ':'); at >= 0 {
		if fault, known := mutant.ParseFault(which[at+1:]); known {
			which, faults = which[:at], []mutant.Fault{fault}
		}
	}
	mux, known := mutant.ParseMux(f.mux)
	if !known {
		return usagef("--mux %q: it is output or next", f.mux)
	}
	if err := timeLimit("--proof-budget", f.proofs); err != nil {
		return err
	}
	if f.traces < 0 {
		return usagef("--traces %d: give a number of traces, or 0 for none", f.traces)
	}
	budget, err := parseBudget("--why", f.why)
	if err != nil || budget == (coverage.Budget{}) {
		return usagef("--why %q: give a time (60s) or a multiple (2x)", f.why)
	}
	observe, err := certify.ParseObservation(f.observe)
	if err != nil {
		return usagef("--observe: %v", err)
	}
	in, err := f.input.read(c.Context(), paths)
	if err != nil {
		return err
	}
	if err := observe.Check(in.File); err != nil {
		return usagef("--observe %v", err)
	}
	properties, err := in.Choose(f.property)
	if err != nil {
		return err
	}
	q := explain.Question{Faults: faults, Mux: mux, Traces: f.traces}
	if q.Targets, err = in.Registers(which); err != nil {
		if at := strings.LastIndexByte(which, ':'); at >= 0 {
			if _, other := in.Registers(which[:at]); other == nil {
				return usagef("there is no fault %q; the faults are %s", which[at+1:], strings.Join(mutant.Words(mutant.Faults()), ", "))
			}
		}
		return err
	}
	opt := coverage.Options{ProofBudget: f.proofs, Targets: q.Targets, Mux: mux, Faults: mutant.Standard()}
	for _, f := range faults {
		if !slices.Contains(opt.Faults, f) {
			opt.Faults = append(opt.Faults, f)
		}
	}
	set, err := in.Run(c.Context(), properties, opt)
	if err != nil {
		return err
	}
	reasons, err := in.Explain(c.Context(), budget, observe, false, opt, set)
	if err != nil {
		return err
	}
	if err := explain.Write(c.OutOrStdout(), in, q, set, reasons); err != nil {
		return err
	}
	return interrupted(c.Context())
}
