package certify

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"netcov/aiger"
	"netcov/cert"
	"netcov/internal/shared"
	"netcov/interp"
	"netcov/mutant"
	"netcov/netlist"
)

// proved model checks the first property of a file; it returns nil where that
// takes too long or the property fails.
func proved(t testing.TB, path string, limit time.Duration) (*aiger.File, *cert.Invariant, time.Duration) {
	t.Helper()
	f, err := aiger.ReadFile(path, aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := netlist.FromAIGER(f)
	ps := n.Properties()
	if len(ps) == 0 {
		return nil, nil, 0
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start := time.Now()
	r, err := interp.Check(ctx, netlist.Compile(n, ps[0].Bad, nil, mutant.AtOutput), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != cert.Holds {
		return nil, nil, 0
	}
	return f, r.Invariant, time.Since(start)
}

// TestSharedInvariants re-checks the model checker's invariants on the shared
// benchmarks that have a table of verdicts, first alone, then on a sample of the
// register mutants one by one, then on those that they prove in one query.
// NETCOV_LIMIT is the model checking time (default 0.1 s).
func TestSharedInvariants(t *testing.T) {
	tables, _ := filepath.Glob(filepath.Join(shared.Dir(t, "truth"), "*.tsv"))
	limit := 100 * time.Millisecond
	if d, err := time.ParseDuration(os.Getenv("NETCOV_LIMIT")); err == nil {
		limit = d
	} else if testing.Short() {
		tables = tables[:len(tables)/4]
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := rand.New(rand.NewPCG(7, 3))
	for _, table := range tables {
		name := strings.TrimSuffix(filepath.Base(table), ".tsv")
		path := filepath.Join(shared.Dir(t, "bench/hwmcc08"), name+".aig")
		if _, err := os.Stat(path); err != nil {
			continue
		}
		f, inv, took := proved(t, path, limit)
		if f == nil {
			continue
		}
		k := NewChecker(f, 0)
		start := time.Now()
		if err := k.Invariant(ctx, inv, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		own := time.Since(start)
		var settled []Mutation
		start = time.Now()
		count := 0
		for i := range f.Latches {
			for fault := range mutant.Nondet + 1 {
				m := Mutation{Index: i, Fault: fault}
				if r.IntN(3*len(f.Latches)) >= 10 { // a sample
					continue
				}
				if count++; k.Invariant(ctx, inv, []Mutation{m}) == nil {
					settled = append(settled, m)
				}
			}
		}
		single := time.Since(start)
		start = time.Now()
		if err := k.Invariant(ctx, inv, settled); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		cs, ands := inv.Size()
		t.Logf("%-22s %6d gates %5d latches, R %d clauses %5d ands: proof %8v, check %8v; %d of %d sampled mutants, singly %8v, at once %8v", name, len(f.Ands), len(f.Latches), cs, ands,
			took.Round(10*time.Microsecond), own.Round(10*time.Microsecond), len(settled), count, single.Round(10*time.Microsecond), time.Since(start).Round(10*time.Microsecond))
	}
}

// BenchmarkCheckWitness checks the design's certificate of a large benchmark.
func BenchmarkCheckWitness(b *testing.B) {
	f, inv, _ := proved(b, filepath.Join(shared.Dir(b, "bench/hwmcc08"), "bj08amba5g62.aig"), time.Minute)
	model, witness, err := NewChecker(f, 0).Certificate(inv, nil)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for b.Loop() {
		if err := CheckWitness(ctx, Gini, model, witness); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTrace replays a trace of ten steps on one mutant.
func BenchmarkTrace(b *testing.B) {
	f, err := aiger.ReadFile(filepath.Join(shared.Dir(b, "bench/hwmcc08"), "pdtpmstwo.aig"), aiger.Options{})
	if err != nil {
		b.Fatal(err)
	}
	k := NewChecker(f, 0)
	tr := &cert.Trace{Latches: make([]bool, len(f.Latches))}
	for range 10 {
		tr.Inputs = append(tr.Inputs, make([]bool, len(f.Inputs)))
	}
	for b.Loop() {
		_ = k.Trace(tr, Mutation{Index: 3, Fault: mutant.One})
	}
}
