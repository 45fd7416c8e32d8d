package analysis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"netcov/kripke/ctl"
	"netcov/kripke/report"
)

var errNoTwins = errors.New("merging with the twin and fixing to don't care are for registers, and this model has none: ask for the other mutants only")

const noNondetBySAT = "by SAT no states are merged and no registers fixed to don't care; for AG p the merged states are the covered ones"

// nondet adds the mutants that are nondeterministic circuits (CKV01 section 5).
func (r *ctlRun) nondet(s *report.CTLSpec, p *ctl.Problem, names []string) error {
	out := &report.CTLNondet{Merged: []report.CTLSignal{}, DontCareCovered: []string{}, DontCareUncovered: []string{}}
	s.Nondet = out
	for _, name := range names {
		if r.c.ControlIndex(name) < 0 {
			continue
		}
		r.q.Options.Progress(fmt.Sprintf("states merged with their twins for %s", name))
		t := time.Now()
		c, err := p.Merge(r.ctx, name)
		if limited(err) && context.Cause(r.ctx) == nil {
			out.Merged = append(out.Merged, unknownSignal(p, name, err))
			r.report.Stopped = fmt.Sprintf("no room for merging states for %s", name)
			continue
		}
		if err != nil {
			return fmt.Errorf("merging for %s: %w", name, err)
		}
		out.Merged = append(out.Merged, r.signal(c, since(t)))
	}
	r.q.Options.Progress("control signals fixed to don't care")
	noticed, err := p.DontCare(r.ctx)
	if limited(err) && context.Cause(r.ctx) == nil {
		r.report.Stopped = fmt.Sprintf("no room for fixing to don't care (%s)", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("fixing to don't care: %w", err)
	}
	for _, x := range r.model.Controls() {
		if slices.Contains(noticed, x) {
			out.DontCareCovered = append(out.DontCareCovered, x)
		} else {
			out.DontCareUncovered = append(out.DontCareUncovered, x)
		}
	}
	return nil
}
