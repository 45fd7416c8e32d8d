package interp

import (
	"testing"

	"netcov/aig"
	"netcov/cert"
)

// TestSharedConjunctions: a conjunction whose parts are shared at each of 200 levels
// is taken apart in as many steps.
func TestSharedConjunctions(t *testing.T) {
	x := &strengthener{r: &cert.Invariant{Graph: aig.NewGraph()}, added: map[aig.Lit]bool{}}
	g := x.r.Graph
	l := g.And(g.Latch(), g.Latch())
	for range 200 {
		l = g.And(g.And(l, g.Latch()), g.And(l, g.Latch()))
	}
	x.add(l)
	if got := len(x.r.Formulas); got != 402 {
		t.Errorf("%d conjuncts", got)
	}
}
