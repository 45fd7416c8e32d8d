package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"netcov/kripke/analysis"
	"netcov/kripke/formula"
	"netcov/kripke/load"
	"netcov/kripke/report"
)

// compareFlags are the settings of netcov compare.
type compareFlags struct {
	kripkeFlags
	algorithm string
	observe   []string
	signals   []string
	first     bool
	most      int
	baseline  []string
	maxStates int
}

func newCompareCommand() *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare IMPL [SPEC]",
		Short: "Have I written enough properties? What the specification allows and the design lacks",
		Long: `Compares a design with the reduced tableau of its specification, the most general
model of it (Katz, Grumberg and Geist, CHARME 1999), and lists with a trace to
each: start states, states and steps that the specification allows and the design
never shows; states of the design that the specification does not tell apart; and
states that several parts of the specification describe. When the first three
lists are empty, the specification describes the design completely.

IMPL is a structure (.hoa, or the text form), an SMV model, an AIGER or BTOR2
file, or Verilog. The specification is the conjunction of ACTL safety formulas
(AX, AG, A[p W q], A[p V q]) given by --spec, --spec-file or the file itself, or
SPEC: a structure, whose labels in HOA may leave propositions open, or a model.

Exit codes: 0 done; 1 bad input or failure; 2 usage; 3 the specification does not
hold; 4 a limit was reached first; 130 or 143 interrupted.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	f.addSpecs(fs, formula.ACTL)
	fs.StringSliceVar(&f.observe, "observe", nil, `propositions that show when two states of the design look alike, separated by
commas (default those of a structure file; else the specification's and the outputs)`)
	fs.StringVar(&f.algorithm, "algorithm", "auto", `algorithm: explicit (both sides listed), symbolic (listed, as decision diagrams),
implicit (neither is listed: for many properties), or auto`)
	fs.StringSliceVar(&f.signals, "signal", nil, "show entries that speak of one of these signals only (default all)")
	fs.BoolVar(&f.first, "first", false, "leave out unimplemented states that follow from other ones (default false)")
	fs.IntVar(&f.most, "most", 0, "entries of each criterion; 0 is all, or 1000 where the tableau is not listed")
	fs.StringArrayVar(&f.baseline, "baseline", nil, "leave out what is shown for this specification as well; may be repeated, for its conjuncts (default none)")
	fs.IntVar(&f.maxStates, "max-states", 0, "states that may be listed of each side; 0 is 2^26")
	f.addRows(fs, 10, "entries of a criterion and steps of a path")
	f.addDot(fs)
	f.addRun(fs)
	return c
}

func (f *compareFlags) run(c *cobra.Command, args []string) error {
	if err := f.check(args...); err != nil {
		return err
	}
	if !slices.Contains(analysis.CompareAlgorithms, f.algorithm) {
		return usagef("there is no algorithm %q: %s", f.algorithm, strings.Join(analysis.CompareAlgorithms, ", "))
	}
	if min(f.most, f.rows, f.maxStates) < 0 {
		return usagef("--most, --rows and --max-states must not be negative")
	}
	specs, err := f.formulas(formula.ACTL)
	if err != nil {
		return err
	}
	q := analysis.Comparison{
		Specs: specs, Observe: distinct(f.observe), Signals: distinct(f.signals), First: f.first, Most: f.most,
		Algorithm: f.algorithm, MaxStates: f.maxStates, Open: f.open,
	}
	for _, text := range f.baseline {
		g, err := formula.ParseAt("--baseline", text, formula.ACTL)
		if err != nil {
			return usagef("%v", err)
		}
		q.Baseline = append(q.Baseline, g)
	}
	if len(args) == 2 {
		if len(specs) > 0 {
			return usagef("give formulas or a specification file, not both")
		}
		q.SpecFile = args[1]
	}
	return f.analyse(c, args[:1], args[0]+": the specification does not hold", func(ctx context.Context, src []*load.Source, room analysis.Room) (report.Report, error) {
		q.Impl, q.Room = src[0], room
		return q.Run(ctx)
	})
}
