package ctl

import (
	"context"
	"errors"
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/ic3"
	"netcov/kripke/circuit"
	faults "netcov/mutant"
	"netcov/netlist"
)

// solver answers for an invariant AG p, by IC3, where control states are too many to
// list: whether ¬p can be reached from one control state, and whether AG p holds when
// a register is fixed. An invariant that answers for one control state answers for
// every other one in it, and its clauses are tried in the next run.
type solver struct {
	c      *circuit.Circuit
	bad    aig.Lit
	proofs []*cert.Invariant
	seed   []cert.Clause
}

func newSolver(p *Problem) *solver {
	c := p.model.c
	edges := make([]aig.Lit, len(p.program))
	good := aig.True
	for i, ins := range p.program {
		switch ins.op {
		case constant:
			edges[i] = aig.False.XorSign(!ins.negated)
		case literal:
			l, _ := c.Lit(ins.atom)
			edges[i] = l.XorSign(ins.negated)
		case and:
			edges[i] = c.Graph.And(edges[ins.a], edges[ins.b])
		case or:
			edges[i] = c.Graph.Or(edges[ins.a], edges[ins.b])
		}
	}
	for _, b := range p.program.invariantBodies() {
		good = c.Graph.And(good, edges[b])
	}
	return &solver{c: c, bad: good.Not()}
}

// stored are the values that the netlist's latches store in a control state.
func (s *solver) stored(state []bool) []bool {
	out := make([]bool, len(state))
	for i, v := range state {
		out[i] = v != s.c.Controls[i].Lit.Neg()
	}
	return out
}

// known reports whether a proof holds in a control state.
func (s *solver) known(state []bool) (safe, known bool) {
	stored := s.stored(state)
	for _, v := range s.proofs {
		if v.Holds(stored) {
			return true, true
		}
	}
	return false, false
}

// solve reports whether ¬p cannot be reached from a control state.
func (s *solver) solve(ctx context.Context, state []bool) (bool, error) {
	res, err := s.check(ctx, func(i int, l *netlist.Latch) { l.Reset = aig.False.XorSign(state[i]) })
	if err != nil || res.Status != cert.Holds {
		return false, err
	}
	s.proofs = append(s.proofs, res.Invariant)
	return true, nil
}

// fixed reports whether the invariant holds when a register is fixed.
func (s *solver) fixed(ctx context.Context, register int, value bool) (bool, error) {
	res, err := s.check(ctx, func(i int, l *netlist.Latch) {
		if i == register {
			l.Reset, l.Next = aig.False.XorSign(value), aig.False.XorSign(value)
		}
	})
	return err == nil && res.Status == cert.Holds, err
}

// check runs IC3 on the circuit with its registers changed.
func (s *solver) check(ctx context.Context, change func(i int, l *netlist.Latch)) (*ic3.Result, error) {
	n := &netlist.Netlist{Graph: s.c.Graph, Bads: []netlist.Signal{{Lit: s.bad}}}
	for _, in := range slices.Concat(s.c.Inputs, s.c.Choices) {
		n.Inputs = append(n.Inputs, netlist.Input{Lit: in.Lit, Name: in.Name})
	}
	for i, r := range s.c.Controls {
		l := netlist.Latch{Lit: r.Lit, Next: r.Next, Reset: r.Reset, Name: r.Name}
		change(i, &l)
		if neg := l.Lit.Neg(); neg { // a latch is a positive edge
			l.Lit, l.Next, l.Reset = l.Lit.Not(), l.Next.Not(), l.Reset.Not()
		}
		n.Latches = append(n.Latches, l)
	}
	engine := ic3.New(netlist.Compile(n, s.bad, nil, faults.AtOutput), ic3.Options{Seed: s.seed})
	res := engine.Run(ctx, ic3.Budget{})
	switch {
	case res.Err != nil:
		return nil, res.Err
	case res.Status == cert.Unknown && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case res.Status == cert.Unknown:
		return nil, errors.New("the model checker gave up")
	}
	s.seed = engine.Clauses()
	return &res, nil
}
