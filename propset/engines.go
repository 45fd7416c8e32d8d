package propset

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"netcov/aig"
	"netcov/cert"
	"netcov/ic3"
	"netcov/interp"
	"netcov/netlist"
	"netcov/scorr"
)

// The largest bounds of k-induction: in the first round, and in all; each round
// doubles it. What needs a large bound often has a small invariant, which IC3
// finds, and the one that comes from a deep unrolling is large. Where none is asked
// for, larger bounds cost no more than their queries.
const (
	firstInduction = 2
	firstLayers    = 4
	maxInduction   = 16
)

// induction deepens the k-induction of all open properties, each bound after the
// bounded search of its base case.
func (r *run) induction(ctx context.Context) error {
	first := firstInduction
	if r.opt.Layers {
		first = firstLayers
	}
	r.last = min(max(first, 2*r.last), maxInduction)
	proved := make([][]int, r.induct.Bound())
	for len(r.open) > 0 && r.induct.Bound() <= r.last {
		k := r.induct.Bound()
		if err := r.searchTo(ctx, k-1); err != nil {
			return err
		}
		if r.bounded.Bound() < k-1 {
			break
		}
		list, ok := r.induct.Step(ctx)
		r.opt.Effort.Of(EngineInduction).Frame(k)
		if !ok {
			break
		}
		proved = append(proved, list)
		r.open = slices.DeleteFunc(r.open, func(i int) bool { return slices.Contains(list, i) })
		r.induct.Deepen()
	}
	all := slices.Concat(proved...)
	if len(all) == 0 {
		return nil
	}
	if r.opt.Layers {
		for k, list := range proved {
			if len(list) > 0 {
				r.layers = append(r.layers, cert.Layer{Properties: list, K: k})
			}
		}
		r.proves(EngineInduction, all)
		return nil
	}
	// What is proved is worth the time that its invariant takes.
	layer, err := interp.Strengthen(r.ctx, r.m, proved, r.lemmas, r.opt.interp(EngineInduction))
	if layer == nil {
		r.open = append(r.open, all...)
		return err
	}
	r.hold(EngineInduction, all, layer)
	return nil
}

// correspondence merges registers that are equal or constant in the model that
// all later work is on. Their equality is a layer of the invariant.
func (r *run) correspondence(ctx context.Context) error {
	if r.merged {
		return nil
	}
	c := scorr.Find(ctx, r.m.Only(r.open, r.lemmasFor(r.open)), scorr.Options{Check: r.opt.Check, Effort: r.opt.Effort.Of(EngineClasses)})
	if c == nil {
		return nil
	}
	r.merged = true
	if c.Merged() == 0 {
		return nil
	}
	r.layers = append(r.layers, cert.Layer{Invariant: c.Invariant()})
	r.m = c.Apply(r.m)
	r.restart()
	if r.joint != nil {
		r.joint.properties = nil
	}
	r.trivial()
	return nil
}

// trivial notes what holds in the merged model by its structure.
func (r *run) trivial() {
	var holds []int
	for _, i := range r.open {
		if r.m.Bads[i] == aig.False {
			holds = append(holds, i)
		}
	}
	if len(holds) > 0 {
		r.hold(EngineClasses, holds, &cert.Invariant{})
	}
}

// search deepens the bounded search.
func (r *run) search(ctx context.Context) error { return r.searchTo(ctx, math.MaxInt) }

// searchTo searches up to a depth, and tells what fails.
func (r *run) searchTo(ctx context.Context, depth int) error {
	for {
		failed, t, err := r.bounded.Extend(ctx, depth)
		r.opt.Effort.Of(EngineBounded).Frame(r.bounded.Bound())
		if err != nil || len(failed) == 0 {
			return err
		}
		if err := r.fail(EngineBounded, failed, t); err != nil {
			return err
		}
	}
}

// errNoReplay is a fault of the program: a counterexample that simulation refutes.
var errNoReplay = errors.New("internal error: simulation does not confirm a counterexample")

// joint is the IC3 run on the disjunction of the open properties.
type joint struct {
	m          *netlist.Model
	properties []int
	engine     *ic3.Engine
	depth      int
}

