package subject

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/coverage"
	"netcov/coverage/journal"
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
			b := &bounding{s: s, rounds: 2}
			a := b.slice(ctx, 10*time.Millisecond)
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

// TestCoverAfterRounds: mutants that are judged by a search that begins after any number
// of rounds have the verdicts that enumeration finds; a run that takes the journal up has
// the same, and knows the rounds.
func TestCoverAfterRounds(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 2))
	ctx := context.Background()
	verdicts, counted := map[mutant.Verdict]int{}, 0
	for range rounds() / 4 {
		f := randaig.New(r, randaig.Everything())
		n := netlist.FromAIGER(f)
		for number, p := range n.Properties() {
			if p.Kind != netlist.PropertyJustice || len(f.Latches) == 0 {
				continue
			}
			s, err := New(f, n, number)
			if err != nil {
				t.Fatal(err)
			}
			proof := &coverage.Answer{}
			if bound := (&bounding{s: s, rounds: 1 + r.IntN(3)}).slice(ctx, 10*time.Millisecond); bound != nil {
				proof = bound
				proof.Rounds = s.rounds
				counted++
			} else {
				rounds := 1 + r.IntN(4)
				if err := s.translate(rounds); err != nil {
					t.Fatal(err)
				}
				if proof = coverage.Check(ctx, s.netlist, s.position, coverage.CheckOptions{}); proof.Status != cert.Holds {
					continue
				}
				proof.Rounds = rounds
			}
			opt := coverage.Options{Targets: everyNode(f), Faults: faultsFor(n, everyNode(f), p.Kind), Mux: mutant.Mux(r.IntN(2)), Proof: proof}
			path := filepath.Join(t.TempDir(), "journal")
			if opt.Journal, _, _, err = journal.Open(path, journal.Header{}); err != nil {
				t.Fatal(err)
			}
			first, err := s.Cover(ctx, opt)
			if err != nil {
				t.Fatal(err)
			}
			opt.Journal.Close()
			for _, m := range first.Mutants {
				fault := s.Fault(m, opt.Mux)
				due, err := explicit.Covered(f, number, fault)
				if err != nil {
					t.Fatal(err)
				}
				if due != (m.Verdict == mutant.Covered) || m.Verdict == mutant.Unknown {
					t.Fatalf("%v after %d rounds: %v, enumeration says fails: %v", m, proof.Rounds, m.Verdict, due)
				}
				verdicts[m.Verdict]++
			}
			// Some of it again, with what was recorded.
			again, records, _, err := journal.Open(path, journal.Header{})
			if err != nil {
				t.Fatal(err)
			}
			opt.Journal, opt.Proof = again, nil
			opt.Resume = []coverage.Source{{Records: records[:1+r.IntN(len(records))]}}
			fresh, err := New(f, n, number)
			if err != nil {
				t.Fatal(err)
			}
			second, err := fresh.Cover(ctx, opt)
			if err != nil {
				t.Fatal(err)
			}
			again.Close()
			if second.Proof.Rounds != proof.Rounds || fresh.rounds != proof.Rounds {
				t.Fatalf("%d rounds were recorded, %d taken up", proof.Rounds, second.Proof.Rounds)
			}
			for i, m := range second.Mutants {
				if m.Verdict != first.Mutants[i].Verdict {
					t.Fatalf("%v: %v, at first %v", m, m.Verdict, first.Mutants[i].Verdict)
				}
			}
		}
	}
	t.Log(verdicts, counted)
	if verdicts[mutant.Covered] == 0 || verdicts[mutant.NotCovered] == 0 || counted == 0 {
		t.Error("the sample is one-sided")
	}
}

