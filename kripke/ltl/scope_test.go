package ltl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aig"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
)

// dualStructure is what a circuit does when register x is flipped for all its
// readers in control state w: at every visit, at one, or at some. Its states are
// ⟨control state, inputs, whether the flip happens here, whether it may still
// happen⟩, found by evaluation of the circuit's functions one by one.
type dualStructure struct {
	c    *circuit.Circuit
	x    int
	w    string
	kind Kind

	b     *structure.Builder
	atoms []aig.Lit
	ap    []string
	index map[string]int
	todo  []dualState
}

type dualState struct {
	control string // bits
	input   int
	flip    bool
	spent   bool
}

func (d *dualStructure) evaluate(s dualState) *circuit.Evaluator {
	e := circuit.NewEvaluator(d.c, d.atoms...)
	for i := range d.c.Controls {
		v := s.control[i] == '1'
		if i == d.x && s.flip {
			v = !v
		}
		if v {
			e.SetControl(i, 1)
		} else {
			e.SetControl(i, 0)
		}
	}
	for i := range d.c.Inputs {
		e.SetInput(i, uint64(s.input>>i&1))
	}
	e.Run()
	return e
}

// variants are the states for a control state and inputs.
func (d *dualStructure) variants(control string, input int, spent bool) []dualState {
	plain := dualState{control, input, false, spent}
	flipped := dualState{control, input, true, spent}
	switch {
	case control != d.w || spent:
		return []dualState{plain}
	case d.kind == StructureCoverage:
		return []dualState{flipped}
	}
	return []dualState{plain, flipped}
}

func (d *dualStructure) number(s dualState) int {
	key := fmt.Sprint(s)
	n, ok := d.index[key]
	if !ok {
		var holds []string
		e := d.evaluate(s)
		for i, l := range d.atoms {
			if e.Value(l)&1 != 0 {
				holds = append(holds, d.ap[i])
			}
		}
		n = d.b.AddState(key, holds...)
		d.index[key] = n
		d.todo = append(d.todo, s)
	}
	return n
}

func (d *dualStructure) build(t *testing.T, initial []circuit.InitialState, bits func(int) string) *structure.Structure {
	t.Helper()
	d.b = structure.NewBuilder(d.ap)
	d.index = map[string]int{}
	for _, s := range initial {
		for _, v := range d.variants(bits(s.Control), s.Input, false) {
			d.b.AddInitial(d.number(v))
		}
	}
	for i := 0; i < len(d.todo); i++ {
		s := d.todo[i]
		e := d.evaluate(s)
		next := ""
		for _, r := range d.c.Controls {
			next += fmt.Sprint(e.Value(r.Next) & 1)
		}
		spent := s.spent || d.kind == NodeCoverage && s.flip
		for j := range 1 << len(d.c.Inputs) {
			for _, v := range d.variants(next, j, spent) {
				d.b.AddTransition(i, d.number(v))
			}
		}
	}
	k, err := d.b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestFlipsInTheDesign compares coverage of registers that are flipped for all
// their readers, by the product, by decision diagrams and by SAT, with one model
// checking for each control state of a structure made for it.
func TestFlipsInTheDesign(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	ctx := context.Background()
	covered, differ, bySAT := 0, 0, 0
	for done := 0; done < *count; {
		c := random.Circuit(rng, rng.IntN(2), 1+rng.IntN(3), 1+rng.IntN(2), true)
		f := random.Formula(rng, formula.LTL, names(c), 2+rng.IntN(3))
		wrong := negated(t, f)
		x := rng.IntN(len(c.Controls))
		flip := Flip{c.Controls[x].Name, InDesign}
		m, err := FromCircuit(ctx, c, wrong.AP, 0, flip.Signal)
		if err != nil {
			t.Fatal(err)
		}
		ck, err := NewChecker(ctx, m, wrong)
		if err != nil {
			t.Fatal(err)
		}
		if counterexample, err := ck.Holds(); err != nil {
			t.Fatal(err)
		} else if counterexample != nil {
			continue
		}
		done++
		space, err := circuit.NewSpace(c, nil, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range Kinds {
			want := []string{}
			for _, w := range m.Reachable() {
				d := &dualStructure{c: c, x: x, w: w, kind: kind, ap: wrong.AP}
				for _, p := range wrong.AP {
					l, _ := c.Lit(p)
					d.atoms = append(d.atoms, l)
				}
				k := d.build(t, space.Initial(), func(cell int) string { return circuit.BitString(space.Bits(cell)) })
				holds, err := satisfies(ctx, k, wrong)
				if err != nil {
					t.Fatal(err)
				}
				if !holds {
					want = append(want, w)
				}
			}
			slices.Sort(want)
			set := byProductIn(t, ck, kind, flip)
			if got := cellNames(m.Cells, set); !slices.Equal(got, want) {
				t.Fatalf("%s: %s coverage of %s: %v by the product, %v naively", f, kind, flip.Signal, got, want)
			}
			if got := bySymbolicIn(t, c, wrong, kind, flip); !slices.Equal(got, want) {
				t.Fatalf("%s: %s coverage of %s: %v by decision diagrams, %v naively", f, kind, flip.Signal, got, want)
			}
			if wrong.IsTerminal() || bySAT < 20 {
				found, err := NewSAT(c, wrong).Cover(context.Background(), kind, flip, 0)
				if err != nil {
					t.Fatal(err)
				}
				sameSet(t, wrong, found, m.Reachable(), want, fmt.Sprintf("%s: %s coverage of %s", f, kind, flip.Signal))
				bySAT++
			}
			covered += len(want)
			if got := cellNames(m.Cells, byProduct(t, ck, kind, flip.Signal)); !slices.Equal(got, want) {
				differ++
			}
			for cell := range m.reachable {
				run, err := ck.Witness(kind, flip, cell)
				if err != nil {
					t.Fatal(err)
				}
				if (run != nil) != set.Has(cell) || run != nil && (run.Word().Satisfies(f) || !wrong.Accepts(run.Word())) {
					t.Fatalf("%s: %s coverage of %s in %s: the computation is %v", f, kind, flip.Signal, m.Cells[cell], run)
				}
			}
		}
	}
	t.Logf("%d covered control states; flips for the specification only differ %d times; %d sets by SAT", covered, differ, bySAT)
	if differ == 0 {
		t.Errorf("the sample does not tell the scopes apart")
	}
}
