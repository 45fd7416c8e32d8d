package ic3

import (
	"context"
	"testing"

	"netcov/aiger"
	"netcov/cert"
	"netcov/internal/shared"
	"netcov/mutant"
	"netcov/netlist"
)

func benchmarkModel(b *testing.B, name string) *netlist.Model {
	f, err := aiger.ReadFile(shared.Dir(b, "bench/hwmcc08/"+name+".aig"), aiger.Options{Lenient: true})
	if err != nil {
		b.Fatal(err)
	}
	n := netlist.FromAIGER(f)
	return netlist.Compile(n, n.Properties()[0].Bad, nil, mutant.AtOutput)
}

// BenchmarkNew measures the encoding of a large transition relation.
func BenchmarkNew(b *testing.B) {
	m := benchmarkModel(b, "bj08amba5g82")
	b.ReportAllocs()
	for b.Loop() {
		New(m, Options{})
	}
}

// BenchmarkRun measures whole runs: a deep one, and one of many lemmas.
func BenchmarkRun(b *testing.B) {
	for _, name := range []string{"pdtvisheap00", "pdtvisminmax0", "visprodcellp22"} {
		b.Run(name, func(b *testing.B) {
			m := benchmarkModel(b, name)
			b.ReportAllocs()
			for b.Loop() {
				if r := New(m, Options{}).Run(context.Background(), Budget{}); r.Status != cert.Holds {
					b.Fatal(r.Status)
				}
			}
		})
	}
}
