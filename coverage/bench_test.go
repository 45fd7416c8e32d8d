package coverage

import (
	"context"
	"os"
	"testing"
	"time"

	"netcov/aiger"
	"netcov/netlist"
)

// BenchmarkCover runs the default cascade on the file that NETCOV_BENCH_FILE
// names, such as a file of the shared benchmarks, for the time that
// NETCOV_BENCH_BUDGET gives, or to the end.
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
	limit, _ := time.ParseDuration(os.Getenv("NETCOV_BENCH_BUDGET"))
	for b.Loop() {
		res, err := Run(context.Background(), f, n, 0, Options{Budget: Budget{Limit: limit}})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(res.Cover.Seconds()/res.Proof.Time.Seconds(), "overhead")
		b.ReportMetric(res.Recheck.Seconds()/res.Proof.Time.Seconds(), "recheck")
	}
}
