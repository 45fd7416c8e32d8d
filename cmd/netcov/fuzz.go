package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/coverage"
	"netcov/internal/explicit"
	"netcov/internal/randaig"
	"netcov/internal/shrink"
	"netcov/netlist"
)

// fuzzFlags are the settings of the hidden command netcov fuzz.
type fuzzFlags struct {
	rounds int
	time   time.Duration
	seed   uint64
	output string
}

func newFuzzCommand() *cobra.Command {
	var f fuzzFlags
	c := &cobra.Command{
		Use:   "fuzz",
		Short: "Compare netcov with enumeration on random designs",
		Long: `Draws small random designs with all features of AIGER, decides every property and
every mutant of registers and gates, and compares with explicit enumeration of
the states. A disagreement is made small and written to a file.`,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE:   func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	fs := c.Flags()
	fs.IntVar(&f.rounds, "rounds", 0, "number of designs; 0 is no limit")
	fs.DurationVar(&f.time, "time", 10*time.Second, "time to go on for")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the random choices")
	fs.StringVarP(&f.output, "output", "o", "netcov-fuzz.aag", "file for a design on which netcov is wrong")
	return c
}

// fuzzCase is one question: a design, a property, the settings.
type fuzzCase struct {
	property int
	opt      coverage.Options
}

func (f *fuzzFlags) run(c *cobra.Command) error {
	ctx, cancel := context.WithTimeout(c.Context(), f.time)
	defer cancel()
	r := rand.New(rand.NewPCG(f.seed, 2))
	designs, mutants := 0, 0
	for ctx.Err() == nil && (f.rounds == 0 || designs < f.rounds) {
		file := randaig.New(r, randomShape(r))
		designs++
		n := netlist.FromAIGER(file)
		for p := range n.Properties() {
			q := fuzzCase{p, randomOptions(r)}
			count, wrong := q.wrong(ctx, file)
			mutants += count
			if wrong == "" {
				continue
			}
			small := shrink.File(file, func(g *aiger.File) bool {
				_, w := q.wrong(ctx, g)
				return w != ""
			})
			_, wrong = q.wrong(context.Background(), small)
			if err := aiger.WriteFile(f.output, small); err != nil {
				return err
			}
			return fmt.Errorf("after %d designs: %s; tests %v, engine %s, mux %d; the design is in %s", designs, wrong, q.opt.Tests, q.opt.Engine, q.opt.Mux, f.output)
		}
	}
	if _, err := fmt.Fprintf(c.OutOrStdout(), "%d designs, %d mutants, no disagreement\n", designs, mutants); err != nil {
		return err
	}
	return interrupted(c.Context())
}

func randomShape(r *rand.Rand) randaig.Shape {
	s := randaig.Everything()
	s.Ands = 4 + r.IntN(24)
	s.Latches = 1 + r.IntN(6)
	s.Inputs = r.IntN(4)
	s.Constraints = r.IntN(3)
	return s
}

func randomOptions(r *rand.Rand) coverage.Options {
	opt := coverage.Options{
		Engine: coverage.Engines[r.IntN(3)],
		Mux:    netlist.MuxPlace(r.IntN(2)),
		Seed:   r.Uint64(),
		Jobs:   1 + r.IntN(2),
	}
	switch r.IntN(3) {
	case 0:
		opt.Tests = coverage.DAC10Tests
	case 1: // some of the tests, in any order
		for _, i := range r.Perm(len(coverage.DefaultTests)) {
			if r.IntN(2) == 0 {
				opt.Tests = append(opt.Tests, coverage.DefaultTests[i])
			}
		}
	}
	return opt
}

// wrong decides the case and says what is wrong, or "". It returns the number
// of mutants compared.
func (q fuzzCase) wrong(ctx context.Context, f *aiger.File) (mutants int, problem string) {
	in := &input{path: "random", file: f, netlist: netlist.FromAIGER(f)}
	ps := in.netlist.Properties()
	if q.property >= len(ps) || ps[q.property].Kind == netlist.PropertyJustice {
		return 0, ""
	}
	opt := q.opt
	for i := range in.netlist.Latches {
		opt.Targets = append(opt.Targets, netlist.Target{Index: i})
	}
	for i := range in.netlist.Gates {
		opt.Targets = append(opt.Targets, netlist.Target{Gate: true, Index: i})
	}
	fails := explicit.Fails(f, q.property)
	res, err := coverage.Run(ctx, f, in.netlist, q.property, opt)
	switch {
	case err != nil:
		return 0, err.Error()
	case ctx.Err() != nil:
		return 0, ""
	case (res.Proof.Status == coverage.Fails) != fails || res.Proof.Status == coverage.Undecided:
		return 0, fmt.Sprintf("property %d %s, enumeration says it fails: %v", q.property, res.Proof.Status, fails)
	}
	literal := in.literal()
	for _, m := range res.Mutants {
		if m.Verdict == coverage.Unknown {
			continue
		}
		mutants++
		fault := sim.Fault{Var: literal(m.Target) >> 1, Kind: sim.Kind(m.Fault)}
		if opt.Mux == netlist.MuxNext {
			fault.Mux = sim.Next
		}
		covered, err := explicit.Covered(f, q.property, fault)
		if err != nil {
			return mutants, err.Error()
		}
		if covered != (m.Verdict == coverage.Covered) {
			return mutants, fmt.Sprintf("property %d, %v: %s by %s, enumeration says covered: %v", q.property, fault, m.Verdict, m.Test, covered)
		}
	}
	return mutants, ""
}
