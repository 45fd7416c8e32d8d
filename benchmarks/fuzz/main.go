// Command fuzz compares netcov with enumeration on random designs. It draws small
// designs with all features of AIGER, decides every property and every mutant of
// registers and gates, and compares with explicit enumeration of the states. Where
// --abc names Berkeley's ABC, one in --abc-every designs is drawn larger and the
// files of all its mutants are compared with pdr. A disagreement is made small and
// written to a file.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/pflag"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/aiger/shrink"
	"netcov/netlist"
)

// settings are the flags.
type settings struct {
	rounds int
	time   time.Duration
	seed   uint64
	output string
	abc    string
	every  int
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, pflag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var f settings
	fs := pflag.NewFlagSet("fuzz", pflag.ContinueOnError)
	fs.SortFlags = false
	fs.IntVar(&f.rounds, "rounds", 0, "number of designs; 0 is no limit")
	fs.DurationVar(&f.time, "time", 10*time.Second, "time to go on for")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the random choices (default 0)")
	fs.StringVarP(&f.output, "output", "o", "netcov-fuzz.aag", "file for a design on which netcov is wrong")
	fs.StringVar(&f.abc, "abc", "", "Berkeley's ABC, such as berkeley-abc, to compare with as well (default none)")
	fs.IntVar(&f.every, "abc-every", 200, "compare one in so many designs with ABC")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if f.abc != "" && f.every < 1 {
		return fmt.Errorf("--abc-every %d: at least 1 is needed", f.every)
	}
	ctx, cancel := context.WithTimeout(ctx, f.time)
	defer cancel()
	sum, err := f.compare(ctx)
	if err != nil {
		return err
	}
	return sum.write(out, f.abc != "")
}

// compare draws designs until the time or the rounds are over, or one is wrong.
func (f *settings) compare(ctx context.Context) (*tally, error) {
	r := rand.New(rand.NewPCG(f.seed, 2))
	var sum tally
	for ctx.Err() == nil && (f.rounds == 0 || sum.designs < f.rounds) {
		shape, program := randomShape(r), ""
		if f.abc != "" && sum.designs%f.every == 0 {
			program = f.abc
			if r.IntN(2) == 0 {
				shape = largeShape(r)
			}
		}
		file := randaig.New(r, shape)
		sum.designs++
		n := netlist.FromAIGER(file)
		for p := range n.Properties() {
			q := question{p, randomOptions(r), program, r.IntN(evidenceEvery) == 0}
			wrong := q.wrong(ctx, file, &sum)
			if wrong == "" {
				continue
			}
			small := shrink.File(file, func(g *aiger.File) bool {
				return q.wrong(ctx, g, &tally{}) != ""
			})
			if w := q.wrong(context.Background(), small, &tally{}); w != "" {
				wrong = w
			}
			if err := aiger.WriteFile(f.output, small); err != nil {
				return &sum, err
			}
			return &sum, fmt.Errorf("after %d designs: %s; tests %v, engine %s, mux %d; the design is in %s", sum.designs, wrong, q.opt.Tests, q.opt.Engine, q.opt.Mux, f.output)
		}
	}
	return &sum, nil
}

// tally counts what was compared.
type tally struct{ designs, properties, mutants, covered, abc, evidence int }

func (t *tally) write(w io.Writer, abc bool) error {
	also := ""
	if abc {
		also = fmt.Sprintf(" (%d of them by ABC)", t.abc)
	}
	_, err := fmt.Fprintf(w, "%d designs, %d properties (evidence of %d verified), %d mutants%s of which %d covered, no disagreement\n",
		t.designs, t.properties, t.evidence, t.mutants, also, t.covered)
	return err
}
