package campaign

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/frontend"
	"netcov/frontend/design"
	"netcov/mutant"
	"netcov/netlist"
)

// named gives each latch and input a name.
func named(f *aiger.File) {
	f.Symbols = aiger.Symbols{Latches: aiger.Names{}, Inputs: aiger.Names{}}
	for i := range f.Latches {
		f.Symbols.Latches[i] = fmt.Sprintf("r%d", i)
	}
	for i := range f.Inputs {
		f.Symbols.Inputs[i] = fmt.Sprintf("i%d", i)
	}
}

// shuffled is the design with its latches and inputs in another order.
func shuffled(r *rand.Rand, f *aiger.File) *aiger.File {
	g := *f
	g.Latches, g.Inputs = nil, nil
	g.Symbols.Latches, g.Symbols.Inputs = aiger.Names{}, aiger.Names{}
	for at, i := range r.Perm(len(f.Latches)) {
		g.Latches = append(g.Latches, f.Latches[i])
		g.Symbols.Latches[at] = f.Symbols.Latches[i]
	}
	for at, i := range r.Perm(len(f.Inputs)) {
		g.Inputs = append(g.Inputs, f.Inputs[i])
		g.Symbols.Inputs[at] = f.Symbols.Inputs[i]
	}
	return &g
}

func designOf(f *aiger.File) *Design {
	return New(&frontend.Source{File: f, Design: &design.Design{Format: "aiger", Netlist: netlist.FromAIGER(f)}})
}

// verdicts are those of a run, by names.
func verdicts(t *testing.T, d *Design, opt coverage.Options) (out map[string]mutant.Verdict, set *coverage.Set, taken int) {
	t.Helper()
	which, err := d.Choose("all")
	if err != nil {
		t.Fatal(err)
	}
	opt.Targets = d.Targets(true, false)
	if set, err = d.Run(context.Background(), which, opt); err != nil {
		t.Fatal(err)
	}
	out = map[string]mutant.Verdict{}
	for j := range set.All() {
		out[fmt.Sprint(d.File.Symbols.Latches[j.Target.Index], j.Fault)] = j.Verdict
		if j.Test == coverage.TestBaseline {
			taken++
		}
	}
	return out, set, taken
}

// TestEarlierByName: evidence of a design whose nodes stand in another order, and that
// differs in one place, gives the verdicts of a run without it. Some of it goes through
// files.
func TestEarlierByName(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 6))
	shape := randaig.Everything()
	shape.Justice, shape.Fairness, shape.Latches, shape.Constraints = 0, 0, 6, 1
	rounds := 1500
	if testing.Short() {
		rounds = 150
	}
	all, taken := 0, 0
	for i := range rounds {
		f := randaig.New(r, shape)
		if len(f.Latches) == 0 || len(f.Bads) == 0 {
			continue
		}
		named(f)
		old := *f
		if r.IntN(2) == 0 { // the old design had another next-state function
			old.Latches = append([]aiger.Latch{}, f.Latches...)
			old.Latches[r.IntN(len(old.Latches))].Next ^= 1
		}
		if r.IntN(2) == 0 {
			old.Bads = old.Bads[:1+r.IntN(len(old.Bads))]
		}
		place := mutant.Mux(r.IntN(2))
		before, now := designOf(&old), designOf(shuffled(r, f))
		due, _, _ := verdicts(t, now, coverage.Options{Mux: place})
		_, found, _ := verdicts(t, before, coverage.Options{Mux: place})
		run := &evidence.Run{
			Design: before.File, Name: "old", Properties: found.Records(place), Labels: before.Labels(before.Targets(true, false)),
			Scope: evidence.NewScope(true, false, mutant.Faults(), place),
		}
		var e *coverage.Earlier
		if i%10 == 0 {
			dir := filepath.Join(t.TempDir(), "e")
			if err := evidence.Write(context.Background(), dir, run, evidence.WriteOptions{NoMutants: true}); err != nil {
				t.Fatal(err)
			}
			var err error
			if e, err = now.Earlier(dir, place); err != nil {
				t.Fatal(err)
			}
		} else {
			e = now.translate(run, place)
		}
		got, _, n := verdicts(t, now, coverage.Options{Mux: place, Earlier: e, Tests: coverage.WithBaseline(coverage.SetTests(false))})
		taken += n
		all += len(got)
		for m, v := range due {
			if got[m] != v {
				t.Fatalf("%s: %v, %v is due", m, got[m], v)
			}
		}
	}
	if taken*10 < all {
		t.Errorf("of %d mutants %d are taken up", all, taken)
	}
}
