package similarity

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
)

// pair is a random implementation and a specification that simulates it more
// often than not: a copy with states split, transitions and states added.
func pair(rng *rand.Rand) (impl, spec *structure.Structure) {
	impl = random.Structure(rng, 1+rng.IntN(7), 1+rng.IntN(3), 1+rng.IntN(3))
	if rng.IntN(4) == 0 {
		return impl, random.Structure(rng, 1+rng.IntN(8), rng.IntN(len(impl.AP)+1), 3)
	}
	return impl, abstraction(rng, impl, impl.AP[:rng.IntN(len(impl.AP)+1)])
}

// abstraction simulates k over the given propositions: every state one or two
// times, all its transitions, and a few more states and transitions.
func abstraction(rng *rand.Rand, k *structure.Structure, ap []string) *structure.Structure {
	b := structure.NewBuilder(ap)
	var copies [][]int
	names := 0
	add := func(s int) int {
		var holds []string
		for _, q := range k.Label(s) {
			if slices.Contains(ap, q) {
				holds = append(holds, q)
			}
		}
		names++
		return b.AddState("t"+strings.Repeat("'", names), holds...)
	}
	for s := range k.Len() {
		copies = append(copies, []int{add(s)})
		if rng.IntN(3) == 0 {
			copies[s] = append(copies[s], add(s))
		}
	}
	for range rng.IntN(10) { // wide states need many successors
		s := rng.IntN(k.Len())
		copies[s] = append(copies[s], add(s))
	}
	for s := range k.Len() {
		for _, c := range copies[s] {
			for _, t := range k.Successors(s) {
				to := copies[t]
				b.AddTransition(c, to[rng.IntN(len(to))])
				for _, x := range to {
					if rng.IntN(2) == 0 {
						b.AddTransition(c, x)
					}
				}
			}
		}
	}
	for range rng.IntN(4) {
		b.AddTransition(rng.IntN(names), rng.IntN(names))
	}
	for range rng.IntN(2) * names * 2 {
		b.AddTransition(0, rng.IntN(names))
	}
	for _, s := range k.Initial {
		b.AddInitial(copies[s][0])
		if rng.IntN(4) == 0 {
			b.AddInitial(rng.IntN(names))
		}
	}
	out, err := b.Build()
	if err != nil {
		panic(err)
	}
	return out
}

