package proof

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/sat"
)

// checkProof replays the proof of the last Unsat answer, checks that each leaf
// is one of the added clauses (by ordinal, tag 10+ordinal) and that the proved
// clause is over negations of the failed assumptions.
func checkProof(t *testing.T, s *CDCL, added [][]sat.Lit) {
	t.Helper()
	p := s.Proof()
	if p == nil {
		f := s.Failed()
		if len(f) == 2 && f[0] == f[1].Not() {
			return
		}
		t.Fatalf("no proof, failed %v", f)
	}
	ordinals := map[ID]int{}
	for _, in := range p.Core() {
		ordinals[in.ID] = in.Ordinal
		if in.Tag == TagTemp != (in.Ordinal == -1) {
			t.Fatalf("leaf %+v", in)
		}
	}
	final, err := Check(p, func(id ID, tag int32, lits []sat.Lit) error {
		if tag == TagTemp {
			return nil
		}
		o := ordinals[id]
		if int(tag) != 10+o {
			return fmt.Errorf("tag %d for ordinal %d", tag, o)
		}
		want := slices.Clone(added[o])
		slices.Sort(want)
		got := slices.Clone(lits)
		slices.Sort(got)
		if !slices.Equal(slices.Compact(want), got) {
			return fmt.Errorf("%v is not clause %d, %v", got, o, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range final {
		if !slices.Contains(s.Failed(), l.Not()) && l.Var() != s.tempVar {
			t.Fatalf("proved %v, failed %v", final, s.Failed())
		}
	}
}

// TestChains replays the proofs of random incremental runs.
func TestChains(t *testing.T) {
	refuted := 0
	for seed := range rounds(t, 300) {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		n := 4 + r.IntN(25)
		s := NewCDCL(Options{Log: true, reduceFirst: 1 + r.IntN(20), reduceStep: 1, logCompactBytes: 1, Eliminate: r.IntN(2) == 0})
		s.elimMin, s.elimEffort = r.IntN(10), 0
		for range n {
			s.NewVar()
		}
		var added [][]sat.Lit
		add := func(c ...sat.Lit) {
			s.AddClauseTagged(int32(10+len(added)), c...)
			added = append(added, slices.Clone(c))
		}
		for range 8 {
			for range r.IntN(2 * n) {
				c := make([]sat.Lit, 2+r.IntN(3))
				if r.IntN(20) == 0 {
					c = c[:1]
				}
				for i := range c {
					c[i] = randomLit(r, n)
				}
				add(c...)
			}
			if r.IntN(4) == 0 {
				s.Simplify()
			}
			var assumps []sat.Lit
			for range r.IntN(6) {
				assumps = append(assumps, randomLit(r, n))
			}
			var st sat.Status
			if r.IntN(2) == 0 {
				st = s.SolveWithClause(context.Background(), randomClause(r, n, 3), assumps...)
			} else {
				st = s.Solve(context.Background(), assumps...)
			}
			if st == sat.Unsat {
				refuted++
				checkProof(t, s, added)
			} else if s.Proof() != nil {
				t.Fatal("a proof after Sat")
			}
			s.compactLog()
		}
	}
	if refuted < 100 {
		t.Errorf("only %d refutations", refuted)
	}
}

// TestProofPigeons checks a proof of thousands of steps, with compaction.
func TestProofPigeons(t *testing.T) {
	s := NewCDCL(Options{Log: true, logCompactBytes: 1 << 14, reduceFirst: 200})
	pigeons(s, 7)
	if s.Solve(context.Background()) != sat.Unsat {
		t.Fatal("satisfiable")
	}
	if s.Stats().LogDropped == 0 {
		t.Error("nothing was dropped")
	}
	p := s.Proof()
	s.compactLog()
	s.AddClause(sat.MkLit(s.NewVar(), false)) // a proof outlives what follows
	if final, err := Check(p, nil); err != nil || len(final) != 0 {
		t.Fatal(final, err)
	}
	if n := len(p.Core()); n != 8+7*8*7/2 {
		t.Errorf("core of %d clauses", n)
	}
}

// TestCheckRejects spoils each part of a chain in turn.
func TestCheckRejects(t *testing.T) {
	a, b := sat.MkLit(0, false), sat.MkLit(1, false)
	g := newChainLog(1 << 20)
	l1 := g.addLeaf(0, 0, []sat.Lit{a, b})
	l2 := g.addLeaf(0, 1, []sat.Lit{a, b.Not()})
	l3 := g.addLeaf(0, 2, []sat.Lit{a.Not(), b})
	for _, tc := range []struct {
		name   string
		ids    []ID
		pivots []sat.Lit
		ok     bool
	}{
		{"right", []ID{l1, l2}, []sat.Lit{b.Not()}, true},
		{"pivot of the wrong sign", []ID{l1, l2}, []sat.Lit{b}, false},
		{"pivot not in the antecedent", []ID{l1, l3}, []sat.Lit{b.Not()}, false},
		{"pivot not in the clause", []ID{l1, l2}, []sat.Lit{a}, false},
		{"tautology", []ID{l2, l3}, []sat.Lit{b}, false},
	} {
		c := chainBuffer{ids: tc.ids, pivots: tc.pivots}
		p := &Proof{log: *g, final: g.addChain(&c)}
		p.log = *g
		if _, err := Check(p, nil); (err == nil) != tc.ok {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	refuse := func(ID, int32, []sat.Lit) error { return fmt.Errorf("unknown") }
	if _, err := Check(&Proof{log: *g, final: l1}, refuse); err == nil {
		t.Error("a refused leaf was accepted")
	}
}
