package liveness

import (
	"fmt"

	"netcov/aiger"
)

// KLiveness translates a justice property of f to a file whose bad state can be
// reached iff some run completes k rounds, in each of which all literals of the
// property and all fairness constraints hold at some step, in any order. When it
// can not be reached for some k, the property holds; when it can, nothing
// follows. k is at least 1. Positions are kept as by Safety, and mutants agree
// likewise; nothing is copied, so the file stays small.
func KLiveness(f *aiger.File, justice, k int) (*aiger.File, error) {
	if err := checkJustice(f, justice); err != nil {
		return nil, err
	}
	if k < 1 {
		return nil, fmt.Errorf("the number of rounds must be at least 1, not %d", k)
	}
	b := newBuilder(f)
	var seen, got []aiger.Lit
	for i, l := range literals(f, justice) {
		s := b.Latch(fmt.Sprint(seenName, i), false)
		seen = append(seen, s)
		got = append(got, b.or(s, l))
	}
	round := b.all(got)
	for i, s := range seen {
		b.SetNext(s, b.And(got[i], round^1))
	}
	before := aiger.Lit(1)
	for i := range k {
		c := b.Latch(fmt.Sprint("netcov_rounds", i+1), false)
		b.SetNext(c, b.or(c, b.And(before, round)))
		before = c
	}
	b.f.Bads = []aiger.Lit{before}
	b.f.Symbols.Bads = aiger.Names{0: justiceName(f, justice)}
	b.f.Comment = fmt.Sprintf("justice property %d, %d rounds\n", justice, k)
	return b.f, nil
}
