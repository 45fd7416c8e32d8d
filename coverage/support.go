package coverage

import (
	"context"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
)

// TestSupport is the name of this test.
const TestSupport = "SUPPORT"

// runSupport settles what the original's invariant R cannot notice, by looking at
// the circuit alone.
//
// A node outside of the one-step cone of R, of what the next states of R's
// latches, the bad states and the constraint depend on without a step, is not
// there at all in R ∧ C ∧ T ⇒ R' and R ∧ C ⇒ ¬bad.
//
// A latch that R does not speak of: both hold whatever it stores, so they hold
// whatever its readers see in its place, and whatever it stores next.
func runSupport(_ context.Context, s *session) {
	in := support(s.stock.shared, len(s.stock.model.Latches))
	cone := oneStepCone(s.stock.model, in)
	readers := countReaders(s.stock.model)
	var out []*Mutant
	for _, m := range s.ledger.open() {
		if m.cut < 0 {
			continue
		}
		latch, ok := onlyLatch(s.stock.model, m.cut, readers)
		if ok && !in[latch] || !cone[s.stock.model.Cuts[m.cut].Lit.Node()] {
			out = append(out, m)
		}
	}
	s.exclude(TestSupport, s.stock.shared, out)
}

// oneStepCone marks the nodes that the bad states, the constraint and the next
// states of the given latches depend on.
func oneStepCone(m *netlist.Model, latches []bool) []bool {
	roots := []aig.Lit{m.Bad, m.Constraint}
	for i, l := range m.Latches {
		if latches[i] && l.InCone {
			roots = append(roots, l.Next)
		}
	}
	in := make([]bool, m.Graph.Size())
	for _, n := range m.Graph.Cone(roots...) {
		in[n] = true
	}
	return in
}

// support tells which latches an invariant speaks of.
func support(inv *cert.Invariant, latches int) []bool {
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

// onlyLatch returns the latch whose stored value a cut replaces for all of its
// readers, or that alone stores what the cut lets through. There is none for
// gates; for a latch with a reset function, which shows its readers something else
// in the first frame; and for a latch that reset functions read, since these see
// no fault.
func onlyLatch(m *netlist.Model, cut int, readers []int) (int, bool) {
	c := m.Cuts[cut]
	if c.Target.Gate {
		return 0, false
	}
	i := c.Target.Index
	l := m.Latches[i]
	origin, _ := m.Graph.Fanins(c.Lit.Node())
	replaced := origin == l.Lit && readers[l.Lit.Node()] == 1
	stored := l.Next.Node() == c.Lit.Node() && readers[c.Lit.Node()] == 1
	return i, replaced || stored
}

// countReaders counts, by node, the edges of the model that lead to it.
func countReaders(m *netlist.Model) []int {
	n := make([]int, m.Graph.Size())
	for _, l := range m.Roots() {
		n[l.Node()]++
	}
	for k := aig.Node(1); int(k) < m.Graph.Size(); k++ {
		a, b := m.Graph.Fanins(k)
		switch m.Graph.Kind(k) {
		case aig.KindAnd:
			n[a.Node()]++
			n[b.Node()]++
		case aig.KindCut:
			n[a.Node()]++
		}
	}
	return n
}
