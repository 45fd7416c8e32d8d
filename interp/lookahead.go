package interp

import (
	"context"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// A lookahead is the B side of clausal interpolation: runs, under the
// constraints, from a set of states in conjunctive normal form to a bad state.
// A second solver, which holds that there is no such run, lifts states.
type lookahead struct {
	m      *netlist.Model
	s, n   *proof.CDCL
	f, g   *netlist.Frames // of s and of n
	set    sat.Lit         // activates the clauses of the set
	later  []sat.Lit       // [t], of s: the first bad state comes in frame t or later
	clean  []sat.Lit       // [t], of n: no bad state in frame t or later
	vars   []int           // [t]: number of variables of s when frame t was encoded
	domain []sat.Var
	assume []sat.Lit
	failed map[sat.Lit]bool
}

func newLookahead(m *netlist.Model, opt *Options) *lookahead {
	b := &lookahead{
		m: m, s: opt.solver(false), n: opt.solver(false),
		set: sat.LitUndef, failed: map[sat.Lit]bool{},
	}
	b.f = netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(b.s)})
	b.g = netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(b.n)})
	b.later = append(b.later, sat.MkLit(b.s.NewVar(), false))
	b.clean = append(b.clean, sat.MkLit(b.n.NewVar(), false))
	b.s.AddClause(b.later[0])
	b.n.AddClause(b.clean[0])
	return b
}

// extend looks k-1 steps ahead.
func (b *lookahead) extend(k int) {
	for t := len(b.later) - 1; t < k; t++ {
		now, then := b.later[t], sat.MkLit(b.s.NewVar(), false)
		bad := b.f.Lit(t, b.m.Bad)
		if b.m.Constraint != aig.True {
			b.s.AddClause(now.Not(), b.f.Lit(t, b.m.Constraint))
		}
		b.s.AddClause(now.Not(), bad, then)
		b.s.AddClause(then.Not(), bad.Not())
		b.s.AddClause(then.Not(), now)
		b.later = append(b.later, then)
		b.vars = append(b.vars, b.s.NumVars())

		now, then = b.clean[t], sat.MkLit(b.n.NewVar(), false)
		broken := b.g.Lit(t, b.m.Constraint).Not()
		b.n.AddClause(now.Not(), broken, b.g.Lit(t, b.m.Bad).Not())
		b.n.AddClause(now.Not(), broken, then)
		b.clean = append(b.clean, then)
	}
}

// enter begins an empty set of clauses: all states.
func (b *lookahead) enter() {
	if b.set != sat.LitUndef {
		b.s.AddClause(b.set.Not())
	}
	b.set = sat.MkLit(b.s.NewVar(), false)
}

// block adds a clause to the set.
func (b *lookahead) block(cl cert.Clause) {
	b.assume = append(b.assume[:0], b.set.Not())
	for _, l := range cl {
		b.assume = append(b.assume, b.f.Latch(0, l.Latch()).XorSign(l.Neg()))
	}
	b.s.AddClause(b.assume...)
}

// solve looks for a run from the set that meets a bad state within the given
// number of steps, in the variables of these frames.
func (b *lookahead) solve(mt *meter, steps int) sat.Status {
	b.domain = b.domain[:0]
	for v := range sat.Var(b.vars[steps]) {
		b.domain = append(b.domain, v)
	}
	for _, l := range b.m.Latches {
		if p, ok := b.f.Encoded(0, l.Lit); ok {
			b.domain = append(b.domain, p.Var())
		}
	}
	return mt.solve(b.s, func(ctx context.Context) sat.Status {
		return b.s.SolveDomain(ctx, b.domain, b.set, b.later[steps+1].Not())
	})
}

// lift returns the negation of a cube around the first state of the run just
// found. From each state of the cube the run's inputs lead to a bad state.
func (b *lookahead) lift(mt *meter, steps int) (cert.Clause, sat.Status) {
	b.assume = b.assume[:0]
	for i, l := range b.m.Latches {
		if p, ok := b.f.Encoded(0, l.Lit); ok && l.InCone {
			b.assume = append(b.assume, b.g.Latch(0, i).XorSign(!b.s.Value(p)))
		}
	}
	for t := range steps + 1 {
		for i, l := range b.m.Inputs {
			if p, ok := b.f.Encoded(t, l); ok {
				b.assume = append(b.assume, b.g.Input(t, i).XorSign(!b.s.Value(p)))
			}
		}
	}
	st := mt.solve(b.n, func(ctx context.Context) sat.Status { return b.n.Solve(ctx, b.assume...) })
	if st != sat.Unsat {
		return nil, st
	}
	clear(b.failed)
	for _, l := range b.n.Failed() {
		b.failed[l] = true
	}
	var cl cert.Clause
	at := 0
	for i, l := range b.m.Latches {
		if _, ok := b.f.Encoded(0, l.Lit); !ok || !l.InCone {
			continue
		}
		if p := b.assume[at]; b.failed[p] {
			cl = append(cl, cert.MkStateLit(i, p == b.g.Latch(0, i)))
		}
		at++
	}
	return cl, sat.Unsat
}
