package campaign

import (
	"context"
	"fmt"
	"slices"
	"time"

	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/frontend/design"
	"netcov/internal/clock"
	"netcov/mutant"
	"netcov/netlist"
)

// Coverage of a netlist that allows more than its source, in rounds.
//
// A cut of a register commutes with the abstraction: the netlist's mutant does whatever
// the source's mutant does. So a mutant on which the properties hold is not covered, in
// whatever round that is found. A trace on which one fails is run on the source's mutant;
// where it is spurious, the netlist of the next round is without it, and the mutant is
// asked about again.
//
// All rounds ask about the same properties: those that hold, which are found first. A
// finer netlist has the latches of the one before at the same positions, and its steps are
// steps of that. So what proves the properties proves them in the next round, too.

// byWord is a run in rounds.
type byWord struct {
	*Design // of this round
	opt     coverage.Options
	held    []int // the properties that hold
	proofs  []*cert.Invariant
	proving round         // the rounds in which they were proved: all mutants are open
	spent   time.Duration // on these
	settled map[key]bool  // mutants that are decided, or given up
}

type key struct {
	target mutant.Target
	fault  mutant.Fault
}

// runByWord is Run where there is an abstraction.
func (d *Design) runByWord(ctx context.Context, which []int, opt coverage.Options) (*coverage.Set, error) {
	set := coverage.NewSet(d.Netlist, opt.Targets, opt.Faults)
	for _, i := range which {
		if d.Netlist.Property(i).Kind == netlist.PropertyJustice {
			return set, choicef("%s: property %d is a justice property, whose runs cannot be told on arrays that are kept by word; choose others, or raise the limit of bits in a memory", d.Path, i)
		}
	}
	d.fails = map[int]*Design{}
	r := &byWord{Design: d, opt: opt, settled: map[key]bool{}}
	found := map[int]coverage.Outcome{}
	err := r.prove(ctx, which, found)
	for _, i := range which {
		o, known := found[i]
		if !known {
			continue
		}
		set.Outcomes = append(set.Outcomes, o)
		if o.Proof.Status == cert.Holds {
			r.held = append(r.held, i)
			r.proofs = append(r.proofs, o.Proof.Invariant)
		}
	}
	if err != nil || len(r.held) == 0 {
		return set, err
	}
	return set, r.cover(ctx, set)
}

// prove answers properties, in rounds of their own.
func (r *byWord) prove(ctx context.Context, open []int, found map[int]coverage.Outcome) error {
	opt, first, took := r.opt, r.Design, map[int]time.Duration{}
	opt.Tests = []string{}
	for {
		set, err := r.run(ctx, open, opt)
		if err != nil {
			return err
		}
		open, r.proving.found = nil, append(r.proving.found, set)
		for _, o := range set.Outcomes {
			took[o.Position] += o.Proof.Time
			r.spent += o.Proof.Time
			a := &Answer{Property: o.Position, Status: o.Proof.Status, Trace: o.Proof.Trace, Reason: o.Proof.Reason, Bound: o.Proof.Bound}
			settled, err := r.Settle(a)
			if err != nil {
				return err
			}
			o.Proof.Status, o.Proof.Trace, o.Proof.Reason, o.Proof.Bound, o.Proof.Time = a.Status, a.Trace, a.Reason, a.Bound, took[o.Position]
			if !settled {
				open = append(open, o.Position)
				o.Proof = &coverage.Answer{Engine: o.Proof.Engine, Bound: -1, Time: o.Proof.Time} // unless a later round knows
			}
			found[o.Position], first.fails[o.Position] = o, r.Design
		}
		if len(open) == 0 || ctx.Err() != nil {
			return nil
		}
		if r.Design, err = r.Refine(); err != nil {
			return err
		}
		opt.ProofBudget, opt.Timeout = r.opt.ProofBudget, r.opt.Timeout
		opt.SpendProof(r.spent)
		if opt.Timeout > 0 {
			opt.Timeout = max(1, opt.Timeout-r.spent/time.Duration(len(found)))
		}
	}
}

// firstSlice is the time of the first round. What a round leaves open for want of time may
// be easy on a finer netlist, so the next one has twice that; where no trace is spurious,
// the netlist stays, the next round begins anew, and has much more.
const (
	firstSlice = 2 * time.Second
	moreTime   = 8
)

