package coverage

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/cert"
	"netcov/certify"
	"netcov/netlist"
)

// TestAloneAfterTogether: properties that the engines for sets have left are proved alone,
// and neither loses the invariants of the other.
func TestAloneAfterTogether(t *testing.T) {
	ctx := context.Background()
	held := 0
	randomSets(t, 23, rounds(t, 100), func(o *setOracle, r *rand.Rand) {
		opt := Options{Engine: EngineSet}.withDefaults(o.n)
		p := &prover{
			setRun: &setRun{
				f: o.f, n: o.n, opt: opt, all: o.n.Properties(), proofs: map[int]*Answer{},
				extractor: netlist.NewExtractor(o.n), cutter: certify.NewCutter(o.f),
			},
			cluster: map[int]int{}, invariants: map[int]*cert.Invariant{},
		}
		half := r.IntN(len(o.properties) + 1)
		if err := p.together(ctx, o.properties[:half], probes{}); err != nil {
			t.Fatal(err)
		}
		if err := p.alone(ctx, o.properties[half:], EngineIC3, probes{}); err != nil {
			t.Fatal(err)
		}
		for _, i := range o.properties {
			if fails := p.proofs[i].Status == cert.Fails; fails != o.fails[i] || p.proofs[i].Status == cert.Unknown {
				t.Fatalf("property %d of %d, %d together: %v; it fails: %v", i, len(o.properties), half, p.proofs[i].Status, o.fails[i])
			}
			if o.fails[i] {
				continue
			}
			if err := certify.NewChecker(o.f, i).Invariant(ctx, p.invariantOf([]int{i}), nil); err != nil {
				t.Fatalf("property %d, %d together: %v", i, half, err)
			}
			held++
		}
	})
	if held == 0 {
		t.Error("nothing holds")
	}
}
