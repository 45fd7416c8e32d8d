package sim

import (
	"math/rand/v2"
	"testing"

	"netcov/aiger/randaig"
)

// TestMiter: a trace is bad on the miter exactly where the two sides, watched one by
// one, differ within the constraints.
func TestMiter(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 8))
	bad, good := 0, 0
	for range 3000 {
		f := randaig.New(r, randaig.Everything())
		if len(f.Latches)+len(f.Ands) == 0 {
			continue
		}
		faults := allFaults(f)
		fault := faults[r.IntN(len(faults))]
		points := f.Outputs
		if r.IntN(2) == 0 {
			points = nil
			for _, l := range f.Latches {
				if l.Lit>>1 != fault.Var {
					points = append(points, l.Lit)
				}
			}
		}
		extra := 0
		if fault.Kind.Free() {
			extra = 1
		}
		w := randaig.Trace(r, f, 1+r.IntN(4), extra)
		pair, err := WatchPair(f, w, fault, points)
		if err != nil {
			t.Fatal(err)
		}
		first := -1
		for step := range w.Inputs {
			for i := range points {
				if first < 0 && pair.Values[0][step][i] != pair.Values[1][step][i] {
					first = step
				}
			}
		}
		m, err := Miter(f, fault, points)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Check(); err != nil {
			t.Fatalf("%v\n%+v", err, m)
		}
		got, err := Replay(m, MiterTrace(f, w, fault), nil)
		if err != nil {
			t.Fatalf("%v\n%+v\n%+v", err, f, m)
		}
		held := min(pair.Design.ConstraintsHold, pair.Mutant.ConstraintsHold)
		if got.FirstBad[0] != first || got.ConstraintsHold != held {
			t.Fatalf("%v: bad in step %d, constraints hold for %d steps; really %d and %d\n%+v\n%+v", fault, got.FirstBad[0], got.ConstraintsHold, first, held, f, m)
		}
		if first >= 0 {
			bad++
		} else {
			good++
		}
	}
	if bad < 100 || good < 100 {
		t.Errorf("%d bad, %d good: the test says little", bad, good)
	}
}
