package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"netcov/kripke/analysis"
	"netcov/kripke/load"
	"netcov/kripke/report"
	"netcov/kripke/similarity"
)

// simulateFlags are the settings of netcov simulate.
type simulateFlags struct {
	kripkeFlags
	compare   []string
	signals   []string
	mutants   string
	algorithm string
	seed      uint64
	maxStates int
}

func newSimulateCommand() *cobra.Command {
	var f simulateFlags
	c := &cobra.Command{
		Use:   "simulate IMPL SPEC",
		Short: "Does one model simulate another, and which of its labels matter for that?",
		Long: `Checks that the specification SPEC simulates the implementation IMPL: every step
of IMPL can be followed by SPEC with the same labels. Then finds, for each
signal, the states in which flipping it is noticed, since SPEC does not simulate
the mutant (Chockler and Kupferman 2002). When SPEC does not simulate IMPL, a path
shows why.

With fairness (FAIRNESS and JUSTICE of SMV, fairness constraints of AIGER, acceptance
sets of a structure) it is fair simulation: SPEC answers the steps of each fair path
of IMPL so that its own path is fair as well (Henzinger, Kupferman and Rajamani 1997).
COMPASSION is refused.

IMPL and SPEC are structures (.hoa, or the text form), SMV models, AIGER or BTOR2
files, or Verilog. Labels are compared on the propositions of SPEC, which IMPL
must have; of a model that is no structure, on the signals that both have.

A file of mutants has a line 'STATE SIGNAL' for each; '* SIGNAL' stands for all
states, '[FORMULA] SIGNAL' for those that satisfy the formula.

Exit codes: 0 done; 1 bad input or failure; 2 usage; 3 SPEC does not simulate
IMPL; 4 a limit was reached first; 130 or 143 interrupted.`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args[0], args[1]) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&f.compare, "compare", nil, "propositions on which labels are compared, separated by commas (default as above)")
	fs.StringSliceVar(&f.signals, "signal", nil, "signals to cover, separated by commas (default all that are compared; none with --mutants)")
	fs.StringVar(&f.mutants, "mutants", "", "file of mutants (default none)")
	fs.StringVar(&f.algorithm, "algorithm", "auto", "algorithm: halving, symbolic (decision diagrams), naive, or auto: halving, and symbolic with fairness sets of SPEC")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the random halving (default 0)")
	fs.IntVar(&f.maxStates, "max-states", 0, "states that may be listed of each side; 0 is 2^26")
	f.addRows(fs, 20, "states of a list")
	f.addDot(fs)
	f.addRun(fs)
	return c
}

func (f *simulateFlags) run(c *cobra.Command, impl, spec string) error {
	if err := f.check(impl, spec, f.mutants); err != nil {
		return err
	}
	if min(f.maxStates, f.rows) < 0 {
		return usagef("--max-states and --rows must not be negative")
	}
	algorithm := similarity.Algorithm(f.algorithm)
	if f.algorithm == "auto" {
		algorithm = ""
	} else if !slices.Contains(similarity.Algorithms, algorithm) {
		return usagef("there is no algorithm %q: auto, halving, symbolic or naive", f.algorithm)
	}
	q := analysis.Simulation{
		Compare: distinct(f.compare), Signals: distinct(f.signals), Mutants: f.mutants,
		Algorithm: algorithm, Seed: f.seed, MaxStates: f.maxStates,
	}
	return f.analyse(c, []string{impl, spec}, spec+" does not simulate "+impl, func(ctx context.Context, src []*load.Source, room analysis.Room) (report.Report, error) {
		q.Impl, q.Spec, q.Room = src[0], src[1], room
		return q.Run(ctx)
	})
}
