package proof

import (
	"context"
	"math/rand/v2"
	"testing"
)

// TestChecked: random incremental loads pass all checks, and a clause that the
// solver was not given through the checker is noticed.
func TestChecked(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 21))
	for range 300 {
		c := NewChecked(Options{}, func(err error) { t.Fatal(err) })
		for range 12 {
			c.NewVar()
		}
		for range 12 {
			for range 6 {
				var lits []Lit
				for range 1 + r.IntN(3) {
					lits = append(lits, Lit(r.IntN(24)))
				}
				c.AddClause(lits...)
			}
			c.Solve(context.Background(), Lit(r.IntN(24)), Lit(r.IntN(24)))
		}
	}
	found := 0
	c := NewChecked(Options{}, func(error) { found++ })
	v := MkLit(c.NewVar(), false)
	c.CDCL.AddClause(v)
	c.Solve(context.Background(), v.Not())
	c.CDCL.AddClause(v.Not())
	c.Solve(context.Background())
	if found != 2 {
		t.Errorf("%d faults found, want 2", found)
	}
}
