package why

import (
	"context"
	"time"

	"netcov/cert"
	"netcov/ic3"
	"netcov/internal/clock"
	"netcov/interp"
	"netcov/mutant"
	"netcov/netlist"
)

// What induction leaves goes to bounded search and IC3, in turn, in slices that grow.
// Three questions come up for a mutant, one after the other: is the node constant, is W
// true, is S true.

// manyOpen is the number of open mutants beyond which no engine is kept from one slice
// to the next.
const manyOpen = 64

// fact is what a question is about.
type fact uint8

const (
	factConstant fact = iota
	factW
	factS
)

// question is one fact about one mutant, with the engines that look for an answer.
type question struct {
	fact    fact
	model   *netlist.Model
	bounded *interp.Bounded
	ic3     *ic3.Engine
	differs []bool
}

// glance looks for gaps of few steps, a moment for each mutant.
func (r *run) glance(ctx context.Context) {
	for _, x := range r.open() {
		if ctx.Err() != nil {
			return
		}
		if !x.open() || x.constant != refuted {
			continue
		}
		b := interp.NewBounded(r.design.miterW(x.m, r.design.reach(x.m)), nil)
		slice, cancel := clock.Limit(ctx, min(r.slice, glanceTime))
		t, err := b.Extend(slice, glanceDepth)
		late := slice.Err() != nil
		cancel()
		switch {
		case t != nil:
			t.Latches = t.Latches[:r.design.latches]
			r.settleGap(x, t)
			x.shortest = true
			r.tryOn(t)
		case err != nil && !late:
			r.fail(x, mutant.Open, err)
		default:
			x.Bound = b.Bound()
		}
	}
}

// glanceTime and glanceDepth bound the search of glance for one mutant.
const (
	glanceTime  = 20 * time.Millisecond
	glanceDepth = 8
)

// search decides the open mutants, in rounds.
func (r *run) search(ctx context.Context) {
	for slice := 10 * time.Millisecond; ; slice *= 2 {
		open := r.freeFirst()
		if len(open) == 0 {
			return
		}
		for _, x := range open {
			for x.open() {
				before := x.stage()
				if ctx.Err() != nil {
					return
				}
				r.answer(ctx, slice, x)
				if x.stage() == before {
					break
				}
			}
			if len(open) > manyOpen {
				x.question = nil
			}
		}
	}
}

// stage is the next fact to be decided.
func (x *work) stage() fact {
	switch {
	case x.constant == maybe:
		return factConstant
	case x.w == nil:
		return factW
	}
	return factS
}

// answer gives a mutant's next question a slice each of bounded search and of IC3.
func (r *run) answer(ctx context.Context, slice time.Duration, x *work) {
	d := r.design
	if x.induction == nil && x.stage() == factW && slice > inductionTime {
		(&correspondence{d: d}).try(ctx, slice, x)
		if x.induction != nil {
			x.question = nil // a smaller miter
		}
	}
	if x.induction != nil && x.stage() == factW && x.induction.w {
		r.holds(ctx, x, factW, x.induction.invariant, x.induction.s)
		return
	}
	q := r.ask(x)
	if !q.bounded.Exhausted() {
		limited, cancel := clock.Limit(ctx, slice)
		t, err := q.bounded.Extend(limited, 1<<30)
		late := limited.Err() != nil
		cancel()
		if t != nil {
			r.refuted(ctx, x, q, t)
			return
		}
		if err != nil && !late {
			r.fail(x, mutant.Open, err)
			return
		}
		if q.fact == factW {
			x.Bound = max(x.Bound, q.bounded.Bound())
		}
	}
	res := q.ic3.Run(ctx, ic3.Budget{Time: slice})
	switch {
	case res.Err != nil:
		r.fail(x, mutant.Open, res.Err)
	case res.Status == cert.Fails:
		r.refuted(ctx, x, q, res.Trace)
	case res.Status == cert.Holds && q.fact == factConstant:
		r.settleConstant(ctx, res.Invariant, x)
	case res.Status == cert.Holds:
		base := d.pairInvariant(x.m, q.differs)
		if x.w != nil {
			base = cert.Conjunction(base, x.w)
		}
		r.holds(ctx, x, q.fact, cert.Conjunction(base, d.ofPair(res.Invariant, q.differs)), false)
	}
}

// holds takes in that W, or S, is proved.
func (r *run) holds(ctx context.Context, x *work, f fact, v *cert.Invariant, same bool) {
	x.question = nil
	switch {
	case f == factS || same || r.unconstrained():
		r.settleW(ctx, x, v, true)
	default:
		x.w = v
	}
}

// refuted takes in a trace that answers a question with no.
func (r *run) refuted(ctx context.Context, x *work, q *question, t *cert.Trace) {
	x.question = nil
	t.Latches = t.Latches[:r.design.latches]
	switch q.fact {
	case factConstant:
		x.constant = refuted
	case factW:
		r.settleGap(x, t)
		x.shortest = q.bounded.Bound() >= t.Depth()-1
		r.tryOn(t)
	case factS:
		r.settleVacuous(ctx, x, t)
	}
}

// tryOn replays a gap's trace on all open mutants.
func (r *run) tryOn(t *cert.Trace) {
	open := r.open()
	for len(open) > 0 {
		n := min(63, len(open))
		r.walker.walk(open[:n], r.walker.replay(t), func(x *work, t *cert.Trace) {
			if x.constant == refuted {
				r.settleGap(x, t)
			}
		})
		open = open[n:]
	}
}

// ask prepares the engines of a mutant's next question.
func (r *run) ask(x *work) *question {
	if x.question != nil {
		return x.question
	}
	d := r.design
	q := &question{fact: x.stage()}
	if q.fact != factConstant {
		if x.induction != nil {
			q.differs = x.induction.differs
		} else {
			q.differs = d.reach(x.m)
		}
	}
	seed := append([]cert.Clause{}, d.Invariant.Clauses...)
	switch q.fact {
	case factConstant:
		q.model = d.constantModel(x.m)
	case factW:
		q.model = d.miterW(x.m, q.differs)
	case factS:
		q.model = d.miterS(x.m, q.differs)
	}
	if q.fact != factConstant && x.m.Invariant != nil {
		seed = append(seed, x.m.Invariant.Renamed(func(i int) int {
			if q.differs[i] {
				return len(d.model.Latches) + i
			}
			return i
		}).Clauses...)
	}
	q.bounded = interp.NewBounded(q.model, nil)
	q.ic3 = ic3.New(q.model, ic3.Options{Seed: seed})
	x.question = q
	return q
}

// unconstrained tells that there is no constraint, so that S is W.
func (r *run) unconstrained() bool { return len(r.design.Netlist.Constraints) == 0 }
