package interp

import (
	"context"
	"errors"
	"math"

	"netcov/cert"
	"netcov/netlist"
	"netcov/netlist/paranoid"
	"netcov/sat"
)

// errReplay is a fault of the program: a counterexample that simulation refutes.
var errReplay = errors.New("internal error: simulation does not confirm a counterexample")

// Checker is interpolation-based model checking of one model. For growing
// bounds k its engines approximate the reachable states so that none of them
// comes within k steps of a bad state, until the set is closed: then it is an
// invariant. Where a set reaches a bad state although no run of that length does,
// the approximation was too coarse, and a larger bound makes it finer.
//
// A Checker can be stopped by its context at any time and taken up again.
type Checker struct {
	m     *netlist.Model
	opt   Options
	res   Result
	bmc   *Bounded
	arms  []*arm
	turn  int
	slice int64 // effort, see arm.share
	spent int64 // effort of this turn
}

// engine approximates, one bound after the other.
type engine interface {
	// restart begins a round at a bound.
	restart(k int)
	// run goes on with the round: Unsat at a fixpoint, Sat when the
	// approximation reaches a bad state, Unknown when the slice is over.
	run(mt *meter) sat.Status
	// exact tells, after Sat, that there is a counterexample within the bound.
	exact() bool
	// images is the number of images of the round.
	images() int
	// invariant is the set at the fixpoint.
	invariant() *cert.Invariant
}

// arm is an engine with the bound that it has come to.
type arm struct {
	engine
	method   Method
	backward bool
	share    int64 // slices a turn
	k        int   // 0 before the first round
	over     bool
}

// firstSlice is the effort of a slice in the first cycle of turns; every cycle
// doubles it.
const firstSlice = 400_000

// NewChecker prepares a run; nothing is searched yet.
func NewChecker(m *netlist.Model, opt Options) *Checker {
	c := &Checker{m: m, opt: opt, slice: firstSlice}
	c.bmc = NewBounded(m, c.opt.solver(false))
	c.res.Bound = -1
	return c
}

// Check decides whether a bad state is reachable, see Checker. When ctx ends
// first the verdict is Unknown, with the bound reached; the error is not nil only
// for faults of the program.
func Check(ctx context.Context, m *netlist.Model, opt Options) (*Result, error) {
	return NewChecker(m, opt).Run(ctx)
}

// Run searches until the verdict is known or ctx ends, and goes on from there
// when it is called again. The result is the Checker's: it changes with the
// next call.
func (c *Checker) Run(ctx context.Context) (*Result, error) {
	if c.res.Status != cert.Unknown {
		return &c.res, nil
	}
	err := c.run(ctx)
	c.res.Bound = max(c.res.Bound, c.bmc.Bound())
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	c.opt.Effort.Frame(c.res.Bound)
	return &c.res, nil
}

func (c *Checker) run(ctx context.Context) error {
	if done, err := c.search(ctx, 0); done || err != nil {
		return err
	}
	if c.arms == nil {
		byProofs := func(backward bool) *arm {
			return &arm{engine: newByProofs(c.m, &c.opt, backward), method: Proofs, backward: backward, share: 1}
		}
		clausal := &arm{engine: newClausal(c.m, &c.opt), method: Clauses, share: 2}
		switch c.opt.method {
		case Proofs:
			c.arms = []*arm{byProofs(c.opt.backward)}
		case Clauses:
			c.arms = []*arm{clausal}
		default:
			c.arms = []*arm{byProofs(c.opt.backward), clausal, byProofs(!c.opt.backward)}
		}
	}
	for over := 0; over < len(c.arms); {
		a := c.arms[c.turn]
		if a.over {
			over++
		} else {
			over = 0
			done, err := c.advance(ctx, a)
			if done || err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		c.spent = 0
		if c.turn++; c.turn == len(c.arms) {
			c.turn = 0
			if done, err := c.searchAhead(ctx); done || err != nil {
				return err
			}
			c.slice *= 2
		}
	}
	return nil
}

// search extends the bounded search, and reports whether it found the answer.
func (c *Checker) search(ctx context.Context, depth int) (bool, error) {
	trace, err := c.bmc.Extend(ctx, depth)
	if trace != nil {
		c.res.Status, c.res.Trace = cert.Fails, trace
	}
	return trace != nil, err
}

// searchAhead gives the bounded search its turn.
func (c *Checker) searchAhead(ctx context.Context) (bool, error) {
	mt := &meter{ctx: ctx, left: c.slice / 2}
	if _, err := c.bmc.searchWithin(mt, math.MaxInt); err != nil {
		return false, err
	}
	return c.search(ctx, c.bmc.Bound())
}

// advance gives an engine its turn, and reports whether it found the answer.
func (c *Checker) advance(ctx context.Context, a *arm) (bool, error) {
	mt := &meter{ctx: ctx, left: c.slice*a.share - c.spent}
	defer func() { c.spent += mt.used }()
	for {
		if a.k == 0 {
			a.k = 1
			a.restart(a.k)
		}
		status := a.run(mt)
		if a.images() > 1 && !a.backward {
			c.res.Bound = max(c.res.Bound, a.k)
		}
		switch status {
		case sat.Unknown:
			return false, nil
		case sat.Unsat:
			c.res.Status, c.res.K, c.res.M = cert.Holds, a.k, a.images()
			c.res.Invariant = a.invariant()
			if c.opt.Check != nil {
				c.opt.report(paranoid.Invariant(ctx, c.m, c.res.Invariant, true))
			}
			return true, nil
		}
		if a.exact() {
			// The bounded search finds a shortest counterexample.
			done, err := c.search(ctx, a.k)
			if err == nil && !done {
				err = errNoTrace
			}
			return done, err
		}
		a.k++
		a.restart(a.k)
	}
}

// errNoTrace is a fault of the program: engines that contradict each other.
var errNoTrace = errors.New("internal error: an image found a counterexample that the bounded search refutes")
