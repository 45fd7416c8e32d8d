package ctl

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
)

// isPath checks a trace against a structure and returns its states' numbers.
// A circuit's step ⟨s, i⟩ is named "s,i" in the structure.
func isPath(t *testing.T, k *structure.Structure, tr *Trace) []int {
	t.Helper()
	var states []int
	for _, s := range tr.Steps {
		name := s.State
		if s.Inputs != "" {
			name += "," + s.Inputs
		}
		n := slices.Index(k.States, name)
		if n < 0 {
			t.Fatalf("no state %s", name)
		}
		for _, p := range s.Holds {
			if i, _ := k.Proposition(p); !k.Holds(n, i) {
				t.Fatalf("%s does not hold in %s", p, name)
			}
		}
		states = append(states, n)
	}
	if !slices.Contains(k.Initial, states[0]) {
		t.Fatalf("the computation starts in %s", k.States[states[0]])
	}
	step := func(a, b int) {
		if !slices.Contains(k.Successors(a), int32(b)) {
			t.Fatalf("no transition from %s to %s", k.States[a], k.States[b])
		}
	}
	for i := range states[1:] {
		step(states[i], states[i+1])
	}
	if tr.Loop >= 0 {
		step(states[len(states)-1], states[tr.Loop])
	}
	return states
}

func TestCounterexamples(t *testing.T) {
	ctx := context.Background()
	linear := map[string]bool{ // one path shows that they fail
		"AG p": true, "AF q": true, "A[p U q]": true, "A[p W q]": true, "A[q V p]": true, "AX AX p": true,
		"AG (p -> AX q)": true, "AG (p -> AF q)": true, "AX (p | AG q)": true, "A[p U AF q]": true, "AG (p -> A[p U q])": true,
		"EF p": false, "AG EF p": false, "EG (p | EX q) & AF p": false, "E[p U q] -> AX p": false,
	}
	shown := 0
	for seed := range rounds(t, 600) {
		rng := rand.New(rand.NewPCG(seed, 11))
		k := random.Structure(rng, 1+rng.IntN(9), 2, 3)
		oracle := plainStructure(k)
		m, _ := StructureModel(k)
		for text, path := range linear {
			f, err := formula.Parse(text, formula.CTL)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range []Algorithm{Naive, Pairs} {
				tr, err := problem(t, m, f, Options{Algorithm: a}).Counterexample(ctx)
				if err != nil {
					t.Fatal(err)
				}
				if (tr == nil) != oracle.satisfies(f) {
					t.Fatalf("seed %d: counterexample %v for %s", seed, tr, text)
				}
				if tr == nil {
					continue
				}
				shown++
				states := isPath(t, k, tr)
				if !oracle.eval(tr.Shows)[states[len(states)-1]] {
					t.Fatalf("seed %d: the last state of\n%sdoes not show %s", seed, tr, tr.Shows)
				}
				if !path {
					continue
				}
				// As far as it goes the path alone must violate f. A finite one
				// may go on in any way: in a state that satisfies f's literals
				// either way.
				lasso := tr.Loop >= 0
				if !lasso {
					tr.Loop = len(tr.Steps) - 1
				}
				// A lasso that a fixpoint ends with is exact.
				if o := plainStructure(tr.structure(k.AP)); o.satisfies(f) && (lasso || tr.Shows.Propositional()) && !strings.Contains(text, "AX") {
					t.Fatalf("seed %d: %s holds on its counterexample\n%s", seed, text, tr)
				}
			}
		}
	}
	if shown < 100 {
		t.Errorf("only %d counterexamples", shown)
	}
}

