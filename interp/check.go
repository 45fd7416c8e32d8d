package interp

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"netcov/netlist"
	"netcov/proof"
)

// errReplay is a fault of the program: a counterexample that simulation refutes.
var errReplay = errors.New("internal error: simulation does not confirm a counterexample")

// Verdict is the answer of a model checker.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota
	Holds
	Fails
)

// String returns the word used in reports.
func (v Verdict) String() string { return [...]string{"unknown", "holds", "fails"}[v] }

// Options are the parameters of Check. The zero value is the default of each.
type Options struct {
	// System is the interpolation system.
	System System
	// MaxBound ends the search as Unknown after that bound; 0 is no limit.
	MaxBound int
	Compact  int
	Frontier bool
	NewOnly  bool
	Clausal  bool
	Fresh    int
	// Log takes a line per bound and image; nil is silent.
	Log *slog.Logger
}

// Stats counts what a run did.
type Stats struct {
	Images        int
	RawAnds       int // of the largest interpolant as the proof gives it
	ReducedAnds   int // of the largest interpolant in use
	BoundSeconds  float64
	SolveSeconds  float64
	BuildSeconds  float64
	ReduceSeconds float64
	TestSeconds   float64
}

// Result is a verdict with its evidence.
type Result struct {
	Verdict Verdict
	// Trace is the counterexample, confirmed by simulation, when it fails.
	Trace *netlist.Trace
	// Invariant is an inductive invariant that proves the property when it
	// holds: the initial states imply it; it is closed under a step from a state
	// and input that satisfy the constraint; no state in it is bad under the
	// constraint.
	Invariant *netlist.Invariant
	// K and M are the bound and the number of image steps of the last round.
	K, M int
	// Bound is the largest number of steps within which no bad state is
	// reachable, as far as is known; -1 when not even the initial states are.
	Bound int
	Stats Stats
}

// Check decides whether a bad state is reachable (McMillan, CAV 2003; DAC10,
// sections 2.2 and 4.2). For growing bounds k it computes approximate images,
// starting from the initial states and adding each image to the set to go on
// from, until an image adds nothing: then the set is an invariant. Where the set
// reaches a bad state although no run of that length does, the approximation
// was too coarse, and a larger bound makes it finer. A bounded search goes ahead
// of each bound, frame 0 included.
//
// When ctx ends first, the verdict is Unknown with the bound reached; the error
// is not nil only for faults of the program.
func Check(ctx context.Context, m *netlist.Model, opt Options) (*Result, error) {
	c := &checker{m: m, opt: opt, log: opt.Log, bmc: NewBounded(m, nil)}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.res.Bound = -1
	err := c.run(ctx)
	c.res.Bound = c.bmc.Bound()
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return &c.res, nil
}

type checker struct {
	m    *netlist.Model
	opt  Options
	log  *slog.Logger
	res  Result
	bmc  *Bounded
	sets *reducer
	init netlist.Lit
	img  *imager
}

func (c *checker) run(ctx context.Context) error {
	if done, err := c.search(ctx, 0); done || err != nil {
		return err
	}
	c.sets = newReducer(len(c.m.Latches))
	c.init = netlist.True
	for i, l := range c.m.Latches {
		if l.InCone && l.Reset != netlist.ResetX {
			c.init = c.sets.and(c.init, c.sets.variable(i).XorSign(l.Reset == netlist.Reset0))
		}
	}
	c.img = newImager(c.m, c.sets, c.opt.System)
	cl := newClausal(c.m)
	for k := 1; c.opt.MaxBound == 0 || k <= c.opt.MaxBound; k++ {
		if done, err := c.search(ctx, k); done || err != nil {
			return err
		}
		if c.opt.Clausal {
			if done, err := c.clausalRound(ctx, cl, k); done || err != nil {
				return err
			}
			continue
		}
		if done, err := c.round(ctx, k); done || err != nil {
			return err
		}
	}
	return nil
}

