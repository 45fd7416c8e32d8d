package coverage

import (
	"context"

	"netcov/cert"
	"netcov/netlist"
)

// The tests that rest on the shared invariant and on one query about it.
const (
	TestCone           = "CONE"
	TestCore           = "CORE"
	TestGroupInduction = "GROUPINDUCTION"
)

// runCone settles what lies outside of the property's cone of influence (that
// of the constraints included): the original's invariant serves, since it
// speaks of the cone only.
func runCone(ctx context.Context, s *session) {
	var out []*Mutant
	for _, m := range s.ledger.open() {
		if m.cut < 0 {
			out = append(out, m)
		}
	}
	s.exclude(TestCone, s.stock.shared, out)
}

// runCore settles the nodes whose selector the refutation of the one-step query
// does not need (DAC10, Lemma 2, on the query that carries the whole invariant
// and the bad-state literal of frame 0).
func runCore(ctx context.Context, s *session) {
	q := s.stock.query()
	needed, ok := q.core(ctx)
	if !ok {
		return
	}
	var out []*Mutant
	for _, m := range s.ledger.open() {
		if m.cut >= 0 && !needed[m.cut] {
			out = append(out, m)
		}
	}
	s.exclude(TestCore, q.inv, out)
}

// runGroupInduction settles all mutants that keep the original's invariant.
func runGroupInduction(ctx context.Context, s *session) {
	s.stock.step = nil // CORE's, with a selector for each cut
	s.exclude(TestGroupInduction, s.stock.shared, s.keeping(ctx, s.stock.shared, s.ledger.open()))
}

// keeping returns those of the mutants that keep an invariant; none when ctx ended
// first.
func (s *session) keeping(ctx context.Context, inv *cert.Invariant, ms []*Mutant) []*Mutant {
	ask := make([]cases, len(s.stock.model.Cuts))
	for _, m := range ms {
		if m.cut < 0 {
			continue
		}
		switch m.force {
		case netlist.ForceZero:
			ask[m.cut][0] = true
		case netlist.ForceOne:
			ask[m.cut][1] = true
		default:
			ask[m.cut] = cases{true, true}
		}
	}
	asked := func(int) bool { return true } // fewer selectors make it harder on some designs
	var steps *stepStock
	if s.gates() { // of registers there are too few for it to pay
		steps = &s.stock.steps
		steps.drop(ctx, s.stock.model, inv, ask)
		asked = func(cut int) bool { return ask[cut] != cases{} }
	}
	q := newOneStepOf(s.solver(), s.stock.model, inv, asked)
	q.steps = steps
	keeps, ok := q.group(ctx, ask)
	if !ok {
		return nil
	}
	var out []*Mutant
	for _, m := range ms {
		if m.cut < 0 {
			continue
		}
		k := keeps[m.cut]
		if m.force == netlist.ForceZero && k[0] || m.force == netlist.ForceOne && k[1] || m.free() && k[0] && k[1] {
			out = append(out, m)
		}
	}
	return out
}