func TestInterestingWitness(t *testing.T) {
	ctx := context.Background()
	found, vacuous := 0, 0
	for seed := range rounds(t, 1500) {
		rng := rand.New(rand.NewPCG(seed, 12))
		k := random.Structure(rng, 1+rng.IntN(7), 2, 2)
		f := random.Formula(rng, formula.CTL, k.AP, 3)
		oracle := plainStructure(k)
		if !oracle.satisfies(f) {
			continue
		}
		m, _ := StructureModel(k)
		normal := formula.Simplify(formula.NNF(f))
		for _, a := range []Algorithm{Halving, Pairs} {
			in, err := problem(t, m, f, Options{Algorithm: a}).Interesting(ctx)
			if err != nil {
				t.Fatal(err)
			}
			weak := func(text string) formula.Formula {
				l, err := formula.Parse(text, formula.CTL)
				if err != nil {
					t.Fatal(err)
				}
				return replaceLiteral(normal, l)
			}
			for _, l := range in.Vacuous {
				vacuous++
				if !oracle.satisfies(weak(l)) {
					t.Fatalf("seed %d: %s is not vacuous in %s", seed, l, f)
				}
			}
			if in.Trace == nil {
				continue
			}
			found++
			isPath(t, k, in.Trace)
			path := plainStructure(in.Trace.structure(k.AP))
			if !path.satisfies(f) || len(in.Exercised) == 0 {
				t.Fatalf("seed %d: %s fails on its witness", seed, f)
			}
			for _, l := range in.Exercised {
				if path.satisfies(weak(l)) {
					t.Fatalf("seed %d: %s does not depend on %s along\n%s", seed, f, l, in.Trace)
				}
			}
		}
	}
	if found < 50 || vacuous < 50 {
		t.Errorf("only %d witnesses and %d vacuous literals", found, vacuous)
	}
}

