package journal

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"netcov/aig"
	"netcov/cert"
)

// TestInvariantRoundTrip: an invariant that was stored holds in the same states.
func TestInvariantRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	const latches = 5
	for range 500 {
		v := &cert.Invariant{Graph: aig.NewGraph()}
		for range r.IntN(3) {
			var c cert.Clause
			for range r.IntN(4) {
				c = append(c, cert.MkStateLit(r.IntN(latches), r.IntN(2) == 0))
			}
			v.Clauses = append(v.Clauses, c)
		}
		lits := []aig.Lit{aig.False}
		for i := range latches {
			l := v.Graph.Latch()
			lits = append(lits, l)
			v.Support = append(v.Support, cert.SupportLatch{Lit: l, Latch: i})
		}
		pick := func() aig.Lit { return lits[r.IntN(len(lits))] ^ aig.Lit(r.IntN(2)) }
		for range r.IntN(12) {
			lits = append(lits, v.Graph.And(pick(), pick()))
		}
		for range r.IntN(3) {
			v.Formulas = append(v.Formulas, pick())
		}
		data, err := json.Marshal(NewInvariant(v))
		if err != nil {
			t.Fatal(err)
		}
		var stored Invariant
		if err := json.Unmarshal(data, &stored); err != nil {
			t.Fatal(err)
		}
		back, err := stored.Value(latches)
		if err != nil {
			t.Fatal(err)
		}
		for s := range 1 << latches {
			state := make([]bool, latches)
			for i := range state {
				state[i] = s>>i&1 == 1
			}
			if v.Holds(state) != back.Holds(state) {
				t.Fatalf("%s differs in state %v", data, state)
			}
		}
	}
}

func TestTraceRoundTrip(t *testing.T) {
	tr := &cert.Trace{Latches: []bool{true, false}, Inputs: [][]bool{{false, true}, {}, {true}}}
	back, err := NewTrace(tr).Value()
	if err != nil || !reflect.DeepEqual(tr, back) {
		t.Errorf("%v: %v", back, err)
	}
}

// TestBadValues: stored values that make no sense are refused.
func TestBadValues(t *testing.T) {
	for _, v := range []Invariant{
		{Clauses: [][]uint32{{4}}},
		{Formulas: []uint32{2}},
		{Support: []int{2}, Formulas: []uint32{2}},
		{Support: []int{-1}, Formulas: []uint32{2}},
		{Support: []int{0}, Gates: [][2]uint32{{2, 4}}, Formulas: []uint32{2}},
		{Support: []int{0}, Gates: [][2]uint32{{1 << 31, 2}}, Formulas: []uint32{2}},
	} {
		if _, err := v.Value(2); err == nil {
			t.Errorf("%+v was accepted", v)
		}
	}
	if _, err := (&Trace{Latches: "02"}).Value(); err == nil {
		t.Error("a latch of value 2 was accepted")
	}
	if _, err := (&Trace{Inputs: []string{"x"}}).Value(); err == nil {
		t.Error("an input of value x was accepted")
	}
}
