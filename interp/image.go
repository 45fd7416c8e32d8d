package interp

import (
	"context"

	"netcov/aig"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// An imager computes approximate images by interpolation (McMillan, CAV 2003;
// DAC10, section 2.2). Its solver, which logs chains, holds for a bound k
//
//	A   a set, the constraint and the transition from s0 to s1
//	B   the transitions from s1 to sk, and a bad state in s1 … sk that is reached
//	    under the constraints
//
// or, backwards,
//
//	A   the constraint and the transition from s0 to s1, and a set of s1
//	B   a run of at most k-1 steps from an initial state to s0, under the
//	    constraints
//
// The sides share the latches of s1, or of s0, and nothing else. A set is the
// root of a Tseitin formula in variables of A, which is assumed for one query.
// So what the solver learns about A, B and earlier sets serves all later queries
// of the bound.
type imager struct {
	m        *netlist.Model
	sets     *reducer
	backward bool
	s        *proof.CDCL
	f        *netlist.Frames
	before   *netlist.Frames // backwards: B
	steps    int             // backwards: of B
	enc      *encoder
	sides    []Side // by variable

	raw   *aig.Graph
	edge  []aig.Lit        // by variable: a shared one's edge in raw
	latch map[aig.Node]int // latches of raw → latches of the model
	build *Builder

	// support is, for the checks at run time, what the last interpolant speaks
	// of as the proof gives it. Made smaller, it may be written with an equal
	// function that names further latches.
	support []int
	checked bool
}

// everything is the start of a backward run: not a set yet, but the condition
// of being bad.
const everything = aig.Undef

// sideSink writes clauses to one side of the partition, which is their tag.
type sideSink struct {
	i    *imager
	side Side
}

// NewVar makes a variable of the side.
func (k sideSink) NewVar() sat.Var {
	v := k.i.s.NewVar()
	for len(k.i.sides) <= int(v) {
		k.i.sides = append(k.i.sides, SideA)
		k.i.edge = append(k.i.edge, aig.Undef)
	}
	k.i.sides[v] = k.side
	return v
}

// AddClause adds a clause of the side.
func (k sideSink) AddClause(lits ...sat.Lit) { k.i.s.AddClauseTagged(int32(k.side), lits...) }

// newImager prepares the images of a bound.
func newImager(m *netlist.Model, sets *reducer, opt *Options, k int, backward bool) *imager {
	i := &imager{
		m: m, sets: sets, backward: backward,
		s:       opt.solver(true),
		checked: opt.Check != nil,
		raw:     aig.NewGraph(), latch: map[aig.Node]int{},
	}
	a, b := sideSink{i, SideA}, sideSink{i, SideB}
	side := func(frame int) netlist.ClauseSink {
		if frame == 0 {
			return a
		}
		return b
	}
	i.f = netlist.NewFrames(m, netlist.FramesOptions{
		Sink:     side,
		Boundary: func(frame int) bool { return frame == 1 },
	})
	i.build = NewBuilder(i.raw, Partition{
		Clause: func(tag int32) Side { return Side(tag) },
		Var:    func(v sat.Var) Side { return i.sides[v] },
		Edge:   func(v sat.Var) aig.Lit { return i.edge[v] },
	})
	i.enc = newEncoder(sets.g, a, func(n aig.Node) sat.Lit {
		l := m.Latches[sets.at[n]]
		if backward {
			return i.f.Lit(0, l.Next)
		}
		return i.f.Lit(0, l.Lit)
	})
	if m.Constraint != aig.True {
		a.AddClause(i.f.Lit(0, m.Constraint))
	}
	if backward {
		i.fromInitial(b, k-1)
	} else {
		i.toBad(b, k)
	}
	return i
}

// toBad encodes B forwards. The chain of literals "the first bad state comes in
// this frame or later" lets the constraints hold as far as the bad state only.
func (i *imager) toBad(b sideSink, k int) {
	now := sat.MkLit(b.NewVar(), false)
	b.AddClause(now)
	for t := 1; t <= k; t++ {
		if i.m.Constraint != aig.True {
			b.AddClause(now.Not(), i.f.Lit(t, i.m.Constraint))
		}
		bad := i.f.Lit(t, i.m.Bad)
		if t == k {
			b.AddClause(now.Not(), bad)
			break
		}
		later := sat.MkLit(b.NewVar(), false)
		b.AddClause(now.Not(), bad, later)
		b.AddClause(later.Not(), bad.Not())
		now = later
	}
}

// fromInitial encodes B backwards: runs of exactly so many steps of a model that
// may stay in its initial state for a while.
func (i *imager) fromInitial(b sideSink, steps int) {
	late := stuttering(i.m)
	i.before = netlist.NewFrames(late, netlist.FramesOptions{Sink: netlist.SingleSink(b), Initial: true})
	i.steps = steps
	for t := range steps {
		b.AddClause(i.before.Lit(t, late.Constraint))
	}
}

// stuttering returns a copy of a model that may keep its initial state for any
// number of steps, in which no constraint holds, before it starts to run. Latches
// keep their positions.
func stuttering(m *netlist.Model) *netlist.Model {
	r := m.Original()
	g := r.Graph
	stay, started := g.Input(), g.Latch()
	r.Inputs = append(r.Inputs, stay)
	for i := range r.Latches {
		l := &r.Latches[i]
		l.Next = g.Mux(stay, l.Lit, l.Next)
	}
	r.Latches = append(r.Latches, netlist.ModelLatch{Lit: started, Next: g.Or(started, stay.Not()), InCone: true})
	r.Constraint = g.And(g.Or(stay.Not(), started.Not()), g.Or(stay, r.Constraint))
	return r
}

// share gives the shared latches their side and their edge. Those encoded since
// the last call are in no clause of an earlier proof.
func (i *imager) share() {
	seam := 1
	if i.backward {
		seam = 0
	}
	for n, l := range i.m.Latches {
		p, ok := i.f.Encoded(seam, l.Lit)
		if !ok || i.edge[p.Var()] != aig.Undef {
			continue
		}
		if i.backward {
			b := sideSink{i, SideB}
			q := i.before.Latch(i.steps, n)
			b.AddClause(p, q.Not())
			b.AddClause(p.Not(), q)
		}
		i.sides[p.Var()] = Shared
		e := i.raw.Latch()
		i.edge[p.Var()] = e.XorSign(p.Neg())
		i.latch[e.Node()] = n
	}
}

// shares reports whether both sides of the last query may speak of a latch.
func (i *imager) shares(latch int) bool {
	seam := 1
	if i.backward {
		seam = 0
	}
	p, ok := i.f.Encoded(seam, i.m.Latches[latch].Lit)
	return ok && i.sides[p.Var()] == Shared
}

// solve reports whether a run through the set and B exists.
func (i *imager) solve(mt *meter, set aig.Lit) sat.Status {
	a := sideSink{i, SideA}
	var root sat.Lit
	if set == everything {
		root = i.f.Lit(0, i.m.Bad)
	} else {
		root = i.enc.lit(set)
	}
	i.share()
	if i.sides[root.Var()] == Shared {
		// What is assumed must be of A alone.
		act := sat.MkLit(a.NewVar(), false)
		a.AddClause(act.Not(), root)
		root = act
	}
	return mt.solve(i.s, func(ctx context.Context) sat.Status { return i.s.Solve(ctx, root) })
}

// image returns the interpolant of the last query, which must have been Unsat,
// or Undef when the slice is over.
func (i *imager) image(mt *meter) aig.Lit {
	p := i.s.Proof()
	if p == nil {
		// The set is empty by its structure.
		i.support = i.support[:0]
		return aig.False
	}
	before := i.raw.Size()
	root := i.build.Interpolant(p, mt.over)
	mt.spend(int64(i.raw.Size() - before))
	if root == aig.Undef {
		return root
	}
	if i.checked {
		i.support = i.support[:0]
		for _, n := range i.raw.Cone(root) {
			if i.raw.Kind(n) == aig.KindLatch {
				i.support = append(i.support, i.latch[n])
			}
		}
	}
	return i.sets.intern(mt, i.raw, root, func(n aig.Node) int { return i.latch[n] })
}
