package certify

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
	"netcov/mutant"
)

// rounds gives the number of random designs: fewer with -short.
func rounds(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// breakIt changes an invariant somewhere.
func breakIt(r *rand.Rand, inv *cert.Invariant, n int) {
	if inv.Graph != nil {
		k := r.IntN(len(inv.Support))
		l := inv.Support[k].Lit ^ aig.Lit(r.IntN(2))
		if r.IntN(2) == 0 {
			inv.Formulas = append(inv.Formulas, l)
		} else {
			inv.Formulas[0] = inv.Graph.Or(inv.Formulas[0], l)
		}
		return
	}
	switch k := r.IntN(max(1, len(inv.Clauses))); {
	case len(inv.Clauses) > 0 && r.IntN(2) == 0:
		inv.Clauses = append(inv.Clauses[:k], inv.Clauses[k+1:]...)
	case len(inv.Clauses) > 0 && r.IntN(2) == 0:
		i := r.IntN(len(inv.Clauses[k]))
		inv.Clauses[k] = append(inv.Clauses[k][:i:i], inv.Clauses[k][i+1:]...)
	default:
		var c cert.Clause
		for range 1 + r.IntN(2) {
			c = append(c, cert.MkStateLit(r.IntN(n), r.IntN(2) == 0))
		}
		inv.Clauses = append(inv.Clauses, c)
	}
}

// TestInvariantsAgainstEnumeration gives the checker good and broken
// invariants of single mutants and of sets, and compares with the conditions as
// they are defined, evaluated state by state.
func TestInvariantsAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	count := map[string]int{}
	for round := range rounds(2500) {
		f := randomFile(r)
		if err := f.Check(); err != nil {
			t.Fatal(err)
		}
		bads, _, _ := f.Properties()
		property := r.IntN(len(bads))
		k := NewChecker(f, property)
		k.Solver = Solver(r.IntN(30) / 14) // mostly gini and gophersat, seldom both
		ms := allMutations(f, mutant.Mux(r.IntN(2)))
		if r.IntN(8) == 0 {
			ms = append(ms, allMutations(f, mutant.Mux(r.IntN(2)))...)
		}
		n := len(f.Latches) + 1
		for range 6 {
			m := ms[r.IntN(len(ms))]
			reached, _ := newOracle(f, property, &m).search()
			set := []Mutation{m}
			switch r.IntN(3) {
			case 0: // several that this invariant may serve
				for range r.IntN(len(ms)) {
					other := ms[r.IntN(len(ms))]
					set = append(set, other)
					if r.IntN(2) == 0 {
						more, _ := newOracle(f, property, &other).search()
						for c := range more {
							reached[c] = true
						}
					}
				}
			case 1:
				if r.IntN(3) == 0 {
					set = nil
					reached, _ = newOracle(f, property, nil).search()
				}
			}
			inv := exact(reached, n, r.IntN(2) == 0)
			if r.IntN(2) == 0 {
				breakIt(r, inv, n)
			}
			failing := map[Mutation]map[Condition]bool{}
			for _, m := range set {
				if bad := newOracle(f, property, &m).fails(inv); len(bad) > 0 {
					failing[m] = bad
				}
			}
			original := newOracle(f, property, nil).fails(inv)
			err := k.Invariant(context.Background(), inv, set)
			var failure *Failure
			switch {
			case err == nil:
				if len(failing) > 0 || set == nil && len(original) > 0 {
					t.Fatalf("round %d: accepted, fails %v %v\n%+v\nmutants %v", round, failing, original, f, set)
				}
				count["accepted"]++
			case !errors.As(err, &failure):
				t.Fatal(err)
			case failure.Mutation == nil:
				if set != nil || !original[failure.Condition] {
					t.Fatalf("round %d: %v, but really %v", round, err, original)
				}
				count["original"]++
			case !failing[*failure.Mutation][failure.Condition]:
				t.Fatalf("round %d: %v, but really %v\n%+v", round, err, failing, f)
			default:
				count[failure.Condition.String()]++
			}
		}
	}
	t.Log(count)
	for _, c := range []string{"accepted", "original", "initiation", "consecution", "safety"} {
		if count[c] < rounds(2500)/100 {
			t.Errorf("only %d cases of %q: the test says little", count[c], c)
		}
	}
}

