package ic3

import (
	"context"
	"errors"
	"slices"

	"netcov/cert"
)

var errOriginalFails = errors.New("ic3: a family of mutants needs a property that holds on the design itself")

// holds reports the mutants that a fixpoint decides.
func (f *Family) holds(ctx context.Context, inv *cert.Invariant) {
	for i := range f.muts {
		if !f.open[i] {
			continue
		}
		r := f.invariant(ctx, i, inv.Clauses)
		if r == nil {
			continue // ctx ended
		}
		f.open[i] = false
		f.left--
		if f.report != nil {
			f.report(Verdict{Index: i, Mutation: f.muts[i], Status: Holds, Invariant: r})
		}
	}
}

// Clauses returns the clauses found so far as they read for one mutant, the
// strongest first; they make a good seed.
func (f *Family) Clauses(index int) []cert.Clause {
	return f.project(f.e.Clauses(), index)
}

// Open tells whether a mutant is undecided.
func (f *Family) Open(index int) bool { return f.open[index] }

// Stats returns the engine's counters so far.
func (f *Family) Stats() Stats { return f.e.Stats() }

// project sets the mutant's selector to 1 and the others to 0.
func (f *Family) project(clauses []cert.Clause, index int) []cert.Clause {
	var out []cert.Clause
next:
	for _, c := range clauses {
		var d cert.Clause
		for _, l := range c {
			if !f.e.selector[l.Latch()] {
				d = append(d, l)
				continue
			}
			if (l.Latch() == f.selLatch[index]) != l.Neg() {
				continue next // true
			}
		}
		out = append(out, d)
	}
	return out
}

// invariant returns the mutant's invariant. The mutant's model may have a
// smaller cone than the family's: then clauses over other latches go, and what
// is left may need a proof of its own, for which it is a seed.
func (f *Family) invariant(ctx context.Context, index int, clauses []cert.Clause) *cert.Invariant {
	cs := f.project(clauses, index)
	mut := f.muts[index]
	m := f.m.Mutant(mut.Cut, mut.Fault)
	outside := slices.ContainsFunc(cs, func(c cert.Clause) bool {
		return slices.ContainsFunc(c, func(l cert.StateLit) bool { return !m.Latches[l.Latch()].InCone })
	})
	if !outside {
		inv := &cert.Invariant{Clauses: cs}
		f.e.opt.checkInvariant(ctx, m, inv)
		return inv
	}
	return New(m, Options{Seed: cs, Check: f.e.opt.Check}).Run(ctx, Budget{}).Invariant
}

// activeSelector returns the latch of the selector that is 1 in the model of
// the last query, or -1.
func (e *Engine) activeSelector() int {
	for i, sel := range e.selector {
		if sel && e.s.Value(e.t.cur[i]) > 0 {
			return i
		}
	}
	return -1
}

// selectOne replaces, in the justified part of a state, all literals of
// selectors by the one that is 1, where there is one: it excludes the others.
func (e *Engine) selectOne(state, justified cube) cube {
	one := -1
	for _, l := range state {
		if e.selector[l.Latch()] && !l.Neg() {
			one = l.Latch()
		}
	}
	if one < 0 {
		return justified
	}
	n := len(justified)
	justified = slices.DeleteFunc(justified, func(l cert.StateLit) bool { return e.selector[l.Latch()] })
	if len(justified) < n {
		justified = append(justified, cert.MkStateLit(one, false))
	}
	return justified
}