// conjunction gives the joint run a slice. A property that fails leaves it; so
// does one that another engine has proved. Clauses are carried over.
func (r *run) conjunction(ctx context.Context) error {
	for len(r.open) > 0 && ctx.Err() == nil {
		if r.joint == nil || !slices.Equal(r.joint.properties, r.open) {
			r.joint = r.newJoint()
		}
		j := r.joint
		res := j.engine.Run(ctx, ic3.Budget{})
		j.depth = res.Depth
		switch {
		case res.Err != nil:
			return res.Err
		case res.Status == cert.Holds:
			r.hold(EngineIC3, slices.Clone(r.open), res.Invariant)
		case res.Status == cert.Fails:
			if err := r.refute(ctx, r.open, res.Trace); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) newJoint() *joint {
	j := &joint{properties: slices.Clone(r.open), depth: -1}
	opt := ic3.Options{Check: r.opt.Check, Effort: r.opt.Effort.Of(EngineIC3)}
	if r.joint != nil {
		opt.Seed = r.joint.engine.Clauses()
	}
	j.m = r.m.Only(r.open, r.lemmasFor(r.open))
	j.engine = ic3.New(j.m, opt)
	return j
}

// refute tells that properties fail in a run that was found otherwise than by
// bounded search; where that comes as far in time, it has shorter traces.
func (r *run) refute(ctx context.Context, candidates []int, t *cert.Trace) error {
	failed := interp.FailingAt(r.m, t, candidates)
	if len(failed) == 0 {
		return errNoReplay
	}
	if err := r.searchTo(ctx, t.Depth()-1); err != nil {
		return err
	}
	failed = slices.DeleteFunc(failed, func(i int) bool { return !slices.Contains(r.open, i) })
	if len(failed) == 0 {
		return nil
	}
	return r.fail(EngineIC3, failed, t)
}

// single is the IC3 run on one property.
type single struct {
	engine *ic3.Engine
	lemmas int // the number of those that it has
	depth  int
}

// leastTurn is the least time that a single property gets in its turn.
const leastTurn = 10 * time.Millisecond

// oneByOne gives the open properties turns, those with the smallest cones first,
// as far as the slice goes; the next call takes up where it ended.
func (r *run) oneByOne(ctx context.Context) error {
	if len(r.open) < 2 {
		return nil // the joint run is on that property
	}
	order := slices.Clone(r.open)
	slices.SortStableFunc(order, func(a, b int) int { return r.coneSize(a) - r.coneSize(b) })
	turn := max(leastTurn, r.slice/time.Duration(len(order)))
	var proved []int
	var layers []*cert.Invariant
	for n := range order {
		i := order[(r.turn+n)%len(order)]
		if ctx.Err() != nil {
			r.turn += n
			break
		}
		if !slices.Contains(r.open, i) {
			continue
		}
		res := r.single(i).Run(ctx, ic3.Budget{Time: turn})
		r.singles[i].depth = res.Depth
		switch {
		case res.Err != nil:
			return res.Err
		case res.Status == cert.Holds:
			proved = append(proved, i)
			layers = append(layers, res.Invariant)
		case res.Status == cert.Fails:
			if err := r.refute(ctx, []int{i}, res.Trace); err != nil {
				return err
			}
		}
	}
	if len(proved) > 0 {
		r.hold(EngineIC3, proved, cert.Conjunction(layers...))
	}
	return nil
}

// single returns the engine on one property; where lemmas have come since it was
// made, a new one with what it has found.
func (r *run) single(i int) *ic3.Engine {
	lemmas := r.lemmasFor([]int{i})
	s := r.singles[i]
	if s != nil && s.lemmas == len(lemmas) {
		return s.engine
	}
	opt := ic3.Options{Check: r.opt.Check, Effort: r.opt.Effort.Of(EngineIC3)}
	depth := -1
	if s != nil {
		opt.Seed, depth = s.engine.Clauses(), s.depth
	}
	r.singles[i] = &single{ic3.New(r.m.Only([]int{i}, lemmas), opt), len(lemmas), depth}
	return r.singles[i].engine
}
