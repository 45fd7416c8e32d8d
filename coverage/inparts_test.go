package coverage

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aiger/explicit"
	"netcov/cert"
	"netcov/certify"
	"netcov/mutant"
	"netcov/netlist"
)

// TestPartsDecideMutants compares verdicts in parts with those on the whole, some of them
// with enumeration, and asks the second opinion about all evidence on the whole design.
func TestPartsDecideMutants(t *testing.T) {
	conflicts := smallBundles(t)
	r := rand.New(rand.NewPCG(19, 2))
	var count struct{ designs, constrained, gates, mutants, covered, open, stopped, interrupted int }
	for i := 0; count.designs < rounds(t, 1000); i++ {
		f := joined(r)
		n := netlist.FromAIGER(f)
		bundleConflicts = 1 + int64(r.IntN(2))*conflicts
		opt := Options{Mux: mutant.Mux(r.IntN(2)), Seed: uint64(i), Jobs: 1 + r.IntN(2), NoRecheck: r.IntN(4) == 0}
		for i := range n.Latches {
			opt.Targets = append(opt.Targets, mutant.Target{Index: i})
		}
		if r.IntN(3) == 0 {
			for i := range n.Gates {
				opt.Targets = append(opt.Targets, mutant.Target{Gate: true, Index: i})
			}
		}
		if len(opt.Targets) == 0 {
			continue
		}
		r.Shuffle(len(opt.Targets), func(i, j int) { opt.Targets[i], opt.Targets[j] = opt.Targets[j], opt.Targets[i] })
		opt.Targets = opt.Targets[:1+r.IntN(len(opt.Targets))]
		if r.IntN(4) == 0 {
			opt.Faults = n.FaultsAt(opt.Targets)
		}
		switch r.IntN(8) {
		case 0:
			opt.Tests = []string{TestCone, TestSupport, TestSimulation}
		case 1:
			opt.Tests = []string{TestCone, TestIC3}
		case 2:
			opt.StopAt = r.Float64()
		case 3:
			opt.Paranoid = true
		}
		bundleFrom, bundleRegisters, bundleTimes = 0, 1<<r.IntN(3), r.IntN(5)
		if inParts(n, n.Bads[0].Lit, opt.withDefaults(n)) == nil || explicit.Fails(f, 0) {
			continue
		}
		ctx, interrupt := context.WithCancel(t.Context())
		if r.IntN(10) == 0 {
			calls := r.IntN(2 * len(opt.Targets))
			opt.Progress = func(Progress) {
				if calls--; calls < 0 {
					interrupt()
				}
			}
		}
		parts, err := Run(ctx, f, n, 0, opt)
		limited := opt.StopAt > 0 || len(opt.Tests) == 3 || ctx.Err() != nil
		interrupt()
		if parts != nil && parts.Proof.Status == cert.Unknown && opt.Progress != nil {
			count.interrupted++
			continue
		}
		if err != nil || parts.Proof.Status != cert.Holds {
			t.Fatalf("design %d: %v, %v", i, parts.Proof.Status, err)
		}
		bundleFrom, opt.Progress = 1<<20, nil
		ctx = t.Context()
		whole, err := Run(ctx, f, n, 0, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(parts.Mutants) != len(whole.Mutants) || !slices.Equal(names(parts), names(whole)) {
			t.Fatalf("design %d: the results are of another form in parts", i)
		}
		k := certify.NewChecker(f, 0)
		if err := k.Invariant(ctx, parts.Invariant(), nil); err != nil {
			t.Fatalf("design %d: %v", i, err)
		}
		settled := 0
		for j, m := range parts.Mutants {
			w := whole.Mutants[j]
			if m.Target != w.Target || m.Fault != w.Fault || m.Property != 0 {
				t.Fatalf("design %d: %v in the place of %v", i, m, w)
			}
			own := certify.Mutation{Gate: m.Target.Gate, Index: m.Target.Index, Fault: m.Fault, Mux: opt.Mux}
			switch m.Verdict {
			case mutant.Covered:
				if _, _, err := k.Traces([]*cert.Trace{m.Trace()}, []certify.Mutation{own}); err != nil {
					t.Fatalf("design %d: %v: %v", i, m, err)
				}
				count.covered++
			case mutant.NotCovered:
				if err := k.Invariant(ctx, m.Invariant(), []certify.Mutation{own}); err != nil {
					t.Fatalf("design %d: %v by %s: %v", i, m, m.Test, err)
				}
			default:
				if !limited {
					t.Fatalf("design %d: %v is open", i, m)
				}
				count.open++
				continue
			}
			settled++
			if w.Verdict != mutant.Unknown && w.Verdict != m.Verdict {
				t.Fatalf("design %d: %v is %v in parts and %v on the whole", i, m, m.Verdict, w.Verdict)
			}
			if r.IntN(20) == 0 && m.Verdict != truth(f, 0, m.Target, m.Fault, opt.Mux) {
				t.Fatalf("design %d: %v is %v", i, m, m.Verdict)
			}
		}
		for _, x := range parts.Tests {
			settled -= x.Covered + x.NotCovered
		}
		if settled != 0 {
			t.Fatalf("design %d: the tests count %d mutants less than are settled", i, settled)
		}
		count.designs++
		count.mutants += len(parts.Mutants)
		if len(f.Constraints) > 0 {
			count.constrained++
		}
		if slices.ContainsFunc(opt.Targets, func(t mutant.Target) bool { return t.Gate }) {
			count.gates++
		}
		if parts.Stopped != "" {
			count.stopped++
		}
	}
	t.Logf("%+v", count)
	if least := rounds(t, 1000) / 50; count.constrained < least || count.gates < least || count.covered < least || count.stopped < least {
		t.Error("the test says little")
	}
}

// names lists the tests of a result.
func names(r *Result) []string {
	var out []string
	for _, t := range r.Tests {
		out = append(out, t.Name)
	}
	return out
}
