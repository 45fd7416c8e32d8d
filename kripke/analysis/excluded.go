package analysis

import (
	"context"
	"slices"
	"time"

	"netcov/aig"
	"netcov/kripke/automaton"
	"netcov/kripke/circuit"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/ltl"
	"netcov/kripke/report"
)

// Fairness and constraints may leave no path from the initial states. Then every
// specification holds, and a report warns of it: where the specifications are found to
// hold, the algorithm in use model checks FALSE, which only such a model satisfies.

const noPath = "the constraints exclude every path from the initial states: every specification holds, whatever the design does"

// excludedTime bounds the search for a path; where it is not enough, nothing is said.
const excludedTime = 30 * time.Second

// warnExcluded warns where no path is left. A specification that fails has a path, and so
// has one that fails when only what it reads is flipped.
func (r *ltlRun) warnExcluded() {
	holds := false
	for _, s := range r.report.Specs {
		if s.Holds == nil {
			continue
		}
		if !*s.Holds || r.q.Scope == ltl.InSpec && slices.ContainsFunc(s.Signals, func(x report.LTLSignal) bool { return !x.Empty() }) {
			return
		}
		holds = true
	}
	if holds && r.restricted() && r.excluded() {
		r.report.Warn(noPath)
	}
}

// restricted reports whether some paths do not count.
func (r *ltlRun) restricted() bool {
	if r.q.Source.Compassion() != formula.True() {
		return true
	}
	if r.k != nil {
		return len(r.k.Fair) > 0
	}
	return r.c.Constraint != aig.True || len(r.c.Fairness) > 0
}

// excluded reports whether it is known that no path is left.
func (r *ltlRun) excluded() bool {
	compassion := r.q.Source.Compassion()
	if r.k != nil && compassion == formula.True() {
		fair := r.k.FairStates()
		return !slices.ContainsFunc(r.k.Initial, fair.Has)
	}
	ctx, cancel := context.WithTimeout(r.ctx, excludedTime)
	defer cancel()
	paths, err := automaton.FromLTL(compassion, automaton.Options{Interrupt: ctx.Err})
	if err != nil {
		return false
	}
	probe := *r
	probe.ctx, probe.report, probe.specsLeft = ctx, &report.LTL{}, 1
	_, path, err := probe.engine(paths)
	return err == nil && path == nil
}

// warnExcluded warns where no path is left; see that of LTL.
func (r *ctlRun) warnExcluded() {
	holds := false
	for _, s := range r.report.Specs {
		if s.Holds == nil {
			continue
		}
		if !*s.Holds || slices.ContainsFunc(s.Signals, func(x report.CTLSignal) bool {
			return len(x.Covered) > 0 && (x.Kind == ctl.Label || x.Kind == circuit.PureOutput.String())
		}) {
			return
		}
		holds = true
	}
	if holds && r.model.Restricted() && r.excluded() {
		r.report.Warn(noPath)
	}
}

// excluded reports whether it is known that no path is left.
func (r *ctlRun) excluded() bool {
	ctx, cancel := context.WithTimeout(r.ctx, excludedTime)
	defer cancel()
	never := formula.Unary(formula.OpAG, formula.False())
	p, err := ctl.NewProblem(r.model, never, r.q.Options)
	if err != nil {
		return false
	}
	probe := *r
	probe.ctx, probe.report = ctx, &report.CTL{}
	holds, err := probe.holds(p, never)
	if err == nil || ctx.Err() != nil || !probe.maySAT(never) {
		return err == nil && holds
	}
	x, err := probe.newSAT(never)
	return err == nil && x.run == nil
}
