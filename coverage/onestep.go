package coverage

import (
	"context"
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
	"netcov/sat"
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
	s      sat.Solver
	frames *netlist.Frames
	sel    []sat.Lit // [cut]
	value  []sat.Lit // [cut]: what readers see where the selector is true
	wrong  []sat.Lit // each implies that a conjunct is violated in s1, or a property fails in s0
	any    sat.Lit   // implies that one of them is true
	inv    *cert.Invariant
	steps  *stepStock // keeps the steps that break the invariant; nil: they are not kept
}

// A query that easyConflicts do not answer is asked again for each conjunct of
// the invariant and each property (see parts). Tests change it.
var easyConflicts int64 = 100

const mostAssumed = 4_000_000 // assumptions in all such questions together

// newOneStep encodes the query for an invariant of the model.
func newOneStep(solver sat.Solver, m *netlist.Model, inv *cert.Invariant) *oneStep {
	return newOneStepOf(solver, m, inv, func(int) bool { return true })
}

// newOneStepOf encodes it for some cuts; of the others, selectors and values are loose.
func newOneStepOf(solver sat.Solver, m *netlist.Model, inv *cert.Invariant, asked func(cut int) bool) *oneStep {
	q := &oneStep{m: m, s: solver, inv: inv}
	for range m.Cuts {
		q.sel = append(q.sel, sat.MkLit(q.s.NewVar(), false))
	}
	q.frames = netlist.NewFrames(m, netlist.FramesOptions{
		Sink:     netlist.SingleSink(q.s),
		Selector: func(cut, _ int) (sat.Lit, bool) { return q.sel[cut], asked(cut) },
	})
	assertInvariant(q.s, inv, func(latch int) sat.Lit { return q.frames.Latch(0, latch) })
	q.s.AddClause(q.frames.Lit(0, m.Constraint))
	q.wrong = violations(q.s, inv, func(latch int) sat.Lit {
		return q.frames.Lit(0, m.Latches[latch].Next)
	})
	for _, bad := range m.Bads {
		q.wrong = append(q.wrong, q.frames.Lit(0, bad))
	}
	q.any = q.oneOf(q.wrong)
	for k := range m.Cuts {
		v := q.sel[k]
		if asked(k) {
			v = q.frames.Lit(0, m.Cuts[k].Lit)
		}
		q.value = append(q.value, v)
	}
	return q
}

