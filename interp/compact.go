package interp

import (
	"context"

	"netcov/netlist"
	"netcov/proof"
)

// An interpolant I of (A, B) has freedom: every formula between the strongest
// and the weakest one will do. Compaction uses it to drop parts. The clauses of
// B and those that I's Tseitin encoding needs in one direction (Plaisted and
// Greenbaum 1986) are refuted once more, I alone standing for A. A conjunct of I
// whose clause is not in the refutation's core can be left out, and I only gets
// weaker; ¬I is a formula of the same kind against A, so that disjuncts of I
// can be left out too.

// A weakener drops conjuncts of a formula as far as the formula still
// contradicts a solver's clauses.
type weakener struct {
	g    *netlist.Graph
	s    *proof.CDCL // logs chains; clauses of the formula have positive tags
	leaf func(n netlist.Node) proof.Lit

	vars map[netlist.Lit]proof.Lit // by edge: literal that implies the edge
	back []netlist.Lit             // edges in vars, in the order of encoding
	kept []bool                    // by tag
	tags map[netlist.Lit]int32     // by plain edge of an AND: the tag of its first conjunct
}

// imply returns a literal that implies the edge, encoding downwards as far as
// needed.
func (w *weakener) imply(root netlist.Lit) proof.Lit {
	stack := []netlist.Lit{root}
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if _, done := w.vars[e]; done {
			continue
		}
		if w.g.Kind(e.Node()) != netlist.KindAnd {
			w.vars[e] = w.leaf(e.Node()).XorSign(e.Neg())
			continue
		}
		w.vars[e] = proof.MkLit(w.s.NewVar(), false)
		w.back = append(w.back, e)
		a, b := w.g.Fanins(e.Node())
		stack = append(stack, a.XorSign(e.Neg()), b.XorSign(e.Neg()))
	}
	for _, e := range w.back {
		a, b := w.g.Fanins(e.Node())
		p, q := w.vars[a.XorSign(e.Neg())], w.vars[b.XorSign(e.Neg())]
		out := w.vars[e].Not()
		if e.Neg() {
			w.s.AddClauseTagged(0, out, p, q)
			continue
		}
		w.tags[e] = int32(len(w.kept))
		w.s.AddClauseTagged(int32(len(w.kept)), out, p)
		w.s.AddClauseTagged(int32(len(w.kept)+1), out, q)
		w.kept = append(w.kept, false, false)
	}
	return w.vars[root]
}

// weaken returns a formula that root implies, built with and, and that still
// contradicts the clauses of s. It returns root itself when ctx ends or the
// conflict limit of s is reached.
func weaken(ctx context.Context, g *netlist.Graph, root netlist.Lit, s *proof.CDCL, leaf func(netlist.Node) proof.Lit, and func(a, b netlist.Lit) netlist.Lit) (netlist.Lit, proof.Status) {
	if root.Const() {
		return root, proof.Unsat
	}
	w := &weakener{
		g: g, s: s, leaf: leaf, vars: map[netlist.Lit]proof.Lit{},
		kept: []bool{false}, tags: map[netlist.Lit]int32{},
	}
	s.AddClauseTagged(0, w.imply(root))
	st := s.Solve(ctx)
	if st != proof.Unsat {
		return root, st
	}
	for _, in := range s.Proof().Core() {
		if in.Tag > 0 {
			w.kept[in.Tag] = true
		}
	}
	built := map[netlist.Lit]netlist.Lit{}
	order := w.order(root)
	edge := func(e netlist.Lit) netlist.Lit {
		if w.g.Kind(e.Node()) != netlist.KindAnd {
			return e
		}
		return built[e]
	}
	for _, e := range order {
		a, b := g.Fanins(e.Node())
		a, b = a.XorSign(e.Neg()), b.XorSign(e.Neg())
		if e.Neg() {
			built[e] = and(edge(a).Not(), edge(b).Not()).Not()
			continue
		}
		t := w.tags[e]
		x, y := netlist.True, netlist.True
		if w.kept[t] {
			x = edge(a)
		}
		if w.kept[t+1] {
			y = edge(b)
		}
		built[e] = and(x, y)
	}
	return edge(root), proof.Unsat
}

