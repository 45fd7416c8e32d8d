package proof

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/sat"
)

// TestEliminate asks for nodes of a circuit one after the other, so that most
// variables are eliminated and some come back, and checks models and proofs.
func TestEliminate(t *testing.T) {
	var total Stats
	for seed := range rounds(t, 100) {
		r := rand.New(rand.NewPCG(uint64(seed), 19))
		c := newRandomCircuit(r, 3+r.IntN(8), 20+r.IntN(300))
		s := NewCDCL(Options{Log: true, Eliminate: true, logCompactBytes: 1})
		s.elimMin, s.elimEffort = 10, 0
		for range c.vars() {
			s.NewVar()
		}
		var added [][]sat.Lit
		add := func(lits ...sat.Lit) {
			s.AddClauseTagged(int32(10+len(added)), lits...)
			added = append(added, append([]sat.Lit(nil), lits...))
		}
		c.addTo(add)
		for range 10 {
			l := randomLit(r, c.vars())
			possible := false
			for m := range uint32(1) << c.inputs {
				val := c.eval(m)
				if val[l.Var()] != l.Neg() {
					possible = true
					break
				}
			}
			st := s.Solve(context.Background(), l)
			if (st == sat.Sat) != possible || st == sat.Unknown {
				t.Fatalf("seed %d: %v for literal %d", seed, st, l)
			}
			if st == sat.Unsat {
				checkProof(t, s, added)
				continue
			}
			if r.IntN(2) == 0 {
				// The model must survive an addition that brings variables back.
				s.AddClause(randomLit(r, c.vars()), l, l.Not())
				v := sat.Var(r.IntN(c.vars()))
				s.leaveQuery()
				s.restore(v)
				added = append(added, nil)
			}
			var m uint32
			for v := range c.inputs {
				if s.Value(sat.MkLit(sat.Var(v), false)) {
					m |= 1 << v
				}
			}
			for v, b := range c.eval(m) {
				if s.Value(sat.MkLit(sat.Var(v), false)) != b {
					t.Fatalf("seed %d: variable %d is wrong in the model", seed, v)
				}
			}
		}
		st := s.Stats()
		total.Eliminated += st.Eliminated
		total.Restored += st.Restored
		total.Subsumed += st.Subsumed
		total.Strengthened += st.Strengthened
	}
	if total.Eliminated == 0 || total.Restored == 0 || total.Subsumed == 0 || total.Strengthened == 0 {
		t.Errorf("not exercised: %+v", total)
	}
}
