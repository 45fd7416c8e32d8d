package proof

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/sat"
)

// TestChecked: random incremental loads of all kinds of queries pass all checks.
func TestChecked(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 21))
	ctx := context.Background()
	for range 300 {
		c := NewChecked(Options{Eliminate: r.IntN(2) == 0, reduceFirst: 5, reduceStep: 1}, func(err error) { t.Fatal(err) })
		c.elimMin, c.elimEffort = 10, 0
		const vars = 30
		for range vars {
			c.NewVar()
		}
		clause := func() (lits []sat.Lit) {
			for range 1 + r.IntN(4) {
				lits = append(lits, sat.Lit(r.IntN(2*vars)))
			}
			return lits
		}
		for range 20 {
			for range 8 {
				c.AddClause(clause()...)
			}
			assumptions := []sat.Lit{sat.Lit(r.IntN(2 * vars)), sat.Lit(r.IntN(2 * vars))}
			switch r.IntN(3) {
			case 0:
				c.Solve(ctx, assumptions...)
			case 1:
				c.SolveWithClause(ctx, clause(), assumptions...)
			default:
				var domain []sat.Var
				for v := range sat.Var(vars) {
					if r.IntN(2) == 0 {
						domain = append(domain, v)
					}
				}
				c.SolveDomain(ctx, domain, assumptions...)
			}
		}
	}
}

// TestCheckedNotices: clauses that come in behind the checker's back are noticed
// in models and in chains, a learnt clause that its chain does not derive too.
func TestCheckedNotices(t *testing.T) {
	found := 0
	c := NewChecked(Options{}, func(error) { found++ })
	v := sat.MkLit(c.NewVar(), false)
	behind := func(l sat.Lit) {
		checks := c.checks
		c.checks, c.log.checks = nil, nil
		c.AddClause(l)
		c.checks, c.log.checks = checks, checks
	}
	behind(v)
	c.Solve(context.Background(), v.Not())
	if found == 0 {
		t.Error("a refutation by a clause that was not added")
	}
	found = 0
	behind(v.Not())
	c.Solve(context.Background())
	if found == 0 {
		t.Error("a refutation of clauses that were not added")
	}
	w := sat.MkLit(c.NewVar(), false)
	found = 0
	c.checks.learnt(c.final, []sat.Lit{w})
	if found == 0 {
		t.Error("a learnt clause that its chain does not derive")
	}
	d := NewChecked(Options{}, func(error) { found++ })
	v = sat.MkLit(d.NewVar(), false)
	d.AddClause(v)
	found = 0
	d.checks.added([]sat.Lit{v.Not()})
	d.Solve(context.Background())
	if found != 1 {
		t.Error("a model that violates a clause")
	}
}
