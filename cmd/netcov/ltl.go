package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"netcov/kripke/analysis"
	"netcov/kripke/formula"
	"netcov/kripke/load"
	"netcov/kripke/ltl"
	"netcov/kripke/report"
)

// ltlFlags are the settings of netcov ltl.
type ltlFlags struct {
	kripkeFlags
	automaton string
	signals   []string
	coverage  []string
	algorithm string
	flip      string
	maxStates int
	found     int
	basic     bool
}

// NewLTLCommand is netcov ltl.
func NewLTLCommand() *cobra.Command {
	var f ltlFlags
	c := &cobra.Command{
		Use:   "ltl FILE",
		Short: "Coverage of LTL specifications: the states whose signals do not matter",
		Long: `Checks LTL specifications, or an automaton that accepts the wrong behaviours, and
finds, for each signal, the states in which flipping it makes them fail
(Chockler, Kupferman, Kurshan and Vardi, CAV 2001):

  structure  the signal is flipped at every visit of the state
  node       the signal is flipped at one visit
  tree       the signal is flipped at some visits

A flip changes what the specification reads, not where the system goes; with
--flip design it changes what everything reads that reads a register. For each
signal a computation shows why a state is covered.

FILE is a structure (.hoa, or the text form), an SMV model, an AIGER or BTOR2
file, or Verilog. Signals of a structure are its propositions; those of a circuit
its outputs and registers. Covered states of a circuit are control states.

Exit codes: 0 done; 1 bad input or failure; 2 usage; 3 a specification does not
hold; 4 a limit was reached first; 5 coverage below --fail-under; 130 or 143 interrupted.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args[0]) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	f.addSpecs(fs, formula.LTL)
	fs.StringVar(&f.automaton, "automaton", "", "HOA file of a Büchi automaton that accepts the wrong behaviours, instead of specifications (default none)")
	fs.StringSliceVar(&f.signals, "signal", nil, "signals, separated by commas (default all that a specification reads)")
	fs.StringSliceVar(&f.coverage, "coverage", nil, "notions: structure, node, tree, separated by commas (default all that the algorithm computes)")
	fs.StringVar(&f.algorithm, "algorithm", "auto", `algorithm: product, symbolic (decision diagrams), indicator (µ-calculus, node
coverage), sat (IC3 and bounded search), naive, or auto (product, symbolic for
circuits with too many states, sat beyond that)`)
	fs.StringVar(&f.flip, "flip", "spec", "who reads a flipped signal: spec, or design (registers of a circuit)")
	fs.IntVar(&f.maxStates, "max-states", 0, "states that the explicit algorithms may list; 0 is 2^26, but 2^14 for SMV structures, and 2^20 for circuits with auto")
	fs.IntVar(&f.found, "max-found", 0, "covered states or cubes of a signal that the algorithm sat looks for; 0 is all")
	fs.BoolVar(&f.basic, "basic", false, "only the covered states: no computations (default false)")
	f.addRows(fs, 20, "states of a list and steps of a computation")
	f.addFailUnder(fs)
	f.addDot(fs)
	f.addRun(fs)
	return c
}

func (f *ltlFlags) run(c *cobra.Command, path string) error {
	if err := f.check(path, f.automaton); err != nil {
		return err
	}
	if min(f.maxStates, f.rows, f.found) < 0 {
		return usagef("--max-states, --rows and --max-found must not be negative")
	}
	if !slices.Contains(analysis.LTLAlgorithms, f.algorithm) {
		return usagef("there is no algorithm %q; there are %s", f.algorithm, strings.Join(analysis.LTLAlgorithms, ", "))
	}
	scope := slices.Index([]string{"spec", "design"}, f.flip)
	if scope < 0 {
		return usagef("--flip %q: spec or design", f.flip)
	}
	var kinds []ltl.Kind
	for _, name := range f.coverage {
		at := slices.IndexFunc(ltl.Kinds, func(k ltl.Kind) bool { return k.String() == name })
		if at < 0 {
			return usagef("there is no %q coverage: structure, node or tree", name)
		}
		if !slices.Contains(kinds, ltl.Kinds[at]) {
			kinds = append(kinds, ltl.Kinds[at])
		}
	}
	specs, err := f.formulas(formula.LTL)
	if err != nil {
		return err
	}
	if f.automaton != "" && len(specs) > 0 {
		return usagef("give specifications or an automaton, not both")
	}
	q := analysis.LTL{
		Specs: specs, Automaton: f.automaton, Signals: distinct(f.signals), Coverage: kinds, Algorithm: f.algorithm,
		Scope: ltl.Scope(scope), MaxStates: f.maxStates, Found: f.found, Basic: f.basic,
	}
	return f.analyse(c, []string{path}, path+": a specification does not hold", func(ctx context.Context, src []*load.Source, room analysis.Room) (report.Report, error) {
		q.Source, q.Room = src[0], room
		return q.Run(ctx)
	})
}
