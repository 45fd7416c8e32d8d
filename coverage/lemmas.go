package coverage

import (
	"context"
	"slices"
	"time"

	"netcov/cert"
	"netcov/internal/clock"
	"netcov/netlist"
	"netcov/sat"
)

// A single run of IC3 begins with the clauses of earlier proofs that are an inductive
// invariant of its mutant together. One solver answers for all mutants, and grows with
// the pool. What the refutation of a step that violates a clause rests on is kept: the
// clauses that it uses, and the cuts that it takes to be without fault. On a mutant
// only those clauses are asked about again whose refutation rests on its cut, or on a
// clause that is not inductive there.

// lemmaShare is the most of a slice that the question may take.
const lemmaShare = 0.5

// ground is what a refutation rests on.
type ground struct {
	conjuncts []int32
	cuts      []int32
}

// lemmas answers which clauses of the pool are inductive on a mutant.
type lemmas struct {
	q *subsetQuery
	// onDesign holds, for each clause that is inductive on the design together with
	// others, what that rests on; nil for the others.
	onDesign []*ground
	number   map[sat.Lit]int32 // by the literal that turns a conjunct on, or a cut off
}

func newLemmas(q *subsetQuery) *lemmas {
	l := &lemmas{q: q, number: map[sat.Lit]int32{}}
	for k, sel := range q.sel {
		l.number[sel.Not()] = int32(k)
	}
	return l
}

// extend takes in the clauses that are new; all begins with those so far.
func (l *lemmas) extend(ctx context.Context, all []cert.Clause) bool {
	from := len(l.onDesign)
	if from == len(all) {
		return true
	}
	l.q.extend(all)
	for i, on := range l.q.on[from:] {
		l.number[on] = int32(from + i)
	}
	in := make([]bool, len(all))
	for i, c := range all {
		in[i] = i >= from && lemmaOf(l.q.m, c) || i < from && l.onDesign[i] != nil
	}
	l.onDesign = append(l.onDesign, make([]*ground, len(all)-from)...)
	grounds, ok := l.inductive(ctx, nil, in)
	if !ok {
		l.onDesign = l.onDesign[:from]
		return false
	}
	copy(l.onDesign, grounds)
	return true
}

// inductive leaves in the largest inductive subset on a mutant, nil for the design, and
// returns what each member rests on. It is not ok where ctx ends first.
func (l *lemmas) inductive(ctx context.Context, m *Mutant, in []bool) (grounds []*ground, ok bool) {
	q := l.q
	base := q.faulty(m)
	grounds = make([]*ground, len(in))
	for i, g := range l.onDesign {
		if g != nil && (m == nil || !slices.Contains(g.cuts, int32(m.cut))) {
			grounds[i] = g
		}
	}
	stands := func(i int) bool {
		return grounds[i] != nil && !slices.ContainsFunc(grounds[i].conjuncts, func(c int32) bool { return !in[c] })
	}
	for changed := true; changed; {
		changed = false
		on := l.on(in)
		for i := range in {
			if !in[i] || stands(i) {
				continue
			}
			assume := append(base[:len(base):len(base)], on...)
			assume = append(assume, q.broken[i]) // last, so that the solver keeps what the others imply
			switch q.s.Solve(ctx, assume...) {
			case sat.Unknown:
				return nil, false
			case sat.Sat:
				q.near.step(q, m, in)
				changed, on = true, l.on(in)
			case sat.Unsat:
				grounds[i] = l.ground(q.s.Failed(), i)
			}
		}
	}
	return grounds, true
}

// on are the literals of the conjuncts that are in.
func (l *lemmas) on(in []bool) []sat.Lit {
	var out []sat.Lit
	for i, on := range l.q.on {
		if in[i] {
			out = append(out, on)
		}
	}
	return out
}

// ground sorts the assumptions that a refutation used.
func (l *lemmas) ground(failed []sat.Lit, i int) *ground {
	g := &ground{}
	for _, lit := range failed {
		n, ok := l.number[lit]
		switch {
		case !ok || int(n) == i && lit == l.q.on[i]:
		case int(n) < len(l.q.on) && lit == l.q.on[n]:
			g.conjuncts = append(g.conjuncts, n)
		default:
			g.cuts = append(g.cuts, n)
		}
	}
	return g
}

// lemmas splits the clauses of the pool: those that are an inductive invariant of a
// mutant together, and the rest. It is not ok where that takes too long, or where
// another worker is asking.
func (s *session) lemmas(ctx context.Context, m *Mutant, model *netlist.Model, slice time.Duration) (known, rest []cert.Clause, ok bool) {
	k := s.stock
	if !k.pooledMu.TryLock() {
		return nil, nil, false
	}
	defer k.pooledMu.Unlock()
	all := k.pool.all()
	if k.pooled == nil {
		k.pooled = newLemmas(newSubsetQuery(k.solver(), k.model, &cert.Invariant{}))
	}
	limited, cancel := clock.Limit(ctx, time.Duration(lemmaShare*float64(slice)))
	defer cancel()
	if !k.pooled.extend(limited, all) {
		return nil, nil, false
	}
	in := make([]bool, len(all))
	for i, c := range all {
		in[i] = lemmaOf(model, c)
	}
	k.pooled.q.near.initial(k.model, m, in)
	if _, ok := k.pooled.inductive(limited, m, in); !ok {
		return nil, nil, false
	}
	known = []cert.Clause{}
	for i, c := range all {
		if in[i] {
			known = append(known, c)
		} else {
			rest = append(rest, c)
		}
	}
	return known, rest, true
}

// lemmaOf reports whether a clause speaks of the cone of a model alone and holds initially.
func lemmaOf(m *netlist.Model, c cert.Clause) bool {
	return !slices.ContainsFunc(c, func(l cert.StateLit) bool { return !m.Latches[l.Latch()].InCone }) &&
		holdsInitially(m, c)
}
