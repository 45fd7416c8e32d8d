package interp

import (
	"context"
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// A stepper is the A side of clausal interpolation: one step, under the
// constraint, from a set of states in conjunctive normal form. Its queries ask
// whether a clause holds in the set and after the step. Each is restricted to
// the cone of the clause's latches, which with the latches themselves is closed
// under fan-in.
type stepper struct {
	m      *netlist.Model
	s      *proof.CDCL
	f      *netlist.Frames
	set    sat.Lit   // activates the current set's clauses
	legal  sat.Lit   // the constraint holds
	now    []sat.Lit // by latch
	next   []sat.Lit
	cones  [][]sat.Var // by latch: variables of its next-state function
	base   []sat.Var   // latches, and the cone of the constraint
	domain []sat.Var
	assume []sat.Lit
	needed []bool
	stamp  []uint32 // by literal: the query in which it failed last
	query  uint32
}

func newStepper(m *netlist.Model, opt *Options) *stepper {
	p := &stepper{
		m: m, s: opt.solver(false), set: sat.LitUndef,
		now: make([]sat.Lit, len(m.Latches)), next: make([]sat.Lit, len(m.Latches)),
		cones: make([][]sat.Var, len(m.Latches)),
	}
	p.f = netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(p.s)})
	for i, l := range m.Latches {
		if l.InCone {
			p.now[i] = p.f.Latch(0, i)
			p.next[i] = p.f.Lit(0, l.Next)
			p.base = append(p.base, p.now[i].Var())
		}
	}
	p.legal = p.f.Lit(0, m.Constraint)
	p.base = append(p.base, p.cone(m.Constraint, p.legal)...)
	return p
}

// cone returns the variables of an edge's cone.
func (p *stepper) cone(l aig.Lit, top sat.Lit) []sat.Var {
	vars := []sat.Var{top.Var()}
	for _, n := range p.m.Graph.Cone(l) {
		if q, ok := p.f.Encoded(0, aig.MkLit(n, false)); ok {
			vars = append(vars, q.Var())
		}
	}
	return vars
}

// enter makes a set of clauses the one to step from.
func (p *stepper) enter(pool []cert.Clause, set []int) {
	if p.set != sat.LitUndef {
		p.s.AddClause(p.set.Not())
	}
	p.set = sat.MkLit(p.s.NewVar(), false)
	for _, id := range set {
		p.assume = append(p.assume[:0], p.set.Not())
		for _, l := range pool[id] {
			p.assume = append(p.assume, p.now[l.Latch()].XorSign(l.Neg()))
		}
		p.s.AddClause(p.assume...)
	}
}

// stepHolds reports whether a clause holds after the step: Unsat when it does.
func (p *stepper) stepHolds(mt *meter, cl cert.Clause) sat.Status {
	p.domain = append(p.domain[:0], p.base...)
	p.assume = append(p.assume[:0], p.set, p.legal)
	for _, l := range cl {
		i := l.Latch()
		if p.cones[i] == nil {
			p.cones[i] = p.cone(p.m.Latches[i].Next, p.next[i])
		}
		p.domain = append(p.domain, p.cones[i]...)
		p.assume = append(p.assume, p.next[i].XorSign(!l.Neg()))
	}
	return mt.solve(p.s, func(ctx context.Context) sat.Status { return p.s.SolveDomain(ctx, p.domain, p.assume...) })
}

// setHolds reports whether a clause holds in the set: Unsat when it does.
func (p *stepper) setHolds(mt *meter, cl cert.Clause) sat.Status {
	p.assume = append(p.assume[:0], p.set)
	for _, l := range cl {
		p.assume = append(p.assume, p.now[l.Latch()].XorSign(!l.Neg()))
	}
	return mt.solve(p.s, func(ctx context.Context) sat.Status { return p.s.SolveDomain(ctx, p.base, p.assume...) })
}

// holds reports whether a clause holds in the set and after the step: Unsat when
// it does. Then the literals are returned that suffice.
func (p *stepper) holds(mt *meter, cl cert.Clause) (sat.Status, cert.Clause) {
	p.needed = append(p.needed[:0], make([]bool, len(cl))...)
	if st := p.setHolds(mt, cl); st != sat.Unsat {
		return st, nil
	}
	p.markFailed(cl)
	if st := p.stepHolds(mt, cl); st != sat.Unsat {
		return st, nil
	}
	p.markFailed(cl)
	core := make(cert.Clause, 0, len(cl))
	for i, l := range cl {
		if p.needed[i] {
			core = append(core, l)
		}
	}
	return sat.Unsat, core
}

// markFailed marks the literals of a clause, the last assumptions of the last
// query, that its refutation needs.
func (p *stepper) markFailed(cl cert.Clause) {
	p.query++
	for len(p.stamp) < 2*p.s.NumVars() {
		p.stamp = append(p.stamp, 0)
	}
	for _, l := range p.s.Failed() {
		p.stamp[l] = p.query
	}
	first := len(p.assume) - len(cl)
	for i := range cl {
		if p.stamp[p.assume[first+i]] == p.query {
			p.needed[i] = true
		}
	}
}

// minimiseFails bounds the literals that minimise finds needed before it stops.
const minimiseFails = 10

// minimise drops literals of a clause that holds, as long as it does.
func (p *stepper) minimise(mt *meter, cl cert.Clause) cert.Clause {
	for i, fails := 0, 0; i < len(cl) && fails < minimiseFails; {
		st, core := p.holds(mt, slices.Delete(slices.Clone(cl), i, i+1))
		if st != sat.Unsat {
			fails++
			i++
			continue
		}
		// Those before i that stay are known to be needed.
		kept := 0
		for _, l := range cl[:i] {
			if slices.Contains(core, l) {
				kept++
			}
		}
		cl, i = core, kept
	}
	return cl
}
