// Package scorr finds registers that are constant, equal or opposite in every
// reachable state: signal correspondence (van Eijk, Sequential equivalence checking
// based on structural similarities, TCAD 2000).
//
// Property modules repeat many registers of the design that they watch. An engine
// that has to find that out clause by clause pays for it; merging them first is
// cheap.
//
// All registers with a reset start in one class, with the constant, each in the
// polarity in which its reset is 0. Random runs split the classes. Then induction
// does: where all classes hold in a state, they must hold in the next one. The
// step is checked on the circuit in which each register is replaced by the
// representative of its class, where hashing makes most pairs the same node; what
// is left goes to a SAT solver, and each counterexample, with random variants of
// it, splits all classes. The greatest fixpoint is an inductive invariant.
//
// Classes are of registers only. Equal gates of the merged circuit that hashing
// does not find could be merged as well, but an equality that holds for all inputs
// under the constraint is no formula over registers, which certificates are made of.
package scorr

import (
	"context"
	"math/rand/v2"
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/internal/effort"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// Options are the parameters of a run.
type Options struct {
	// Check is called with each fault of the SAT solver that checks at run time
	// find. Slow. Default nil: no checks.
	Check func(error)
	// Effort counts queries and what they take. Default nil: nothing is counted.
	Effort *effort.Counts
}

// Classes are the registers of a model that equal others.
type Classes struct {
	m *netlist.Model
	// of is, for each latch, what it equals: a constant, a latch that is not in
	// of otherwise, or its opposite; its own node where it equals nothing.
	of []aig.Lit
}

// Find returns the classes of a model, or nil when ctx ends first.
func Find(ctx context.Context, m *netlist.Model, opt Options) *Classes {
	f := &finder{m: m, opt: opt, rng: rand.New(rand.NewPCG(3, 4))}
	f.start()
	f.randomRuns()
	for {
		switch changed, done := f.refine(ctx); {
		case !done:
			return nil
		case !changed:
			return &Classes{m, f.representatives()}
		}
	}
}

// Merged returns the number of registers that equal others or are constant.
func (c *Classes) Merged() int {
	n := 0
	for i, l := range c.m.Latches {
		if c.of[i] != l.Lit {
			n++
		}
	}
	return n
}

// Invariant returns the classes as clauses of one or two literals. They are
// inductive when the constraint is assumed in the current state.
func (c *Classes) Invariant() *cert.Invariant {
	at := map[aig.Node]int{}
	for i, l := range c.m.Latches {
		at[l.Lit.Node()] = i
	}
	inv := &cert.Invariant{}
	for i, l := range c.m.Latches {
		switch of := c.of[i]; {
		case of == l.Lit:
		case of.Const():
			inv.Clauses = append(inv.Clauses, cert.Clause{cert.MkStateLit(i, of == aig.False)})
		default:
			j := at[of.Node()]
			inv.Clauses = append(inv.Clauses,
				cert.Clause{cert.MkStateLit(i, false), cert.MkStateLit(j, !of.Neg())},
				cert.Clause{cert.MkStateLit(i, true), cert.MkStateLit(j, of.Neg())})
		}
	}
	return inv
}

// Apply returns a model in which the readers of a register see the one that
// stands for it. The model is the one that the classes were found in, or one of
// more properties, such as those that are its constraint there. Positions are
// kept. In reachable states it behaves as before.
func (c *Classes) Apply(m *netlist.Model) *netlist.Model {
	of := make([]aig.Lit, len(m.Latches))
	at := map[aig.Node]aig.Lit{0: aig.False}
	for i, l := range c.m.Latches {
		at[l.Lit.Node()] = m.Latches[i].Lit
	}
	for i, l := range c.of {
		of[i] = at[l.Node()] ^ l&1
	}
	return m.Merge(of).Original()
}

// finder refines the partition. A latch is looked at in the polarity in which
// its reset is 0.
type finder struct {
	m       *netlist.Model
	opt     Options
	rng     *rand.Rand
	classes [][]int // of at least two members, in ascending order
	class   []int   // by latch: its class, -1 for none
	zeros   int     // the class of the constant, -1 for none
}

// constant is the member of a class that is always 0.
const constant = -1

func (f *finder) start() {
	first := []int{constant}
	for i, l := range f.m.Latches {
		if l.InCone && l.Reset != netlist.ResetX {
			first = append(first, i)
		}
	}
	f.classes = [][]int{first}
	f.class = make([]int, len(f.m.Latches))
	f.index()
}

// split divides classes by the values that their members have in some lanes.
func (f *finder) split(value func(latch int) uint64, lanes uint64) bool {
	var next [][]int
	changed := false
	for _, class := range f.classes {
		groups := map[uint64][]int{}
		var order []uint64
		for _, i := range class {
			v := uint64(0)
			if i != constant {
				v = value(i)
				if f.m.Latches[i].Reset == netlist.Reset1 {
					v = ^v
				}
			}
			v &= lanes
			if groups[v] == nil {
				order = append(order, v)
			}
			groups[v] = append(groups[v], i)
		}
		changed = changed || len(order) > 1
		for _, v := range order {
			if len(groups[v]) > 1 {
				next = append(next, groups[v])
			}
		}
	}
	if changed {
		f.classes = next
		f.index()
	}
	return changed
}

// index notes the class of each member.
func (f *finder) index() {
	f.zeros = -1
	for i := range f.class {
		f.class[i] = -1
	}
	for k, class := range f.classes {
		for _, i := range class {
			if i == constant {
				f.zeros = k
			} else {
				f.class[i] = k
			}
		}
	}
}

// together reports whether a member is still in one class with a latch.
func (f *finder) together(member, latch int) bool {
	k := f.zeros
	if member != constant {
		k = f.class[member]
	}
	return k >= 0 && k == f.class[latch]
}

// Random runs: their number, and their steps.
const (
	runs     = 4
	runSteps = 32
)

// randomRuns splits the classes by runs from the initial states, as far as the
// constraint holds.
func (f *finder) randomRuns() {
	s := netlist.NewSimulator(f.m)
	in := make([]uint64, len(f.m.Inputs))
	for range runs {
		s.Reset(func(int) uint64 { return f.rng.Uint64() })
		alive := ^uint64(0)
		for range runSteps {
			for i := range in {
				in[i] = f.rng.Uint64()
			}
			s.Eval(in)
			if alive &= s.Value(f.m.Constraint); alive == 0 {
				break
			}
			s.Step()
			f.split(s.State, alive)
		}
	}
}

// representatives returns what each latch equals by the classes.
func (f *finder) representatives() []aig.Lit {
	of := make([]aig.Lit, len(f.m.Latches))
	for i, l := range f.m.Latches {
		of[i] = l.Lit
	}
	for _, class := range f.classes {
		for _, i := range class[1:] {
			of[i] = f.norm(class[0]).XorSign(f.m.Latches[i].Reset == netlist.Reset1)
		}
	}
	return of
}

// norm returns a member in the polarity in which its reset is 0.
func (f *finder) norm(member int) aig.Lit {
	if member == constant {
		return aig.False
	}
	l := f.m.Latches[member]
	return l.Lit.XorSign(l.Reset == netlist.Reset1)
}

// refine checks the step for all classes and splits those that it breaks.
func (f *finder) refine(ctx context.Context) (changed, done bool) {
	merged := f.m.Merge(f.representatives())
	s := proof.NewCDCL(proof.Options{Check: f.opt.Check, Effort: f.opt.Effort})
	frames := netlist.NewFrames(merged, netlist.FramesOptions{Sink: netlist.SingleSink(s)})
	if merged.Constraint != aig.True {
		s.AddClause(frames.Lit(0, merged.Constraint))
	}
	next := func(member int) aig.Lit {
		if member == constant {
			return aig.False
		}
		return merged.Latches[member].Next.XorSign(f.m.Latches[member].Reset == netlist.Reset1)
	}
	sim := netlist.NewSimulator(merged)
	// Classes that a counterexample splits are different ones: the pairs of the
	// round are those of the classes at its start, as far as they still stand.
	for _, class := range slices.Clone(f.classes) {
		for _, i := range class[1:] {
			a, b := next(class[0]), next(i)
			if a == b || !f.together(class[0], i) {
				continue
			}
			st := sat.Sat
			if a != b.Not() || merged.Constraint != aig.True {
				p, q := frames.Lit(0, a), frames.Lit(0, b)
				if st = s.Solve(ctx, p, q.Not()); st == sat.Unsat {
					st = s.Solve(ctx, p.Not(), q)
				}
			} else {
				st = s.Solve(ctx)
			}
			switch st {
			case sat.Unknown:
				return changed, false
			case sat.Sat:
				changed = true
				f.splitByModel(sim, merged, func(l aig.Lit) bool {
					p, ok := frames.Encoded(0, l)
					return ok && s.Value(p)
				})
			}
		}
	}
	return changed, true
}

// splitByModel splits the classes by the successors of a state and of random
// variants of it.
func (f *finder) splitByModel(sim *netlist.Simulator, merged *netlist.Model, value func(aig.Lit) bool) {
	spread := func(l aig.Lit) uint64 {
		w := f.rng.Uint64() & f.rng.Uint64() & f.rng.Uint64() &^ 1 // lane 0 is the model
		if value(l) {
			w = ^w
		}
		return w
	}
	for i, l := range merged.Latches {
		sim.SetState(i, spread(l.Lit))
	}
	in := make([]uint64, len(merged.Inputs))
	for i, l := range merged.Inputs {
		in[i] = spread(l)
	}
	sim.Eval(in)
	f.split(func(i int) uint64 { return sim.Value(merged.Latches[i].Next) }, sim.Value(merged.Constraint))
}
