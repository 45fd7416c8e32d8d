package ctl

import (
	"context"
	"slices"
	"testing"

	"netcov/aig"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
)

// relay has one signal of each class: the pure control signal a, the visible
// control signal b and the pure output o.
//
//	a' = req ∧ ¬a    b' = a    o = a    θ = (0, 0)
//
// Written as ab, its control states go 00 → 00 or 10 (on req), 10 → 01, and
// 01 → 00 or 10 (on req); 11 is unreachable and goes to 01.
func relay(t *testing.T) *Model {
	g := aig.NewGraph()
	req, a, b := g.Input(), g.Latch(), g.Latch()
	c, err := circuit.New(circuit.Circuit{
		Graph: g, Constraint: aig.True,
		Inputs: []circuit.Signal{{Name: "req", Lit: req}},
		Controls: []circuit.Control{
			{Name: "a", Lit: a, Next: g.And(req, a.Not())},
			{Name: "b", Lit: b, Next: a},
		},
		Outputs: []circuit.Signal{{Name: "o", Lit: a}, {Name: "b", Lit: b}},
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := CircuitModel(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRelay(t *testing.T) {
	for _, c := range []struct {
		spec           string
		o, a, b        []string
		fixed0, fixed1 []string
	}{
		{
			// Every state says which value b has next.
			//
			// o: flipped in 00 it is 1, and the next b is 0. Flipped in 10 it is
			// 0, and the next b is 1. Flipped in 01 it is 1, and the next b is 0.
			// All algorithms are covered.
			//
			// b: 00 to 01: the run starts in 01, whose next state without req is
			// 01 again: o = 0 there and the next b is 1. 10 to 11: from 00 with
			// req the next state is 11, o was 0 and b is 1. 01 to 00: after 10,
			// where o = 1, b is 0. All algorithms are covered.
			//
			// a: 00 to 10: the run is 10 01 10 01 …, as it should be. 10 to 00:
			// the run is 00 00 …, also fine. 01 to 11: 00* 10 11 11 …, and 11 has
			// o = 1 and b = 1 next: fine. None is covered.
			//
			// a fixed to 0: 00 00 …; fixed to 1: 10 11 11 …; both satisfy it.
			// b fixed to 0 is wrong after 10, fixed to 1 is wrong after 00.
			spec: "AG (o -> AX b) & AG (!o -> AX !b)",
			o:    []string{"00", "01", "10"},
			b:    []string{"00", "01", "10"}, fixed0: []string{"b"}, fixed1: []string{"b"},
		},
		{
			// From every state one with o can be reached.
			//
			// o: flipped in 10 it is never 1 after 00: covered. Flipped in 00 or
			// 01 only takes an obligation away, and the states that remain
			// without o still go to 10.
			//
			// a: 10 to 00: o is never 1: covered. 00 to 10: 10 01 10 …: fine.
			// 01 to 11: 00* 10 11 …: fine.
			//
			// b: 00 to 01: 01 goes to 10 on req. 10 to 11: 00 and 01 go to 11,
			// where o = 1. 01 to 00: 00 goes to 10. None is covered.
			//
			// a fixed to 0: no o. Fixed to 1: o always. b does not matter.
			spec: "AG (!o -> EF o)",
			o:    []string{"10"}, a: []string{"10"}, fixed0: []string{"a"},
		},
	} {
		f, err := formula.Parse(c.spec, formula.CTL)
		if err != nil {
			t.Fatal(err)
		}
		m := relay(t)
		for _, alg := range algorithms {
			p := problem(t, m, f, Options{Algorithm: alg})
			for _, x := range []struct {
				signal, kind string
				want         []string
			}{{"o", "pure-output", c.o}, {"a", "pure-control", c.a}, {"b", "visible-control", c.b}} {
				got, err := p.Cover(context.Background(), x.signal)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Covered, x.want) || got.Signal.Kind != x.kind || len(got.Covered)+len(got.Uncovered) != 3 {
					t.Errorf("%s, %s: %s (%s) covered in %v, want %v", c.spec, alg, x.signal, got.Signal.Kind, got.Covered, x.want)
				}
			}
			for v, want := range map[bool][]string{false: c.fixed0, true: c.fixed1} {
				got, err := p.Fixed(context.Background(), v)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s, %s: fixing to %v: %v (%v), want %v", c.spec, alg, v, got, err, want)
				}
			}
		}
	}
}
