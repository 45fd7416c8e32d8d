package analysis

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
	"netcov/kripke/load"
	"netcov/kripke/ltl"
	"netcov/kripke/report"
)

// deterministic is a random formula of the common fragment of CTL and LTL.
func deterministic(rng *rand.Rand, names []string, depth int) formula.Formula {
	p := formula.Atom(names[rng.IntN(len(names))])
	if rng.IntN(2) == 0 {
		p = formula.Not(p)
	}
	if depth == 0 {
		return p
	}
	sub := func() formula.Formula { return deterministic(rng, names, depth-1) }
	yes, no := formula.And(p, sub()), formula.And(formula.Not(p), sub())
	switch rng.IntN(10) {
	case 0:
		return formula.And(sub(), sub())
	case 1:
		return formula.Or(yes, no)
	case 2, 3:
		return formula.Unary(formula.OpAX, sub())
	case 4:
		return formula.Binary(formula.OpAU, yes, no)
	case 5:
		return formula.Binary(formula.OpAW, yes, no)
	case 6:
		return formula.Unary(formula.OpAF, formula.Or(p, formula.Atom(names[0])))
	case 7:
		return formula.Binary(formula.OpImplies, p, sub())
	case 8:
		return formula.Binary([]formula.Op{formula.OpAU, formula.OpAW}[rng.IntN(2)], sub(), p)
	}
	return formula.Unary(formula.OpAG, sub())
}

// TestLinear: a CTL specification with an LTL equivalent has its verdict, with fairness
// too, and the covered states of a register or an output are those of its structure
// coverage; and so says SAT where auto has no room for anything else.
func TestLinear(t *testing.T) {
	ctx := context.Background()
	names := []string{"a", "b", "c", "go", "o"}
	holds, fails, covered, bySAT, outside := 0, 0, 0, 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 99))
		text, _ := randomSMV(rng)
		fair := rng.IntN(4) == 0
		if fair {
			text += "FAIRNESS go | a;\n"
		}
		f := deterministic(rng, names, 1+rng.IntN(3))
		if rng.IntN(3) == 0 {
			f = random.Formula(rng, formula.CTL, names, 2+rng.IntN(2))
		}
		g, ok := formula.Linear(f)
		if !ok {
			outside++
			continue
		}
		open := func() *load.Source { return opened(t, "m.smv", text) }
		inCTL := func(opt ctl.Options) report.CTLSpec {
			opt.Progress = func(string) {}
			r, err := CTL{Source: open(), Specs: []formula.Formula{f}, Basic: true, Signals: []string{"o", "a", "b"}, Options: opt}.Run(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return r.Specs[0]
		}
		want := inCTL(ctl.Options{Algorithm: ctl.Naive})
		small := inCTL(ctl.Options{MaxStates: 1, NodeLimit: 10})
		if small.Holds == nil || *small.Holds != *want.Holds {
			t.Fatalf("%s: %v, by SAT %v\n%s", f, *want.Holds, small.Holds, text)
		}
		for i, name := range []string{"o", "a", "b"} {
			q := LTL{
				Source: open(), Specs: []formula.Formula{g}, Signals: []string{name}, Algorithm: "product", Basic: true,
				Coverage: []ltl.Kind{ltl.StructureCoverage}, Room: Room{Progress: func(string) {}},
			}
			if name != "o" {
				q.Scope = ltl.InDesign
			}
			r, err := q.Run(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if *r.Holds != *want.Holds {
				t.Fatalf("%s: %v, %s: %v\n%s", f, *want.Holds, g, *r.Holds, text)
			}
			if !*r.Holds {
				fails++
				break
			}
			holds++
			if fair && name != "o" {
				continue // a flipped register may meet other fairness
			}
			states := slices.Sorted(slices.Values(*r.Specs[0].Signals[0].Structure))
			covered += len(states)
			if c := want.Signals[i].Covered; !slices.Equal(c, states) {
				t.Fatalf("%s: %s is covered in %v, by structure coverage of %s in %v\n%s", f, name, c, g, states, text)
			}
			sat := small.Signals[i]
			if sat.Algorithm != "sat" || sat.Complete == nil || isInvariant(f) {
				continue
			}
			if bySAT++; !*sat.Complete || !slices.Equal(sat.Covered, states) {
				t.Fatalf("%s: %s is covered in %v, by SAT in %v (complete %v)\n%s", f, name, states, sat.Covered, *sat.Complete, text)
			}
		}
	}
	if holds < 100 || fails < 30 || covered < 40 || bySAT < 50 || outside < 20 {
		t.Errorf("%d signals of specifications that hold, %d fail, %d covered states, %d signals by SAT, %d formulas outside", holds, fails, covered, bySAT, outside)
	}
}
