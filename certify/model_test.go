package certify

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/mutant"
)

// reread writes a file in the binary form and reads it again.
func reread(t testing.TB, f *aiger.File) *aiger.File {
	t.Helper()
	var b bytes.Buffer
	if err := aiger.WriteBinary(&b, f); err != nil {
		t.Fatal(err)
	}
	g, err := aiger.Read(&b, "model", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestModelsAgainstEnumeration compares the model of a mutant with the mutant's
// definition: the same shortest counterexample, which also replays on it; and
// the model of several with the worst of them.
func TestModelsAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	fails, holds := 0, 0
	for round := range rounds(1500) {
		f := randomFile(r)
		bads, _, _ := f.Properties()
		property := r.IntN(len(bads))
		k := NewChecker(f, property)
		ms := allMutations(f, mutant.Mux(r.IntN(2)))
		m := ms[r.IntN(len(ms))]
		model, err := k.Model([]Mutation{m})
		if err != nil {
			t.Fatal(err)
		}
		if again := reread(t, model); !reflect.DeepEqual(again.Ands, model.Ands) || !reflect.DeepEqual(again.Latches, model.Latches) {
			t.Fatalf("round %d: the model is not numbered as in the binary form", round)
		}
		_, want := newOracle(f, property, &m).search()
		_, got := newOracle(model, 0, nil).search()
		if (want == nil) != (got == nil) || want != nil && len(want.Inputs) != len(got.Inputs) {
			t.Fatalf("round %d, %v: counterexample %v, on the model %v\n%+v\n%+v", round, m, want, got, f, model)
		}
		if want != nil {
			fails++
			w, err := NewChecker(model, 0).Witness(want)
			if err != nil {
				t.Fatal(err)
			}
			if res, err := sim.Replay(model, w, nil); err != nil || !res.Fails(0) {
				t.Fatalf("round %d: no counterexample of the model: %v", round, err)
			}
		} else {
			holds++
		}
		if round%4 > 0 {
			continue
		}
		set := []Mutation{m, ms[r.IntN(len(ms))], ms[r.IntN(len(ms))]}[:2+r.IntN(2)]
		any := false
		for _, m := range set {
			_, tr := newOracle(f, property, &m).search()
			any = any || tr != nil
		}
		if model, err = k.Model(set); err != nil {
			t.Fatal(err)
		}
		reread(t, model)
		if _, got := newOracle(model, 0, nil).search(); (got != nil) != any {
			t.Fatalf("round %d, %v: fails %v, on the model %v", round, set, any, got)
		}
	}
	t.Log(fails, "fail,", holds, "hold")
}

// TestCertificates: an invariant that is accepted gives a witness circuit that
// is; a witness circuit that is accepted, spoilt or not, proves its model safe.
func TestCertificates(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	count := map[string]int{}
	ctx := context.Background()
	for round := range rounds(2000) {
		f := randomFile(r)
		bads, _, _ := f.Properties()
		property := r.IntN(len(bads))
		k := NewChecker(f, property)
		ms := allMutations(f, mutant.Mux(r.IntN(2)))
		var set []Mutation
		for range r.IntN(4) {
			set = append(set, ms[r.IntN(len(ms))])
		}
		reached, _ := newOracle(f, property, nil).search()
		safe := true
		if set != nil {
			reached = map[int]bool{}
		}
		for _, m := range set {
			more, tr := newOracle(f, property, &m).search()
			for c := range more {
				reached[c] = true
			}
			safe = safe && tr == nil
		}
		inv := exact(reached, len(f.Latches)+1, r.IntN(2) == 0)
		if r.IntN(2) == 0 {
			breakIt(r, inv, len(f.Latches)+1)
		}
		model, witness, err := k.Certificate(inv, set)
		if err != nil {
			t.Fatal(err)
		}
		witness = reread(t, witness)
		solver := Solver(r.IntN(30) / 14)
		got := CheckWitness(ctx, solver, model, witness)
		failure := new(WitnessFailure)
		if got != nil && !errors.As(got, &failure) {
			t.Fatal(got)
		}
		if want := k.Invariant(ctx, inv, set); want == nil && got != nil {
			t.Fatalf("round %d, %v: the invariant is right, but %v\n%+v", round, set, got, f)
		}
		_, tr := newOracle(model, 0, nil).search()
		if got == nil && tr != nil {
			t.Fatalf("round %d, %v: accepted, but the model fails", round, set)
		}
		if got == nil {
			count["accepted"]++
		} else {
			count[failure.Check]++
		}
		for range 3 {
			spoil(r, witness)
			if witness.Check() != nil {
				break
			}
			got := CheckWitness(ctx, Gini, model, witness)
			if got == nil && tr != nil {
				t.Fatalf("round %d, %v: a spoilt witness was accepted", round, set)
			}
			switch {
			case got == nil:
				count["spoilt, accepted"]++
			case errors.As(got, &failure):
				count["spoilt, "+failure.Check]++
			}
		}
	}
	t.Log(count)
	for _, c := range []string{"accepted", "base", "step", "spoilt, reset", "spoilt, transition", "spoilt, safety"} {
		if count[c] < rounds(2000)/200 {
			t.Errorf("only %d cases of %q: the test says little", count[c], c)
		}
	}
}

// spoil changes a file somewhere.
func spoil(r *rand.Rand, f *aiger.File) {
	lit := func(before aiger.Lit) aiger.Lit { return aiger.Lit(r.IntN(int(before) + 2)) }
	switch n := r.IntN(10); {
	case n < 3 && len(f.Latches) > 0:
		f.Latches[r.IntN(len(f.Latches))].Next ^= aiger.Lit(1 + r.IntN(3))
	case n < 5 && len(f.Latches) > 0:
		l := &f.Latches[r.IntN(len(f.Latches))]
		l.Reset = []aiger.Lit{0, 1, l.Lit}[r.IntN(3)]
	case n < 6:
		f.Bads[0] = lit(2 * f.MaxVar)
	case n < 7 && len(f.Constraints) > 0:
		f.Constraints[0] ^= 1
	case n < 8:
		f.Constraints = append(f.Constraints, lit(2*f.MaxVar))
	case n < 9 && len(f.Latches) > 1:
		s := f.Symbols.Latches
		s[0], s[1] = s[1], s[0]
	case len(f.Ands) > 0:
		a := &f.Ands[r.IntN(len(f.Ands))]
		a.Rhs0 = lit(a.Lhs - 4)
	}
}
