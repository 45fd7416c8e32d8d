package liveness

import (
	"context"
	"flag"
	"path/filepath"
	"testing"
	"time"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/ic3"
	"netcov/internal/shared"
	"netcov/mutant"
	"netcov/netlist"
)

var (
	perFile  = flag.Duration("per-file", 300*time.Millisecond, "time for each shared justice property")
	allProps = flag.Bool("all-properties", false, "check all justice properties of a file, not the first")
)

// TestSharedJustice decides the justice properties of the shared benchmarks, by
// the search for a lasso, for a while each; every lasso is replayed on the design.
func TestSharedJustice(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	files, err := filepath.Glob(filepath.Join(shared.Dir(t, "bench/aiger19"), "*.a*g"))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, path := range files {
		f, err := aiger.ReadFile(path, aiger.Options{})
		if err != nil || len(f.Justice) == 0 {
			continue
		}
		for j := range f.Justice {
			if j > 0 && !*allProps {
				break
			}
			verdict := sharedVerdict(t, f, j, filepath.Base(path))
			counts[verdict]++
			t.Logf("%s j%d: %s", filepath.Base(path), j, verdict)
		}
	}
	t.Logf("%v", counts)
}

func sharedVerdict(t *testing.T, f *aiger.File, j int, name string) string {
	s, err := Safety(f, j, 0)
	if err != nil {
		t.Fatal(err)
	}
	res := solve(t, s, *perFile)
	if res.Status == cert.Fails {
		if err := certify.NewJusticeChecker(f, j, 0).Trace(res.Trace); err != nil {
			t.Errorf("%s j%d: %v", name, j, err)
		}
	}
	return res.Status.String()
}

func solve(t *testing.T, f *aiger.File, limit time.Duration) ic3.Result {
	t.Helper()
	n := netlist.FromAIGER(f)
	ctx, cancel := context.WithTimeout(context.Background(), max(limit, time.Millisecond))
	defer cancel()
	res := ic3.New(netlist.Compile(n, n.Bads[0].Lit, nil, mutant.AtOutput), ic3.Options{}).Run(ctx, ic3.Budget{})
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	return res
}
