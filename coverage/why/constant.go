package why

import (
	"context"

	"netcov/aig"
	"netcov/cert"
	"netcov/internal/clock"
	"netcov/netlist"
	"netcov/sat"
)

// Registers that are constant in the design. Candidates come from random runs; of
// these, the largest set that is inductive together, beside the design's invariant, is
// kept. What is constant joins that invariant for all that follows.

// hasRun reports whether the constraints allow the first step of some run.
func (d *design) hasRun(ctx context.Context) bool {
	s := newEncoder(nil).s
	f := netlist.NewFrames(d.model, netlist.FramesOptions{Sink: netlist.SingleSink(s), Initial: true})
	return s.Solve(ctx, f.Lit(0, d.model.Constraint)) != sat.Unsat
}

// strengthen adds the constant registers to the design's invariant.
func (d *design) strengthen(ctx context.Context, seen *values) {
	type candidate struct {
		latch int
		value bool
	}
	var all []candidate
	for i, l := range d.model.Latches[:d.latches] {
		if !l.InCone || l.Reset == netlist.ResetX || !d.Netlist.Latches[i].Reset.Const() || seen.latchChanged[i] {
			continue
		}
		all = append(all, candidate{i, l.Reset == netlist.Reset1})
	}
	c := newCopies(d)
	e := newEncoder(c.g)
	for _, l := range conjuncts(c.g, d.Invariant, func(i int) aig.Lit { return c.latch[i] }) {
		e.require(l, sat.LitUndef)
	}
	e.require(edge(c.base, d.model.Constraint), sat.LitUndef)
	for len(all) > 0 {
		on := make([]sat.Lit, 0, len(all)+1)
		wrong := make([]aig.Lit, 0, len(all))
		for _, x := range all {
			on = append(on, e.lit(c.latch[x.latch].XorSign(!x.value)))
			wrong = append(wrong, edge(c.base, d.model.Latches[x.latch].Next).XorSign(x.value))
		}
		switch e.solve(ctx, append(on, e.oneOf(wrong))...) {
		case sat.Unknown:
			return
		case sat.Unsat:
			v := &cert.Invariant{}
			for _, x := range all {
				v.Clauses = append(v.Clauses, cert.Clause{cert.MkStateLit(x.latch, !x.value)})
			}
			d.Invariant = cert.Conjunction(d.Invariant, v)
			return
		}
		kept := all[:0]
		for k, x := range all {
			if !e.value(wrong[k]) {
				kept = append(kept, x)
			}
		}
		all = kept
	}
}

// constants settles the stuck-at mutants whose node has the fault's value in every run:
// where the design's invariant says so, at once, else by IC3 as long as slice.
func (r *run) constants(ctx context.Context, seen *values) {
	d := r.design
	c := newCopies(d)
	e := newEncoder(c.g)
	for _, l := range conjuncts(c.g, d.Invariant, func(i int) aig.Lit { return c.latch[i] }) {
		e.require(l, sat.LitUndef)
	}
	e.require(edge(c.base, d.model.Constraint), sat.LitUndef)
	var same []*work
	for _, x := range r.open() {
		if ctx.Err() != nil {
			break
		}
		one, stuck := x.m.Fault.Stuck()
		if !stuck {
			continue
		}
		k := x.cut
		if one && seen.cutZero[k] || !one && seen.cutOne[k] {
			x.constant = refuted
			continue
		}
		origin, _ := d.model.Graph.Fanins(d.model.Cuts[k].Lit.Node())
		slice, cancel := clock.Limit(ctx, r.slice)
		status := e.solve(slice, e.lit(edge(c.base, origin).XorSign(one)))
		cancel()
		if status == sat.Unsat {
			same = append(same, x)
		}
	}
	if len(same) > 0 {
		r.settleConstant(ctx, d.Invariant, same...)
	}
}
