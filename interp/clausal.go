package interp

import (
	"context"
	"slices"

	"netcov/netlist"
	"netcov/proof"
)

// Interpolants without proofs (Chockler, Ivrii, Matsliah, HVC 2012). An image is
// found clause by clause: a state that reaches a bad state within the bound is
// lifted to a cube of such states (B alone decides this), A refutes the cube,
// and A's failed assumptions, minimised, are a clause of the interpolant. So
// interpolants are in conjunctive normal form, they are small where proofs give
// large ones, and clauses that still hold are carried over from image to image
// and from bound to bound, as IC3 does (Bradley, VMCAI 2011). Every clause is
// also made to hold in the set that the image is taken of. Therefore the next
// set is the conjunction of the clauses, no union is needed, and a fixpoint is
// reached when every clause is carried over.

// A clausal engine holds the solvers of such a run.
type clausal struct {
	m    *netlist.Model
	pool []netlist.Clause // the initial states' clauses, and all found since, by age

	// A: one step from the current set.
	a      *proof.CDCL
	af     *netlist.Frames
	inSet  proof.Lit // activates the clauses of the current set
	legal  proof.Lit // the constraint holds
	now    []proof.Lit
	next   []proof.Lit
	assume []proof.Lit
	cube   []proof.Lit

	// B: a bad state within k-1 steps, and no bad state within k-1 steps.
	b, n   *proof.CDCL
	bf, nf *netlist.Frames
	k      int
	later  proof.Lit // of b: the bad state comes after the last frame
	safe   []proof.Lit
	inNext proof.Lit
}

func newClausal(m *netlist.Model) *clausal {
	c := &clausal{m: m, a: proof.NewCDCL(proof.Options{}), b: proof.NewCDCL(proof.Options{}), n: proof.NewCDCL(proof.Options{}), inSet: proof.LitUndef, inNext: proof.LitUndef}
	single := func(s *proof.CDCL) *netlist.Frames {
		return netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(s)})
	}
	c.af, c.bf, c.nf = single(c.a), single(c.b), single(c.n)
	c.now = make([]proof.Lit, len(m.Latches))
	c.next = make([]proof.Lit, len(m.Latches))
	for i, l := range m.Latches {
		if l.InCone {
			c.now[i] = c.af.Latch(0, i)
			c.next[i] = c.af.Lit(0, l.Next)
		}
	}
	c.legal = c.af.Lit(0, m.Constraint)
	c.later = proof.MkLit(c.b.NewVar(), false)
	c.b.AddClause(c.later)
	return c
}

// extend lets B look k-1 steps ahead.
func (c *clausal) extend(k int) {
	for ; c.k < k; c.k++ {
		t := c.k
		now := c.later
		c.later = proof.MkLit(c.b.NewVar(), false)
		bad := c.bf.Lit(t, c.m.Bad)
		if c.m.Constraint != netlist.True {
			c.b.AddClause(now.Not(), c.bf.Lit(t, c.m.Constraint))
		}
		c.b.AddClause(now.Not(), bad, c.later)
		c.b.AddClause(c.later.Not(), bad.Not())

		if len(c.safe) == 0 {
			c.safe = append(c.safe, proof.MkLit(c.n.NewVar(), false))
			c.n.AddClause(c.safe[0])
		}
		clean := proof.MkLit(c.n.NewVar(), false)
		broken := c.nf.Lit(t, c.m.Constraint).Not()
		c.n.AddClause(c.safe[t].Not(), broken, c.nf.Lit(t, c.m.Bad).Not())
		c.n.AddClause(c.safe[t].Not(), broken, clean)
		c.safe = append(c.safe, clean)
	}
}

// initial returns the initial states.
func (c *clausal) initial() []int {
	var set []int
	for i, l := range c.m.Latches {
		if l.InCone && l.Reset != netlist.ResetX {
			if len(c.pool) <= len(set) {
				c.pool = append(c.pool, netlist.Clause{netlist.MkStateLit(i, l.Reset == netlist.Reset0)})
			}
			set = append(set, len(set))
		}
	}
	return set
}

// enter makes a set the one that A steps from.
func (c *clausal) enter(set []int) {
	if c.inSet != proof.LitUndef {
		c.a.AddClause(c.inSet.Not())
	}
	c.inSet = proof.MkLit(c.a.NewVar(), false)
	for _, id := range set {
		lits := []proof.Lit{c.inSet.Not()}
		for _, l := range c.pool[id] {
			lits = append(lits, c.now[l.Latch()].XorSign(l.Neg()))
		}
		c.a.AddClause(lits...)
	}
}

