package subject

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/coverage"
	"netcov/internal/randaig"
	"netcov/mutant"
	"netcov/netlist"
)

// rounds is the number of random designs: fewer with -short.
func rounds() int {
	if testing.Short() {
		return 30
	}
	return 300
}

// everyNode lists all latches and gates of a file.
func everyNode(f *aiger.File) []mutant.Target {
	var out []mutant.Target
	for i := range f.Latches {
		out = append(out, mutant.Target{Index: i})
	}
	for i := range f.Ands {
		out = append(out, mutant.Target{Gate: true, Index: i})
	}
	return out
}

// TestMutantsAsFiles: a mutant has the verdict that model checking gives to its
// AIGER file, for safety and for liveness, with both places of the fault.
func TestMutantsAsFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 4))
	ctx := context.Background()
	verdicts := map[string]int{}
	for range rounds() {
		s := randaig.Everything()
		s.Latches, s.Inputs, s.Ands = 3, 2, 6
		f := randaig.New(r, s)
		n := netlist.FromAIGER(f)
		ps := n.Properties()
		if len(ps) == 0 {
			continue
		}
		number := r.IntN(len(ps))
		subject, err := New(f, n, number)
		if err != nil {
			t.Fatal(err)
		}
		opt := coverage.Options{Targets: everyNode(f), Faults: faultsFor(n, everyNode(f), ps[number].Kind), Mux: mutant.Mux(r.IntN(2)), Jobs: 1}
		res, err := subject.Cover(ctx, opt)
		if err != nil {
			t.Fatal(err)
		}
		if res.Properties[0] != number || subject.Property() != ps[number] {
			t.Fatalf("the result is about property %v", res.Properties)
		}
		kind := ps[number].Kind.String()
		for _, m := range res.Mutants {
			g, err := sim.Mutant(f, subject.Fault(m, opt.Mux))
			if err != nil {
				t.Fatal(err)
			}
			faulty, err := New(g, netlist.FromAIGER(g), number)
			if err != nil {
				t.Fatal(err)
			}
			p := faulty.Check(ctx, coverage.CheckOptions{})
			if err := faulty.Confirm(ctx, p); err != nil {
				t.Fatal(err)
			}
			if fails := p.Status == cert.Fails; fails != (m.Verdict == mutant.Covered) {
				t.Fatalf("%v, mux %v: %v, the mutant's file: %v", m, opt.Mux, m.Verdict, p.Status)
			}
			verdicts[kind+" "+m.Verdict.String()]++
		}
	}
	t.Log(verdicts)
	for _, due := range []string{"bad covered", "bad notcovered", "justice covered", "justice notcovered"} {
		if verdicts[due] == 0 {
			t.Errorf("no mutant is %s", due)
		}
	}
}

// TestConfirmRefuses: a trace without a loop is no counterexample of a liveness
// property, and what is no trace at all is none of a safety property.
func TestConfirmRefuses(t *testing.T) {
	ctx := context.Background()
	// A latch that keeps its free initial value: bad when 1, and infinitely often.
	f := &aiger.File{
		MaxVar: 1, Latches: []aiger.Latch{{Lit: 2, Next: 2, Reset: 2}},
		Bads: []aiger.Lit{2}, Justice: [][]aiger.Lit{{2}},
	}
	for number := range 2 {
		s, err := New(f, netlist.FromAIGER(f), number)
		if err != nil {
			t.Fatal(err)
		}
		p := s.Check(ctx, coverage.CheckOptions{})
		if p.Status != cert.Fails {
			t.Fatalf("property %d: %v", number, p.Status)
		}
		if err := s.Confirm(ctx, p); err != nil {
			t.Errorf("property %d: %v", number, err)
		}
		for i := range p.Trace.Latches {
			p.Trace.Latches[i] = false
		}
		for _, row := range p.Trace.Inputs {
			clear(row)
		}
		if err := s.Confirm(ctx, p); !errors.Is(err, coverage.ErrRecheck) {
			t.Errorf("property %d: a wrong trace: %v", number, err)
		}
	}
}

// TestRounds: a search for a lasso gives the same answer after any number of rounds,
// and the second opinion agrees.
func TestRounds(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 1))
	ctx := context.Background()
	answers, bounded := map[cert.Status]int{}, 0
	for range rounds() {
		f := randaig.New(r, randaig.Everything())
		n := netlist.FromAIGER(f)
		for number, p := range n.Properties() {
			if p.Kind != netlist.PropertyJustice {
				continue
			}
			s, err := New(f, n, number)
			if err != nil {
				t.Fatal(err)
			}
			var due cert.Status
			for i, rounds := range []int{0, 1, 4, 1 + r.IntN(40)} {
				if err := s.translate(rounds); err != nil {
					t.Fatal(err)
				}
				a := coverage.Check(ctx, s.netlist, s.position, coverage.CheckOptions{})
				if err := s.Confirm(ctx, a); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					due = a.Status
				}
				if a.Status != due || due == cert.Unknown {
					t.Fatalf("%v after %d rounds, %v at once", a.Status, rounds, due)
				}
			}
			answers[due]++
			if err := s.translate(0); err != nil {
				t.Fatal(err)
			}
			limited, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			a, _ := s.bounded(limited, 2, coverage.CheckOptions{})
			cancel()
			if a != nil {
				bounded++
				if err := s.Confirm(ctx, a); err != nil || due != cert.Holds {
					t.Fatalf("no run has %d rounds, but %v: %v", s.rounds, due, err)
				}
			}
		}
	}
	t.Log(answers, bounded)
	if bounded == 0 {
		t.Error("no property is proved by counting")
	}
	if answers[cert.Holds] == 0 || answers[cert.Fails] == 0 {
		t.Error("the sample is one-sided")
	}
}

// faultsFor are the faults of the nodes that are defined for a kind of property.
func faultsFor(n *netlist.Netlist, targets []mutant.Target, kind netlist.PropertyKind) []mutant.Fault {
	return slices.DeleteFunc(n.FaultsAt(targets), func(f mutant.Fault) bool {
		return f.Remembers() && kind == netlist.PropertyJustice
	})
}
