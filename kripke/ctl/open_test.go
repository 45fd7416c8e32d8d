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

// assignments calls f with each way to give values to some of n places.
func assignments(n int, f func(value func(i int) bool) (more bool)) {
	for v := range 1 << n {
		if !f(func(i int) bool { return v>>i&1 != 0 }) {
			return
		}
	}
}

// openSpec is a random specification, often of the kinds that have a worst completion.
func openSpec(rng *rand.Rand, names []string) formula.Formula {
	part := func() formula.Formula {
		f := random.Formula(rng, formula.CTL, names, 2)
		for !f.Propositional() {
			f = random.Formula(rng, formula.CTL, names, 2)
		}
		return f
	}
	ag := func(f formula.Formula) formula.Formula { return formula.Unary(formula.OpAG, f) }
	ax := func(f formula.Formula) formula.Formula { return formula.Unary(formula.OpAX, f) }
	switch rng.IntN(5) {
	case 0:
		return ag(part())
	case 1:
		return ag(formula.Binary(formula.OpImplies, part(), ax(part())))
	case 2:
		return formula.And(formula.Binary(formula.OpAW, part(), part()), ax(part()))
	case 3:
		return formula.Binary(formula.OpAR, part(), part())
	}
	return random.Formula(rng, formula.CTL, names, 3)
}

// TestOpenOutputsAgainstOracle gives an output every value in the states where it is
// don't care: a specification must hold for all of them, and a state is covered when its
// mutant fails for some.
func TestOpenOutputsAgainstOracle(t *testing.T) {
	ctx := context.Background()
	held, failed, refused, both, covered, open := 0, 0, 0, 0, 0, 0
	n := rounds(t, 10000)
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 41))
		c := random.Circuit(rng, rng.IntN(2), 1+rng.IntN(2), 2, seed%2 == 0)
		var names []string
		for _, s := range slices.Concat(c.Inputs, c.Outputs) {
			names = append(names, s.Name)
		}
		for _, x := range c.Controls {
			names = append(names, x.Name)
		}
		f := openSpec(rng, names)
		opens := []Open{{Output: c.Outputs[0].Name, When: openWhen(rng, names)}}
		if rng.IntN(4) == 0 {
			opens = append(opens, Open{Output: c.Outputs[1].Name, When: openWhen(rng, names)})
		}
		if slices.ContainsFunc(opens, func(o Open) bool { return c.Kind(o.Output) != circuit.PureOutput }) {
			continue
		}
		g, err := Worst(f, opens)
		if err != nil {
			refused++
			continue
		}
		for _, o := range opens {
			if pos, neg := polarity(formula.NNF(f), formula.Atom(o.Output)); pos && neg {
				both++
			}
		}
		tab := circuitTables(c)
		type place struct {
			name string
			s, i int
		}
		var places []place
		for _, o := range opens {
			where := tab.structure(false, same, "", 0).eval(o.When)
			for s, w := range where {
				if width := 1 << tab.inputs; w {
					places = append(places, place{o.Output, s / width, s % width})
				}
			}
		}
		if len(places) > 8 {
			continue
		}
		empty := rng.IntN(2) == 0
		fails := func(change func(int) int, flip string, s int) bool {
			found := false
			assignments(len(places), func(value func(int) bool) bool {
				for n, p := range places {
					tab.hold[p.name][p.s][p.i] = value(n)
				}
				found = !tab.structure(empty, change, flip, s).satisfies(f)
				return !found
			})
			return found
		}
		if len(tab.structure(empty, same, "", 0).init) == 0 {
			continue
		}
		want := !fails(same, "", 0)
		opened, err := OpenCircuit(c, opens)
		if err != nil {
			t.Fatal(err)
		}
		m, err := CircuitModel(opened)
		if err != nil {
			t.Fatal(err)
		}
		if want {
			held++
		} else {
			failed++
		}
		for _, a := range algorithms {
			p := problem(t, m, g, Options{Algorithm: a, Seed: seed, EmptyFirst: empty})
			ok, err := p.Holds(ctx)
			if err != nil || ok != want {
				t.Fatalf("seed %d, %s: %s with %v holds: %v %v, want %v", seed, a, f, opens, ok, err, want)
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
					change := same
					if i := c.ControlIndex(x); i >= 0 {
						change = twin(s, i)
					}
					if fails(change, x, s) {
						list = append(list, bits(s, tab.controls))
						covered++
					}
				}
				slices.Sort(list)
				if !slices.Equal(cover.Covered, list) {
					t.Fatalf("seed %d, %s: %s with %v covers %s (%s) in %v, want %v", seed, a, f, opens, x, cover.Signal.Kind, cover.Covered, list)
				}
				for _, s := range cover.Uncovered { // no open state
					closed := 0
					for _, name := range places {
						if name.name == x && bits(name.s, tab.controls) == s {
							closed++
						}
					}
					if closed == 1<<tab.inputs {
						t.Fatalf("seed %d, %s: %s is open in %s, which is called uncovered", seed, a, x, s)
					}
					open += closed
				}
			}
		}
	}
	if held < int(n)/15 || failed < int(n)/20 || refused < int(n)/100 || both < int(n)/50 || covered < int(n)/5 || open == 0 {
		t.Errorf("%d hold, %d fail, %d refused, %d read in two ways, %d covered, %d open in part: one-sided", held, failed, refused, both, covered, open)
	}
}

