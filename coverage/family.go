package coverage

import (
	"context"
	"slices"
	"time"

	"netcov/ic3"
	"netcov/netlist"
)

// The family test: one IC3 run decides many mutants, since most lemmas do not
// depend on the fault. A fixpoint decides all that is left at once, so the run
// pays or not as a whole: it gets a slice of time here, and further slices
// between those of the single runs, which start from its clauses.
const (
	familySize    = 192 // mutants in one run
	familyShare   = 1.0 // of the model checking time, for the first slice
	familyMinimum = 20 * time.Millisecond
)

// family is a run for several mutants.
type family struct {
	ms  []*Mutant
	run *ic3.Family
}

// runFamily starts families of open mutants, in the order of the file. Where
// single runs are not to follow, it goes on until all is decided.
func runFamily(ctx context.Context, s *session) {
	for ms := range slices.Chunk(s.openInside(), familySize) {
		s.families = append(s.families, &family{ms, ic3.NewFamily(s.model, mutations(ms), ic3.Options{Seed: s.pool.all(), Check: s.checks()})})
	}
	slice := familyMinimum + time.Duration(familyShare*float64(s.proof.Time))
	last := slices.Index(s.opt.Tests, TestIC3) > slices.Index(s.opt.Tests, TestFamily)
	for ; len(s.openInside()) > 0 && ctx.Err() == nil; slice *= sliceGrowth {
		for _, f := range s.families {
			s.advance(ctx, f, slice)
		}
		if last {
			return
		}
	}
}

// advance spends a slice on a family.
func (s *session) advance(ctx context.Context, f *family, slice time.Duration) {
	for i, m := range f.ms {
		if !s.isOpen(m) {
			f.run.Exclude(i)
		}
	}
	held := map[*netlist.Invariant][]*Mutant{}
	left, err := f.run.Run(ctx, ic3.Budget{Time: slice}, func(v ic3.Verdict) {
		m := f.ms[v.Index]
		if v.Status == ic3.Fails {
			s.refutedBy(ctx, TestFamily, m, v.Trace)
			return
		}
		held[v.Invariant] = append(held[v.Invariant], m)
	})
	if err != nil {
		s.fail(err)
		return
	}
	for inv, ms := range held {
		s.pool.add(inv)
		s.exclude(TestFamily, inv, ms)
	}
	if left == 0 {
		s.families = slices.DeleteFunc(slices.Clone(s.families), func(g *family) bool { return g == f })
	}
}

// seeds returns the clauses that a single run of the mutant starts from.
func (s *session) seeds(m *Mutant) []netlist.Clause {
	for _, f := range s.families {
		if i := slices.Index(f.ms, m); i >= 0 {
			return append(slices.Clone(s.pool.all()), f.run.Clauses(i)...)
		}
	}
	return s.pool.all()
}

// mutations names mutants as IC3 does.
func mutations(ms []*Mutant) []ic3.Mutation {
	out := make([]ic3.Mutation, len(ms))
	for i, m := range ms {
		out[i] = ic3.Mutation{Cut: m.cut, Fault: m.Fault}
	}
	return out
}
