package framesat

import (
	"testing"

	"netcov/sat"
)

// TestAuditNotices lets a solver use clauses that its auditor does not know, and
// the other way round.
func TestAuditNotices(t *testing.T) {
	var b Builder
	x, y := sat.MkLit(b.NewVar(), false), sat.MkLit(b.NewVar(), false)
	found := 0
	s := NewChecked(&b, TagInf, func(error) { found++ })
	s.AddAlways(x)
	s.AddAlways(y)
	s.AddLemma([]Lit{x, y}, 3)
	if st := s.Solve(3, []Lit{x ^ 1, y ^ 1}, nil); st != sat.Unsat || found != 0 {
		t.Fatal(st, found)
	}
	if st := s.Solve(4, []Lit{x ^ 1, y ^ 1}, nil); st != sat.Sat || found != 0 {
		t.Fatal(st, found)
	}
	s.addLemma([]Lit{x ^ 1, y}, 5)
	if s.Solve(5, []Lit{x, y ^ 1}, nil); found != 1 {
		t.Errorf("a refutation by a clause that was not added: %d", found)
	}
	s.audit.add([]Lit{x, y ^ 1}, 6, RefUnit)
	if s.Solve(6, []Lit{x ^ 1, y}, nil); found != 2 {
		t.Errorf("a model that violates a clause: %d", found)
	}
}
