// Package paranoid checks what engines claim about a model, at run time, with
// another solver (gini) and an unrolling of its own for each claim.
package paranoid

import (
	"context"
	"fmt"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// query is a solver with an unrolling.
type query struct {
	m *netlist.Model
	s *proof.Gini
	f *netlist.Frames
}

func newQuery(m *netlist.Model, initial bool) *query {
	s := proof.NewGini()
	return &query{m, s, netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(s), Initial: initial})}
}

// assume adds literals for good.
func (q *query) assume(lits ...sat.Lit) {
	for _, l := range lits {
		q.s.AddClause(l)
	}
}

// refute reports what, when the literals can be true together.
func (q *query) refute(ctx context.Context, what string, lits ...sat.Lit) error {
	if q.s.Solve(ctx, lits...) == sat.Sat {
		return fmt.Errorf("internal check: %s", what)
	}
	return nil
}

func (q *query) constraint(frame int) sat.Lit { return q.f.Lit(frame, q.m.Constraint) }

func (q *query) bad(frame int) sat.Lit { return q.f.Lit(frame, q.m.Bad) }

// member returns a literal that is true exactly when the frame's state is in
// the set.
func (q *query) member(frame int, set *cert.Invariant) sat.Lit {
	var parts []sat.Lit
	for _, c := range set.Clauses {
		var lits []sat.Lit
		for _, l := range c {
			lits = append(lits, q.f.Latch(frame, l.Latch()).XorSign(l.Neg()).Not())
		}
		parts = append(parts, q.and(lits).Not())
	}
	if set.Graph != nil {
		value := make([]sat.Lit, set.Graph.Size())
		value[0] = q.and(nil).Not() // node 0 is false
		for _, s := range set.Support {
			value[s.Lit.Node()] = q.f.Latch(frame, s.Latch).XorSign(s.Lit.Neg())
		}
		edge := func(l aig.Lit) sat.Lit { return value[l.Node()].XorSign(l.Neg()) }
		for n := aig.Node(1); int(n) < set.Graph.Size(); n++ {
			if set.Graph.Kind(n) == aig.KindAnd {
				a, b := set.Graph.Fanins(n)
				value[n] = q.and([]sat.Lit{edge(a), edge(b)})
			}
		}
		for _, f := range set.Formulas {
			parts = append(parts, edge(f))
		}
	}
	return q.and(parts)
}

// and returns a literal that is true exactly when all of lits are.
func (q *query) and(lits []sat.Lit) sat.Lit {
	out := sat.MkLit(q.s.NewVar(), false)
	long := []sat.Lit{out}
	for _, l := range lits {
		q.s.AddClause(out.Not(), l)
		long = append(long, l.Not())
	}
	q.s.AddClause(long...)
	return out
}

// Invariant checks that a set has all initial states and is closed under steps
// from states and inputs that satisfy the constraint and, when safe is set,
// that it has no bad state. It returns nil when ctx ends first.
func Invariant(ctx context.Context, m *netlist.Model, set *cert.Invariant, safe bool) error {
	q := newQuery(m, true)
	if err := q.refute(ctx, "an initial state is not in the invariant", q.member(0, set).Not()); err != nil {
		return err
	}
	q = newQuery(m, false)
	q.assume(q.member(0, set), q.constraint(0))
	if err := q.refute(ctx, "a step leaves the invariant", q.member(1, set).Not()); err != nil {
		return err
	}
	if !safe {
		return nil
	}
	return q.refute(ctx, "a state of the invariant is bad", q.bad(0))
}

// Image checks an interpolant: that each step from a set, under the constraint,
// ends in image, and that no run of less than k steps from image meets a bad
// state. It returns nil when ctx ends first.
func Image(ctx context.Context, m *netlist.Model, set, image *cert.Invariant, k int) error {
	q := newQuery(m, false)
	q.assume(q.member(0, set), q.constraint(0))
	if err := q.refute(ctx, "an image lacks a successor", q.member(1, image).Not()); err != nil {
		return err
	}
	q = newQuery(m, false)
	q.assume(q.member(0, image))
	for t := range k {
		q.assume(q.constraint(t))
		if err := q.refute(ctx, "an image reaches a bad state within the bound", q.bad(t)); err != nil {
			return err
		}
	}
	return nil
}

// Preimage checks an interpolant of a search backwards: that image has each
// state which satisfies the constraint with some input and then steps into a set
// (nil stands for: which is bad under that input), and that no run of less than
// k steps from an initial state meets image. It returns nil when ctx ends first.
func Preimage(ctx context.Context, m *netlist.Model, set, image *cert.Invariant, k int) error {
	q := newQuery(m, false)
	q.assume(q.constraint(0))
	target := q.bad(0)
	if set != nil {
		target = q.member(1, set)
	}
	if err := q.refute(ctx, "an image lacks a predecessor", target, q.member(0, image).Not()); err != nil {
		return err
	}
	q = newQuery(m, true)
	for t := range k {
		if err := q.refute(ctx, "an image has a state that is reachable within the bound", q.member(t, image)); err != nil {
			return err
		}
		q.assume(q.constraint(t))
	}
	return nil
}