// search extends the bounded search, and tells whether it found the answer.
func (c *checker) search(ctx context.Context, depth int) (bool, error) {
	defer stopwatch(&c.res.Stats.BoundSeconds)()
	trace, err := c.bmc.Extend(ctx, depth)
	if trace != nil {
		c.res.Verdict, c.res.Trace = Fails, trace
	}
	return trace != nil, err
}

// round computes images at one bound, and tells whether it found the answer.
func (c *checker) round(ctx context.Context, k int) (bool, error) {
	st := &c.res.Stats
	if c.opt.Fresh == 1 {
		c.img = newImager(c.m, c.sets, c.opt.System)
	}
	c.img.extend(k)
	reached := c.init
	from := c.init
	for m := 1; ; m++ {
		stop := stopwatch(&st.SolveSeconds)
		if c.opt.NewOnly {
			c.img.except = reached
		}
		status := c.img.solve(ctx, from)
		stop()
		switch status {
		case proof.Unknown:
			return false, ctx.Err()
		case proof.Sat:
			c.log.Debug("approximation too coarse", "k", k, "m", m, "reached", countAnds(c.sets.g, reached))
			return false, nil
		}
		st.Images++
		image := c.img.image(ctx, from, &c.opt, st)
		c.log.Debug("image", "k", k, "m", m, "ands", countAnds(c.sets.g, image), "reached", countAnds(c.sets.g, reached))
		stop = stopwatch(&st.TestSeconds)
		status = c.sets.implies(ctx, image, reached)
		stop()
		switch status {
		case proof.Unknown:
			return false, ctx.Err()
		case proof.Unsat:
			c.res.Verdict, c.res.K, c.res.M = Holds, k, m
			c.res.Invariant = c.invariant(reached)
			return true, nil
		}
		reached = c.sets.or(reached, image)
		from = reached
		if c.opt.Frontier {
			from = image
		}
		if c.opt.Fresh == 2 {
			c.img = newImager(c.m, c.sets, c.opt.System)
			c.img.extend(k)
		}
	}
}

// invariant copies a set of states into a graph of its own.
func (c *checker) invariant(set netlist.Lit) *netlist.Invariant {
	v := &netlist.Invariant{Graph: netlist.NewGraph()}
	to := map[netlist.Node]netlist.Lit{0: netlist.False}
	edge := func(l netlist.Lit) netlist.Lit { return to[l.Node()].XorSign(l.Neg()) }
	for _, n := range c.sets.g.Cone(set) {
		if c.sets.g.Kind(n) == netlist.KindLatch {
			to[n] = v.Graph.Latch()
			v.Support = append(v.Support, netlist.SupportLatch{Lit: to[n], Latch: c.sets.at[n]})
			continue
		}
		a, b := c.sets.g.Fanins(n)
		to[n] = v.Graph.And(edge(a), edge(b))
	}
	v.Formulas = []netlist.Lit{edge(set)}
	return v
}

// stopwatch adds the time until the returned function is called.
func stopwatch(seconds *float64) func() {
	start := time.Now()
	return func() { *seconds += time.Since(start).Seconds() }
}

func (c *checker) clausalRound(ctx context.Context, e *clausal, k int) (bool, error) {
	e.extend(k)
	set := e.initial()
	for m := 1; ; m++ {
		next, carried, st := e.image(ctx, set, &c.res.Stats)
		switch st {
		case proof.Unknown:
			return false, ctx.Err()
		case proof.Sat:
			c.log.Debug("approximation too coarse", "k", k, "m", m, "reached", len(set), "pool", len(e.pool))
			return false, nil
		}
		c.res.Stats.Images++
		c.log.Debug("image", "k", k, "m", m, "clauses", len(next), "carried", carried, "reached", len(set), "pool", len(e.pool))
		if carried == len(set) {
			c.res.Verdict, c.res.K, c.res.M = Holds, k, m
			c.res.Invariant = &netlist.Invariant{}
			for _, id := range next {
				c.res.Invariant.Clauses = append(c.res.Invariant.Clauses, e.pool[id])
			}
			return true, nil
		}
		set = next
	}
}
