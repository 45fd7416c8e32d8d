package interp

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
)

// randomSet makes a model of several properties, nodes of a random model's cone.
func randomSet(r *rand.Rand) *netlist.Model {
	for {
		m := randomModel(r, false)
		cone := m.Graph.Cone(m.Roots()...)
		if len(cone) == 0 {
			continue
		}
		for range 1 + r.IntN(7) {
			a := aig.MkLit(cone[r.IntN(len(cone))], r.IntN(2) == 0)
			b := aig.MkLit(cone[r.IntN(len(cone))], r.IntN(2) == 0)
			m.Bads = append(m.Bads, m.Graph.And(a, b))
		}
		m.Bad = m.Graph.OrAll(m.Bads...)
		return m.Original()
	}
}

// depths returns the length of each property's shortest counterexample.
func depths(m *netlist.Model) []int {
	list := make([]int, len(m.Bads))
	for i := range m.Bads {
		list[i] = newExplicit(m.Only([]int{i}, nil)).depth()
	}
	return list
}

// TestInductionAgainstEnumeration checks what is proved by k-induction, and the
// invariants that are made of it, in one piece and in layers.
func TestInductionAgainstEnumeration(t *testing.T) {
	ctx := context.Background()
	proofs, deep, layered := 0, 0, 0
	for seed := range uint64(tries(3000)) {
		r := rand.New(rand.NewPCG(seed, 21))
		m := randomSet(r)
		want := depths(m)
		opt := Options{}
		b, d := NewBoundedSet(m, opt), NewInduction(m, opt)
		var proved [][]int
		var lemmas []int
		var layers []*cert.Invariant
		strengthen := func() {
			layer, err := Strengthen(ctx, m, proved, lemmas, opt)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			layers = append(layers, layer)
			lemmas = append(lemmas, slices.Concat(proved...)...)
			proved = make([][]int, len(proved))
		}
		for k := range 5 {
			for {
				failed, trace, err := b.Extend(ctx, k-1)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if len(failed) == 0 {
					break
				}
				for _, i := range failed {
					if want[i] != trace.Depth() {
						t.Fatalf("seed %d: property %d fails after %d steps, the shortest counterexample has %d", seed, i, trace.Depth(), want[i])
					}
				}
				d.Drop(failed...)
			}
			list, ok := d.Step(ctx)
			if !ok {
				t.Fatalf("seed %d: the step ended", seed)
			}
			for _, i := range list {
				if want[i] >= 0 {
					t.Fatalf("seed %d: property %d is proved with k = %d and fails after %d steps", seed, i, k, want[i])
				}
				proofs++
				if k > 1 {
					deep++
				}
			}
			proved = append(proved, list)
			b.Drop(list...)
			d.Deepen()
			if r.IntN(3) == 0 && len(slices.Concat(proved...)) > 0 {
				strengthen()
				layered++
			}
		}
		strengthen()
		if len(lemmas) == 0 {
			continue
		}
		inv := cert.Conjunction(layers...)
		if fault := newExplicit(m.Only(lemmas, nil)).invariantFault(inv); fault != "" {
			t.Fatalf("seed %d: the invariant of %v lacks %s", seed, lemmas, fault)
		}
	}
	t.Log(proofs, deep, layered)
	if proofs == 0 || deep == 0 || layered == 0 {
		t.Fatal("one-sided sample")
	}
}

// TestInductionIsMaximal compares the step of bound 1 with the largest subset
// that is closed by definition.
func TestInductionIsMaximal(t *testing.T) {
	ctx := context.Background()
	some := 0
	for seed := range uint64(tries(1500)) {
		m := randomSet(rand.New(rand.NewPCG(seed, 22)))
		d := NewInduction(m, Options{})
		d.Deepen()
		got, _ := d.Step(ctx)
		want := closedSubset(m)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v is proved, %v is inductive", seed, got, want)
		}
		if len(want) > 0 && len(want) < len(m.Bads) {
			some++
		}
	}
	if some == 0 {
		t.Fatal("one-sided sample")
	}
}

// closedSubset takes out properties as long as a step, from a state and input in
// which those left hold, leads to where one of them fails.
func closedSubset(m *netlist.Model) []int {
	var es []*explicit
	var left []int
	for i := range m.Bads {
		left = append(left, i)
		es = append(es, newExplicit(onlyBad(m, i)))
	}
	for {
		before := len(left)
		left = slices.DeleteFunc(left, func(i int) bool {
			for s := range es[0].next {
				for v := range es[0].inputs {
					if !es[0].ok[s][v] || slices.ContainsFunc(left, func(j int) bool { return es[j].bad[s][v] }) {
						continue
					}
					t := es[0].next[s][v]
					for w := range es[0].inputs {
						if es[i].ok[t][w] && es[i].bad[t][w] {
							return true
						}
					}
				}
			}
			return false
		})
		if len(left) == before {
			return left
		}
	}
}

// onlyBad returns the model with the bad states of one property, its cone as it
// is.
func onlyBad(m *netlist.Model, i int) *netlist.Model {
	r := m.Original()
	r.Bad = r.Bads[i]
	return r
}