// TestTracesAgainstEnumeration replays shortest counterexamples and spoilt ones
// on all mutants.
func TestTracesAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	accepted, refused := 0, 0
	for range rounds(2500) {
		f := randomFile(r)
		bads, _, _ := f.Properties()
		property := r.IntN(len(bads))
		k := NewChecker(f, property)
		ms := allMutations(f, mutant.Mux(r.IntN(2)))
		if _, tr := newOracle(f, property, nil).search(); tr != nil {
			if err := k.Trace(tr); err != nil {
				t.Fatal(err)
			}
		}
		for range 6 {
			m := ms[r.IntN(len(ms))]
			_, tr := newOracle(f, property, &m).search()
			if tr == nil {
				continue
			}
			if r.IntN(2) == 0 {
				row := tr.Inputs[r.IntN(len(tr.Inputs))]
				if len(row) > 0 {
					i := r.IntN(len(row))
					row[i] = !row[i]
				}
			}
			if !m.Fault.Free() { // so that all mutants can run it
				for i := range tr.Inputs {
					tr.Inputs[i] = append(tr.Inputs[i], r.IntN(2) == 0)
				}
			}
			var good, bad []Mutation
			for _, m := range ms {
				want := newOracle(f, property, &m).run(tr)
				if err := k.Trace(tr, m); (err == nil) != want {
					t.Fatalf("%v: %v, want success %v\n%+v\n%+v", m, err, want, f, tr)
				}
				if want {
					good = append(good, m)
				} else {
					bad = append(bad, m)
				}
			}
			accepted, refused = accepted+len(good), refused+len(bad)
			if len(good) > 0 {
				if err := k.Trace(tr, good...); err != nil {
					t.Fatal(err)
				}
			}
			if len(bad) > 0 && k.Trace(tr, append(good, bad[0])...) == nil {
				t.Fatal("a set with one mutant that the trace does not serve was accepted")
			}
		}
	}
	t.Log(accepted, "accepted,", refused, "refused")
	if accepted < 100 || refused < 100 {
		t.Error("the test says little")
	}
}

func clauses(cs ...cert.Clause) *cert.Invariant { return &cert.Invariant{Clauses: cs} }

// wantFailure checks that an invariant is refused for one condition.
func wantFailure(t *testing.T, f *aiger.File, inv *cert.Invariant, m Mutation, want Condition) {
	t.Helper()
	var failure *Failure
	err := NewChecker(f, 0).Invariant(context.Background(), inv, []Mutation{m})
	if !errors.As(err, &failure) || failure.Condition != want || *failure.Mutation != m {
		t.Errorf("%v: got %v, want a failure of %v", m, err, want)
	}
}

// TestTrapLemma4: R = not v stays inductive when v is stuck at 1, since R speaks
// of what v stores, yet the mutant is bad in frame 0 (DAC10, lemma 4).
func TestTrapLemma4(t *testing.T) {
	f := &aiger.File{MaxVar: 1, Latches: []aiger.Latch{{Lit: 2, Next: 0}}, Bads: []aiger.Lit{2}}
	r := clauses(cert.Clause{cert.MkStateLit(0, true)})
	if err := NewChecker(f, 0).Invariant(context.Background(), r, nil); err != nil {
		t.Error(err)
	}
	wantFailure(t, f, r, Mutation{Fault: mutant.One}, Safety)
	wantFailure(t, f, r, Mutation{Fault: mutant.Nondet}, Safety)
	if err := NewChecker(f, 0).Invariant(context.Background(), r, []Mutation{{Fault: mutant.Zero}}); err != nil {
		t.Error(err)
	}
}

