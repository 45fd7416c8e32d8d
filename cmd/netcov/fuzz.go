package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/certify"
	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/coverage/journal"
	"netcov/internal/abc"
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
	abc    string
	every  int
}

func newFuzzCommand() *cobra.Command {
	var f fuzzFlags
	c := &cobra.Command{
		Use:   "fuzz",
		Short: "Compare netcov with enumeration on random designs",
		Long: `Draws small random designs with all features of AIGER, decides every property and
every mutant of registers and gates, and compares with explicit enumeration of
the states. Where --abc names Berkeley's ABC, each so many designs are drawn larger
and all their mutants' files compared with its pdr. A disagreement is made small and
written to a file.`,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE:   func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	fs := c.Flags()
	fs.IntVar(&f.rounds, "rounds", 0, "number of designs; 0 is no limit")
	fs.DurationVar(&f.time, "time", 10*time.Second, "time to go on for")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the random choices")
	fs.StringVarP(&f.output, "output", "o", "netcov-fuzz.aag", "file for a design on which netcov is wrong")
	fs.StringVar(&f.abc, "abc", "", "Berkeley's ABC, such as berkeley-abc, to compare with as well (default none)")
	fs.IntVar(&f.every, "abc-every", 200, "compare each so many designs with ABC")
	return c
}

// fuzzCase is one question: a design's property, the settings, and the path of
// ABC where it is asked too.
type fuzzCase struct {
	property int
	opt      coverage.Options
	abc      string
	evidence bool // write the evidence and verify it; resume a journal
}

// fuzzTally counts what was compared.
type fuzzTally struct{ designs, properties, mutants, covered, abc, evidence int }

func (f *fuzzFlags) run(c *cobra.Command) error {
	if f.abc != "" && f.every < 1 {
		return usagef("--abc-every %d: at least 1 is needed", f.every)
	}
	ctx, cancel := context.WithTimeout(c.Context(), f.time)
	defer cancel()
	r := rand.New(rand.NewPCG(f.seed, 2))
	var sum fuzzTally
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
			q := fuzzCase{p, randomOptions(r), program, r.IntN(evidenceEvery) == 0}
			wrong := q.wrong(ctx, file, &sum)
			if wrong == "" {
				continue
			}
			small := shrink.File(file, func(g *aiger.File) bool {
				return q.wrong(ctx, g, &fuzzTally{}) != ""
			})
			if w := q.wrong(context.Background(), small, &fuzzTally{}); w != "" {
				wrong = w
			}
			if err := aiger.WriteFile(f.output, small); err != nil {
				return err
			}
			return fmt.Errorf("after %d designs: %s; tests %v, engine %s, mux %d; the design is in %s", sum.designs, wrong, q.opt.Tests, q.opt.Engine, q.opt.Mux, f.output)
		}
	}
	if err := sum.write(c.OutOrStdout(), f.abc != ""); err != nil {
		return err
	}
	return interrupted(c.Context())
}

func (t *fuzzTally) write(w io.Writer, abc bool) error {
	also := ""
	if abc {
		also = fmt.Sprintf(" (%d of them by ABC)", t.abc)
	}
	_, err := fmt.Fprintf(w, "%d designs, %d properties (evidence of %d verified), %d mutants%s of which %d covered, no disagreement\n",
		t.designs, t.properties, t.evidence, t.mutants, also, t.covered)
	return err
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

		Paranoid: r.IntN(4) == 0,
	}
	switch r.IntN(3) {
	case 0:
		opt.Tests = coverage.DAC10Tests()
	case 1: // some of the tests, in any order
		for _, i := range r.Perm(len(coverage.AllTests())) {
			if r.IntN(2) == 0 {
				opt.Tests = append(opt.Tests, coverage.AllTests()[i])
			}
		}
	}
	return opt
}

// largeShape is of designs that enumeration does not manage.
func largeShape(r *rand.Rand) randaig.Shape {
	s := randomShape(r)
	s.Ands = 40 + r.IntN(160)
	s.Latches = 10 + r.IntN(30)
	s.Inputs = 2 + r.IntN(8)
	return s
}

// evidenceEvery is the number of properties of one of which the evidence is
// verified.
const evidenceEvery = 20

// refusedEvidence writes the evidence of a run and says what of it does not stand,
// or "".
func refusedEvidence(ctx context.Context, f *aiger.File, res *coverage.Result, opt coverage.Options) string {
	dir, err := os.MkdirTemp("", "netcov-fuzz-")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir)
	run := &evidence.Run{Design: f, Name: "random", Properties: []evidence.Property{res.Records(opt.Mux)}}
	if err := evidence.Write(ctx, dir, run, evidence.WriteOptions{}); err != nil {
		if ctx.Err() != nil {
			return ""
		}
		return err.Error()
	}
	r, err := evidence.Verify(ctx, dir, evidence.Options{Solver: certify.Both, Jobs: 1})
	switch {
	case ctx.Err() != nil || err == nil && r.Stands():
		return ""
	case err != nil:
		return err.Error()
	}
	return r.Failures[0].String()
}

