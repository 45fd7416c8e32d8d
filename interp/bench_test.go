package interp

import (
	"context"
	"testing"

	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// rotators holds two rotating registers of which one is rotated twice in every
// second step, and an input that stirs both: bad when their parities differ.
func rotators(bits int) *netlist.Model {
	n := &netlist.Netlist{Graph: aig.NewGraph()}
	g := n.Graph
	stir := g.Input()
	n.Inputs = append(n.Inputs, netlist.Input{Lit: stir})
	for range 2*bits + 1 {
		n.Latches = append(n.Latches, netlist.Latch{Lit: g.Latch()})
	}
	odd := n.Latches[2*bits].Lit
	n.Latches[2*bits].Next = odd.Not()
	parity := aig.False
	for i := range bits {
		a := func(i int) aig.Lit { return n.Latches[i%bits].Lit }
		b := func(i int) aig.Lit { return n.Latches[bits+i%bits].Lit }
		next, twice := a(i+1), g.Mux(odd, b(i+2), b(i))
		if i == 0 {
			next, twice = g.Xor(next, stir), g.Xor(twice, stir)
		}
		n.Latches[i].Next, n.Latches[bits+i].Next = next, twice
		parity = g.Xor(parity, g.Xor(a(i), b(i)))
	}
	return netlist.Compile(n, parity, nil, mutant.AtOutput)
}

// refuted returns an engine whose solver has just refuted the query of an image.
func refuted(b *testing.B) (*byProofs, *meter) {
	b.Helper()
	e := newByProofs(rotators(8), &Options{}, false)
	e.restart(6)
	mt := &meter{ctx: context.Background(), left: 1 << 60}
	for range 3 {
		if e.img.solve(mt, e.from) != sat.Unsat {
			b.Fatal("satisfiable")
		}
		e.from = e.img.image(mt)
	}
	return e, mt
}

// BenchmarkInterpolant builds the interpolant of one proof.
func BenchmarkInterpolant(b *testing.B) {
	e, _ := refuted(b)
	p := e.img.s.Proof()
	chains := 0
	p.Walk(nil, func(proof.ID, []proof.ID, []sat.Lit) { chains++ })
	for b.Loop() {
		g := aig.NewGraph()
		for range e.img.raw.Size() {
			g.Latch()
		}
		NewBuilder(g, e.img.build.part).Interpolant(p, nil)
	}
	b.ReportMetric(float64(chains), "chains")
}

// BenchmarkReduce passes an interpolant through the reducer.
func BenchmarkReduce(b *testing.B) {
	e, mt := refuted(b)
	root := e.img.build.Interpolant(e.img.s.Proof(), nil)
	for b.Loop() {
		newReducer(len(e.m.Latches), &Options{}).intern(mt, e.img.raw, root, func(n aig.Node) int { return e.img.latch[n] })
	}
	b.ReportMetric(float64(countAnds(e.img.raw, root)), "ands")
}

// BenchmarkCheck proves the rotators' parity by each method.
func BenchmarkCheck(b *testing.B) {
	for _, method := range []Method{Alternate, Proofs, Clauses} {
		b.Run(method.String(), func(b *testing.B) {
			m := rotators(4)
			for b.Loop() {
				if res, err := Check(context.Background(), m, Options{method: method}); err != nil || res.Status != cert.Holds {
					b.Fatal(res, err)
				}
			}
		})
	}
}

func countAnds(g *aig.Graph, root aig.Lit) int {
	n := 0
	for _, v := range g.Cone(root) {
		if g.Kind(v) == aig.KindAnd {
			n++
		}
	}
	return n
}