// TestRecordedRounds: a journal that asks for a search after absurdly many rounds is
// refused before anything is built.
func TestRecordedRounds(t *testing.T) {
	f := &aiger.File{MaxVar: 1, Latches: []aiger.Latch{{Lit: 2, Next: 2}}, Justice: [][]aiger.Lit{{2}}}
	s, err := New(f, netlist.FromAIGER(f), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, rounds := range []string{"-1", "1025", "1000000000"} {
		record := json.RawMessage(`{"kind":"proof","property":0,"status":"holds","engine":"ic3","invariant":{},"rounds":` + rounds + `}`)
		if _, err := s.Cover(context.Background(), coverage.Options{Resume: []coverage.Source{{Records: []json.RawMessage{record}}}}); !errors.Is(err, coverage.ErrResume) {
			t.Errorf("%s rounds: %v", rounds, err)
		}
	}
}

// faultsFor are the faults of the nodes that are defined for a kind of property.
func faultsFor(n *netlist.Netlist, targets []mutant.Target, kind netlist.PropertyKind) []mutant.Fault {
	return slices.DeleteFunc(n.FaultsAt(targets), func(f mutant.Fault) bool {
		return f.Remembers() && kind == netlist.PropertyJustice
	})
}

// TestEnumerationOfMutants: what the test ENUMERATION settles alone is what another
// enumeration says, after any number of rounds.
func TestEnumerationOfMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 5))
	settled := map[mutant.Verdict]int{}
	for range rounds() / 4 {
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
			opt := coverage.Options{
				Targets: everyNode(f), Faults: faultsFor(n, everyNode(f), p.Kind), Mux: mutant.Mux(r.IntN(2)),
				Tests: []string{coverage.TestEnumeration},
			}
			if len(opt.Targets) == 0 {
				continue
			}
			res, err := s.Cover(context.Background(), opt)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range res.Mutants {
				if m.Verdict == mutant.Unknown {
					continue
				}
				settled[m.Verdict]++
				covered, err := explicit.Covered(f, number, s.Fault(m, opt.Mux))
				if err != nil {
					t.Fatal(err)
				}
				if covered != (m.Verdict == mutant.Covered) {
					t.Fatalf("%v by %s: %v", m, m.Test, m.Verdict)
				}
			}
		}
	}
	t.Log(settled)
	if settled[mutant.Covered] == 0 || settled[mutant.NotCovered] == 0 {
		t.Error("the sample is one-sided")
	}
}

// TestFewStatesManyRounds: a counter that stops after 255 odd steps has too many rounds of
// justice for a count, and few states.
func TestFewStatesManyRounds(t *testing.T) {
	const bits = 9
	f := &aiger.File{MaxVar: bits}
	and := func(a, b aiger.Lit) aiger.Lit {
		f.MaxVar++
		f.Ands = append(f.Ands, aiger.And{Lhs: 2 * f.MaxVar, Rhs0: a, Rhs1: b})
		return 2 * f.MaxVar
	}
	top := aiger.Lit(2)
	for i := 1; i < bits; i++ {
		top = and(top, aiger.Lit(2+2*i))
	}
	carry := top ^ 1
	f.Justice = [][]aiger.Lit{{and(2, carry)}}
	for i := range bits {
		bit := aiger.Lit(2 + 2*i)
		both := and(bit, carry)
		f.Latches = append(f.Latches, aiger.Latch{Lit: bit, Next: and(both^1, and(bit^1, carry^1)^1)})
		carry = both
	}
	s, err := New(f, netlist.FromAIGER(f), 0)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Check(context.Background(), coverage.CheckOptions{})
	if p.Status != cert.Holds || p.Engine != coverage.EngineEnumeration {
		t.Fatalf("%v by %s", p.Status, p.Engine)
	}
	if err := s.Confirm(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	res, err := s.Cover(context.Background(), coverage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range res.Mutants {
		covered, err := explicit.Covered(f, 0, s.Fault(m, mutant.AtOutput))
		if err != nil {
			t.Fatal(err)
		}
		if m.Verdict == mutant.Unknown || covered != (m.Verdict == mutant.Covered) {
			t.Errorf("%v: %v, enumeration says fails: %v", m, m.Verdict, covered)
		}
	}
}

// TestTestsOfJustice: beside a set of safety properties, too, a justice property is asked by
// the tests for one, and tests that were chosen stay.
func TestTestsOfJustice(t *testing.T) {
	own := coverage.WithLassos(coverage.DefaultTests())
	if !slices.Contains(own, coverage.TestEnumeration) || !slices.Equal(own, coverage.WithLassos(coverage.SetTests(false))) {
		t.Errorf("the tests are %v", own)
	}
	if gates := coverage.WithLassos(coverage.SetTests(true)); !slices.Contains(gates, coverage.TestCore) || !slices.Equal(gates, coverage.WithLassos(coverage.GateTests())) {
		t.Errorf("the tests of gates are %v", gates)
	}
	if chosen := []string{coverage.TestCone, coverage.TestIC3}; !slices.Equal(chosen, coverage.WithLassos(chosen)) {
		t.Error("tests that were chosen are changed")
	}
}