// holds tells whether a clause holds in the current set and in its image. With
// Unsat, both cores together are what the clause needs.
func (c *clausal) holds(ctx context.Context, cl netlist.Clause) (proof.Status, netlist.Clause) {
	needed := make(map[netlist.StateLit]bool, len(cl))
	for _, step := range [2]bool{false, true} {
		c.assume = append(c.assume[:0], c.inSet)
		vars := c.now
		if step {
			c.assume = append(c.assume, c.legal)
			vars = c.next
		}
		fixed := len(c.assume)
		for _, l := range cl {
			c.assume = append(c.assume, vars[l.Latch()].XorSign(!l.Neg()))
		}
		switch st := c.a.Solve(ctx, c.assume...); st {
		case proof.Unsat:
		default:
			return st, nil
		}
		failed := c.a.Failed()
		for i, l := range c.assume[fixed:] {
			if slices.Contains(failed, l) {
				needed[cl[i]] = true
			}
		}
	}
	core := make(netlist.Clause, 0, len(needed))
	for _, l := range cl {
		if needed[l] {
			core = append(core, l)
		}
	}
	return proof.Unsat, core
}

// minimise drops literals of a clause that holds.
func (c *clausal) minimise(ctx context.Context, cl netlist.Clause) netlist.Clause {
	fails := 0
	for i := 0; i < len(cl) && fails < 8; {
		less := slices.Delete(slices.Clone(cl), i, i+1)
		st, core := c.holds(ctx, less)
		if st != proof.Unsat {
			fails++
			i++
			continue
		}
		// The core keeps the order: literals before i that stay are known to be needed.
		kept := 0
		for _, l := range core {
			if slices.Contains(cl[:i], l) {
				kept++
			}
		}
		cl, i = core, kept
	}
	return cl
}

// image returns clauses that hold in the set and in its image and that exclude
// all states from which a bad state can be reached within k-1 steps. Sat tells
// that there are none.
func (c *clausal) image(ctx context.Context, set []int, st *Stats) (next []int, carried int, status proof.Status) {
	c.enter(set)
	if c.inNext != proof.LitUndef {
		c.b.AddClause(c.inNext.Not())
	}
	c.inNext = proof.MkLit(c.b.NewVar(), false)
	block := func(id int) {
		next = append(next, id)
		lits := []proof.Lit{c.inNext.Not()}
		for _, l := range c.pool[id] {
			lits = append(lits, c.bf.Latch(0, l.Latch()).XorSign(l.Neg()))
		}
		c.b.AddClause(lits...)
	}
	// Carry over what still holds.
	stop := stopwatch(&st.BuildSeconds)
	member := make(map[int]bool, len(set))
	for _, id := range set {
		member[id] = true
		s, _ := c.holds(ctx, c.pool[id])
		if s == proof.Unknown {
			return nil, 0, s
		}
		if s == proof.Unsat {
			block(id)
		}
	}
	carried = len(next)
	if carried < len(set) {
		for id, cl := range c.pool {
			if member[id] {
				continue
			}
			if s, _ := c.holds(ctx, cl); s == proof.Unsat {
				block(id)
			}
		}
	}
	stop()
	for {
		stop := stopwatch(&st.SolveSeconds)
		s := c.b.Solve(ctx, c.inNext, c.later.Not())
		stop()
		switch s {
		case proof.Unknown:
			return nil, 0, s
		case proof.Unsat:
			return next, carried, s
		}
		stop = stopwatch(&st.TestSeconds)
		cl, s := c.lift(ctx)
		stop()
		if s != proof.Unsat {
			return nil, 0, proof.Unknown
		}
		stop = stopwatch(&st.ReduceSeconds)
		s, core := c.holds(ctx, cl)
		if s != proof.Unsat {
			return nil, 0, s
		}
		core = c.minimise(ctx, core)
		stop()
		c.pool = append(c.pool, core)
		block(len(c.pool) - 1)
	}
}

// lift returns the negation of a cube of states around B's model, all of which
// reach a bad state under the model's inputs.
func (c *clausal) lift(ctx context.Context) (netlist.Clause, proof.Status) {
	c.assume = c.assume[:0]
	for i, l := range c.m.Latches {
		if p, ok := c.bf.Encoded(0, l.Lit); ok {
			c.assume = append(c.assume, c.nf.Latch(0, i).XorSign(!c.b.Value(p)))
		}
	}
	for t := range c.k {
		for i, l := range c.m.Inputs {
			if p, ok := c.bf.Encoded(t, l); ok {
				c.assume = append(c.assume, c.nf.Input(t, i).XorSign(!c.b.Value(p)))
			}
		}
	}
	// The bad state lies within the frames that are encoded.
	if s := c.n.Solve(ctx, c.assume...); s != proof.Unsat {
		return nil, s
	}
	failed := c.n.Failed()
	var cl netlist.Clause
	for i, l := range c.m.Latches {
		if p, ok := c.nf.Encoded(0, l.Lit); ok {
			if slices.Contains(failed, p) {
				cl = append(cl, netlist.MkStateLit(i, true))
			} else if slices.Contains(failed, p.Not()) {
				cl = append(cl, netlist.MkStateLit(i, false))
			}
		}
	}
	return cl, proof.Unsat
}
