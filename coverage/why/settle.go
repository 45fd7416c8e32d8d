package why

import (
	"context"
	"errors"

	"netcov/cert"
	"netcov/certify"
	"netcov/mutant"
	"netcov/netlist"
)

// From a finding to a reason: nothing is written down before certify has agreed.

// settleOutside settles a mutant outside of all cones.
func (r *run) settleOutside(x *work) {
	out, err := r.design.checker.Outside(r.design.mutation(x.m))
	switch {
	case err != nil:
		r.fail(x, mutant.Outside, err)
	case !out:
		r.fail(x, mutant.Outside, errors.New("it is in the cone of influence"))
	default:
		x.Reason = mutant.Outside
	}
}

// settleConstant settles stuck-at mutants whose nodes have the faults' values wherever
// the invariant, one of the design, holds.
func (r *run) settleConstant(ctx context.Context, v *cert.Invariant, xs ...*work) {
	ms := make([]certify.Mutation, len(xs))
	for i, x := range xs {
		ms[i] = r.design.mutation(x.m)
	}
	if err := r.design.checker.Constant(ctx, v, ms...); err != nil {
		if ctx.Err() == nil {
			r.fail(xs[0], mutant.Constant, err)
		}
		return
	}
	for _, x := range xs {
		x.constant, x.Reason = proved, mutant.Constant
		r.keep(x, v)
	}
}

// settleW settles a mutant that shows no difference, by an invariant of the pair: it is
// equivalent where the invariant excludes that the constraints tell the two apart. Else
// the caller knows that they do, and it is vacuous. What is said of a free fault is
// said of the node's stuck-at faults, too, as far as they may not be constant.
func (r *run) settleW(ctx context.Context, x *work, v *cert.Invariant, same bool) {
	reason := mutant.Vacuous
	if same {
		reason = mutant.Equivalent
	}
	all := []*work{x}
	if same && x.force == netlist.ForceFree {
		for _, y := range r.at[x.cut] {
			if y != x && y.open() && y.constant == refuted {
				all = append(all, y)
			}
		}
	}
	for _, y := range all {
		if err := r.design.checker.Pair(ctx, v, r.design.mutation(y.m), same); err != nil {
			if ctx.Err() == nil {
				r.fail(y, reason, err)
			}
			return
		}
		y.Reason = reason
		y.question = nil
		r.keep(y, v)
	}
}

// keep keeps what proves a reason, where that is asked for.
func (r *run) keep(x *work, v *cert.Invariant) {
	if r.opt.Proofs {
		x.Finding.Invariant = v
	}
}

// settleNoRun settles the mutants of a design that has no run.
func (r *run) settleNoRun(ctx context.Context, xs []*work) {
	if err := r.design.checker.NoRun(ctx); err != nil {
		if ctx.Err() == nil {
			r.fail(xs[0], mutant.Vacuous, err)
		}
		return
	}
	for _, x := range xs {
		x.Reason = mutant.Vacuous
	}
}

// settleVacuous settles a mutant of which W is proved, by a trace in whose last step the
// constraints hold on one side only.
func (r *run) settleVacuous(ctx context.Context, x *work, t *cert.Trace) {
	w, err := r.design.checker.Witness(t)
	if err == nil {
		err = r.design.checker.Apart(w, r.design.mutation(x.m))
	}
	if err != nil {
		r.fail(x, mutant.Vacuous, err)
		return
	}
	r.settleW(ctx, x, x.w, false)
	if !x.open() { // the budget may have ended
		x.Witness = w
	}
}

// settleGap settles a mutant that shows a difference in the last step of the trace.
func (r *run) settleGap(x *work, t *cert.Trace) {
	w, err := r.design.checker.Witness(t)
	if err == nil {
		err = r.design.checker.Gap(w, r.design.mutation(x.m))
	}
	if err != nil {
		r.fail(x, mutant.Gap, err)
		return
	}
	x.Reason, x.trace = mutant.Gap, t
	x.question = nil
}
