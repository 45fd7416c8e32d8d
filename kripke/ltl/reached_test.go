package ltl

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

// TestReachedPaths: the path that decision diagrams give to an uncovered state is a path of
// the listed structure, as long as the explicit one, and ends in a state that no notion
// covers; there is none where the explicit model has none. Witnesses are runs whose flips,
// in a covered state, violate the specification.
func TestReachedPaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	ctx := context.Background()
	paths, steps, none, witnesses, constrained := 0, 0, 0, 0, 0
	for done := 0; done < 4**count; {
		c := random.Circuit(rng, rng.IntN(3), 1+rng.IntN(4), 2, true)
		free := *c
		if rng.IntN(3) == 0 {
			free.Constraint = c.Outputs[rng.IntN(len(c.Outputs))].Lit
		}
		if rng.IntN(4) == 0 {
			free.Fairness = append(free.Fairness, c.Outputs[rng.IntN(len(c.Outputs))].Lit)
		}
		original, err := circuit.New(free)
		if err != nil {
			t.Fatal(err)
		}
		f := random.Formula(rng, formula.LTL, names(c), 2+rng.IntN(3))
		c, wrong, err := Unconstrain(original, negated(t, f))
		if err != nil {
			t.Fatal(err)
		}
		var registers []string
		for _, x := range c.Controls {
			registers = append(registers, x.Name)
		}
		m, err := FromCircuit(ctx, c, wrong.AP, 0, registers...)
		if err != nil {
			t.Fatal(err)
		}
		if ck, err := NewChecker(ctx, m, wrong); err != nil {
			t.Fatal(err)
		} else if counterexample, err := ck.Holds(); err != nil || counterexample != nil {
			continue
		}
		done++
		atoms := slices.DeleteFunc(original.Signals(), func(name string) bool { return !slices.Contains(wrong.AP, name) })
		if len(atoms) == 0 || rng.IntN(4) == 0 {
			atoms = original.Signals()
		}
		flip := Flip{Signal: atoms[rng.IntN(len(atoms))]}
		if rng.IntN(3) == 0 {
			flip = Flip{registers[rng.IntN(len(registers))], InDesign}
		}
		reached, err := SymbolicReachable(ctx, c, SymbolicOptions{})
		if err != nil {
			t.Fatal(err)
		}
		k, err := c.Structure(circuit.StructureOptions{})
		if err != nil {
			t.Fatal(err)
		}
		cellOf := func(name string) string {
			if len(c.Inputs) > 0 {
				name = name[:strings.LastIndexByte(name, ',')]
			}
			return name
		}
		var sets []*SymbolicSet
		covered := map[string]bool{}
		kinds := slices.Clone(Kinds)
		rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		for _, kind := range kinds[:1+rng.IntN(3)] {
			set, err := Symbolic(ctx, c, wrong, kind, flip, SymbolicOptions{})
			if err != nil {
				t.Fatal(err)
			}
			sets = append(sets, set)
			in := set.Names(1 << 20)
			for _, s := range in {
				covered[s] = true
			}
			run, state, err := set.Witness()
			switch {
			case err != nil:
				t.Fatal(err)
			case run == nil && len(in) > 0, run != nil && !slices.Contains(in, state):
				t.Fatalf("%s: %s coverage of %v is %v, the witness flips in %q", f, kind, flip, in, state)
			case run == nil:
				continue
			}
			witnesses++
			if !wrong.Accepts(run.Word()) || run.Word().Satisfies(f) && original.Constraint == c.Constraint {
				t.Fatalf("%s: the flips of %v do not violate it in %+v", f, flip, run)
			}
			if flip.Scope == InSpec && !follows(k, cellOf, wrong.AP, run) {
				t.Fatalf("%s: no run of the design: %+v", f, run)
			}
		}
		if rng.IntN(2) == 0 { // some more, for longer paths
			set := *reached.SymbolicSet
			for range 1 + rng.IntN(2) {
				set.set = set.m.And(set.set, set.m.Literal(set.vars[rng.IntN(len(set.vars))], rng.IntN(2) == 0))
			}
			set.m.Protect(set.set)
			for _, s := range set.Names(1 << 20) {
				covered[s] = true
			}
			sets = append(sets, &set)
		}
		n, left, err := reached.Count(ctx, sets...)
		if err != nil || n.Int64() != int64(len(covered)) || left.Int64() != reached.SymbolicSet.Count.Int64()-n.Int64() {
			t.Fatalf("%v covered, %v left, %v; %d covered of %v", n, left, err, len(covered), reached.SymbolicSet.Count)
		}
		want := m.Nearest(func(cell int) bool { return !covered[m.Cells[cell]] })
		for range 2 { // the rings are kept
			got, err := reached.Nearest(ctx, wrong.AP, sets...)
			if err != nil {
				t.Fatal(err)
			}
			if (got == nil) != (want == nil) {
				t.Fatalf("path %+v, want %+v", got, want)
			}
			if want == nil {
				none++
				continue
			}
			paths++
			steps += len(got.Steps)
			if len(got.Steps) != len(want.Steps) || got.Loop != len(got.Steps) || covered[got.Steps[got.Loop-1].State] || !follows(k, cellOf, wrong.AP, got) {
				t.Fatalf("path %+v, want one as long as %+v", got.Steps, want.Steps)
			}
			if i := slices.Index(wrong.AP, ConstraintSignal); i >= 0 {
				constrained++
				if slices.ContainsFunc(got.Steps, func(s ComputationStep) bool { return !s.Letter[i] }) {
					t.Fatalf("the path breaks the constraint: %+v", got.Steps)
				}
			}
		}
	}
	if paths < *count || steps < 11*paths/10 || none < *count/2 || witnesses < *count/4 || constrained < *count/4 {
		t.Errorf("%d paths of %d states, %d of them constrained, %d times none, %d witnesses", paths, steps, constrained, none, witnesses)
	}
}