func openWhen(rng *rand.Rand, names []string) formula.Formula {
	f := random.Formula(rng, formula.CTL, names, 2)
	for !f.Propositional() {
		f = random.Formula(rng, formula.CTL, names, 2)
	}
	return f
}

// TestOpenStructuresAgainstOracle: the same for propositions of a structure.
func TestOpenStructuresAgainstOracle(t *testing.T) {
	ctx := context.Background()
	held, n := 0, rounds(t, 3000)
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 43))
		k := random.Structure(rng, 1+rng.IntN(6), 2, 2)
		f := openSpec(rng, k.AP)
		opens := []Open{{Output: "p", When: openWhen(rng, k.AP)}}
		g, err := Worst(f, opens)
		if err != nil {
			continue
		}
		opened, err := OpenStructure(k, opens)
		if err != nil {
			t.Fatal(err)
		}
		m, err := StructureModel(opened)
		if err != nil {
			t.Fatal(err)
		}
		oracle := plainStructure(k)
		var places []int
		for s, w := range oracle.eval(opens[0].When) {
			if w {
				places = append(places, s)
			}
		}
		fails := func(flip string, states ...int) bool {
			found := false
			assignments(len(places), func(value func(int) bool) bool {
				for n, s := range places {
					oracle.hold["p"][s] = value(n)
				}
				found = !oracle.flip(flip, states...).satisfies(f)
				return !found
			})
			return found
		}
		want := !fails("p")
		reached := k.Reachable()
		for _, a := range algorithms {
			p := problem(t, m, g, Options{Algorithm: a, Seed: seed})
			ok, err := p.Holds(ctx)
			if err != nil || ok != want {
				t.Fatalf("seed %d, %s: %s with %v holds: %v %v, want %v", seed, a, f, opens, ok, err, want)
			}
			if !want {
				continue
			}
			held++
			for _, q := range k.AP {
				c, err := p.Cover(ctx, q)
				if err != nil {
					t.Fatal(err)
				}
				var covered, uncovered []string
				for s := range k.Len() {
					switch {
					case fails(q, s):
						covered = append(covered, k.States[s])
					case reached.Has(s) && (q != "p" || !slices.Contains(places, s)):
						uncovered = append(uncovered, k.States[s])
					}
				}
				if !slices.Equal(c.Covered, covered) || !slices.Equal(c.Uncovered, uncovered) {
					t.Fatalf("seed %d, %s: %s with %v covers %s in %v and not in %v; want %v and %v", seed, a, f, opens, q, c.Covered, c.Uncovered, covered, uncovered)
				}
			}
		}
	}
	if held < int(n)/2 {
		t.Errorf("only %d hold", held)
	}
}
