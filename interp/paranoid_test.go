package interp

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/sat"
)

// TestChecksPass runs all variants with all checks on.
func TestChecksPass(t *testing.T) {
	for seed := range uint64(tries(120)) {
		r := rand.New(rand.NewPCG(seed, 7))
		m := randomModel(r, seed%2 == 0)
		if len(m.Cuts) > 0 && r.IntN(2) == 0 {
			m = m.Mutant(r.IntN(len(m.Cuts)), netlist.Force(r.IntN(netlist.Forces)))
		}
		for _, opt := range variants() {
			opt.Check = func(err error) { t.Errorf("seed %d, %+v: %v", seed, opt.method, err) }
			if _, err := Check(context.Background(), m, opt); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestChecksNotice spoils an image between its computation and its check.
func TestChecksNotice(t *testing.T) {
	for _, backward := range []bool{false, true} {
		found := 0
		opt := &Options{Check: func(error) { found++ }}
		e := newByProofs(rotators(4), opt, backward)
		e.restart(2)
		mt := &meter{ctx: context.Background(), left: 1 << 40}
		if s := e.img.solve(mt, e.from); s != sat.Unsat {
			t.Fatal(s)
		}
		e.image = e.img.image(mt)
		opt.report(e.check(context.Background()))
		if found != 0 {
			t.Fatalf("backward %v: a right image is refused", backward)
		}
		e.image = e.image.Not()
		opt.report(e.check(context.Background()))
		if found == 0 {
			t.Errorf("backward %v: the complement of an image passes", backward)
		}
	}
}

// TestSmallerInterpolantNamesMore: a smaller form of an interpolant may be an
// equal function that is known already and is written with further latches. The
// checks must look at the interpolant itself.
func TestSmallerInterpolantNamesMore(t *testing.T) {
	f, err := aiger.Read(strings.NewReader("aag 7 0 3 0 0 2 1\n8 10 1\n10 0 1\n14 9 1\n0\n9\n14\n"), "test", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := netlist.FromAIGER(f)
	for _, p := range n.Properties() {
		m := netlist.Compile(n, p.Bad, nil, mutant.AtOutput)
		r, err := Check(context.Background(), m, Options{Check: func(err error) { t.Error(err) }})
		if err != nil || r.Status != cert.Holds {
			t.Errorf("property %d: %v, %v", p.Index, r.Status, err)
		}
	}
}
