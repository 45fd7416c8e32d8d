package coverage

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aiger"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// found is what a run found, as a later run of a design with the same nodes takes it.
func found(set *Set) *Earlier {
	e := &Earlier{}
	for _, g := range set.Groups {
		if g.Proof.Invariant != nil {
			e.Proofs = append(e.Proofs, g.Invariant())
		}
		at := map[*cert.Invariant]int{}
		for _, m := range g.Mutants {
			k := EarlierMutant{m.Target, m.Fault}
			switch {
			case m.Verdict == mutant.Covered:
				e.Traces = append(e.Traces, EarlierTrace{k, m.Trace()})
			case m.Verdict == mutant.NotCovered && m.Evidence.Invariant != nil:
				v := m.Invariant()
				i, known := at[m.Evidence.Invariant]
				if !known {
					i = len(e.Invariants)
					at[m.Evidence.Invariant] = i
					e.Invariants = append(e.Invariants, EarlierInvariant{Invariant: v})
				}
				e.Invariants[i].Mutants = append(e.Invariants[i].Mutants, k)
			}
		}
	}
	return e
}

// changed is a design in which one gate or one latch reads something else.
func changed(r *rand.Rand, f *aiger.File) *aiger.File {
	g := *f
	g.Ands, g.Latches, g.Bads = slices.Clone(f.Ands), slices.Clone(f.Latches), slices.Clone(f.Bads)
	var inputs []aiger.Lit
	inputs = append(append(inputs, f.Inputs...), 0)
	for _, l := range f.Latches {
		inputs = append(inputs, l.Lit)
	}
	l := inputs[r.IntN(len(inputs))] ^ aiger.Lit(r.IntN(2))
	switch {
	case len(g.Ands) > 0 && r.IntN(3) > 0:
		if i := r.IntN(len(g.Ands)); r.IntN(2) == 0 {
			g.Ands[i].Rhs0 ^= 1
		} else {
			g.Ands[i].Rhs1 = l
		}
	case r.IntN(2) == 0:
		g.Latches[r.IntN(len(g.Latches))].Next = l
	default:
		g.Bads[r.IntN(len(g.Bads))] ^= 1
	}
	if _, err := g.InitialOrder(); err != nil { // resets depend on each other
		return f
	}
	return &g
}

// TestEarlier: whatever an earlier run found about a design that differs in one place, the
// verdicts are those of enumeration; and much is taken up.
func TestEarlier(t *testing.T) {
	all, taken, held, proved, formulas := 0, 0, 0, 0, 0
	randomSets(t, 31, rounds(t, 1000), func(o *setOracle, r *rand.Rand) {
		ctx := context.Background()
		before := o.f
		if r.IntN(4) > 0 {
			before = changed(r, o.f)
		}
		n := netlist.FromAIGER(before)
		properties := o.properties[:1+r.IntN(len(o.properties))] // more were written since
		old, err := RunSet(ctx, before, n, properties, Options{Targets: o.targets, Faults: o.n.FaultsAt(o.targets), Mux: o.place})
		if err != nil {
			t.Fatal(err)
		}
		opt := Options{Targets: o.targets, Faults: o.n.FaultsAt(o.targets), Mux: o.place, Earlier: found(old), Tests: WithBaseline(SetTests(slices.ContainsFunc(o.targets, func(t mutant.Target) bool { return t.Gate })))}
		set, err := RunSet(ctx, o.f, o.n, o.properties, opt)
		if err != nil {
			t.Fatal(err)
		}
		if o.compare(t, set) != len(o.covered) {
			t.Fatal("not all is decided")
		}
		for j := range set.All() {
			if all++; j.Test == TestBaseline {
				if taken++; j.Mutant != nil && j.Mutant.Evidence.Invariant != nil && j.Mutant.Evidence.Invariant.Graph != nil {
					formulas++
				}
			}
		}
		for _, x := range set.Outcomes {
			if x.Proof.Status == cert.Holds {
				if held++; x.Proof.Engine == EngineBaseline {
					proved++
				}
			}
		}
	})
	if taken*8 < all || proved*5 < held || formulas*200 < all {
		t.Errorf("of %d mutants %d are taken up, %d of these with formulas; %d of %d properties are proved so", all, taken, formulas, proved, held)
	}
}

// TestWildEarlier: what makes no sense, or is not true, changes no verdict.
func TestWildEarlier(t *testing.T) {
	randomSets(t, 32, rounds(t, 300), func(o *setOracle, r *rand.Rand) {
		bits := func(n int) []bool {
			out := make([]bool, n)
			for i := range out {
				out[i] = r.IntN(2) == 0
			}
			return out
		}
		e := &Earlier{}
		for range 6 {
			v := &cert.Invariant{}
			for range 1 + r.IntN(4) {
				var c cert.Clause
				for range 1 + r.IntN(2) {
					c = append(c, cert.MkStateLit(r.IntN(len(o.n.Latches)+1), r.IntN(2) == 0))
				}
				v.Clauses = append(v.Clauses, c)
			}
			m := EarlierMutant{o.targets[r.IntN(len(o.targets))], mutant.Faults()[r.IntN(len(mutant.Faults()))]}
			e.Proofs = append(e.Proofs, v)
			e.Invariants = append(e.Invariants, EarlierInvariant{[]EarlierMutant{m}, v})
			tr := &cert.Trace{Latches: bits(len(o.n.Latches) + r.IntN(2))}
			for range r.IntN(4) {
				tr.Inputs = append(tr.Inputs, bits(len(o.n.Inputs)+r.IntN(2)))
			}
			e.Traces = append(e.Traces, EarlierTrace{m, tr})
		}
		opt := Options{Targets: o.targets, Faults: o.n.FaultsAt(o.targets), Mux: o.place, Earlier: e, Tests: WithBaseline(SetTests(true))}
		set, err := RunSet(context.Background(), o.f, o.n, o.properties, opt)
		if err != nil {
			t.Fatal(err)
		}
		if o.compare(t, set) != len(o.covered) {
			t.Fatal("not all is decided")
		}
	})
}