// TestTrapFirstFrame: bad = x and y, x: 0 -> 0, y: 1 -> 0. A free x fails in
// frame 0 only, which no step of a proof speaks of.
func TestTrapFirstFrame(t *testing.T) {
	f := &aiger.File{
		MaxVar:  3,
		Latches: []aiger.Latch{{Lit: 2}, {Lit: 4, Reset: 1}},
		Ands:    []aiger.And{{Lhs: 6, Rhs0: 4, Rhs1: 2}},
		Bads:    []aiger.Lit{6},
	}
	free := Mutation{Fault: mutant.Nondet}
	wantFailure(t, f, clauses(cert.Clause{cert.MkStateLit(0, true)}), free, Safety)
	wantFailure(t, f, clauses(cert.Clause{cert.MkStateLit(1, true)}), free, Initiation)
	if err := NewChecker(f, 0).Trace(&cert.Trace{Latches: []bool{false, true}, Inputs: [][]bool{{true}}}, free); err != nil {
		t.Error(err)
	}
	// With the multiplexer on the next-state input frame 0 shows the reset.
	free.Mux = mutant.AtNext
	r := clauses(cert.Clause{cert.MkStateLit(0, true), cert.MkStateLit(1, true)})
	if err := NewChecker(f, 0).Invariant(context.Background(), r, []Mutation{free}); err != nil {
		t.Error(err)
	}
}

// TestTrapFaultsInTime: a stuck-at value is the same in the frame before and in
// the one after (bad = v now, differs from v before), a free one is not.
func TestTrapFaultsInTime(t *testing.T) {
	// v: latch 0; w: stores what v showed; bad = v and not w and not first.
	f := &aiger.File{
		MaxVar: 5,
		Latches: []aiger.Latch{
			{Lit: 2, Next: 2},
			{Lit: 4, Next: 2},
			{Lit: 6, Next: 1}, // 0 in frame 0
		},
		Ands: []aiger.And{{Lhs: 8, Rhs0: 2, Rhs1: 5}, {Lhs: 10, Rhs0: 8, Rhs1: 6}},
		Bads: []aiger.Lit{10},
	}
	// From frame 1 on w stores what v showed.
	k := NewChecker(f, 0)
	ctx := context.Background()
	r := clauses(cert.Clause{cert.MkStateLit(2, true), cert.MkStateLit(1, false)})
	if err := k.Invariant(ctx, r, []Mutation{{Fault: mutant.One}}); err != nil {
		t.Error(err)
	}
	for _, m := range []Mutation{{Fault: mutant.Nondet}} {
		tr := &cert.Trace{Latches: []bool{false, false, false}, Inputs: [][]bool{{false}, {true}}}
		if err := k.Trace(tr, m); err != nil {
			t.Error(err)
		}
		if err := k.Trace(tr, Mutation{Fault: mutant.One}); err == nil {
			t.Error("a trace that changes a stuck-at value in time was accepted")
		}
	}
}

// TestTrapConstraints: a trace that breaks a constraint, before or in the bad
// step, is no counterexample; and a mutant whose constraints have no run is safe.
func TestTrapConstraints(t *testing.T) {
	// Latch 0 toggles from 0; constraint: latch 1, which stays 1; bad = latch 0.
	f := &aiger.File{
		MaxVar:      2,
		Latches:     []aiger.Latch{{Lit: 2, Next: 3}, {Lit: 4, Next: 4, Reset: 1}},
		Bads:        []aiger.Lit{2},
		Constraints: []aiger.Lit{4},
	}
	k := NewChecker(f, 0)
	tr := &cert.Trace{Latches: []bool{false, true}, Inputs: [][]bool{{}, {}}}
	if err := k.Trace(tr); err != nil {
		t.Error(err)
	}
	vacuous := Mutation{Index: 1, Fault: mutant.Zero}
	if err := k.Trace(tr, vacuous); err == nil {
		t.Error("a trace that breaks the constraint was accepted")
	}
	if err := k.Invariant(context.Background(), clauses(), []Mutation{vacuous}); err != nil {
		t.Error(err)
	}
}

