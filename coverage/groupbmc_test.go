package coverage

import (
	"context"
	"testing"
	"time"

	"netcov/interp"
	"netcov/mutant"
)

// TestGroupSearchInTurns interrupts bounded search for all mutants again and again: what it
// covers is covered, and of what it leaves open, bounded search of each alone finds no
// counterexample of as many steps.
func TestGroupSearchInTurns(t *testing.T) {
	const frames = 8
	ctx := context.Background()
	covered, left, turns := 0, 0, 0
	randomOracles(t, 31, rounds(t, 600), func(o *oracle) {
		opt := Options{Targets: o.targets, Mux: o.place}.withDefaults(o.n)
		q := question{file: o.f, netlist: o.n, properties: []int{o.property}, names: []int{o.property}}
		for _, x := range opt.Targets {
			q.targets = append(q.targets, target{x, x})
		}
		s := newSession(q, opt)
		s.stop, s.opinion.late = func() {}, ctx
		s.ledger.tests[TestGroupBMC] = &TestStats{}
		open := s.ledger.inside()
		if len(open) == 0 {
			return
		}
		g := newGroupSearch(s, open)
		g.most = frames
		for limit := time.Microsecond; !g.over; limit += limit / 4 {
			s.searchGroup(ctx, g, func(bool) time.Duration { return limit })
			turns++
		}
		if s.failure != nil {
			t.Fatal(s.failure)
		}
		for _, m := range open {
			if m.Verdict == mutant.Covered {
				if covered++; o.verdicts[mutantKey{m.Target, m.Fault}] != mutant.Covered {
					t.Fatalf("%v is not covered", m)
				}
				continue
			}
			left++
			alone, err := interp.NewBounded(s.stock.model.Mutant(m.cut, m.force), nil).Extend(ctx, frames)
			if err != nil {
				t.Fatal(err)
			}
			if alone != nil || m.Depth < frames {
				t.Fatalf("%v: a counterexample of %v steps is left, depth %d", m, alone, m.Depth)
			}
		}
	})
	if covered < 100 || left < 500 || turns < 200 {
		t.Fatalf("%d covered, %d left, %d turns", covered, left, turns)
	}
}
