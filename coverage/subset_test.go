package coverage

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/cert"
	"netcov/ic3"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/proof"
	"netcov/propset"
	"netcov/sat"
)

// naiveLargest drops conjuncts that some step violates, by enumeration of all states
// and inputs, and tells whether the rest excludes the bad states.
func naiveLargest(m *netlist.Model, cut int, force netlist.Force, known *cert.Invariant) (in []bool, safe bool) {
	in = make([]bool, len(known.Clauses)+len(known.Formulas))
	for i := range in {
		in[i] = true
	}
	holds := func(i int, state []bool) bool {
		if i < len(known.Clauses) {
			return known.Clauses[i].Holds(state)
		}
		f := known.Formulas[i-len(known.Clauses):][:1]
		return (&cert.Invariant{Graph: known.Graph, Support: known.Support, Formulas: f}).Holds(state)
	}
	s := netlist.NewSimulator(m)
	bits := len(m.Latches) + len(m.Inputs) + 1 // and the free value
	for changed := true; changed; {
		changed, safe = false, true
		for word := range 1 << bits {
			bit := func(i int) bool { return word>>i&1 == 1 }
			state, next := make([]bool, len(m.Latches)), make([]bool, len(m.Latches))
			for i := range m.Latches {
				state[i] = bit(i)
				s.SetState(i, spread(bit(i)))
			}
			inputs := make([]uint64, len(m.Inputs))
			for i := range inputs {
				inputs[i] = spread(bit(len(m.Latches) + i))
			}
			s.ClearFaults()
			s.SetFault(cut, 1, spread(force == netlist.ForceOne || force == netlist.ForceFree && bit(bits-1)))
			s.Eval(inputs)
			if s.Value(m.Constraint)&1 == 0 {
				continue
			}
			all := true
			for i := range in {
				all = all && (!in[i] || holds(i, state))
			}
			if !all {
				continue
			}
			safe = safe && s.Value(m.Bad)&1 == 0
			for i, l := range m.Latches {
				next[i] = s.Value(l.Next)&1 == 1
			}
			for i := range in {
				if in[i] && !holds(i, next) {
					in[i], changed = false, true
				}
			}
		}
	}
	return in, safe
}

// TestSubsets compares the largest inductive subset on each mutant with enumeration,
// and has a small subset of the design's invariant confirmed.
func TestSubsets(t *testing.T) {
	mutants, dropped, safes := 0, 0, 0
	ctx := context.Background()
	randomSets(t, 7, rounds(t, 150), func(o *setOracle, r *rand.Rand) {
		var known *cert.Invariant
		found := func(a *propset.Answer) error {
			if a.Invariant != nil {
				known = a.Invariant
			}
			return nil
		}
		if _, err := propset.Check(ctx, o.n, o.properties, propset.Options{Found: found}); err != nil {
			t.Fatal(err)
		}
		p := r.IntN(len(o.properties))
		m := netlist.Compile(o.n, o.n.Properties()[p].Bad, o.targets, o.place)
		if known == nil || len(m.Latches)+len(m.Inputs) > 11 {
			return
		}
		for i := range len(o.n.Latches) + 1 { // the invariant of all properties speaks of more
			if i >= len(m.Latches) || !m.Latches[i].InCone {
				known = withoutLatch(known, i)
			}
		}
		q := newSubsetQuery(proof.NewCDCL(proof.Options{}), m, known)
		for cut := range m.Cuts {
			for _, fault := range mutant.Faults() {
				_, force, _ := m.Find(m.Cuts[cut].Target, fault)
				x := &Mutant{Target: m.Cuts[cut].Target, Fault: fault, cut: cut, force: force}
				want, safe := naiveLargest(m, cut, force, known)
				n := 0
				for _, in := range want {
					if in {
						n++
					}
				}
				got := q.largest(ctx, x, false)
				if a := len(got.Clauses) + len(got.Formulas); a != n {
					t.Fatalf("%v: %d conjuncts, enumeration leaves %d", x, a, n)
				}
				if (q.largest(ctx, x, true) != nil) != safe {
					t.Fatalf("%v: safe, says enumeration: %v", x, safe)
				}
				mutants++
				dropped += len(want) - n
				if safe {
					safes++
				}
			}
		}
	})
	t.Log(mutants, dropped, safes)
	if mutants == 0 || dropped == 0 || safes == 0 || safes == mutants {
		t.Error("the test says little")
	}
}

// withoutLatch drops the conjuncts that speak of a latch.
func withoutLatch(inv *cert.Invariant, latch int) *cert.Invariant {
	r := &cert.Invariant{Graph: inv.Graph, Support: inv.Support}
	for _, c := range inv.Clauses {
		if !support(&cert.Invariant{Clauses: []cert.Clause{c}}, latch+1+64)[latch] {
			r.Clauses = append(r.Clauses, c)
		}
	}
	for _, s := range inv.Support {
		if s.Latch == latch {
			return r // the formulas are few
		}
	}
	r.Formulas = inv.Formulas
	return r
}

// TestSmallSubset: a small subset of an invariant is one that still proves the
// property, by the project's own check of clauses.
func TestSmallSubset(t *testing.T) {
	ctx := context.Background()
	less := 0
	randomSets(t, 8, rounds(t, 200), func(o *setOracle, _ *rand.Rand) {
		for p, fails := range o.fails {
			if fails {
				continue
			}
			m := netlist.Compile(o.n, o.n.Properties()[p].Bad, nil, o.place)
			inv := ic3.New(m, ic3.Options{}).Run(ctx, ic3.Budget{}).Invariant
			inv = cert.Conjunction(inv, inv)
			q := newSubsetQuery(proof.NewCDCL(proof.Options{}), m, inv)
			small := q.small(ctx)
			if small == nil || len(small.Clauses) > len(inv.Clauses) {
				t.Fatalf("%v of %v", small, inv)
			}
			one := newOneStep(proof.NewCDCL(proof.Options{}), m, small)
			if one.s.Solve(ctx, one.any) != sat.Unsat {
				t.Fatalf("%v is no invariant; from %v", small, inv)
			}
			if len(small.Clauses) < len(inv.Clauses) {
				less++
			}
		}
	})
	if t.Log(less); less == 0 {
		t.Error("nothing was dropped")
	}
}
