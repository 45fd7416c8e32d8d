package sim

import (
	"math/rand/v2"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/mutant"
)

// TestShared compares replays of shared traces with one at a time.
func TestShared(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	failing, broken, joined := 0, 0, 0
	for round := range rounds(t) {
		shape := randaig.Everything()
		if round%2 == 0 {
			shape.Constraints = 0
		}
		f := randaig.New(r, shape)
		bads, _, _ := f.Properties()
		properties := r.Perm(len(bads))
		if len(bads) > 0 {
			properties = properties[:1+r.IntN(len(bads))]
		}
		runs := 1 + r.IntN(3)
		if round%50 == 0 {
			runs = 64 + r.IntN(10)
		}
		var ws []*aiger.Witness
		for range runs {
			ws = append(ws, randaig.Trace(r, f, 8, 1))
		}
		s := NewShared(f, properties)
		faults := allFaults(f)
		var tries []Try
		for range 2 * len(faults) {
			run := r.IntN(runs)
			tries = append(tries, Try{run, 1 + r.IntN(len(ws[run].Inputs)), faults[r.IntN(len(faults))]})
		}
		shown, err := s.Replay(ws, tries)
		if err != nil || len(shown) != len(tries) {
			t.Fatal(err)
		}
		for i, try := range tries {
			w := *ws[try.Run]
			w.Inputs = w.Inputs[:try.Steps]
			full := naiveReplay(f, &w, &try.Fault)
			want := Shown{Holding: full.ConstraintsHold, Bad: -1}
			for at := range want.Holding {
				for k, p := range properties {
					if full.FirstBad[p] == at && want.Bad < 0 {
						want = Shown{Holding: at + 1, Bad: at, Property: k}
					}
				}
			}
			if shown[i] != want {
				t.Fatalf("%v: %+v, want %+v\n%+v\n%v", try, shown[i], want, f, w)
			}
			if want.Bad >= 0 {
				failing++
			}
			if want.Holding < try.Steps && want.Bad < 0 {
				broken++
			}
			if s.out.joins[try.Fault.Var] {
				joined++
			}
		}
	}
	if failing == 0 || broken == 0 || joined == 0 {
		t.Errorf("weak test: %d failing, %d break a constraint, %d in gates that join leaves", failing, broken, joined)
	}
}

// TestSharedRefuses gives tries without a trace.
func TestSharedRefuses(t *testing.T) {
	f := parse(t, "aag 2 1 1 0 0 1\n2\n4 2\n4\n")
	w := trace(t, "1\nb0\n0\n1\n1\n.\n")
	s := NewShared(f, []int{0})
	for _, try := range []Try{
		{1, 1, Fault{2, mutant.One, mutant.AtOutput}},
		{0, 3, Fault{2, mutant.One, mutant.AtOutput}},
		{0, 0, Fault{2, mutant.One, mutant.AtOutput}},
		{0, 1, Fault{2, mutant.Nondet, mutant.AtOutput}}, // no free value
		{0, 1, Fault{1, mutant.One, mutant.AtOutput}},    // an input
	} {
		if _, err := s.Replay([]*aiger.Witness{w}, []Try{try}); err == nil {
			t.Errorf("%v is accepted", try)
		}
	}
}