// cover decides the mutants and adds what the rounds say to a set.
func (r *byWord) cover(ctx context.Context, set *coverage.Set) error {
	limit, bounded := r.opt.Budget.Duration(r.spent)
	begin := time.Now()
	last := &r.proving
	defer func() { last.addTo(set, true) }()
	for slice := firstSlice; ; slice *= 2 {
		opt, left := r.opt, limit-time.Since(begin)
		if opt.Earlier = (&coverage.Earlier{Proofs: r.proofs}); last == &r.proving && len(set.Outcomes) == 1 {
			opt.Proof = set.Outcomes[0].Proof // of this very netlist
		}
		opt.Ask = func(t mutant.Target, f mutant.Fault) bool { return !r.settled[key{t, f}] }
		opt.Budget = coverage.Budget{Limit: slice}
		if bounded {
			opt.Budget.Limit = max(1, min(slice, left))
			opt.ProofBudget = clock.Sooner(opt.ProofBudget, max(1, left))
		}
		found, err := r.run(ctx, r.held, opt)
		if err != nil || !r.proved(found) {
			return err
		}
		last.addTo(set, false)
		if last, err = r.judge(ctx, found); err != nil {
			return err
		}
		over := ctx.Err() != nil || bounded && time.Since(begin) >= limit
		enough := r.opt.StopAt > 0 && float64(len(r.settled)) >= r.opt.StopAt*float64(last.mutants)
		switch {
		case over || enough:
			return nil
		case last.spurious:
			if r.Design, err = r.Refine(); err != nil {
				return err
			}
		case found.Stopped() != "budget":
			return nil
		default:
			slice *= moreTime / 2
		}
	}
}

// proved reports whether all properties that hold are proved in a round. Else it has been
// asked about fewer.
func (r *byWord) proved(found *coverage.Set) bool {
	return len(found.Outcomes) == len(r.held) && !slices.ContainsFunc(found.Outcomes, func(o coverage.Outcome) bool { return o.Proof.Status != cert.Holds })
}

// round is what one round says, or several that leave all open.
type round struct {
	found    []*coverage.Set
	opinions map[key]coverage.Opinion // Dropped where it is not mentioned
	mutants  int
	spurious bool // some trace is, and the next netlist is without it
}

// addTo adds the round to a set; of the last one also what it leaves open.
func (o *round) addTo(set *coverage.Set, last bool) {
	for _, found := range o.found {
		set.AddRound(found, func(t mutant.Target, f mutant.Fault) coverage.Opinion {
			switch what, settled := o.opinions[key{t, f}]; {
			case settled:
				return what
			case last:
				return coverage.Unfounded
			}
			return coverage.Dropped
		})
	}
}

// judge runs the traces of covered mutants on the source.
func (r *byWord) judge(ctx context.Context, found *coverage.Set) (*round, error) {
	out := &round{found: []*coverage.Set{found}, opinions: map[key]coverage.Opinion{}}
	settle := func(k key, o coverage.Opinion) { r.settled[k], out.opinions[k] = true, o }
	traces, mutants := map[int][]*cert.Trace{}, map[int][]certify.Mutation{}
	for j := range found.All() {
		out.mutants++
		k := key{j.Target, j.Fault}
		if r.settled[k] || j.Verdict == mutant.Unknown || ctx.Err() != nil {
			continue
		}
		if j.Verdict == mutant.NotCovered {
			settle(k, coverage.Kept)
			continue
		}
		p := j.Mutant.Property
		t, err := r.Design.Design.Abstraction.Replay(p, j.Mutant.Trace(), &design.Cut{Latch: j.Target.Index, Fault: j.Fault})
		switch {
		case err != nil:
			if r.opt.Log != nil {
				r.opt.Log.Info("a mutant stays open", "mutant", j.Mutant, "why", err)
			}
			settle(k, coverage.Unfounded)
		case t == nil:
			out.spurious = true
		default:
			settle(k, coverage.Kept)
			traces[p] = append(traces[p], t)
			mutants[p] = append(mutants[p], certify.Mutation{Index: j.Target.Index, Fault: j.Fault})
		}
	}
	for p, ts := range traces {
		if _, at, err := certify.NewChecker(r.File, p).Traces(ts, mutants[p]); err != nil {
			return out, fmt.Errorf("%w: %s: %w", coverage.ErrRecheck, mutants[p][at], err)
		}
	}
	return out, nil
}