// TestBadInput: positions outside of the file are errors, not panics.
func TestBadInput(t *testing.T) {
	f := &aiger.File{MaxVar: 1, Latches: []aiger.Latch{{Lit: 2}}, Bads: []aiger.Lit{2}}
	ctx := context.Background()
	k := NewChecker(f, 0)
	graph := aig.NewGraph()
	leaf := graph.Latch()
	for name, err := range map[string]error{
		"latch":    k.Invariant(ctx, clauses(), []Mutation{{Index: 1}}),
		"negative": k.Invariant(ctx, clauses(), []Mutation{{Index: -1}}),
		"gate":     k.Invariant(ctx, clauses(), []Mutation{{Gate: true}}),
		"clause":   k.Invariant(ctx, clauses(cert.Clause{cert.MkStateLit(3, false)}), nil),
		"property": NewChecker(f, 1).Invariant(ctx, clauses(), nil),
		"no graph": k.Invariant(ctx, &cert.Invariant{Formulas: []aig.Lit{2}}, nil),
		"no leaf":  k.Invariant(ctx, &cert.Invariant{Graph: graph, Formulas: []aig.Lit{leaf}}, nil),
		"edge":     k.Invariant(ctx, &cert.Invariant{Graph: graph, Formulas: []aig.Lit{leaf + 2}}, nil),
		"no steps": k.Trace(&cert.Trace{}),
		"row":      k.Trace(&cert.Trace{Inputs: [][]bool{{true, true}}}),
		"trace":    k.Trace(&cert.Trace{Inputs: [][]bool{{}}}, Mutation{Index: 3}),
	} {
		if failure := new(Failure); err == nil || errors.As(err, &failure) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := k.Invariant(ended, clauses(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: got %v", err)
	}
}

// TestOutside: mutants outside of the cone of influence behave as the design.
func TestOutside(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 4))
	outside := 0
	for range rounds(1500) {
		f := randomFile(r)
		k := NewChecker(f, 0)
		ms := allMutations(f, mutant.Mux(r.IntN(2)))
		m := ms[r.IntN(len(ms))]
		out, err := k.Outside(m)
		if err != nil {
			t.Fatal(err)
		}
		if !out {
			continue
		}
		outside++
		_, a := newOracle(f, 0, nil).search()
		_, b := newOracle(f, 0, &m).search()
		if (a == nil) != (b == nil) || a != nil && len(a.Inputs) != len(b.Inputs) {
			t.Fatalf("%v is not outside of the cone\n%+v", m, f)
		}
	}
	if outside < 50 {
		t.Error("the test says little")
	}
}

// TestConcurrentUse: one checker serves several goroutines.
func TestConcurrentUse(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 5))
	for range 20 {
		f := randomFile(r)
		k := NewChecker(f, 0)
		ms := allMutations(f, mutant.AtOutput)
		invs := make([]*cert.Invariant, 8)
		want := make([]string, len(invs))
		for i := range invs {
			reached, _ := newOracle(f, 0, &ms[r.IntN(len(ms))]).search()
			invs[i] = exact(reached, len(f.Latches)+1, i%2 == 0)
			want[i] = fmt.Sprint(k.Invariant(context.Background(), invs[i], ms[:1]))
		}
		var group sync.WaitGroup
		for i := range invs {
			group.Go(func() {
				if got := fmt.Sprint(k.Invariant(context.Background(), invs[i], ms[:1])); got != want[i] {
					t.Errorf("got %s, want %s", got, want[i])
				}
			})
		}
		group.Wait()
	}
}

// pigeons makes a file whose bad-state literal is never 1, for a reason that takes
// a solver long: n+1 pigeons do not fit into n holes.
func pigeons(n int) *aiger.File {
	b := newBuilder()
	in := make([][]aiger.Lit, n+1)
	for p := range in {
		for range n {
			in[p] = append(in[p], b.input(""))
		}
	}
	var all []aiger.Lit
	for p := range in {
		var none []aiger.Lit
		for _, l := range in[p] {
			none = append(none, l^1)
		}
		all = append(all, b.all(none)^1)
		for q := range p {
			for h := range n {
				all = append(all, b.and(in[p][h], in[q][h])^1)
			}
		}
	}
	b.Bads = []aiger.Lit{b.all(all)}
	return &b.File
}

// TestCancel: a running query ends soon after its context, and leaves nothing
// behind.
func TestCancel(t *testing.T) {
	defer goleak.VerifyNone(t)
	k := NewChecker(pigeons(13), 0)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	err := k.Invariant(ctx, clauses(), nil)
	if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > 5*time.Second {
		t.Errorf("%v after %v", err, took)
	}
	if err := NewChecker(pigeons(5), 0).Invariant(context.Background(), clauses(), nil); err != nil {
		t.Error(err)
	}
}
