package ctl

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

// TestNondeterministicCircuitsAgainstOracle compares merged states and registers fixed
// to don't care with the circuits that their definitions say, built over 2^C × 2^I.
// A universal specification notices what it notices of a part of the paths.
func TestNondeterministicCircuitsAgainstOracle(t *testing.T) {
	ctx := context.Background()
	held, noticed, states, universal, differs := 0, 0, 0, 0, 0
	n := rounds(t, 3000)
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 31))
		c := random.Circuit(rng, rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(2), seed%2 == 0)
		if seed%3 == 0 {
			c = chosen(rng, random.Circuit(rng, 1+rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(2), seed%2 == 0))
		}
		var names []string
		for _, s := range slices.Concat(c.Inputs, c.Outputs) {
			names = append(names, s.Name)
		}
		f := random.Formula(rng, formula.CTL, names, 4)
		if seed%4 == 1 {
			f = formula.Unary(formula.OpAG, random.Formula(rng, formula.CTL, names, 1))
		}
		tab := circuitTables(c)
		m, err := CircuitModel(c)
		if err != nil {
			t.Fatal(err)
		}
		empty := rng.IntN(2) == 0
		base := tab.structure(empty, same, "", 0)
		if len(base.init) == 0 || !base.satisfies(f) {
			continue
		}
		held++
		some := existential(f)
		for _, a := range algorithms {
			p := problem(t, m, f, Options{Algorithm: a, Seed: seed, EmptyFirst: empty})
			got, err := p.DontCare(ctx)
			if err != nil {
				t.Fatal(err)
			}
			list := []string{}
			for i, r := range c.Controls {
				if !m.environment(r.Name) && !tab.loose(empty, dontCare(i), "", 0).satisfies(f) {
					list = append(list, r.Name)
				}
			}
			if !slices.Equal(got, list) {
				t.Fatalf("seed %d, %s: %s: fixing to don't care is noticed for %v, want %v", seed, a, f, got, list)
			}
			noticed += len(list)
			if !some {
				universal++
				for _, v := range []bool{false, true} {
					fixed, err := p.Fixed(ctx, v)
					if err != nil {
						t.Fatal(err)
					}
					for _, x := range fixed {
						if !slices.Contains(got, x) {
							t.Fatalf("seed %d: %s notices %s fixed to %v, and not to don't care", seed, f, x, v)
						}
					}
				}
			}
			for i, r := range c.Controls {
				merging, err := p.Merge(ctx, r.Name)
				if err != nil {
					t.Fatal(err)
				}
				flips, err := p.Cover(ctx, r.Name)
				if err != nil {
					t.Fatal(err)
				}
				list, rest := []string{}, []string{}
				for _, name := range slices.Sorted(slices.Values(slices.Concat(flips.Covered, flips.Uncovered))) {
					s := 0
					for j, b := range name {
						s |= int(b-'0') << j
					}
					if tab.loose(empty, merged(s, i), "", 0).satisfies(f) {
						rest = append(rest, name)
					} else {
						list = append(list, name)
					}
				}
				if !slices.Equal(merging.Covered, list) || !slices.Equal(merging.Uncovered, rest) {
					t.Fatalf("seed %d, %s: %s: merging for %s is noticed in %v and not in %v, want %v and %v", seed, a, f, r.Name, merging.Covered, merging.Uncovered, list, rest)
				}
				states += len(list)
				if !slices.Equal(list, flips.Covered) {
					differs++
				}
				for _, s := range flips.Covered {
					if !some && !slices.Contains(list, s) {
						t.Fatalf("seed %d: %s notices the flip of %s in %s, and not the merging", seed, f, r.Name, s)
					}
				}
			}
		}
	}
	t.Logf("%d specifications, %d registers, %d states, %d times universal, %d times other states than by flips", held, noticed, states, universal, differs)
	if least := int(n) / 20; held < least || noticed < least || states < least || universal < least || differs < least {
		t.Errorf("%d specifications, %d registers, %d states, %d times universal, %d times other states than by flips: the cases are one-sided", held, noticed, states, universal, differs)
	}
}

// existential reports whether a specification in negation normal form has a
// quantifier E.
func existential(f formula.Formula) bool {
	return slices.ContainsFunc(formula.Subformulas(formula.NNF(f)), func(g formula.Formula) bool { return g.Op().Existential() })
}

func TestMergeNeedsRegisters(t *testing.T) {
	m := relay(t)
	p := problem(t, m, ctlFormula(t, "TRUE"), Options{})
	for _, name := range m.Signals() {
		_, err := p.Merge(context.Background(), name)
		if kind := m.c.Kind(name); (err == nil) != (kind == circuit.PureControl || kind == circuit.VisibleControl) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := p.Merge(context.Background(), "nothing"); err == nil {
		t.Error("a signal that does not exist has twins")
	}
}

// TestMergeAlgorithms compares the algorithms on circuits with enough states for several
// halvings.
func TestMergeAlgorithms(t *testing.T) {
	ctx := context.Background()
	covered, states, tried := 0, 0, 0
	var calls int64
	for seed := uint64(0); tried < int(rounds(t, 200)); seed++ {
		rng := rand.New(rand.NewPCG(seed, 32))
		c := random.Circuit(rng, rng.IntN(3), 3+rng.IntN(4), 2, seed%4 == 1)
		if seed%3 == 0 {
			c = chosen(rng, c)
		}
		var names []string
		for _, s := range c.Outputs {
			names = append(names, s.Name)
		}
		m, err := CircuitModel(c)
		if err != nil {
			t.Fatal(err)
		}
		f := random.Formula(rng, formula.CTL, names, 4)
		naive := problem(t, m, f, Options{Algorithm: Naive})
		if ok, err := naive.Holds(ctx); err != nil || !ok {
			continue
		}
		tried++
		for _, a := range []Algorithm{Halving, Pairs, Singles} {
			p := problem(t, m, f, Options{Algorithm: a, Seed: seed})
			for _, x := range c.Controls {
				want, err := naive.Merge(ctx, x.Name)
				if err != nil {
					t.Fatal(err)
				}
				got, err := p.Merge(ctx, x.Name)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Covered, want.Covered) || !slices.Equal(got.Uncovered, want.Uncovered) {
					t.Fatalf("seed %d: %s: merging for %s is noticed in %v by %s, naively in %v", seed, f, x.Name, got.Covered, a, want.Covered)
				}
				if got.Halving != nil {
					calls += got.Halving.Calls
					covered += len(want.Covered)
					states += len(want.Covered) + len(want.Uncovered)
				}
			}
		}
	}
	t.Logf("%d of %d pairs covered, %d calls", covered, states, calls)
	if covered < int(rounds(t, 300)) || calls >= int64(states) {
		t.Errorf("%d of %d pairs covered, %d calls", covered, states, calls)
	}
}
