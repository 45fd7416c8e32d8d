package proof

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"netcov/sat"
)

var (
	_ sat.Solver = (*CDCL)(nil)
	_ sat.Solver = (*Gini)(nil)
	_ sat.Solver = (*Gophersat)(nil)
)

// TestThreeSolvers compares the solvers with each other on random incremental
// runs beyond the reach of enumeration.
func TestThreeSolvers(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var count [3]int
	n := rounds(t, 250)
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 17))
		n := 5 + r.IntN(60)
		elim := NewCDCL(Options{reduceFirst: 10, reduceStep: 1, Eliminate: true})
		elim.elimMin, elim.elimEffort = 10, 0
		solvers := []sat.Solver{NewCDCL(Options{Log: true}), elim, NewGini(), NewGophersat()}
		var clauses [][]sat.Lit
		for _, s := range solvers {
			for range n {
				s.NewVar()
			}
		}
		for range 5 {
			for range r.IntN(3 * n / 2) {
				c := make([]sat.Lit, 2+r.IntN(2))
				for i := range c {
					c[i] = randomLit(r, n)
				}
				if r.IntN(100) == 0 {
					c = c[:1]
				}
				clauses = append(clauses, c)
				for _, s := range solvers {
					s.AddClause(c...)
				}
			}
			var assumps []sat.Lit
			for range r.IntN(5) {
				assumps = append(assumps, randomLit(r, n))
			}
			first := sat.Unknown
			for i, s := range solvers {
				st := s.Solve(ctx, assumps...)
				if i == 0 {
					first = st
				}
				if st == sat.Unknown || st != first {
					t.Fatalf("seed %d: solver %d says %v, solver 0 %v", seed, i, st, first)
				}
				if st == sat.Sat {
					for _, c := range slices.Concat(clauses, units(assumps)) {
						if !slices.ContainsFunc(c, s.Value) {
							t.Fatalf("seed %d: solver %d: clause %v is false", seed, i, c)
						}
					}
					continue
				}
				for _, l := range s.Failed() {
					if !slices.Contains(assumps, l) {
						t.Fatalf("seed %d: solver %d: failed %v of %v", seed, i, s.Failed(), assumps)
					}
				}
				// The failed assumptions must suffice in a solver of another make.
				other := solvers[2-2*(i/2)]
				failed := slices.Clone(s.Failed())
				if i < 3 && other.Solve(ctx, failed...) != sat.Unsat {
					t.Fatalf("seed %d: solver %d: failed %v do not suffice", seed, i, failed)
				}
			}
			count[first]++
		}
	}
	if 5*count[sat.Sat] < 2*n || 5*count[sat.Unsat] < 2*n {
		t.Errorf("lopsided: %v", count)
	}
}

// TestBaseUnsat asks each solver again after its clauses were refuted.
func TestBaseUnsat(t *testing.T) {
	for i, s := range []sat.Solver{NewCDCL(Options{}), NewCDCL(Options{Log: true}), NewGini(), NewGophersat()} {
		pigeons(s, 4)
		ctx := context.Background()
		for range 2 {
			if st := s.Solve(ctx); st != sat.Unsat || len(s.Failed()) != 0 {
				t.Errorf("solver %d: %v, failed %v", i, st, s.Failed())
			}
			s.AddClause(sat.MkLit(s.NewVar(), false), sat.MkLit(0, true))
		}
	}
	for i, s := range []sat.Solver{NewCDCL(Options{}), NewCDCL(Options{Log: true}), NewGini(), NewGophersat()} {
		s.AddClause()
		if st := s.Solve(context.Background()); st != sat.Unsat {
			t.Errorf("solver %d: %v after the empty clause", i, st)
		}
	}
}

// TestContradictoryAssumptions asks for a literal and its negation.
func TestContradictoryAssumptions(t *testing.T) {
	for i, s := range []sat.Solver{NewCDCL(Options{}), NewCDCL(Options{Log: true}), NewGini(), NewGophersat()} {
		a, b := sat.MkLit(s.NewVar(), false), sat.MkLit(s.NewVar(), false)
		s.AddClause(a, b)
		if st := s.Solve(context.Background(), a, b, a.Not()); st != sat.Unsat {
			t.Errorf("solver %d: %v", i, st)
		}
		if f := s.Failed(); !slices.Contains(f, a) || !slices.Contains(f, a.Not()) {
			t.Errorf("solver %d: failed %v", i, f)
		}
		if st := s.Solve(context.Background(), a, a); st != sat.Sat {
			t.Errorf("solver %d: %v", i, st)
		}
	}
}

// TestCancel ends hard queries early and asks easy ones afterwards.
func TestCancel(t *testing.T) {
	// Gini looks at its control channel now and then only.
	late := [3]time.Duration{300 * time.Millisecond, 300 * time.Millisecond, 3 * time.Second}
	for i, s := range []sat.Solver{NewCDCL(Options{}), NewCDCL(Options{Log: true}), NewGini()} {
		free := sat.MkLit(s.NewVar(), false)
		pigeons(s, 11)
		for range 3 {
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
			start := time.Now()
			if st := s.Solve(ctx, free); st != sat.Unknown {
				t.Errorf("solver %d: %v", i, st)
			}
			if d := time.Since(start); d > late[i] {
				t.Errorf("solver %d: ended after %v", i, d)
			}
			cancel()
			if st := s.Solve(context.Background(), free, free.Not()); st != sat.Unsat {
				t.Errorf("solver %d: %v after a cancelled query", i, st)
			}
		}
	}
	s := NewGophersat()
	pigeons(s, 9)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if st := s.Solve(ctx); st != sat.Unknown {
		t.Errorf("gophersat: %v", st)
	}
	if st := NewGophersat().Solve(ctx); st != sat.Unknown {
		t.Errorf("gophersat while another search runs: %v", st)
	}
}
