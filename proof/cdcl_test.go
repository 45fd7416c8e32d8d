package proof

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"netcov/sat"
)

// bruteForce is the naive twin of a solver: all assignments, up to 16 variables.
type bruteForce struct {
	n       int
	clauses [][]sat.Lit
}

func (b *bruteForce) add(c []sat.Lit) { b.clauses = append(b.clauses, append([]sat.Lit(nil), c...)) }

// models reports whether an assignment satisfies all clauses and extra ones.
func holds(m uint32, c []sat.Lit) bool {
	for _, l := range c {
		if (m>>uint(l.Var())&1 == 1) != l.Neg() {
			return true
		}
	}
	return false
}

func (b *bruteForce) sat(extra ...[]sat.Lit) bool {
next:
	for m := range uint32(1) << b.n {
		for _, c := range b.clauses {
			if !holds(m, c) {
				continue next
			}
		}
		for _, c := range extra {
			if !holds(m, c) {
				continue next
			}
		}
		return true
	}
	return false
}

func units(lits []sat.Lit) [][]sat.Lit {
	var u [][]sat.Lit
	for _, l := range lits {
		u = append(u, []sat.Lit{l})
	}
	return u
}

func randomLit(r *rand.Rand, n int) sat.Lit { return sat.Lit(r.IntN(2 * n)) }

func randomClause(r *rand.Rand, n, maxLen int) []sat.Lit {
	c := make([]sat.Lit, 1+r.IntN(maxLen))
	for i := range c {
		c[i] = randomLit(r, n)
	}
	return c
}

func model(s sat.Solver, n int) uint32 {
	var m uint32
	for v := range n {
		if s.Value(sat.MkLit(sat.Var(v), false)) {
			m |= 1 << v
		}
	}
	return m
}

// rounds is the number of random cases of a test; the environment variable
// NETCOV_ROUNDS multiplies it.
func rounds(t *testing.T, n int) int {
	t.Helper()
	if k, err := strconv.Atoi(os.Getenv("NETCOV_ROUNDS")); err == nil {
		return n * k
	}
	if testing.Short() {
		return n / 10
	}
	return n
}

// TestIncremental drives the solver with random clauses, assumptions, temporary
// clauses and released variables, and compares every answer with brute force.
func TestIncremental(t *testing.T) {
	for _, logged := range []bool{false, true} {
		t.Run(fmt.Sprintf("log=%v", logged), func(t *testing.T) {
			for seed := range rounds(t, 800) {
				incremental(t, uint64(seed), logged)
			}
		})
	}
}

