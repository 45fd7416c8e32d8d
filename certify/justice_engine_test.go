package certify_test

import (
	"math/rand/v2"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/certify"
	"netcov/liveness"
)

// TestJusticeAsEnginesSeeIt: the translation that is made here and that of the
// engines have the same latches in the same places: on random runs all have the same
// values, and the bad-state literals agree. So an invariant of one is one of the other.
func TestJusticeAsEnginesSeeIt(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 3))
	bad := 0
	for round := range 2000 {
		f := randaig.New(r, randaig.Everything())
		for j := range f.Justice {
			after := r.IntN(4)
			theirs, err := liveness.Safety(f, j, after)
			if err != nil {
				t.Fatal(err)
			}
			own, err := certify.NewJusticeChecker(f, j, after).Model(nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(own.Inputs) != len(theirs.Inputs) || len(own.Latches) != len(theirs.Latches) {
				t.Fatalf("round %d: %d inputs and %d latches, the engines have %d and %d",
					round, len(own.Inputs), len(own.Latches), len(theirs.Inputs), len(theirs.Latches))
			}
			a, b := newRun(own), newRun(theirs)
			for step := range 20 {
				if step%7 == 0 { // any state
					for i := range a.state {
						a.state[i] = r.IntN(2) == 0
					}
				}
				copy(b.state, a.state)
				in := make([]bool, len(own.Inputs))
				for i := range in {
					in[i] = r.IntN(2) == 0
				}
				x, y := a.step(in), b.step(in)
				if x != y {
					t.Fatalf("round %d, step %d: bad is %v, the engines say %v", round, step, x, y)
				}
				if x {
					bad++
				}
				for i := range a.state {
					if a.state[i] != b.state[i] {
						t.Fatalf("round %d, step %d: latch %d (%s) is %v after it, the engines say %v",
							round, step, i, own.Symbols.Latches[i], a.state[i], b.state[i])
					}
				}
			}
		}
	}
	if bad < 300 {
		t.Errorf("only %d bad states", bad)
	}
}

// plainRun evaluates a file step by step.
type plainRun struct {
	f     *aiger.File
	state []bool
	value []bool
}

func newRun(f *aiger.File) *plainRun {
	return &plainRun{f: f, state: make([]bool, len(f.Latches)), value: make([]bool, f.MaxVar+1)}
}

func (p *plainRun) step(in []bool) (bad bool) {
	read := func(l aiger.Lit) bool { return p.value[l>>1] != (l&1 == 1) }
	for i, l := range p.f.Inputs {
		p.value[l>>1] = in[i]
	}
	for i, l := range p.f.Latches {
		p.value[l.Lit>>1] = p.state[i]
	}
	for _, a := range p.f.Ands {
		p.value[a.Lhs>>1] = read(a.Rhs0) && read(a.Rhs1)
	}
	for i, l := range p.f.Latches {
		p.state[i] = read(l.Next)
	}
	return read(p.f.Bads[0])
}
