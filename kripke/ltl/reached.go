package ltl

import (
	"context"
	"math/big"

	"netcov/aig"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/symbolic"
)

// Reached are the reachable control states as decision diagrams, and the shortest paths
// to them: rings of states at the same distance from the initial ones, found as far as
// they are asked for.
type Reached struct {
	*SymbolicSet
	ctx context.Context // of the question that is being answered
	sys *symbolic.System
	// allowed are the states that satisfy a constraint that Unconstrain made a signal.
	allowed bdd.Ref
	rings   []bdd.Ref // protected; False after the last one
	seen    bdd.Ref   // protected; in some ring
}

// SymbolicReachable is the set of reachable control states.
func SymbolicReachable(ctx context.Context, c *circuit.Circuit, opt SymbolicOptions) (*Reached, error) {
	free := *c
	free.Constraint = aig.True
	done, err := circuit.New(free)
	if err != nil {
		return nil, err
	}
	r := &Reached{ctx: ctx, allowed: bdd.True}
	left := opt.Ticks // which paths do not count for
	interrupt := func() error {
		if left--; left == 0 && r.SymbolicSet == nil {
			return ErrTicks
		}
		return r.ctx.Err()
	}
	if r.sys, err = symbolic.FromCircuit(done, bdd.Options{NodeLimit: opt.NodeLimit, Interrupt: interrupt}); err != nil {
		return nil, err
	}
	if f, ok := r.sys.Label(ConstraintSignal); ok {
		r.allowed = f
	}
	reached := r.sys.Reachable(r.sys.Init, func(step int) {
		if opt.Report != nil {
			opt.Report("reachable states", step)
		}
	})
	r.seen = r.sys.M.Protect(bdd.False)
	r.SymbolicSet, err = controlStates(c, r.sys, reached)
	return r, err
}

// ask begins a question, whose context may end it; the function that is returned lets the
// next one be asked.
func (r *Reached) ask(ctx context.Context) func() {
	r.ctx = ctx
	return func() {
		if r.sys.M.Err() != nil {
			r.sys.M.Recover()
		}
	}
}

// ring is the set of the states at a distance.
func (r *Reached) ring(distance int) bdd.Ref {
	m := r.sys.M
	for len(r.rings) <= distance {
		next := r.sys.Init
		if n := len(r.rings); n > 0 {
			next = m.Diff(r.sys.Post(r.rings[n-1]), r.seen)
		}
		next = m.And(next, r.allowed)
		seen := m.Or(r.seen, next)
		if m.Err() != nil {
			return bdd.False
		}
		m.Protect(seen)
		m.Unprotect(r.seen)
		r.rings, r.seen = append(r.rings, m.Protect(next)), seen
		m.CollectIfLarge()
	}
	return r.rings[distance]
}

// here is the union of sets as control states of the system; protected.
func (r *Reached) here(sets []*SymbolicSet) bdd.Ref {
	m := r.sys.M
	union := bdd.False
	for _, s := range sets {
		to := make([]int, s.m.NumVars())
		for i, at := range s.at {
			to[s.vars[at]] = r.vars[r.at[i]]
		}
		union = m.Or(union, m.Copy(s.m, s.set, to))
	}
	return m.Protect(union)
}

// Count counts the control states in some of the sets, and the reachable ones in none.
func (r *Reached) Count(ctx context.Context, sets ...*SymbolicSet) (covered, left *big.Int, err error) {
	m := r.sys.M
	defer r.ask(ctx)()
	union := r.here(sets)
	defer m.Unprotect(union)
	covered, left = m.SatCount(union, r.vars), m.SatCount(m.Diff(r.set, union), r.vars)
	return covered, left, m.Err()
}

// Nearest is a shortest path from an initial state to a control state in none of the sets,
// with letters of the given signals; nil when none is reached, or the path has more than
// maxPath steps.
func (r *Reached) Nearest(ctx context.Context, ap []string, sets ...*SymbolicSet) (*Computation, error) {
	m := r.sys.M
	defer r.ask(ctx)()
	covered := r.here(sets)
	defer m.Unprotect(covered)
	if m.Diff(r.set, covered) == bdd.False {
		return nil, m.Err()
	}
	position := make([]int, len(r.at))
	for i, at := range r.at {
		position[i] = r.vars[at]
	}
	target := m.Protect(asStored(r.c, r.sys, covered.Not(), position))
	defer m.Unprotect(target)
	for n := 0; n <= maxPath; n++ {
		ring := r.ring(n)
		if ring == bdd.False || m.Err() != nil {
			break
		}
		if m.And(ring, target) != bdd.False {
			path, _ := through(r.sys, r.rings[:n+1], target)
			return decode(r.sys, r.c, ap, "", path, len(path)), m.Err()
		}
	}
	return nil, m.Err()
}

// through is a path with a state in each of the rings, the last one in a goal too, which
// the last ring must meet; last is its set. Each state of a ring but the first must have a
// predecessor in the ring before.
func through(sys *symbolic.System, rings []bdd.Ref, goal bdd.Ref) (path [][]bool, last bdd.Ref) {
	path = make([][]bool, len(rings))
	for i := len(rings) - 1; i >= 0; i-- {
		var f bdd.Ref
		path[i], f = pick(sys, sys.M.And(rings[i], goal))
		if i == len(rings)-1 {
			last = f
		}
		goal = sys.Pre(f)
	}
	return path, last
}

// pick is a state of a set: the values of its bits, and the set of it alone.
func pick(sys *symbolic.System, set bdd.Ref) ([]bool, bdd.Ref) {
	m, vars := sys.M, sys.Vars(0)
	bits := m.PickOne(set, vars)
	f := bdd.True
	for i := len(bits) - 1; i >= 0; i-- {
		f = m.And(m.Literal(vars[i], bits[i]), f)
	}
	return bits, f
}

// decode writes states of a system as steps of a circuit, with letters of the given
// signals. In the steps of an instrumented model that flip it, a signal has the flipped
// value. There is nothing to decode once the manager has stopped.
func decode(sys *symbolic.System, c *circuit.Circuit, ap []string, flipped string, path [][]bool, loop int) *Computation {
	if sys.M.Err() != nil {
		return nil
	}
	at := map[int]int{}
	for i, v := range sys.Vars(0) {
		at[v] = i
	}
	out := &Computation{AP: ap, Loop: loop}
	for _, bits := range path {
		holds := func(name string) bool {
			f, ok := sys.Label(name)
			return ok && sys.M.Eval(f, func(v int) bool { return bits[at[v]] })
		}
		control := make([]bool, len(c.Controls))
		for i, x := range c.Controls {
			control[i] = holds(x.Name)
		}
		step := ComputationStep{State: c.NameOf(control), Flipped: holds(flipLabel), Letter: make([]bool, len(ap))}
		for i, name := range ap {
			step.Letter[i] = holds(name) != (step.Flipped && name == flipped)
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}
