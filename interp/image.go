package interp

import (
	"context"
	"time"

	"netcov/netlist"
	"netcov/proof"
)

// An imager computes approximate images by interpolation (McMillan, CAV 2003;
// DAC10, section 2.2). Its one solver, which logs chains, holds
//
//	A   the constraint and the transition from s0 to s1
//	B   the transitions from s1 to sk, and a bad state in s1 … sk that is reached
//	    under the constraints
//
// The two sides share the latches of s1 only. The states s0 to start from are
// the root of a Tseitin formula, assumed for one query; its variables belong to
// A. So what the solver learns about A, B and earlier sets serves all later
// queries, and so does the bound: that the bad state lies within k frames is an
// assumption on a variable of B.
type imager struct {
	m     *netlist.Model
	sets  *reducer
	s     *proof.CDCL
	f     *netlist.Frames
	enc   *encoder
	sides []Side    // by variable
	k     int       // frames of B that are encoded
	later proof.Lit // of B: the bad state comes after frame k

	raw     *netlist.Graph
	edge    []netlist.Lit // by variable: a shared one's edge in raw
	latchOf map[netlist.Node]int
	shared  int // latches of s1 known to be encoded
	build   *Builder
	except  netlist.Lit
	enc1    *encoder
}

// The tags of clauses.
const (
	tagA int32 = iota
	tagB
)

// sideSink writes clauses to one side of the partition.
type sideSink struct {
	i    *imager
	side Side
}

func (k sideSink) NewVar() proof.Var {
	v := k.i.s.NewVar()
	for len(k.i.sides) <= int(v) {
		k.i.sides = append(k.i.sides, SideA)
		k.i.edge = append(k.i.edge, netlist.Undef)
	}
	k.i.sides[v] = k.side
	return v
}

func (k sideSink) AddClause(lits ...proof.Lit) {
	tag := tagA
	if k.side == SideB {
		tag = tagB
	}
	k.i.s.AddClauseTagged(tag, lits...)
}

func newImager(m *netlist.Model, sets *reducer, sys System) *imager {
	i := &imager{
		m: m, sets: sets, s: proof.NewCDCL(proof.Options{Log: true}),
		raw: netlist.NewGraph(), except: netlist.Undef, latchOf: map[netlist.Node]int{},
	}
	a, b := sideSink{i, SideA}, sideSink{i, SideB}
	i.f = netlist.NewFrames(m, netlist.FramesOptions{
		Sink: func(frame int) netlist.ClauseSink {
			if frame == 0 {
				return a
			}
			return b
		},
		Boundary: func(frame int) bool { return frame == 1 },
	})
	i.enc = newEncoder(sets.g, a, func(n netlist.Node) proof.Lit {
		return i.f.Latch(0, sets.at[n])
	})
	i.build = NewBuilder(i.raw, sys, Partition{
		Clause: func(tag int32) Side { return Side(tag) },
		Var:    func(v proof.Var) Side { return i.sides[v] },
		Edge:   func(v proof.Var) netlist.Lit { return i.edge[v] },
	})
	if _, constant := i.f.Const(0, m.Constraint); !constant || m.Constraint == netlist.False {
		a.AddClause(i.f.Lit(0, m.Constraint))
	}
	i.later = proof.MkLit(b.NewVar(), false)
	b.AddClause(i.later)
	return i
}

// extend encodes B up to frame k. The chain of literals "the bad state comes in
// this frame or later" lets the constraints hold as far as the bad state only.
func (i *imager) extend(k int) {
	b := sideSink{i, SideB}
	for i.k < k {
		i.k++
		now := i.later
		i.later = proof.MkLit(b.NewVar(), false)
		bad := i.f.Lit(i.k, i.m.Bad)
		if i.m.Constraint != netlist.True {
			b.AddClause(now.Not(), i.f.Lit(i.k, i.m.Constraint))
		}
		b.AddClause(now.Not(), bad, i.later)
		b.AddClause(i.later.Not(), now)
		b.AddClause(i.later.Not(), bad.Not())
	}
	i.share()
}

// share marks the latches of s1 as shared.
func (i *imager) share() {
	for n, l := range i.m.Latches {
		p, ok := i.f.Encoded(1, l.Lit)
		if !ok || i.edge[p.Var()] != netlist.Undef {
			continue
		}
		i.sides[p.Var()] = Shared
		e := i.raw.Latch()
		i.edge[p.Var()] = e.XorSign(p.Neg())
		i.latchOf[e.Node()] = n
	}
}

// solve tells whether a bad state can be reached from the set in 1 to k steps.
func (i *imager) solve(ctx context.Context, set netlist.Lit) proof.Status {
	root := i.enc.lit(set)
	if i.except != netlist.Undef {
		if i.enc1 == nil {
			i.enc1 = newEncoder(i.sets.g, sideSink{i, SideA}, func(n netlist.Node) proof.Lit {
				return i.f.Latch(1, i.sets.at[n])
			})
		}
		ex := i.enc1.lit(i.except)
		i.share()
		return i.s.Solve(ctx, i.later.Not(), root, ex.Not())
	}
	return i.s.Solve(ctx, i.later.Not(), root)
}

// image returns the interpolant of the last query, which must have been Unsat.
func (i *imager) image(ctx context.Context, from netlist.Lit, opt *Options, st *Stats) netlist.Lit {
	p := i.s.Proof()
	if p == nil {
		// Only a set that is empty by its structure gives no proof.
		return netlist.False
	}
	start := time.Now()
	root := i.build.Interpolant(p, nil)
	st.BuildSeconds += time.Since(start).Seconds()
	start = time.Now()
	st.RawAnds = max(st.RawAnds, countAnds(i.raw, root))
	set := i.sets.intern(i.raw, root, func(n netlist.Node) int { return i.latchOf[n] })
	a := countAnds(i.sets.g, set)
	if opt.Compact > 0 && a >= opt.Compact {
		t := time.Now()
		s1 := i.weakenImage(ctx, set)
		t1 := time.Now()
		s2 := i.strengthenImage(ctx, from, s1)
		if opt.Log != nil {
			opt.Log.Debug("compact", "raw", countAnds(i.raw, root), "ands", a, "weak", countAnds(i.sets.g, s1), "strong", countAnds(i.sets.g, s2), "tw", t1.Sub(t), "ts", time.Since(t1))
		}
		set = s2
	}
	st.ReducedAnds = max(st.ReducedAnds, countAnds(i.sets.g, set))
	st.ReduceSeconds += time.Since(start).Seconds()
	return set
}

func countAnds(g *netlist.Graph, root netlist.Lit) int {
	n := 0
	for _, v := range g.Cone(root) {
		if g.Kind(v) == netlist.KindAnd {
			n++
		}
	}
	return n
}
