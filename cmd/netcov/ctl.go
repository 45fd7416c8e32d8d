package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"netcov/kripke/analysis"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/load"
	"netcov/kripke/report"
)

// ctlFlags are the settings of netcov ctl.
type ctlFlags struct {
	kripkeFlags
	signals   []string
	algorithm string
	first     string
	view      string
	seed      uint64
	maxStates int
	basic     bool
	nondet    bool
	dontCare  []string
}

func newCTLCommand() *cobra.Command {
	var f ctlFlags
	c := &cobra.Command{
		Use:   "ctl FILE",
		Short: "Coverage of CTL specifications: the states whose signals do not matter",
		Long: `Checks CTL specifications and finds, for each signal, the states in which
flipping it falsifies them (Chockler, Kupferman and Vardi, CHARME 2001), and the
registers that can be fixed to 0 or 1 unnoticed. It shows computations: a
counterexample when a specification fails, one on which the specification
depends, and one that no covered state meets.

FILE is a structure (.hoa, or the text form), an SMV model, an AIGER or BTOR2
file, or Verilog. Signals of a structure are its propositions; those of a
circuit its outputs and registers, where flipping a register redirects the
steps into the state. A register word is compared as in 'count = 5'.

Exit codes: 0 done; 1 bad input or failure; 2 usage; 3 a specification does not
hold; 4 a limit was reached first; 5 coverage below --fail-under; 130 or 143 interrupted.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args[0]) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	f.addSpecs(fs, formula.CTL)
	fs.StringSliceVar(&f.signals, "signal", nil, "signals, separated by commas (default all that a specification can depend on)")
	fs.StringVar(&f.algorithm, "algorithm", "auto", "algorithm: halving, naive, pairs or singles (decision diagrams), invariant (for AG p), or auto\n(invariant for AG p, halving while the states can be listed, else singles or pairs)")
	fs.StringVar(&f.first, "first", "free", "first step of a circuit: free (every input), or empty (every input 0)")
	fs.StringVar(&f.view, "as", "auto", "view: structure flips a signal in single states with their inputs, auto takes circuits as circuits")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the random halving (default 0)")
	fs.IntVar(&f.maxStates, "max-states", 0, "states that the explicit algorithms may list; 0 is 2^22, but 2^18 for circuits with auto, and 2^20 for SMV structures")
	fs.BoolVar(&f.basic, "basic", false, "only the covered states: no fixed registers, no computations (default false)")
	fs.BoolVar(&f.nondet, "nondet", false, "also the states that may be merged with their twins, and the registers that may be fixed to don't care:\nmutants of a circuit that are nondeterministic circuits (default false)")
	fs.StringArrayVar(&f.dontCare, "dont-care", nil, "states in which the designer leaves an output open, as 'OUTPUT when CONDITION'; may be repeated (default none)")
	f.addRows(fs, 20, "states of a list and steps of a computation")
	f.addFailUnder(fs)
	f.addDot(fs)
	f.addRun(fs)
	return c
}

func (f *ctlFlags) run(c *cobra.Command, path string) error {
	if err := f.check(path); err != nil {
		return err
	}
	if min(f.maxStates, f.rows) < 0 {
		return usagef("--max-states and --rows must not be negative")
	}
	if !slices.Contains(ctl.Algorithms, ctl.Algorithm(f.algorithm)) {
		return usagef("there is no algorithm %q: halving, pairs, singles, invariant, naive or auto", f.algorithm)
	}
	if f.first != "free" && f.first != "empty" {
		return usagef("--first %q: free or empty", f.first)
	}
	if f.view != "auto" && f.view != "structure" {
		return usagef("--as %q: auto or structure", f.view)
	}
	specs, err := f.formulas(formula.CTL)
	if err != nil {
		return err
	}
	open, err := f.open()
	if err != nil {
		return err
	}
	q := analysis.CTL{
		Open: open, Specs: specs, Signals: distinct(f.signals), Structure: f.view == "structure", Basic: f.basic, Nondet: f.nondet,
		Options: ctl.Options{Algorithm: ctl.Algorithm(f.algorithm), Seed: f.seed, EmptyFirst: f.first == "empty", MaxStates: f.maxStates},
	}
	return f.analyse(c, []string{path}, path+": a specification does not hold", func(ctx context.Context, src []*load.Source, room analysis.Room) (report.Report, error) {
		q.Source, q.Options.NodeLimit, q.Options.Progress = src[0], room.NodeLimit, room.Progress
		return q.Run(ctx)
	})
}

// open parses --dont-care.
func (f *ctlFlags) open() ([]ctl.Open, error) {
	var out []ctl.Open
	for _, text := range f.dontCare {
		name, when, ok := strings.Cut(text, " when ")
		if !ok {
			return nil, usagef("--dont-care %q: write 'OUTPUT when CONDITION'", text)
		}
		g, err := formula.ParseAt("--dont-care", when, formula.CTL)
		if err != nil {
			return nil, usagef("%v", err)
		}
		if !g.Propositional() {
			return nil, usagef("--dont-care %q: the condition speaks of one state, so it has no temporal operator", text)
		}
		name = strings.Trim(strings.TrimSpace(name), `"`)
		if slices.ContainsFunc(out, func(o ctl.Open) bool { return o.Output == name }) {
			return nil, usagef("--dont-care: %s is there twice; join its conditions with |", name)
		}
		out = append(out, ctl.Open{Output: name, When: g})
	}
	return out, nil
}