// resumed runs with a journal, runs again from a part of its records, and says
// what came out differently, or "".
func (q fuzzCase) resumed(ctx context.Context, in *input, opt coverage.Options) string {
	dir, err := os.MkdirTemp("", "netcov-fuzz-")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "journal")
	if opt.Journal, _, _, err = journal.Open(path, journal.Header{}); err != nil {
		return err.Error()
	}
	first, err := coverage.Run(ctx, in.file, in.netlist, q.property, opt)
	opt.Journal.Close()
	if ctx.Err() != nil {
		return ""
	}
	if err != nil {
		return err.Error()
	}
	j, records, _, err := journal.Open(path, journal.Header{})
	if err != nil {
		return err.Error()
	}
	j.Close()
	opt.Journal, opt.Resume = nil, records[:opt.Seed%uint64(len(records)+1)]
	second, err := coverage.Run(ctx, in.file, in.netlist, q.property, opt)
	switch {
	case ctx.Err() != nil:
		return ""
	case err != nil:
		return "resumed: " + err.Error()
	case first.Proof.Status != second.Proof.Status || len(first.Mutants) != len(second.Mutants):
		return fmt.Sprintf("%s, and %s when resumed from %d records", first.Proof.Status, second.Proof.Status, len(opt.Resume))
	}
	for i, m := range first.Mutants {
		n := second.Mutants[i]
		if m.Verdict != n.Verdict && m.Verdict != coverage.Unknown && n.Verdict != coverage.Unknown {
			return fmt.Sprintf("%s at %v is %s, and %s when resumed from %d records", m.Fault, m.Target, m.Verdict, n.Verdict, len(opt.Resume))
		}
	}
	return ""
}

// enumerable is the number of inputs and latches up to which enumeration is the
// judge.
const enumerable = 14

// wrong decides the case and says what is wrong, or "". What was compared is
// added to the tally.
func (q fuzzCase) wrong(ctx context.Context, f *aiger.File, sum *fuzzTally) string {
	in := &input{path: "random", file: f, netlist: netlist.FromAIGER(f)}
	ps := in.netlist.Properties()
	if q.property >= len(ps) || ps[q.property].Kind == netlist.PropertyJustice {
		return ""
	}
	opt := q.opt
	for i := range in.netlist.Latches {
		opt.Targets = append(opt.Targets, netlist.Target{Index: i})
	}
	for i := range in.netlist.Gates {
		opt.Targets = append(opt.Targets, netlist.Target{Gate: true, Index: i})
	}
	res, err := coverage.Run(ctx, f, in.netlist, q.property, opt)
	switch {
	case err != nil:
		return err.Error()
	case ctx.Err() != nil:
		return ""
	case res.Proof.Status == coverage.Undecided:
		return fmt.Sprintf("property %d is undecided: %s", q.property, res.Proof.Reason)
	}
	// the design, then its mutants
	files := []*aiger.File{f}
	fails := []bool{res.Proof.Status == coverage.Fails}
	what := []string{"the design"}
	literal := in.literal()
	for _, m := range res.Mutants {
		if m.Verdict == coverage.Unknown {
			continue
		}
		fault := sim.Fault{Var: literal(m.Target) >> 1, Kind: sim.Kind(m.Fault)}
		if opt.Mux == netlist.MuxNext {
			fault.Mux = sim.Next
		}
		mutant, err := sim.Mutant(f, fault)
		if err != nil {
			return err.Error()
		}
		files = append(files, mutant)
		fails = append(fails, m.Verdict == coverage.Covered)
		what = append(what, fmt.Sprintf("%v, decided by %s", fault, m.Test))
	}
	sum.properties++
	sum.mutants += len(files) - 1
	for _, covered := range fails[1:] {
		if covered {
			sum.covered++
		}
	}
	if len(f.Inputs)+len(f.Latches) <= enumerable {
		for i, g := range files {
			if right := explicit.Fails(g, q.property); right != fails[i] {
				return fmt.Sprintf("property %d, %s: fails: %v, enumeration says %v", q.property, what[i], fails[i], right)
			}
		}
	}
	if q.evidence {
		if what := refusedEvidence(ctx, f, res, opt); what != "" {
			return fmt.Sprintf("property %d: verify refuses the evidence: %s", q.property, what)
		}
		if what := q.resumed(ctx, in, opt); what != "" {
			return fmt.Sprintf("property %d: %s", q.property, what)
		}
		sum.evidence++
	}
	if q.abc == "" {
		return ""
	}
	questions := make([]abc.Question, len(files))
	for i, g := range files {
		questions[i] = abc.Question{File: g, Property: q.property}
	}
	right, err := abc.Fails(ctx, q.abc, questions)
	switch {
	case ctx.Err() != nil:
		return ""
	case err != nil:
		return err.Error()
	}
	sum.abc += len(files) - 1
	for i := range files {
		if right[i] != fails[i] {
			return fmt.Sprintf("property %d, %s: fails: %v, ABC says %v", q.property, what[i], fails[i], right[i])
		}
	}
	return ""
}