func incremental(t *testing.T, seed uint64, logged bool) {
	r := rand.New(rand.NewPCG(seed, 7))
	ctx := context.Background()
	n := 3 + r.IntN(8)
	b := &bruteForce{n: n}
	s := NewCDCL(Options{Log: logged, reduceFirst: 1 + r.IntN(20), reduceStep: 1, logCompactBytes: 1, Eliminate: r.IntN(2) == 0})
	s.elimMin, s.elimEffort = r.IntN(10), 0
	for range n {
		s.NewVar()
	}
	s.NewVar() // the solver's temporary variable comes later
	for query := range 12 {
		for range r.IntN(3 * n / 2) {
			c := randomClause(r, n, 4)
			if len(c) == 1 && r.IntN(3) > 0 {
				continue
			}
			b.add(c)
			s.AddClause(c...)
		}
		switch r.IntN(6) {
		case 0:
			if s.Simplify() != s.Okay() {
				t.Fatalf("seed %d: Simplify and Okay differ", seed)
			}
		case 1:
			s.collect()
		}
		var assumps, clause []sat.Lit
		for range r.IntN(4) {
			assumps = append(assumps, randomLit(r, n))
		}
		extra := units(assumps)
		var got sat.Status
		if r.IntN(2) == 0 {
			clause = randomClause(r, n, 3)
			extra = append(extra, clause)
			got = s.SolveWithClause(ctx, clause, assumps...)
		} else {
			got = s.Solve(ctx, assumps...)
		}
		want := sat.Unsat
		if b.sat(extra...) {
			want = sat.Sat
		}
		if got != want {
			t.Fatalf("seed %d query %d: got %v, want %v", seed, query, got, want)
		}
		if got == sat.Sat {
			if r.IntN(2) == 0 {
				c := []sat.Lit{randomLit(r, n)} // must not change the model
				b.add(c)
				m := model(s, n)
				s.AddClause(c...)
				if model(s, n) != m {
					t.Fatalf("seed %d: AddClause changed the model", seed)
				}
				b.clauses = b.clauses[:len(b.clauses)-1]
				checkModel(t, seed, b, model(s, n), extra)
				b.add(c)
			} else {
				checkModel(t, seed, b, model(s, n), extra)
			}
			continue
		}
		failed := append([]sat.Lit(nil), s.Failed()...)
		for _, f := range failed {
			found := false
			for _, a := range assumps {
				found = found || a == f
			}
			if !found {
				t.Fatalf("seed %d: failed literal %d is no assumption of %v", seed, f, assumps)
			}
		}
		extra = units(failed)
		if clause != nil {
			extra = append(extra, clause)
		}
		if b.sat(extra...) {
			t.Fatalf("seed %d: failed assumptions %v of %v do not suffice", seed, failed, assumps)
		}
		if s.Okay() && !b.sat() && len(assumps) == 0 && clause == nil {
			t.Fatalf("seed %d: Okay after a refutation", seed)
		}
	}
}

func checkModel(t *testing.T, seed uint64, b *bruteForce, m uint32, extra [][]sat.Lit) {
	t.Helper()
	for _, c := range append(append([][]sat.Lit(nil), b.clauses...), extra...) {
		if !holds(m, c) {
			t.Fatalf("seed %d: model %b falsifies %v", seed, m, c)
		}
	}
}

// pigeons adds the pigeon-hole clauses: n+1 pigeons in n holes.
func pigeons(s sat.Solver, n int) {
	at := make([][]sat.Lit, n+1)
	for p := range at {
		for range n {
			at[p] = append(at[p], sat.MkLit(s.NewVar(), false))
		}
		s.AddClause(at[p]...)
	}
	for h := range n {
		for p := range at {
			for q := range p {
				s.AddClause(at[p][h].Not(), at[q][h].Not())
			}
		}
	}
}

func TestPigeons(t *testing.T) {
	for _, opts := range []Options{{}, {Log: true, logCompactBytes: 1 << 16}} {
		s := NewCDCL(opts)
		pigeons(s, 7)
		if st := s.Solve(context.Background()); st != sat.Unsat {
			t.Fatalf("%+v: %v", opts, st)
		}
		if s.Okay() || len(s.Failed()) != 0 {
			t.Errorf("%+v: not refuted", opts)
		}
		st := s.Stats()
		if st.Reductions == 0 || st.Deleted == 0 {
			t.Errorf("%+v: no clause deleted: %+v", opts, st)
		}
		t.Logf("%+v", st)
	}
}

func TestLimits(t *testing.T) {
	s := NewCDCL(Options{})
	pigeons(s, 11)
	s.SetConflictLimit(100)
	if st := s.Solve(context.Background()); st != sat.Unknown {
		t.Errorf("conflict limit: %v", st)
	}
	if n := s.Stats().Conflicts; n != 100 {
		t.Errorf("%d conflicts", n)
	}
	s.SetConflictLimit(-1)
	s.SetPropagationLimit(1000)
	before := s.Stats().Propagations
	if st := s.Solve(context.Background()); st != sat.Unknown {
		t.Errorf("propagation limit: %v", st)
	}
	if n := s.Stats().Propagations - before; n < 1000 || n > 2000 {
		t.Errorf("%d propagations", n)
	}
	s.SetPropagationLimit(-1)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if st := s.Solve(ctx); st != sat.Unknown {
		t.Errorf("deadline: %v", st)
	}
	if d := time.Since(start); d > 250*time.Millisecond {
		t.Errorf("cancelled after %v", d)
	}
	if st := s.Solve(ctx); st != sat.Unknown {
		t.Errorf("ended context: %v", st)
	}
}

