package ctl

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
)

var algorithms = []Algorithm{Naive, Pairs, Singles, Halving}

func problem(t *testing.T, m *Model, f formula.Formula, opt Options) *Problem {
	t.Helper()
	p, err := NewProblem(m, f, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// rounds is how many random cases a test runs.
func rounds(t *testing.T, n int) uint64 {
	t.Helper()
	if testing.Short() {
		return uint64(n / 10)
	}
	return uint64(n)
}

func TestStructuresAgainstOracle(t *testing.T) {
	ctx := context.Background()
	held := 0
	for seed := range rounds(t, 2000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		k := random.Structure(rng, 1+rng.IntN(9), 3, 3)
		f := random.Formula(rng, formula.CTL, k.AP, 4)
		oracle := plainStructure(k)
		m, err := StructureModel(k)
		if err != nil {
			t.Fatal(err)
		}
		want := oracle.satisfies(f)
		if want {
			held++
		}
		for _, a := range algorithms {
			p := problem(t, m, f, Options{Algorithm: a, Seed: seed})
			ok, err := p.Holds(ctx)
			if err != nil || ok != want {
				t.Fatalf("seed %d, %s: %s holds: %v %v, want %v", seed, a, f, ok, err, want)
			}
			for _, q := range k.AP {
				c, err := p.Cover(ctx, q)
				if !want {
					if err != ErrFails {
						t.Fatalf("coverage of a specification that fails: %v", err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				var covered, uncovered []string
				reached := k.Reachable()
				for s := range k.Len() {
					switch {
					case !oracle.flip(q, s).satisfies(f):
						covered = append(covered, k.States[s])
					case reached.Has(s):
						uncovered = append(uncovered, k.States[s])
					}
				}
				if !slices.Equal(c.Covered, covered) || !slices.Equal(c.Uncovered, uncovered) {
					t.Fatalf("seed %d, %s: %s covers %s in %v and not in %v; want %v and %v", seed, a, f, q, c.Covered, c.Uncovered, covered, uncovered)
				}
				if c.CoveredN.Int64() != int64(len(covered)) || c.UncoveredN.Int64() != int64(len(uncovered)) || c.Signal.Kind != Label {
					t.Fatal("counts or kind")
				}
				if a == Pairs && c.Diagrams.Variables != 2*symbolic.BitsFor(k.Len()) {
					t.Fatalf("%d variables, want 2n", c.Diagrams.Variables)
				}
			}
		}
	}
	if held < int(rounds(t, 2000))/4 {
		t.Errorf("only %d specifications hold: the cases are one-sided", held)
	}
}

func TestCircuitsAgainstOracle(t *testing.T) {
	ctx := context.Background()
	covered := map[string]int{}
	for seed := range rounds(t, 1000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		c := random.Circuit(rng, rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(2), seed%2 == 0)
		if seed%3 == 0 {
			c = chosen(rng, random.Circuit(rng, 1+rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(2), seed%2 == 0))
		}
		var names []string
		for _, s := range c.Inputs {
			names = append(names, s.Name)
		}
		for _, s := range c.Outputs {
			names = append(names, s.Name)
		}
		f := random.Formula(rng, formula.CTL, names, 4)
		tab := circuitTables(c)
		m, err := CircuitModel(c)
		if err != nil {
			t.Fatal(err)
		}
		empty := rng.IntN(2) == 0
		base := tab.structure(empty, same, "", 0)
		if len(base.init) == 0 {
			continue // ⟨θ, ∅⟩ contradicts a reset function
		}
		want := base.satisfies(f)
		for _, a := range algorithms {
			p := problem(t, m, f, Options{Algorithm: a, Seed: seed, EmptyFirst: empty})
			ok, err := p.Holds(ctx)
			if err != nil || ok != want {
				t.Fatalf("seed %d, %s: %s holds: %v %v, want %v", seed, a, f, ok, err, want)
			}
			if !want {
				continue
			}
			for _, x := range m.Signals() {
				cover, err := p.Cover(ctx, x)
				if err != nil {
					t.Fatal(err)
				}
				var list []string
				for s := range 1 << tab.controls {
					dual := tab.structure(empty, same, x, s)
					if i := c.ControlIndex(x); i >= 0 {
						dual = tab.structure(empty, twin(s, i), x, s)
					}
					if !dual.satisfies(f) {
						list = append(list, bits(s, tab.controls))
						covered[cover.Signal.Kind]++
					}
				}
				slices.Sort(list)
				if !slices.Equal(cover.Covered, list) {
					t.Fatalf("seed %d, %s: %s covers %s (%s) in %v, want %v", seed, a, f, x, cover.Signal.Kind, cover.Covered, list)
				}
				if a == Pairs && cover.Diagrams.Variables != 2*(tab.controls+tab.inputs+len(c.Choices)) {
					t.Fatalf("%d variables, want 2n", cover.Diagrams.Variables)
				}
			}
			for _, v := range []bool{false, true} {
				got, err := p.Fixed(ctx, v)
				if err != nil {
					t.Fatal(err)
				}
				list := []string{}
				for i, r := range c.Controls {
					if !m.environment(r.Name) && !tab.structure(empty, fixed(i, v), "", 0).satisfies(f) {
						list = append(list, r.Name)
					}
				}
				if !slices.Equal(got, list) {
					t.Fatalf("seed %d, %s: fixing to %v: %v, want %v", seed, a, v, got, list)
				}
			}
		}
	}
	for _, kind := range []string{"pure-output", "pure-control", "visible-control"} {
		if covered[kind] < 2*int(rounds(t, 1000))/100 {
			t.Errorf("only %d covered states of kind %s", covered[kind], kind)
		}
	}
}

// bits writes a control state as the circuit does: signal 0 first.
func bits(s, n int) string {
	v := make([]bool, n)
	for i := range v {
		v[i] = s>>i&1 != 0
	}
	return circuit.BitString(v)
}

// TestUncoveredIsCompositional: uncovered(f & g) = uncovered(f) ∩ uncovered(g)
// (CKV01 section 5).
func TestUncoveredIsCompositional(t *testing.T) {
	ctx := context.Background()
	tried := 0
	for seed := uint64(0); tried < int(rounds(t, 400)); seed++ {
		rng := rand.New(rand.NewPCG(seed, 3))
		k := random.Structure(rng, 2+rng.IntN(12), 2, 3)
		f, g := random.Formula(rng, formula.CTL, k.AP, 3), random.Formula(rng, formula.CTL, k.AP, 3)
		if o := plainStructure(k); !o.satisfies(f) || !o.satisfies(g) {
			continue
		}
		tried++
		m, _ := StructureModel(k)
		cover := func(f formula.Formula) structure.Set {
			c, err := problem(t, m, f, Options{Algorithm: Halving, Seed: seed}).Cover(ctx, "q")
			if err != nil {
				t.Fatal(err)
			}
			return c.cells
		}
		union := cover(f)
		union.Union(cover(g))
		if !cover(formula.And(f, g)).Equal(union) {
			t.Fatalf("seed %d: %s and %s", seed, f, g)
		}
	}
}

// TestHalvingSeeds: the random division changes the work, never the result.
func TestHalvingSeeds(t *testing.T) {
	ctx := context.Background()
	f, err := formula.Parse("AG (EF (q & EX !q)) | EG AF p", formula.CTL)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	k := random.Structure(rng, 300, 2, 2)
	m, _ := StructureModel(k)
	var first []string
	for seed := range uint64(5) {
		c, err := problem(t, m, f, Options{Algorithm: Halving, Seed: seed}).Cover(ctx, "q")
		if err != nil {
			t.Fatal(err)
		}
		if seed > 0 && !slices.Equal(first, c.Covered) {
			t.Fatalf("seed %d changes the result", seed)
		}
		first = c.Covered
		if c.Halving == nil || c.Halving.Calls == 0 || c.Halving.Work < int64(c.Halving.Graph) {
			t.Errorf("statistics %+v", c.Halving)
		}
	}
}

func TestErrors(t *testing.T) {
	k := random.Structure(rand.New(rand.NewPCG(1, 1)), 5, 2, 2)
	m, _ := StructureModel(k)
	parse := func(text string, l formula.Logic) formula.Formula {
		f, err := formula.Parse(text, l)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if _, err := NewProblem(m, parse("G p", formula.LTL), Options{}); err == nil {
		t.Error("an LTL formula is accepted")
	}
	if _, err := NewProblem(m, parse("AG nope", formula.CTL), Options{}); err == nil {
		t.Error("an unknown proposition is accepted")
	}
	if _, err := NewProblem(m, parse("p", formula.CTL), Options{Algorithm: "fast"}); err == nil {
		t.Error("an unknown algorithm is accepted")
	}
	p := problem(t, m, parse("p | !p", formula.CTL), Options{})
	if _, err := p.Cover(context.Background(), "nope"); err == nil {
		t.Error("an unknown signal is accepted")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, a := range algorithms {
		if _, err := problem(t, m, parse("AG (p | !q)", formula.CTL), Options{Algorithm: a}).Holds(ctx); err == nil {
			t.Errorf("%s goes on after its context has ended", a)
		}
	}
	small := problem(t, m, parse("AG (p | !p)", formula.CTL), Options{Algorithm: Naive, MaxStates: 3})
	if _, err := small.Holds(context.Background()); err == nil {
		t.Error("the limit on states is not kept")
	}
	auto := problem(t, m, parse("AG (p | !p)", formula.CTL), Options{MaxStates: 3})
	if c, err := auto.Cover(context.Background(), "p"); err != nil || c.Algorithm != Singles {
		t.Errorf("auto does not go on with diagrams: %v", err)
	}
	c := random.Circuit(rand.New(rand.NewPCG(1, 1)), 2, 2, 1, false)
	cm, _ := CircuitModel(c)
	cp := problem(t, cm, parse("i0 | !i0", formula.CTL), Options{})
	if _, err := cp.Cover(context.Background(), "i0"); err == nil {
		t.Error("coverage of an input")
	}
}

func ctlFormula(t *testing.T, text string) formula.Formula {
	t.Helper()
	f, err := formula.Parse(text, formula.CTL)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestAutoNeverFails: whatever the bound on states, also where the plain states
// fit and the twins do not, auto gives the sets of the naive algorithm.
func TestAutoNeverFails(t *testing.T) {
	ctx := context.Background()
	mixed := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 77))
		m, err := CircuitModel(random.Circuit(r, 1+r.IntN(3), 1+r.IntN(2), 1, false))
		if err != nil {
			t.Fatal(err)
		}
		f := ctlFormula(t, "AG "+m.Signals()[r.IntN(len(m.Signals()))])
		want := problem(t, m, formula.Or(f, formula.Not(f)), Options{Algorithm: Naive})
		if r.IntN(2) == 0 {
			want = problem(t, m, f, Options{Algorithm: Naive})
		}
		if ok, err := want.Holds(ctx); err != nil || !ok {
			continue
		}
		for _, most := range []int{1, 4, 8, 12, 16, 24, 32, 64} {
			auto := problem(t, m, want.formula, Options{MaxStates: most})
			symbolic := map[bool]bool{}
			var covers, wants []*Cover
			for _, name := range m.Signals() {
				w, err := want.Cover(ctx, name)
				if err != nil {
					continue // an input
				}
				c, err := auto.Cover(ctx, name)
				if err != nil {
					t.Fatalf("seed %d, at most %d states, %s: %v", seed, most, name, err)
				}
				if !slices.Equal(c.Covered, w.Covered) || !slices.Equal(c.Uncovered, w.Uncovered) {
					t.Fatalf("seed %d, at most %d states, %s: %v, want %v", seed, most, name, c.Covered, w.Covered)
				}
				symbolic[c.Algorithm.symbolic()] = true
				covers, wants = append(covers, c), append(wants, w)
			}
			got, _ := auto.Any(covers...)
			if any, _ := want.Any(wants...); got.Cmp(any) != 0 {
				t.Fatalf("seed %d: %d covered for some signal, want %d", seed, got, any)
			}
			for _, value := range []bool{false, true} {
				g, err := auto.Fixed(ctx, value)
				w, _ := want.Fixed(ctx, value)
				if err != nil || !slices.Equal(g, w) {
					t.Fatalf("seed %d, at most %d states: fixed %v %v, want %v", seed, most, g, err, w)
				}
			}
			if len(symbolic) == 2 {
				mixed++
			}
		}
	}
	if mixed == 0 {
		t.Error("no run mixes lists and diagrams")
	}
}

// TestRecovers: a signal that needs too many nodes does not end the next one.
func TestRecovers(t *testing.T) {
	m, _ := CircuitModel(random.Circuit(rand.New(rand.NewPCG(3, 3)), 4, 2, 2, false))
	f := ctlFormula(t, "c0 | !c0")
	ctx := context.Background()
	for _, a := range []Algorithm{Pairs, Singles} {
		want, err := problem(t, m, f, Options{Algorithm: a}).Cover(ctx, "c0")
		if err != nil {
			t.Fatal(err)
		}
		limited := 0
		for limit := 20; limit < 4000; limit += 20 {
			p := problem(t, m, f, Options{Algorithm: a, NodeLimit: limit})
			for range 3 {
				c, err := p.Cover(ctx, "c0")
				var e *bdd.LimitError
				switch {
				case errors.As(err, &e):
					limited++
				case err != nil:
					t.Fatal(err)
				case !slices.Equal(c.Covered, want.Covered):
					t.Fatalf("%v, want %v", c.Covered, want.Covered)
				}
			}
		}
		if limited == 0 {
			t.Error("no limit was reached")
		}
	}
}
