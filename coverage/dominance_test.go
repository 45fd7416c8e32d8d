package coverage

import (
	"context"
	"testing"

	"netcov/aig"

	"netcov/mutant"
	"netcov/netlist"
)

// TestOrderOfMutants compares what dominance says of verdicts with enumeration, and
// replays traces that were lifted.
func TestOrderOfMutants(t *testing.T) {
	implied, same, lifts := 0, 0, 0
	randomOracles(t, 77, rounds(t, 1500), func(o *oracle) {
		if !o.targets[len(o.targets)-1].Gate {
			return
		}
		faults := mutant.Standard()
		if len(o.f.Ands)%4 == 0 {
			faults = o.n.FaultsAt(o.targets)
		}
		opt := Options{Targets: o.targets, Faults: faults, Mux: o.place, Tests: []string{TestCone, TestSimulation, TestIC3}}
		res, err := Run(context.Background(), o.f, o.n, o.property, opt)
		if err != nil {
			t.Fatal(err)
		}
		model := netlist.CompileSet(o.n, []aig.Lit{o.n.Properties()[o.property].Bad}, o.targets, o.place, opt.Faults...)
		q := question{file: o.f, netlist: o.n, properties: []int{o.property}, names: []int{o.property}}
		for _, x := range o.targets {
			q.targets = append(q.targets, target{x, x})
		}
		l := newLedger(q, opt, model)
		verdict := func(m *Mutant) mutant.Verdict { return o.verdicts[mutantKey{m.Target, m.Fault}] }
		for _, m := range l.mutants {
			if m.cut < 0 {
				continue
			}
			for k := l.order.over[m.cut]; k >= 0; k = l.order.over[k] {
				if free := l.byCut[k][netlist.ForceFree]; free != nil && verdict(free) == mutant.NotCovered {
					if implied++; verdict(m) != mutant.NotCovered {
						t.Fatalf("%s is %s, and %s not", m, verdict(m), free)
					}
				}
			}
			for _, other := range l.order.alike(m) {
				if same++; verdict(m) != verdict(other) {
					t.Fatalf("%s is %s, and %s is %s", m, verdict(m), other, verdict(other))
				}
			}
		}
		at := map[mutantKey]*Mutant{}
		for _, m := range l.mutants {
			at[mutantKey{m.Target, m.Fault}] = m
		}
		stock := &stock{model: model, lifter: &lifter{}}
		var hits []hit
		for _, m := range res.Mutants {
			if m.Verdict == mutant.Covered {
				hits = append(hits, hit{m: at[mutantKey{m.Target, m.Fault}], trace: m.Evidence.Trace})
			}
		}
		for _, h := range stock.lift(l, hits) {
			lifts++
			if end := netlist.Replay(model.Mutant(h.m.cut, netlist.ForceFree), h.trace); end != len(h.trace.Inputs)-1 {
				t.Fatalf("the lifted trace of %s ends at %d of %d", h.m, end, len(h.trace.Inputs)-1)
			}
		}
	})
	if min(implied, same, lifts) < rounds(t, 100) {
		t.Errorf("%d verdicts implied, %d the same, %d traces lifted", implied, same, lifts)
	}
}