// assertInvariant adds the invariant over the given state literals.
func assertInvariant(s netlist.ClauseSink, inv *cert.Invariant, latch func(int) sat.Lit) {
	var buf []sat.Lit
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
func violations(s netlist.ClauseSink, inv *cert.Invariant, latch func(int) sat.Lit) []sat.Lit {
	var out []sat.Lit
	for _, c := range inv.Clauses {
		if len(c) == 1 {
			out = append(out, latch(c[0].Latch()).XorSign(!c[0].Neg()))
			continue
		}
		n := sat.MkLit(s.NewVar(), false)
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
func formulas(s netlist.ClauseSink, inv *cert.Invariant, latch func(int) sat.Lit) []sat.Lit {
	if len(inv.Formulas) == 0 {
		return nil
	}
	g := inv.Graph
	lits := make([]sat.Lit, g.Size())
	for i := range lits {
		lits[i] = sat.LitUndef
	}
	fixed := sat.LitUndef
	edge := func(l aig.Lit) sat.Lit {
		if l.Const() {
			if fixed == sat.LitUndef {
				fixed = sat.MkLit(s.NewVar(), false)
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
		if g.Kind(n) != aig.KindAnd {
			continue
		}
		x, y := g.Fanins(n)
		a, b, v := edge(x), edge(y), sat.MkLit(s.NewVar(), false)
		s.AddClause(v.Not(), a)
		s.AddClause(v.Not(), b)
		s.AddClause(v, a.Not(), b.Not())
		lits[n] = v
	}
	var out []sat.Lit
	for _, f := range inv.Formulas {
		out = append(out, edge(f))
	}
	return out
}

// atMostOne adds clauses that let at most one of the literals be true: a ladder
// with one helper variable each.
func atMostOne(s netlist.ClauseSink, lits []sat.Lit) {
	if len(lits) < 2 {
		return
	}
	before := lits[0] // true when some earlier literal is
	for i, l := range lits[1:] {
		s.AddClause(before.Not(), l.Not())
		if i == len(lits)-2 {
			return
		}
		next := sat.MkLit(s.NewVar(), false)
		s.AddClause(before.Not(), next)
		s.AddClause(l.Not(), next)
		before = next
	}
}

// oneOf returns a literal that implies that one of the literals is true.
func (q *oneStep) oneOf(lits []sat.Lit) sat.Lit {
	if len(lits) == 1 {
		return lits[0]
	}
	l := sat.MkLit(q.s.NewVar(), false)
	q.s.AddClause(append([]sat.Lit{l.Not()}, lits...)...)
	return l
}

// parts splits the question whether anything is wrong into questions about single
// conjuncts and properties, each of which is often easy where the whole is hard, or about
// several at once where there are very many.
func (q *oneStep) parts() []sat.Lit {
	size := 1 + len(q.wrong)*len(q.sel)/mostAssumed
	var out []sat.Lit
	for from := 0; from < len(q.wrong); from += size {
		out = append(out, q.oneOf(q.wrong[from:min(from+size, len(q.wrong))]))
	}
	return out
}

// solveEasily is Solve with a limit on the effort, where the solver knows one.
func solveEasily(ctx context.Context, s sat.Solver, assumptions ...sat.Lit) sat.Status {
	return solveWithin(ctx, s, easyConflicts, assumptions...)
}

// solveWithin is the same for so many conflicts.
func solveWithin(ctx context.Context, s sat.Solver, conflicts int64, assumptions ...sat.Lit) sat.Status {
	limited, ok := s.(interface{ SetConflictLimit(int64) })
	if !ok {
		return s.Solve(ctx, assumptions...)
	}
	limited.SetConflictLimit(conflicts)
	defer limited.SetConflictLimit(-1)
	return s.Solve(ctx, assumptions...)
}

// core returns the cuts whose selectors the refutation of the fault-free query
// needs to be off. It returns ok = false when the query was not refuted.
func (q *oneStep) core(ctx context.Context) (needed []bool, ok bool) {
	needed = make([]bool, len(q.sel))
	at := make(map[sat.Lit]int, len(q.sel))
	off := make([]sat.Lit, len(q.sel))
	for k, l := range q.sel {
		off[k], at[l.Not()] = l.Not(), k
	}
	refuted := func(st sat.Status) bool {
		if st != sat.Unsat {
			return false
		}
		for _, l := range q.s.Failed() {
			if k, isSelector := at[l]; isSelector {
				needed[k] = true
			}
		}
		return true
	}
	if st := solveEasily(ctx, q.s, append(off, q.any)...); st != sat.Unknown {
		return needed, refuted(st)
	}
	for _, part := range q.parts() {
		// What is needed already comes first, to be used again.
		slices.SortStableFunc(off, func(a, b sat.Lit) int {
			switch x, y := needed[at[a]], needed[at[b]]; {
			case x && !y:
				return -1
			case y && !x:
				return 1
			}
			return 0
		})
		if !refuted(q.s.Solve(ctx, append(off, part)...)) {
			return nil, false
		}
	}
	return needed, true
}

// refuteWhole asks the fault-free query in one piece.
func (q *oneStep) refuteWhole(ctx context.Context) bool {
	as := []sat.Lit{q.any}
	for _, l := range q.sel {
		as = append(as, l.Not())
	}
	return q.s.Solve(ctx, as...) == sat.Unsat
}

// state reads the model of the last satisfiable query: the latches and inputs
// of the frame.
func (q *oneStep) state() (latches, inputs []bool) {
	latches = make([]bool, len(q.m.Latches))
	inputs = make([]bool, len(q.m.Inputs))
	read := func(l aig.Lit) bool {
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
