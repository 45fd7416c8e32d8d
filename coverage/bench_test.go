package coverage

import (
	"context"
	"os"
	"testing"

	"netcov/aiger"
	"netcov/netlist"
)

// BenchmarkCover runs the default cascade on the file that NETCOV_BENCH_FILE
// names, such as a file of the shared benchmarks.
func BenchmarkCover(b *testing.B) {
	path := os.Getenv("NETCOV_BENCH_FILE")
	if path == "" {
		b.Skip("NETCOV_BENCH_FILE names no file")
	}
	f, err := aiger.ReadFile(path, aiger.Options{})
	if err != nil {
		b.Fatal(err)
	}
	n := netlist.FromAIGER(f)
	for b.Loop() {
		res, err := Run(context.Background(), f, n, 0, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(res.Cover.Seconds()/res.Proof.Time.Seconds(), "overhead")
		b.ReportMetric(res.Recheck.Seconds()/res.Proof.Time.Seconds(), "recheck")
	}
}
