package coverage

import (
	"context"

	"netcov/netlist"
)

// runSupport settles the latches that the original's invariant does not speak of.
// R ∧ C ∧ T ⇒ R' and R ∧ C ⇒ ¬bad hold whatever such a latch stores, so they hold
// whatever its readers see in its place, and whatever it stores next.
func runSupport(_ context.Context, s *session) {
	in := support(s.core, len(s.model.Latches))
	var out []*Mutant
	for _, m := range s.open() {
		if m.cut >= 0 {
			if latch, ok := onlyLatch(s.model, m.cut); ok && !in[latch] {
				out = append(out, m)
			}
		}
	}
	s.exclude(TestSupport, s.core, out)
}

// support tells which latches an invariant speaks of.
func support(inv *netlist.Invariant, latches int) []bool {
	in := make([]bool, latches)
	for _, c := range inv.Clauses {
		for _, l := range c {
			in[l.Latch()] = true
		}
	}
	for _, p := range inv.Support {
		in[p.Latch] = true
	}
	return in
}

// onlyLatch returns the latch whose stored value a cut stands between, if it is
// one: what all readers of the latch see, or what it stores next. A latch with a
// reset function shows its readers something else in the first frame.
func onlyLatch(m *netlist.Model, cut int) (int, bool) {
	c := m.Cuts[cut]
	if c.Target.Gate {
		return 0, false
	}
	i := c.Target.Index
	origin, _ := m.Graph.Fanins(c.Lit.Node())
	if origin == m.Latches[i].Lit || m.Latches[i].Next.Node() == c.Lit.Node() {
		return i, true
	}
	return 0, false
}
