package ctl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"netcov/aig"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

// TestInvariantsAgainstOracle compares the closed form, by the search backwards, by a
// search, by SAT and by diagrams with and without the search backwards, with a model
// checking of each mutant.
func TestInvariantsAgainstOracle(t *testing.T) {
	ctx := context.Background()
	tried, covered, uncovered, noticed := 0, 0, 0, 0
	for seed := uint64(0); tried < int(rounds(t, 600)); seed++ {
		rng := rand.New(rand.NewPCG(seed, 22))
		c := random.Circuit(rng, rng.IntN(3), 1+rng.IntN(4), 1+rng.IntN(2), seed%2 == 0)
		if seed%3 == 0 {
			c = chosen(rng, c)
		}
		var names []string
		for _, s := range c.Inputs {
			names = append(names, s.Name)
		}
		for _, s := range c.Outputs {
			names = append(names, s.Name)
		}
		names = append(names, c.Controls[0].Name)
		body := func() formula.Formula {
			f := formula.Atom(names[rng.IntN(len(names))])
			for range 1 + rng.IntN(3) {
				g := formula.Atom(names[rng.IntN(len(names))])
				if rng.IntN(2) == 0 {
					g = formula.Not(g)
				}
				if f = formula.Or(f, g); rng.IntN(3) == 0 {
					f = formula.Not(f)
				}
			}
			return f
		}
		f := formula.Unary(formula.OpAG, body())
		if rng.IntN(3) == 0 {
			f = formula.And(f, formula.Unary(formula.OpAG, body()))
		}
		if c.ResetsReadInputs() {
			continue
		}
		tab := circuitTables(c)
		if !tab.structure(false, same, "", 0).satisfies(f) {
			continue
		}
		m, err := CircuitModel(c)
		if err != nil {
			t.Fatal(err)
		}
		if problem(t, m, f, Options{}).program.invariantBodies() == nil {
			continue // p is constant
		}
		tried++
		for _, how := range []string{"backward", "search", "SAT", "diagrams", "backward, diagrams"} {
			p := problem(t, m, f, Options{Algorithm: Invariant})
			if p.triedBackward = !strings.HasPrefix(how, "backward"); strings.HasSuffix(how, "diagrams") {
				p.diagrams = true
			} else if _, err := p.Holds(ctx); err != nil {
				t.Fatal(err)
			} else if how == "SAT" {
				p.search = p.newSearch(p.frame.moves)
				p.search.limit, p.search.fixing = 0, 0
			}
			for _, x := range m.Signals() {
				cover, err := p.Cover(ctx, x)
				if err != nil {
					t.Fatal(err)
				}
				list := []string{}
				for s := range 1 << tab.controls {
					dual := tab.structure(false, same, x, s)
					if i := c.ControlIndex(x); i >= 0 {
						dual = tab.structure(false, twin(s, i), x, s)
					}
					if !dual.satisfies(f) {
						list = append(list, bits(s, tab.controls))
					}
				}
				slices.Sort(list)
				if !slices.Equal(cover.Covered, list) {
					t.Fatalf("seed %d, %s: %s covers %s in %v, want %v", seed, how, f, x, cover.Covered, list)
				}
				if c.ControlIndex(x) >= 0 {
					covered, uncovered = covered+len(list), uncovered+len(cover.Uncovered)
				}
				if cover.Algorithm != Invariant {
					t.Errorf("%s: algorithm %s for %s", how, cover.Algorithm, x)
				}
			}
			for _, v := range []bool{false, true} {
				got, err := p.Fixed(ctx, v)
				if err != nil {
					t.Fatal(err)
				}
				list := []string{}
				for i, r := range c.Controls {
					if !m.environment(r.Name) && !tab.structure(false, fixed(i, v), "", 0).satisfies(f) {
						list = append(list, r.Name)
					}
				}
				noticed += len(list)
				if !slices.Equal(got, list) {
					t.Fatalf("seed %d, %s: fixing to %v: %v, want %v", seed, how, v, got, list)
				}
			}
		}
	}
	if covered < 50 || uncovered < 50 || noticed < 50 {
		t.Errorf("%d covered, %d uncovered, %d fixings noticed: the cases are too plain", covered, uncovered, noticed)
	}
}

// TestTrial: an invariant on more states than are listed at first is answered by diagrams
// as by the list.
func TestTrial(t *testing.T) {
	ctx := context.Background()
	const n = 14
	g := aig.NewGraph()
	c := circuit.Circuit{Name: "shift", Graph: g, Constraint: aig.True}
	next := g.Input()
	c.Choices = []circuit.Signal{{Name: "in", Lit: next}}
	for i := range n { // a shift register, and one that is never set
		r := g.Latch()
		c.Controls = append(c.Controls, circuit.Control{Name: fmt.Sprint("r", i), Lit: r, Next: next, Reset: aig.False})
		next = r
	}
	z := g.Latch()
	c.Controls = append(c.Controls, circuit.Control{Name: "z", Lit: z, Next: z, Reset: aig.False})
	all := g.And(z, next)
	c.Outputs = []circuit.Signal{{Name: "all", Lit: all}}
	done, err := circuit.New(c)
	if err != nil {
		t.Fatal(err)
	}
	m, err := CircuitModel(done)
	if err != nil {
		t.Fatal(err)
	}
	f, err := formula.Parse("AG !all", formula.CTL)
	if err != nil {
		t.Fatal(err)
	}
	auto := problem(t, m, f, Options{})
	list := problem(t, m, f, Options{Algorithm: Invariant})
	for _, signal := range []string{"all", "r0", "z"} {
		got, err := auto.Cover(ctx, signal)
		if err != nil {
			t.Fatal(err)
		}
		want, err := list.Cover(ctx, signal)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Covered, want.Covered) || !slices.Equal(got.Uncovered, want.Uncovered) {
			t.Errorf("%s: %d covered and %d uncovered, want %d and %d", signal, len(got.Covered), len(got.Uncovered), len(want.Covered), len(want.Uncovered))
		}
	}
	if !auto.diagrams || list.diagrams {
		t.Errorf("by diagrams: %v, %v", auto.diagrams, list.diagrams)
	}
	// Where the diagrams take too long, the states are listed all the same.
	auto = problem(t, m, f, Options{})
	auto.triedBackward = true
	if _, err := auto.Cover(ctx, "all"); err != nil || auto.diagrams {
		t.Errorf("%v, by diagrams: %v", err, auto.diagrams)
	}
}
