//go:build unix

package proof

import (
	"context"
	"math/rand/v2"
	"syscall"
	"testing"

	"netcov/sat"
)

// BenchmarkPropagate measures unit propagation through a circuit of 100,000
// gates: all its inputs are assumed, one pattern a query.
func BenchmarkPropagate(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	c := newRandomCircuit(r, 500, 100000)
	s := NewCDCL(Options{})
	for range c.vars() {
		s.NewVar()
	}
	c.addTo(s.AddClause)
	assumps := make([]sat.Lit, c.inputs)
	ctx := context.Background()
	start := cpuSeconds()
	b.ResetTimer()
	for b.Loop() {
		for v := range assumps {
			assumps[v] = sat.MkLit(sat.Var(v), r.IntN(2) == 0)
		}
		if s.Solve(ctx, assumps...) != sat.Sat {
			b.Fatal("not satisfiable")
		}
	}
	b.ReportMetric(float64(s.Stats().Propagations)/(cpuSeconds()-start)/1e6, "Mprops/cpu-s")
}

// BenchmarkDomainQuery measures queries over cones of some hundred variables in a
// circuit of 100,000 gates, half of them with a temporary clause, as IC3 asks
// them.
func BenchmarkDomainQuery(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	const blocks, inputs, gates = 1000, 10, 100
	s := NewCDCL(Options{})
	var domains [][]sat.Var
	for range blocks {
		c := newRandomCircuit(r, inputs, gates)
		base := sat.Lit(s.NumVars()) << 1
		var domain []sat.Var
		for range c.vars() {
			domain = append(domain, s.NewVar())
		}
		c.addTo(func(lits ...sat.Lit) {
			shifted := make([]sat.Lit, len(lits))
			for i, l := range lits {
				shifted[i] = l + base
			}
			s.AddClause(shifted...)
		})
		domains = append(domains, domain)
	}
	ctx := context.Background()
	start := cpuSeconds()
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		d := domains[r.IntN(blocks)]
		root := sat.MkLit(d[len(d)-1-r.IntN(20)], r.IntN(2) == 0)
		s.SetDomain(d)
		if i%2 == 0 {
			s.Solve(ctx, root)
		} else {
			s.SolveWithClause(ctx, []sat.Lit{sat.MkLit(d[0], false), sat.MkLit(d[1], true)}, root)
		}
	}
	b.ReportMetric((cpuSeconds()-start)/float64(b.N)*1e6, "cpu-us/op")
}

// BenchmarkSearch measures search with conflicts, without and with chains.
func BenchmarkSearch(b *testing.B) {
	for _, bc := range []struct {
		name string
		opts Options
	}{{"plain", Options{}}, {"log", Options{Log: true}}} {
		b.Run(bc.name, func(b *testing.B) {
			var conflicts int64
			start := cpuSeconds()
			for b.Loop() {
				s := NewCDCL(bc.opts)
				pigeons(s, 7)
				s.Solve(context.Background())
				conflicts += s.Stats().Conflicts
			}
			b.ReportMetric(float64(conflicts)/(cpuSeconds()-start)/1e3, "kconfl/cpu-s")
		})
	}
}

// cpuSeconds is the CPU time of this process so far.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	sec := func(tv syscall.Timeval) float64 { return float64(tv.Sec) + float64(tv.Usec)/1e6 }
	return sec(u.Utime) + sec(u.Stime)
}
