package coverage

import (
	"context"

	"netcov/netlist"
	"netcov/proof"
)

// oneStep is the query on which every inductive argument of the cascade rests:
//
//	R(s0) ∧ C(s0) ∧ Tmx(s0,s1) ∧ (¬R(s1) ∨ bad_mx(s0))
//
// with a selector per cut. DAC10's Lemma 4 asks for R(s0) ∧ Tmx ∧ ¬R(s1) only,
// which is not enough: the mutant's bad-state literal reads the mutated node
// too. R speaks of what latches store, so that Init ⇒ R needs no new check: a
// mutation does not touch the initial states.
//
// Where a selector is true the readers of the node see a free value. One step
// cannot tell a stuck-at value from a free one that happens to be equal, so two
// cases a node (value 0, value 1) decide its three faults.
type oneStep struct {
	m      *netlist.Model
	s      proof.Solver
	frames *netlist.Frames
	sel    []proof.Lit // [cut]
	value  []proof.Lit // [cut]: what readers see where the selector is true
	inv    *netlist.Invariant
}

// newOneStep encodes the query for an invariant of the model.
func newOneStep(solver proof.Solver, m *netlist.Model, inv *netlist.Invariant) *oneStep {
	q := &oneStep{m: m, s: solver, inv: inv}
	for range m.Cuts {
		q.sel = append(q.sel, proof.MkLit(q.s.NewVar(), false))
	}
	q.frames = netlist.NewFrames(m, netlist.FramesOptions{
		Sink:     netlist.SingleSink(q.s),
		Selector: func(cut, _ int) (proof.Lit, bool) { return q.sel[cut], true },
	})
	assertInvariant(q.s, inv, func(latch int) proof.Lit { return q.frames.Latch(0, latch) })
	q.s.AddClause(q.frames.Lit(0, m.Constraint))
	violated := violations(q.s, inv, func(latch int) proof.Lit {
		return q.frames.Lit(0, m.Latches[latch].Next)
	})
	q.s.AddClause(append(violated, q.frames.Lit(0, m.Bad))...)
	for k := range m.Cuts {
		q.value = append(q.value, q.frames.Lit(0, m.Cuts[k].Lit))
	}
	return q
}

// assertInvariant adds the invariant over the given state literals.
func assertInvariant(s netlist.ClauseSink, inv *netlist.Invariant, latch func(int) proof.Lit) {
	var buf []proof.Lit
	for _, c := range inv.Clauses {
		buf = buf[:0]
		for _, l := range c {
			buf = append(buf, latch(l.Latch()).XorSign(l.Neg()))
		}
		s.AddClause(buf...)
	}
	for _, l := range formulas(s, inv, latch) {
		s.AddClause(l)
	}
}

// violations returns literals of which one must be true when the invariant
// does not hold over the given state literals. Each implies that its conjunct
// is violated.
func violations(s netlist.ClauseSink, inv *netlist.Invariant, latch func(int) proof.Lit) []proof.Lit {
	var out []proof.Lit
	for _, c := range inv.Clauses {
		if len(c) == 1 {
			out = append(out, latch(c[0].Latch()).XorSign(!c[0].Neg()))
			continue
		}
		n := proof.MkLit(s.NewVar(), false)
		for _, l := range c {
			s.AddClause(n.Not(), latch(l.Latch()).XorSign(!l.Neg()))
		}
		out = append(out, n)
	}
	for _, l := range formulas(s, inv, latch) {
		out = append(out, l.Not())
	}
	return out
}

// formulas encodes the invariant's formulas and returns their literals.
func formulas(s netlist.ClauseSink, inv *netlist.Invariant, latch func(int) proof.Lit) []proof.Lit {
	if len(inv.Formulas) == 0 {
		return nil
	}
	g := inv.Graph
	lits := make([]proof.Lit, g.Size())
	for i := range lits {
		lits[i] = proof.LitUndef
	}
	fixed := proof.LitUndef
	edge := func(l netlist.Lit) proof.Lit {
		if l.Const() {
			if fixed == proof.LitUndef {
				fixed = proof.MkLit(s.NewVar(), false)
				s.AddClause(fixed.Not())
			}
			return fixed.XorSign(l.Neg())
		}
		return lits[l.Node()].XorSign(l.Neg())
	}
	for _, p := range inv.Support {
		lits[p.Lit.Node()] = latch(p.Latch).XorSign(p.Lit.Neg())
	}
	for _, n := range g.Cone(inv.Formulas...) {
		if g.Kind(n) != netlist.KindAnd {
			continue
		}
		x, y := g.Fanins(n)
		a, b, v := edge(x), edge(y), proof.MkLit(s.NewVar(), false)
		s.AddClause(v.Not(), a)
		s.AddClause(v.Not(), b)
		s.AddClause(v, a.Not(), b.Not())
		lits[n] = v
	}
	var out []proof.Lit
	for _, f := range inv.Formulas {
		out = append(out, edge(f))
	}
	return out
}

// atMostOne adds clauses that let at most one of the literals be true: a ladder
// with one helper variable each.
func atMostOne(s netlist.ClauseSink, lits []proof.Lit) {
	if len(lits) < 2 {
		return
	}
	before := lits[0] // true when some earlier literal is
	for i, l := range lits[1:] {
		s.AddClause(before.Not(), l.Not())
		if i == len(lits)-2 {
			return
		}
		next := proof.MkLit(s.NewVar(), false)
		s.AddClause(before.Not(), next)
		s.AddClause(l.Not(), next)
		before = next
	}
}

// core returns the cuts whose selectors the refutation of the fault-free query
// needs to be off. It returns ok = false when the query was not refuted.
func (q *oneStep) core(ctx context.Context) (needed []bool, ok bool) {
	off := make([]proof.Lit, len(q.sel))
	for k, l := range q.sel {
		off[k] = l.Not()
	}
	if q.s.Solve(ctx, off...) != proof.Unsat {
		return nil, false
	}
	at := make(map[proof.Lit]int, len(off))
	for k, l := range off {
		at[l] = k
	}
	needed = make([]bool, len(off))
	for _, l := range q.s.Failed() {
		needed[at[l]] = true
	}
	return needed, true
}

// state reads the model of the last satisfiable query: the latches and inputs
// of the frame.
func (q *oneStep) state() (latches, inputs []bool) {
	latches = make([]bool, len(q.m.Latches))
	inputs = make([]bool, len(q.m.Inputs))
	read := func(l netlist.Lit) bool {
		p, ok := q.frames.Encoded(0, l)
		return ok && q.s.Value(p)
	}
	for i, l := range q.m.Latches {
		latches[i] = read(l.Lit)
	}
	for i, l := range q.m.Inputs {
		inputs[i] = read(l)
	}
	return latches, inputs
}
