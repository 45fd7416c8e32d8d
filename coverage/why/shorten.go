package why

import (
	"context"
	"time"

	"netcov/aiger"
	"netcov/internal/clock"
	"netcov/interp"
	"netcov/mutant"
)

// The gaps that are known get shorter traces, as far as the budget goes: bounded search
// on the miter, up to one step less than the trace that is known. Then what does not
// matter in them becomes x.

// shortest is the time that a search for a shorter trace gets at first; rounds double
// it.
const shortest = 20 * time.Millisecond

func (r *run) shorten(ctx context.Context) {
	type open struct {
		x *work
		b *interp.Bounded
	}
	var todo []open
	for _, x := range r.all {
		if x.Reason == mutant.Gap && len(x.trace.Inputs) > 1 && !x.shortest {
			todo = append(todo, open{x: x})
		}
	}
	for slice := shortest; len(todo) > 0 && slice < 64*shortest; slice *= 4 {
		var left []open
		for _, o := range todo {
			if ctx.Err() != nil {
				return
			}
			if o.b == nil {
				differs := r.design.reach(o.x.m)
				if o.x.induction != nil {
					differs = o.x.induction.differs
				}
				o.b = interp.NewBounded(r.design.miterW(o.x.m, differs), nil)
			}
			limited, cancel := clock.Limit(ctx, slice)
			t, err := o.b.Extend(limited, len(o.x.trace.Inputs)-2)
			late := limited.Err() != nil
			cancel()
			switch {
			case t != nil:
				t.Latches = t.Latches[:r.design.latches]
				r.settleGap(o.x, t)
				o.x.shortest = true
			case err == nil:
				o.x.shortest = true
			case !late:
				r.fail(o.x, mutant.Gap, err)
			default:
				if len(todo) > manyOpen {
					o.b = nil
				}
				left = append(left, o)
			}
		}
		todo = left
	}
}

// finish turns the gaps' traces into witnesses without what does not matter.
func (r *run) finish(ctx context.Context) {
	for _, x := range r.all {
		if x.Reason != mutant.Gap || r.failure != nil {
			continue
		}
		d := r.design
		w, err := d.checker.Witness(x.trace)
		if err == nil && ctx.Err() == nil {
			for i, l := range d.File.Latches {
				if l.HasResetFunction() { // the values follow from what it reads
					w.Init[i] = aiger.Unknown
				}
			}
			d.minimise(x.m, w)
			err = d.checker.Gap(w, d.mutation(x.m))
		}
		if err != nil {
			r.fail(x, mutant.Gap, err)
			return
		}
		x.Witness = w
	}
}