func rounds(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

func TestSimilarityAgainstSchematic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	simulated, wide := 0, 0
	for range rounds(5000) {
		impl, spec := pair(rng)
		p, err := NewProblem(impl, spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Similarity(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want := p.Schematic()
		for w := range want {
			if !want[w].Equal(r.Sim[w]) {
				t.Fatalf("sim(%d) = %v, want %v", w, r.Sim[w].List(), want[w].List())
			}
		}
		for v := range spec.Len() {
			if len(spec.Successors(v)) > narrow {
				wide++
			}
		}
		if p.Simulates(r) {
			simulated++
			if why, err := p.Why(context.Background(), r); why != nil || err != nil {
				t.Fatalf("a reason although it is simulated, %v", err)
			}
			continue
		}
		why, err := p.Why(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		checkReason(t, p, why)
	}
	if n := rounds(5000); simulated < n/4 || simulated > n*9/10 || wide < n/20 {
		t.Errorf("%d of %d simulated, %d wide states: the cases are one-sided", simulated, n, wide)
	}
}

// checkReason follows the reason by the definitions.
func checkReason(t *testing.T, p *Problem, why *Reason) {
	t.Helper()
	if why == nil || len(why.Path) == 0 || !slices.Contains(p.Impl.Initial, why.Path[0]) {
		t.Fatalf("reason %v", why)
	}
	can := p.Spec.Initial
	for n, w := range why.Path {
		if n > 0 && !slices.Contains(p.Impl.Successors(why.Path[n-1]), int32(w)) {
			t.Fatalf("%v is no path", why.Path)
		}
		var fit []int
		for _, w2 := range can {
			if p.agree(w, w2) {
				fit = append(fit, w2)
			}
		}
		last := n == len(why.Path)-1
		if last != (len(fit) == 0) && (last || why.Trace) {
			t.Fatalf("step %d of %+v: %v fit", n, why, fit)
		}
		if last {
			return
		}
		can = nil
		if !why.Trace {
			if !slices.Contains(fit, why.Answer[n]) {
				t.Fatalf("the answer %d does not fit", why.Answer[n])
			}
			fit = []int{why.Answer[n]}
		}
		for _, w2 := range fit {
			for _, u := range p.Spec.Successors(w2) {
				can = append(can, int(u))
			}
		}
	}
}

// TestBranchingReason has equal traces and no simulation.
func TestBranchingReason(t *testing.T) {
	build := func(text string) *structure.Structure {
		k, err := structure.Read("k", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	impl := build("ap p q\ninit a\nstate a -> b\nstate b -> c d\nstate c {p} -> c\nstate d {q} -> d\n")
	spec := build("ap p q\ninit A\nstate A -> B1 B2\nstate B1 -> C\nstate B2 -> D\nstate C {p} -> C\nstate D {q} -> D\n")
	p, err := NewProblem(impl, spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Similarity(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	why, err := p.Why(context.Background(), r)
	if err != nil || why == nil || why.Trace || len(why.Path) != 3 || len(why.Answer) != 2 {
		t.Fatalf("reason %+v", why)
	}
	checkReason(t, p, why)
}

// oracle decides coverage by the definition, with the schematic algorithm.
func oracle(p *Problem, mutants []Mutant) []bool {
	out := make([]bool, len(mutants))
	for n, m := range mutants {
		x := *p
		a, _ := p.Impl.Proposition(m.Signal)
		x.Impl = p.Impl.Flip(a, m.State)
		out[n] = unmatched(x.Schematic(), p.Impl.Initial, p.Spec.InitialSet()) >= 0
	}
	return out
}

func TestCoverageAgainstDefinition(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(3, 4))
	compared, covered, total := 0, 0, 0
	for compared < rounds(2000) {
		impl, spec := pair(rng)
		p, err := NewProblem(impl, spec)
		if err != nil {
			t.Fatal(err)
		}
		var mutants []Mutant
		switch rng.IntN(3) {
		case 0:
			mutants = p.MutantsOf(impl.AP[rng.IntN(len(impl.AP))])
		case 1:
			for w := range impl.Len() {
				for _, q := range impl.AP {
					if rng.IntN(2) == 0 {
						mutants = append(mutants, Mutant{w, q})
					}
				}
			}
		default:
			for range rng.IntN(3) {
				mutants = append(mutants, Mutant{rng.IntN(impl.Len()), impl.AP[rng.IntN(len(impl.AP))]})
			}
		}
		want := oracle(p, mutants)
		simulated := unmatched(p.Schematic(), impl.Initial, spec.InitialSet()) < 0
		if simulated {
			compared++
		}
		for _, opt := range []Options{{Algorithm: Naive}, {Algorithm: Halving, Seed: rng.Uint64()}, {Algorithm: Symbolic}, {Algorithm: Symbolic, Plain: true}} {
			c, err := p.Cover(ctx, mutants, opt)
			if !simulated {
				if !errors.Is(err, ErrNotSimulated) {
					t.Fatalf("%v: %v, want %v", opt, err, ErrNotSimulated)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%v: %v", opt, err)
			}
			if !slices.Equal(c.Covered, want) {
				t.Fatalf("%v: %v, want %v for %v", opt, c.Covered, want, mutants)
			}
			if opt.Algorithm == Symbolic {
				_, candidates, _ := p.reduce(mutants)
				ri, _ := impl.ReachablePart()
				rs, _ := spec.ReachablePart()
				n := max(symbolic.BitsFor(ri.Len()), symbolic.BitsFor(rs.Len()), symbolic.BitsFor(len(candidates)))
				if tracks := map[bool]int{false: 3, true: 6}[opt.Plain]; c.Variables != tracks*n {
					t.Fatalf("%d variables, want %d·%d", c.Variables, tracks, n)
				}
			}
		}
		if simulated {
			for _, x := range want {
				total++
				if x {
					covered++
				}
			}
		}
	}
	if covered < total/10 || covered > total*9/10 {
		t.Errorf("%d of %d mutants covered: the cases are one-sided", covered, total)
	}
}

func TestReadMutants(t *testing.T) {
	k, err := structure.Read("k", []byte("ap p q\ninit a\nstate a {p} -> b\nstate b {q} -> \"c d\"\nstate \"c d\" -> a\n"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(k, k)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		want []Mutant
		err  string
	}{
		{"# none\n\n", nil, ""},
		{"b p\na q\nb p", []Mutant{{0, "q"}, {1, "p"}}, ""},
		{"b,p\na, q", []Mutant{{0, "q"}, {1, "p"}}, ""},
		{"* q", []Mutant{{0, "q"}, {1, "q"}, {2, "q"}}, ""},
		{"\"c d\" p\n[!(p | q)] q\n[p -> q] p", []Mutant{{1, "p"}, {2, "p"}, {2, "q"}}, ""},
		{"a", nil, "mut:1: expected STATE SIGNAL"},
		{"a x", nil, `no signal "x"; there are p, q`},
		{"\nx p", nil, `mut:2: there is no state "x"`},
		{"[AG p] p", nil, "temporal operator"},
		{"[p &] p", nil, "expected"},
		{"[z] p", nil, `no signal "z"`},
	} {
		got, _, err := p.ReadMutants("mut", strings.NewReader(c.text), false)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v, want %q", c.text, err, c.err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v %v, want %v", c.text, got, err, c.want)
		}
	}
	got, unlisted, err := p.ReadMutants("mut", strings.NewReader("x p\nb p\nx q\n"), true)
	if err != nil || !slices.Equal(got, []Mutant{{1, "p"}}) || !slices.Equal(unlisted, []string{"x"}) {
		t.Errorf("partial: %v %v %v", got, unlisted, err)
	}
}

// TestReadMutantsBlanks: names of signals with blanks, as comparisons have.
func TestReadMutantsBlanks(t *testing.T) {
	k, err := structure.Read("k", []byte("ap \"n = 5\" 5 \"= 5\"\ninit a\nstate a -> \"b c\"\nstate \"b c\" -> a\n"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(k, k)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := p.ReadMutants("mut", strings.NewReader("a \"n = 5\"\n\"b c\", \"= 5\"\nb c \"n = 5\"\na 5\n"), false)
	if want := []Mutant{{0, "5"}, {0, "n = 5"}, {1, "= 5"}, {1, "n = 5"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func TestProblems(t *testing.T) {
	read := func(text string) *structure.Structure {
		k, err := structure.Read("k", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	small := read("ap p\ninit a\nstate a -> a\n")
	large := read("ap p x y\ninit a\nstate a -> a\n")
	for _, c := range []struct {
		impl, spec *structure.Structure
		want       string
	}{{small, large, "lacks the specification's proposition x, y"}} {
		if _, err := NewProblem(c.impl, c.spec); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	p, err := NewProblem(large, small)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, m := range []Mutant{{9, "p"}, {0, "z"}} {
		if _, err := p.Cover(context.Background(), []Mutant{m}, Options{}); err == nil {
			t.Errorf("%v: no error", m)
		}
	}
	if _, err := p.Cover(context.Background(), nil, Options{Algorithm: "quick"}); err == nil {
		t.Error("an unknown algorithm is no error")
	}
	k := random.Structure(rand.New(rand.NewPCG(1, 1)), 60, 2, 2)
	if p, err = NewProblem(k, k); err != nil {
		t.Fatal(err)
	}
	for _, a := range []Algorithm{Naive, Halving} {
		if _, err := p.Cover(cancelled, p.MutantsOf("p"), Options{Algorithm: a}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v after the end of the context", a, err)
		}
	}
}
