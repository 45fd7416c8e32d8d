package why

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"netcov/cert"
	"netcov/certify"
	"netcov/internal/clock"
	"netcov/mutant"
	"netcov/netlist"
)

// ErrRecheck is wrapped by the error of Explain where the second opinion contradicts
// what was found: a fault of the program.
var ErrRecheck = errors.New("the second opinion disagrees")

// Options bound a run. The zero value is no bound.
type Options struct {
	// Budget is the time for all mutants. Default none.
	Budget time.Duration
	// Opinion is the solver of the second opinion. Default gini.
	Opinion certify.Solver
	// Proofs keeps the invariants that prove reasons. They may take much memory.
	Proofs bool
}

// leastShortening is the least time for shorter traces, as far as the budget goes.
const leastShortening = 200 * time.Millisecond

// finishing is the share of the budget, in percent, after which nothing is searched any
// more: the rest is for the traces that were found.
const finishing = 85

// Explain gives each of the mutants, none of which a property notices, its reason, in
// their order. When the budget or ctx ends, the rest is open. The error wraps
// ErrRecheck.
func Explain(ctx context.Context, p Problem, ms []Mutant, opt Options) ([]Finding, error) {
	r := newRun(p, ms, opt)
	ctx, cancel := clock.Limit(ctx, opt.Budget)
	defer cancel()
	var limited context.Context
	limited, r.stop = context.WithCancel(ctx)
	defer r.stop()
	limited, cancel = clock.Limit(limited, opt.Budget*finishing/100)
	defer cancel()
	begin := time.Now()
	r.decide(limited)
	if opt.Budget > 0 { // traces may take as long as reasons, but not all of a large budget
		limited, cancel = clock.Limit(limited, max(leastShortening, time.Since(begin)))
		defer cancel()
	}
	r.shorten(limited)
	r.finish(ctx)
	out := make([]Finding, len(ms))
	for i, x := range r.all {
		if x.Reason == mutant.NoReason {
			x.Reason = mutant.Open
		}
		out[i] = x.Finding
	}
	return out, r.failure
}

// certainty is what is known of a fact.
type certainty uint8

const (
	refuted certainty = iota
	maybe
	proved
)

// work is one mutant and what is known of it.
type work struct {
	Finding
	m         Mutant
	cut       int // of the model; see design.cut
	force     netlist.Force
	constant  certainty       // the fault's value is the node's in every run
	differed  set             // registers that simulation has seen differ
	induction *outcome        // nil: not finished
	w         *cert.Invariant // W is proved by it, and S not decided
	question  *question       // that is being searched
	trace     *cert.Trace     // of a gap
	shortest  bool            // no trace is shorter
}

func (x *work) open() bool { return x.Reason == mutant.NoReason }

// run is one call of Explain.
type run struct {
	design *design
	opt    Options
	walker *walker
	all    []*work
	at     map[int][]*work // by cut
	slice  time.Duration   // of one query about one mutant, at first
	stop   context.CancelFunc

	failOnce sync.Once
	failure  error
}

func newRun(p Problem, ms []Mutant, opt Options) *run {
	r := &run{design: newDesign(p, ms, opt.Opinion), opt: opt, at: map[int][]*work{}}
	r.walker = newWalker(r.design)
	r.slice = time.Second
	if opt.Budget > 0 {
		r.slice = min(r.slice, max(5*time.Millisecond, 4*opt.Budget/time.Duration(len(ms)+1)))
	}
	for _, m := range ms {
		x := &work{m: m, differed: newSet(len(r.design.model.Latches))}
		x.Bound = -1
		if _, stuck := m.Fault.Stuck(); stuck {
			x.constant = maybe
		}
		r.all = append(r.all, x)
		if cut, force, inside := r.design.model.Find(m.Target, m.Fault); inside {
			x.cut, x.force = cut, force
			r.at[cut] = append(r.at[cut], x)
		}
	}
	return r
}

// decide goes through the steps, the cheap ones first.
func (r *run) decide(ctx context.Context) {
	for _, x := range r.all {
		if !r.design.inside(x.m.Target) {
			r.settleOutside(x)
		}
	}
	if len(r.open()) == 0 || ctx.Err() != nil {
		return
	}
	if !r.design.hasRun(ctx) {
		if ctx.Err() != nil {
			return
		}
		r.settleNoRun(ctx, r.open())
		return
	}
	seen := r.walker.watch(ctx)
	r.walker.search(ctx, r.open(), func(x *work, t *cert.Trace) { r.settleGap(x, t) })
	r.design.strengthen(ctx, seen)
	r.constants(ctx, seen)
	r.correspond(ctx)
	r.glance(ctx)
	r.search(ctx)
}

// open returns the mutants without a reason.
func (r *run) open() []*work {
	var out []*work
	for _, x := range r.all {
		if x.open() {
			out = append(out, x)
		}
	}
	return out
}

// freeFirst returns the mutants without a reason, those with free values first.
func (r *run) freeFirst() []*work {
	var free, stuck []*work
	for _, x := range r.open() {
		if x.force == netlist.ForceFree {
			free = append(free, x)
		} else {
			stuck = append(stuck, x)
		}
	}
	return append(free, stuck...)
}

// fail ends the run with an error.
func (r *run) fail(x *work, reason mutant.Reason, err error) {
	r.failOnce.Do(func() {
		r.failure = fmt.Errorf("%w: %v, said to be %v: %w", ErrRecheck, x.m, reason, err)
		r.stop()
	})
}