// TestSharedPrefix asks runs of queries whose assumptions begin alike, with few
// additions in between.
func TestSharedPrefix(t *testing.T) {
	ctx := context.Background()
	kept := 0
	for seed := range rounds(t, 500) {
		r := rand.New(rand.NewPCG(uint64(seed), 23))
		n := 5 + r.IntN(8)
		b := &bruteForce{n: n}
		s := NewCDCL(Options{Log: true, Eliminate: r.IntN(2) == 0, reduceFirst: 5, reduceStep: 1, logCompactBytes: 1})
		s.elimMin, s.elimEffort = r.IntN(10), 0
		for range n {
			s.NewVar()
		}
		var added [][]sat.Lit
		var assumps []sat.Lit
		for range 40 {
			if r.IntN(4) == 0 || len(added) == 0 {
				for range 1 + r.IntN(n) {
					c := randomClause(r, n, 5)
					if len(c) < 3 && r.IntN(4) > 0 {
						continue
					}
					b.add(c)
					s.AddClauseTagged(int32(10+len(added)), c...)
					added = append(added, c)
				}
			}
			assumps = assumps[:r.IntN(len(assumps)+1)]
			for range r.IntN(4) {
				assumps = append(assumps, randomLit(r, n))
			}
			if s.sharedPrefix(assumps) > 0 {
				kept++
			}
			want := sat.Unsat
			if b.sat(units(assumps)...) {
				want = sat.Sat
			}
			if got := s.Solve(ctx, assumps...); got != want {
				t.Fatalf("seed %d: got %v, want %v", seed, got, want)
			}
			if want == sat.Sat {
				checkModel(t, uint64(seed), b, model(s, n), units(assumps))
			} else if b.sat(units(s.Failed())...) {
				t.Fatalf("seed %d: failed %v of %v do not suffice", seed, s.Failed(), assumps)
			} else {
				checkProof(t, s, added)
			}
		}
	}
	if kept < 500 && !testing.Short() {
		t.Errorf("only %d queries shared a prefix", kept)
	}
}

// TestModelReuse asks about each literal of random formulas, one after the other.
// Answers are checked, some of them come from a model that is there already, and
// none does after a clause.
func TestModelReuse(t *testing.T) {
	ctx := context.Background()
	quick, models := 0, 0
	for seed := range rounds(t, 200) {
		r := rand.New(rand.NewPCG(uint64(seed), 23))
		n := 10 + r.IntN(30)
		s := NewChecked(Options{Eliminate: seed%2 == 0}, func(err error) { t.Fatal(err) })
		s.elimMin, s.elimEffort = 10, 0
		plain := NewCDCL(Options{})
		add := func(c ...sat.Lit) {
			s.AddClause(c...)
			plain.AddClause(c...)
		}
		for range n {
			s.NewVar()
			plain.NewVar()
		}
		for range 2 * n {
			add(randomLit(r, n), randomLit(r, n), randomLit(r, n))
		}
		for range 4 * n {
			l := randomLit(r, n)
			effort := s.stats.Decisions + s.stats.Propagations
			st := s.Solve(ctx, l)
			plain.leaveQuery() // no model to use again
			if want := plain.Solve(ctx, l); st != want {
				t.Fatalf("seed %d: literal %d: %v, want %v", seed, l, st, want)
			}
			if st != sat.Sat {
				continue
			}
			if !s.opts.Eliminate {
				models++
				if s.stats.Decisions+s.stats.Propagations == effort {
					quick++
				}
			}
			if r.IntN(10) == 0 {
				add(l.Not())
				if st := s.Solve(ctx, l); st != sat.Unsat {
					t.Fatalf("seed %d: %v after the negation of literal %d", seed, st, l)
				}
			}
		}
	}
	if 4*quick < models {
		t.Errorf("%d of %d answers from a model", quick, models)
	}
}