// TestRequestIsAnswered: the textbook example of vacuity. In a structure
// without a request `AG (req -> AF ack)` does not depend on ack; with one, the
// witness has the request and its answer.
func TestRequestIsAnswered(t *testing.T) {
	f, err := formula.Parse("AG (req -> AF ack)", formula.CTL)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"ap req ack\ninit a\nstate a {} -> a b\nstate b { ack } -> a\n":                             "vacuous ack",
		"ap req ack\ninit a\nstate a {} -> a b\nstate b { req } -> c\nstate c { ack } -> a\n":       "exercised !req ack",
		"ap req ack\ninit a\nstate a {} -> a b\nstate b { req } -> c\nstate c { ack req } -> a c\n": "exercised !req ack",
	} {
		k, err := structure.Read("inline", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		m, _ := StructureModel(k)
		in, err := problem(t, m, f, Options{}).Interesting(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got := "exercised " + strings.Join(in.Exercised, " ")
		if len(in.Vacuous) > 0 {
			got = "vacuous " + strings.Join(in.Vacuous, " ")
		}
		if got != want {
			t.Errorf("%s\n%s, want %s\n%v", text, got, want, in.Trace)
		}
	}
}

// avoidable reports by brute force whether an infinite path from an initial
// state meets good states only.
func avoidable(p *plain, good []bool) bool {
	stay := p.fix(true, func(z []bool, s int) bool { return good[s] && p.some(z, s) })
	for _, s := range p.init {
		if stay[s] {
			return true
		}
	}
	return false
}

func TestUncoveredComputations(t *testing.T) {
	ctx := context.Background()
	only, mixed, none := 0, 0, 0
	for seed := range rounds(t, 1500) {
		rng := rand.New(rand.NewPCG(seed, 13))
		k := random.Structure(rng, 1+rng.IntN(8), 2, 2)
		f := random.Formula(rng, formula.CTL, k.AP, 3)
		oracle := plainStructure(k)
		if !oracle.satisfies(f) {
			continue
		}
		m, _ := StructureModel(k)
		for _, a := range []Algorithm{Halving, Pairs} {
			p := problem(t, m, f, Options{Algorithm: a})
			var covers []*Cover
			good := make([]bool, k.Len())
			for s := range good {
				good[s] = true
			}
			for _, q := range k.AP {
				c, err := p.Cover(ctx, q)
				if err != nil {
					t.Fatal(err)
				}
				covers = append(covers, c)
				for _, name := range c.Covered {
					good[slices.Index(k.States, name)] = false
				}
			}
			u, err := p.Uncovered(ctx, covers...)
			if err != nil {
				t.Fatal(err)
			}
			if u == nil {
				none++
				for s := range k.Reachable().All() {
					if good[s] {
						t.Fatalf("seed %d: no computation, yet %s is not covered", seed, k.States[s])
					}
				}
				continue
			}
			met := map[int]bool{}
			for _, s := range isPath(t, k, u.Trace) {
				if good[s] {
					met[s] = true
				} else if u.Only {
					t.Fatalf("seed %d: covered state %s on an uncovered computation", seed, k.States[s])
				}
			}
			if u.Only != avoidable(oracle, good) || u.Trace.Loop < 0 || len(met) < u.Met || u.Met == 0 {
				t.Fatalf("seed %d: only=%v met=%d of %d", seed, u.Only, u.Met, len(met))
			}
			if u.Only {
				only++
			} else {
				mixed++
			}
		}
	}
	if only < 50 || mixed < 20 || none < 5 {
		t.Errorf("%d uncovered computations, %d mixed, %d none", only, mixed, none)
	}
}

func TestCircuitTraces(t *testing.T) {
	ctx := context.Background()
	traces := 0
	for seed := range rounds(t, 600) {
		rng := rand.New(rand.NewPCG(seed, 14))
		c := random.Circuit(rng, rng.IntN(3), 1+rng.IntN(3), 1, true)
		var k *structure.Structure
		var err error
		if seed%3 == 0 {
			c = chosen(rng, random.Circuit(rng, 1+rng.IntN(3), 1+rng.IntN(3), 1, true))
			k, err = circuitTables(c).built(c)
		} else {
			k, err = c.Structure(circuit.StructureOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		f := random.Formula(rng, formula.CTL, []string{"o0"}, 3)
		m, _ := CircuitModel(c)
		for _, a := range []Algorithm{Halving, Pairs} {
			p := problem(t, m, f, Options{Algorithm: a})
			tr, err := p.Counterexample(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if tr == nil {
				var covers []*Cover
				for _, x := range m.Signals() {
					cv, err := p.Cover(ctx, x)
					if err != nil {
						t.Fatal(err)
					}
					covers = append(covers, cv)
				}
				u, err := p.Uncovered(ctx, covers...)
				if err != nil {
					t.Fatal(err)
				}
				if u == nil {
					continue
				}
				tr = u.Trace
			}
			traces++
			isPath(t, k, tr)
		}
	}
	if traces < 100 {
		t.Errorf("only %d traces", traces)
	}
}

// TestFirstUncovered checks the paths to uncovered states: they are paths, the last
// state and no other is uncovered, and none is shorter.
func TestFirstUncovered(t *testing.T) {
	ctx := context.Background()
	paths, longer := 0, 0
	for seed := range rounds(t, 600) {
		rng := rand.New(rand.NewPCG(seed, 23))
		k := random.Structure(rng, 2+rng.IntN(10), 2, 2)
		f := random.Formula(rng, formula.CTL, k.AP, 3)
		m, err := StructureModel(k)
		if err != nil {
			t.Fatal(err)
		}
		number := map[string]int{}
		for s, name := range k.States {
			number[name] = s
		}
		for _, a := range []Algorithm{Halving, Pairs} {
			p := problem(t, m, f, Options{Algorithm: a})
			if ok, err := p.Holds(ctx); err != nil || !ok {
				continue
			}
			c, err := p.Cover(ctx, "q")
			if err != nil {
				t.Fatal(err)
			}
			trace, err := p.FirstUncovered(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			if (trace == nil) != (len(c.Uncovered) == 0) {
				t.Fatalf("seed %d, %s: a path: %v, uncovered states %v", seed, a, trace != nil, c.Uncovered)
			}
			if trace == nil {
				continue
			}
			ring, distance := structure.SetOf(k.Len(), k.Initial...), 0
			for seen := ring.Clone(); !slices.ContainsFunc(ring.List(), func(s int) bool { return slices.Contains(c.Uncovered, k.States[s]) }); distance++ {
				next := structure.NewSet(k.Len())
				for s := range ring.All() {
					for _, to := range k.Successors(s) {
						next.Add(int(to))
					}
				}
				next.Subtract(seen)
				seen.Union(next)
				ring = next
			}
			if len(trace.Steps) != distance+1 || !slices.Contains(k.Initial, number[trace.Steps[0].State]) {
				t.Fatalf("seed %d, %s: %v after %d steps", seed, a, trace, distance)
			}
			for i, s := range trace.Steps {
				if slices.Contains(c.Uncovered, s.State) != (i == distance) {
					t.Fatalf("seed %d, %s: %v; uncovered are %v", seed, a, trace, c.Uncovered)
				}
				if i > 0 && !slices.Contains(k.Successors(number[trace.Steps[i-1].State]), int32(number[s.State])) {
					t.Fatalf("seed %d, %s: %v is no path", seed, a, trace)
				}
			}
			paths++
			if distance > 0 {
				longer++
			}
		}
	}
	if paths < int(rounds(t, 300)) || longer < int(rounds(t, 50)) {
		t.Errorf("%d paths, %d of them with a step", paths, longer)
	}
}
