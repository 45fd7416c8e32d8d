package coverage

import (
	"context"

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
	q := proof.NewGini()
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
