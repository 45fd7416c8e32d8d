package coverage

import (
	"context"
	"slices"

	"netcov/cert"
	"netcov/netlist"
	"netcov/sat"
)

// The largest subset of known clauses that is inductive on a mutant: clauses
// that a step can violate are dropped until none is. Where what is left still
// keeps the bad states out, it is the mutant's invariant.

// subsetQuery is the one-step query with a switch per clause.
type subsetQuery struct {
	m       *netlist.Model
	s       sat.Solver
	frames  *netlist.Frames
	clauses []cert.Clause
	on      []sat.Lit // [clause]: it is assumed in frame 0
	broken  []sat.Lit // [clause]: it is violated in frame 1; implies on
	bad     sat.Lit
	some    sat.Lit // one of the broken clauses, or bad, is there
	sel     []sat.Lit
	value   []sat.Lit
}

func newSubsetQuery(solver sat.Solver, m *netlist.Model, clauses []cert.Clause) *subsetQuery {
	q := &subsetQuery{m: m, s: solver, clauses: clauses}
	for range m.Cuts {
		q.sel = append(q.sel, sat.MkLit(q.s.NewVar(), false))
	}
	atMostOne(q.s, q.sel)
	q.frames = netlist.NewFrames(m, netlist.FramesOptions{
		Sink:     netlist.SingleSink(q.s),
		Selector: func(cut, _ int) (sat.Lit, bool) { return q.sel[cut], true },
	})
	q.s.AddClause(q.frames.Lit(0, m.Constraint))
	q.bad = q.frames.Lit(0, m.Bad)
	var buf []sat.Lit
	some := []sat.Lit{q.bad}
	for _, c := range clauses {
		on, broken := sat.MkLit(q.s.NewVar(), false), sat.MkLit(q.s.NewVar(), false)
		buf = append(buf[:0], on.Not())
		for _, l := range c {
			buf = append(buf, q.frames.Latch(0, l.Latch()).XorSign(l.Neg()))
			q.s.AddClause(broken.Not(), q.frames.Lit(0, m.Latches[l.Latch()].Next).XorSign(!l.Neg()))
		}
		q.s.AddClause(buf...)
		q.s.AddClause(broken.Not(), on)
		q.on, q.broken = append(q.on, on), append(q.broken, broken)
		some = append(some, broken)
	}
	q.some = sat.MkLit(q.s.NewVar(), false)
	q.s.AddClause(append(some, q.some.Not())...)
	for k := range m.Cuts {
		q.value = append(q.value, q.frames.Lit(0, m.Cuts[k].Lit))
	}
	return q
}

// invariant returns the mutant's invariant made of the query's clauses, or nil.
func (q *subsetQuery) invariant(ctx context.Context, m *Mutant) *cert.Invariant {
	base := []sat.Lit{q.some, q.sel[m.cut]}
	if !m.free() {
		base = append(base, q.value[m.cut].XorSign(m.force == netlist.ForceZero))
	}
	in := make([]bool, len(q.clauses))
	for i := range in {
		in[i] = true
	}
	for {
		assume := base
		for i, on := range q.on {
			assume = append(assume, on.XorSign(!in[i]))
		}
		switch q.s.Solve(ctx, assume...) {
		case sat.Unknown:
			return nil
		case sat.Unsat:
			inv := &cert.Invariant{}
			for i, c := range q.clauses {
				if in[i] {
					inv.Clauses = append(inv.Clauses, c)
				}
			}
			return inv
		}
		if q.s.Value(q.bad) {
			return nil // fewer clauses do not help
		}
		for i, c := range q.clauses {
			in[i] = in[i] && q.kept(c)
		}
	}
}

// kept reports whether a clause holds in the next state of the solver's model.
func (q *subsetQuery) kept(c cert.Clause) bool {
	for _, l := range c {
		if q.s.Value(q.frames.Lit(0, q.m.Latches[l.Latch()].Next).XorSign(l.Neg())) {
			return true
		}
	}
	return false
}

// freeFirst orders mutants: the free mutant of a node comes before its stuck-at
// mutants, since its invariant is theirs too.
func freeFirst(ms []*Mutant) []*Mutant {
	slices.SortStableFunc(ms, func(a, b *Mutant) int {
		switch {
		case a.free() && !b.free():
			return -1
		case b.free() && !a.free():
			return 1
		}
		return 0
	})
	return ms
}

// subsets looks for an invariant of each open mutant among the known clauses, for
// a test.
func (s *session) subsets(ctx context.Context, test string) {
	open := freeFirst(s.ledger.inside())
	clauses := s.stock.pool.all()
	if len(open) == 0 || len(clauses) == 0 {
		return
	}
	q := newSubsetQuery(s.solver(), s.stock.model, clauses)
	for _, m := range open {
		if ctx.Err() != nil {
			return
		}
		if m.Verdict != Unknown {
			continue
		}
		done := s.ledger.work(m)
		if inv := q.invariant(ctx, m); inv != nil {
			s.exclude(test, inv, []*Mutant{m})
		}
		done()
	}
}
