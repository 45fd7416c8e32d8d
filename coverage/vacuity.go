package coverage

import (
	"context"
	"slices"

	"netcov/aig"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// Constraints may exclude every run, or every run from some step on. Then the
// properties hold for want of runs, and a report says so before all else.

// RunSteps is how many steps LongestRun looks at.
const RunSteps = 16

// LongestRun returns the number of steps of the longest run of the design that
// satisfies the constraints in every step. It looks at RunSteps steps; ended is
// false where a run has as many, or where ctx ends first. No steps: the
// constraints exclude every run. Decided by bounded search, exactly.
func LongestRun(ctx context.Context, n *netlist.Netlist) (steps int, ended bool) {
	if len(n.Constraints) == 0 {
		return 0, false
	}
	m := netlist.Compile(n, aig.False, nil, mutant.AtOutput)
	q := proof.NewCDCL(proof.Options{})
	frames := netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(q), Initial: true})
	for steps < RunSteps && ctx.Err() == nil {
		q.AddClause(frames.Lit(steps, m.Constraint))
		switch q.Solve(ctx) {
		case sat.Unsat:
			return steps, true
		case sat.Unknown:
			return 0, false
		}
		steps++
	}
	return 0, false
}

// Conflict returns the positions of constraints that leave no run of more than so many
// steps, none of which can be left out: the cause of what LongestRun has found. It is
// nil when ctx ends first.
func Conflict(ctx context.Context, n *netlist.Netlist, steps int) []int {
	lits := make([]aig.Lit, len(n.Constraints))
	for i, c := range n.Constraints {
		lits[i] = c.Lit
	}
	m := netlist.CompileSet(n, lits, nil, mutant.AtOutput)
	q := proof.NewCDCL(proof.Options{})
	frames := netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(q), Initial: true})
	at := map[sat.Lit]int{}
	var core []sat.Lit
	for i, l := range m.Bads { // the constraint, where its literal is assumed
		on := sat.MkLit(q.NewVar(), false)
		at[on] = i
		core = append(core, on)
		for step := range steps + 1 {
			q.AddClause(on.Not(), frames.Lit(step, l))
		}
	}
	if q.Solve(ctx, core...) != sat.Unsat {
		return nil
	}
	core = slices.Clone(q.Failed())
	for i := 0; i < len(core); {
		switch q.Solve(ctx, slices.Delete(slices.Clone(core), i, i+1)...) {
		case sat.Unknown:
			return nil
		case sat.Unsat:
			core = slices.DeleteFunc(core, func(l sat.Lit) bool { return !slices.Contains(q.Failed(), l) })
		case sat.Sat:
			i++
		}
	}
	list := make([]int, len(core))
	for i, l := range core {
		list[i] = at[l]
	}
	slices.Sort(list)
	return list
}
