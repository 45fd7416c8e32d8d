package ltl

import (
	"context"
	"errors"
	"slices"
	"time"

	"netcov/aig"
	"netcov/interp"
	"netcov/mutant"
	"netcov/netlist"
)

// uncoveredTime bounds the search for a path to an uncovered state.
const uncoveredTime = 2 * time.Second

// Uncovered is a shortest path to a state outside of all cubes, which is not covered when
// these are complete; nil where a bounded search finds none in some seconds.
func (p *SAT) Uncovered(ctx context.Context, cubes []Cube) (*Computation, error) {
	for i := range cubes {
		if len(cubes[i].Registers) == 0 {
			return nil, nil
		}
	}
	g := netlist.Netlist{Graph: aig.NewGraph()}
	b := instrumenter{from: p.c, g: g.Graph, to: map[aig.Node]aig.Lit{0: aig.False}, out: &Instrumented{}}
	b.copyLeaves()
	if err := b.copyFunctions(Flip{}); err != nil {
		return nil, err
	}
	outside := aig.True
	for i := range cubes {
		outside = b.g.And(outside, b.g.AndAll(cubes[i].edges(b.out.State)...).Not())
	}
	b.made.Constraint = b.edge(p.c.Constraint)
	b.made.Graph = b.g
	b.out.Circuit = &b.made
	n := b.out.netlist()
	n.Bads = []netlist.Signal{{Lit: outside}}
	ctx, cancel := context.WithTimeout(ctx, uncoveredTime)
	defer cancel()
	trace, err := interp.NewBounded(netlist.Compile(n, outside, nil, mutant.AtOutput), nil).Extend(ctx, maxPath)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if trace == nil {
		return nil, nil
	}
	for t := range trace.Inputs {
		trace.Inputs[t] = trace.Inputs[t][:len(p.c.Inputs)]
	}
	states, letters, err := p.second.Walk(trace.Latches[:len(p.c.Controls)], trace.Inputs)
	if err != nil {
		return nil, &Unconfirmed{"the path to an uncovered state", err}
	}
	last := states[len(states)-1]
	if slices.ContainsFunc(cubes, func(q Cube) bool { return q.Has(last) }) {
		return nil, &Unconfirmed{"the path to an uncovered state", errors.New("its last state is covered")}
	}
	out := &Computation{AP: p.a.AP, Loop: len(states)}
	for t, s := range states {
		out.Steps = append(out.Steps, ComputationStep{State: p.c.NameOf(s), Letter: letters[t]})
	}
	return out, nil
}