// order lists the edges that remain of the root, fan-ins first.
func (w *weakener) order(root netlist.Lit) []netlist.Lit {
	var order []netlist.Lit
	seen := map[netlist.Lit]bool{}
	type item struct {
		e    netlist.Lit
		done bool
	}
	stack := []item{{root, false}}
	for len(stack) > 0 {
		it := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if it.done {
			order = append(order, it.e)
			continue
		}
		if seen[it.e] || w.g.Kind(it.e.Node()) != netlist.KindAnd {
			continue
		}
		seen[it.e] = true
		stack = append(stack, item{it.e, true})
		a, b := w.g.Fanins(it.e.Node())
		if it.e.Neg() || w.kept[w.tags[it.e]] {
			stack = append(stack, item{a.XorSign(it.e.Neg()), false})
		}
		if it.e.Neg() || w.kept[w.tags[it.e]+1] {
			stack = append(stack, item{b.XorSign(it.e.Neg()), false})
		}
	}
	return order
}

// taggedSink writes clauses with one tag.
type taggedSink struct {
	s   *proof.CDCL
	tag int32
}

func (k taggedSink) NewVar() proof.Var           { return k.s.NewVar() }
func (k taggedSink) AddClause(lits ...proof.Lit) { k.s.AddClauseTagged(k.tag, lits...) }

// weakenImage drops conjuncts of an image that contradicts "a bad state within
// k-1 steps".
func (i *imager) weakenImage(ctx context.Context, image netlist.Lit) netlist.Lit {
	s := proof.NewCDCL(proof.Options{Log: true})
	sink := taggedSink{s, 0}
	f := netlist.NewFrames(i.m, netlist.FramesOptions{Sink: netlist.SingleSink(sink)})
	badWithin(i.m, f, sink, 0, i.k-1)
	r, _ := weaken(ctx, i.sets.g, image, s, func(n netlist.Node) proof.Lit { return f.Latch(0, i.sets.at[n]) }, i.sets.and)
	return r
}

// strengthenImage drops disjuncts of an image of a set.
func (i *imager) strengthenImage(ctx context.Context, set, image netlist.Lit) netlist.Lit {
	s := proof.NewCDCL(proof.Options{Log: true})
	sink := taggedSink{s, 0}
	f := netlist.NewFrames(i.m, netlist.FramesOptions{Sink: netlist.SingleSink(sink)})
	if i.m.Constraint != netlist.True {
		s.AddClause(f.Lit(0, i.m.Constraint))
	}
	enc := newEncoder(i.sets.g, sink, func(n netlist.Node) proof.Lit { return f.Latch(0, i.sets.at[n]) })
	s.AddClause(enc.lit(set))
	r, _ := weaken(ctx, i.sets.g, image.Not(), s, func(n netlist.Node) proof.Lit {
		return f.Lit(0, i.m.Latches[i.sets.at[n]].Next)
	}, i.sets.and)
	return r.Not()
}

// badWithin asserts that a bad state lies in the frames from first to last and
// that the constraint holds up to it.
func badWithin(m *netlist.Model, f *netlist.Frames, sink netlist.ClauseSink, first, last int) {
	now := proof.MkLit(sink.NewVar(), false)
	sink.AddClause(now)
	for t := first; t <= last; t++ {
		bad := f.Lit(t, m.Bad)
		if m.Constraint != netlist.True {
			sink.AddClause(now.Not(), f.Lit(t, m.Constraint))
		}
		if t == last {
			sink.AddClause(now.Not(), bad)
			break
		}
		later := proof.MkLit(sink.NewVar(), false)
		sink.AddClause(now.Not(), bad, later)
		sink.AddClause(later.Not(), bad.Not())
		now = later
	}
}
