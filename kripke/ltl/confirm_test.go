package ltl

import (
	"context"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"netcov/aig"
	"netcov/cert"
	"netcov/kripke/circuit"
	"netcov/kripke/confirm"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

// TestSecondOpinionIsIndependent: it depends on no engine, and of the circuits and
// automata it takes types.
func TestSecondOpinionIsIndependent(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "netcov/kripke/confirm").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range strings.Fields(string(out)) {
		for _, engine := range []string{"ic3", "interp", "proof", "scorr", "liveness", "kripke/ltl", "kripke/ctl", "kripke/symbolic"} {
			if p == "netcov/"+engine {
				t.Errorf("the second opinion imports %s", p)
			}
		}
	}
}

// TestForgeries: what the engines find is confirmed; cubes, runs and proofs that were
// changed are refused wherever enumeration says that they are wrong.
func TestForgeries(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 0))
	ctx := context.Background()
	tally := map[string]int{}
	for done := 0; done < 10**count; {
		c := random.Circuit(rng, rng.IntN(3), 2+rng.IntN(2), 1+rng.IntN(2), true)
		if rng.IntN(4) == 0 {
			c = fairCircuit(t, rng, c)
		}
		f := random.Formula(rng, formula.LTL, names(c), 2+rng.IntN(2))
		if rng.IntN(2) == 0 {
			f = formula.Unary(formula.OpG, f)
		}
		wrong := negated(t, f)
		p := NewSAT(c, wrong)
		s := satSearch{SAT: p, clauses: map[int][]cert.Clause{}}
		found, res, err := s.check(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if found != nil { // a proof of what is wrong
			for _, inv := range []*cert.Invariant{{}, {Clauses: []cert.Clause{{}}}} {
				tally["forged proofs"]++
				if p.second.none(ctx, NodeCoverage, Flip{}, nil, &evidence{inv, -1, nil}) == nil {
					t.Fatalf("%s fails, and the proof %v is taken", f, inv)
				}
			}
			changed := *found
			run := *found.run
			run.Steps = slices.Clone(run.Steps)
			at := rng.IntN(len(run.Steps))
			run.Steps[at].Letter = slices.Clone(run.Steps[at].Letter)
			if len(wrong.AP) > 0 {
				i := rng.IntN(len(wrong.AP))
				run.Steps[at].Letter[i] = !run.Steps[at].Letter[i]
				changed.run = &run
				tally["forged runs"]++
				if p.second.run(NodeCoverage, Flip{}, &changed) == nil {
					t.Fatalf("%s: a run with another letter is taken", f)
				}
			}
			continue
		}
		proof := s.evidence(res)
		if err := p.second.none(ctx, NodeCoverage, Flip{}, nil, proof); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		if proof.rounds < 0 {
			p.invariant = res.Invariant
		} else {
			tally["lasso"]++
		}
		p.proof = proof
		done++
		m, err := FromCircuit(ctx, c, wrong.AP, 0)
		if err != nil {
			t.Fatal(err)
		}
		ck, err := NewChecker(ctx, m, wrong)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ck.Holds(); err != nil {
			t.Fatal(err)
		}
		signal := c.Signals()[rng.IntN(len(c.Signals()))]
		flip := Flip{Signal: signal}
		kind := Kinds[rng.IntN(len(Kinds))]
		if rng.IntN(2) == 0 {
			kind = NodeCoverage
		}
		want := cellNames(m.Cells, byProduct(t, ck, kind, signal))
		s = satSearch{SAT: p, kind: kind, flip: flip, clauses: map[int][]cert.Clause{}}
		for {
			found, res, err := s.check(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if found == nil {
				proof := s.evidence(res)
				if err := p.second.none(ctx, kind, flip, s.spared, proof); err != nil {
					t.Fatalf("%s: %s coverage of %s: %v", f, kind, signal, err)
				}
				tally["proofs"]++
				if len(s.spared) > 0 { // a covered state is said to be uncovered
					i := rng.IntN(len(s.spared))
					fewer := slices.Delete(slices.Clone(s.spared), i, i+1)
					open := slices.ContainsFunc(m.Reachable(), func(name string) bool {
						state := bitsOf(name)
						return slices.Contains(want, name) && !slices.ContainsFunc(fewer, func(q Cube) bool { return q.Has(state) })
					})
					if open {
						tally["forged proofs"]++
						if p.second.none(ctx, kind, flip, fewer, proof) == nil {
							t.Fatalf("%s: %s coverage of %s: %v without %v is taken as complete", f, kind, signal, want, s.spared[i])
						}
					}
				}
				break
			}
			if err := p.second.run(kind, flip, found); err != nil {
				t.Fatalf("%s: %s coverage of %s: %v", f, kind, signal, err)
			}
			cube, err := s.grow(ctx, found)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.second.cube(ctx, p, kind, flip, found, cube); err != nil {
				t.Fatalf("%s: %s coverage of %s: %v: %v", f, kind, signal, cube, err)
			}
			for range 4 { // larger, or somewhere else
				forged := Cube{Whole: rng.IntN(2) == 0, Automaton: found.auto}
				for i, r := range cube.Registers {
					if rng.IntN(3) > 0 {
						forged.Registers = append(forged.Registers, r)
						forged.Values = append(forged.Values, cube.Values[i] != (rng.IntN(8) == 0))
					}
				}
				if cube.Whole && !forged.Whole && len(forged.Registers) == len(found.state) {
					continue
				}
				taken := p.second.cube(ctx, p, kind, flip, found, forged) == nil
				bad := ""
				for _, name := range m.Reachable() {
					if forged.Whole && forged.Has(bitsOf(name)) && !slices.Contains(want, name) {
						bad = name
					}
				}
				if tally["forged cubes"]++; taken {
					tally["taken"]++
				}
				if bad != "" {
					if tally["wrong cubes"]++; taken {
						t.Fatalf("%s: %s coverage of %s is %v, but the cube %v is taken", f, kind, signal, want, forged)
					}
				}
			}
			s.spared = append(s.spared, cube)
		}
	}
	t.Log(tally)
	if !testing.Short() && (tally["lasso"] < 20 || tally["wrong cubes"] < 100 || tally["taken"] < 100 || tally["forged proofs"] < 100) {
		t.Errorf("the cases are one-sided: %v", tally)
	}
}

func bitsOf(name string) []bool {
	state := make([]bool, len(name))
	for i := range name {
		state[i] = name[i] == '1'
	}
	return state
}

// TestForgedRuns: a run that begins elsewhere, or is flipped elsewhere, is refused.
func TestForgedRuns(t *testing.T) {
	c := random.Circuit(rand.New(rand.NewPCG(2, 0)), 1, 2, 1, false)
	f, err := formula.Parse("G ("+c.Signals()[0]+" | !"+c.Signals()[0]+")", formula.LTL)
	if err != nil {
		t.Fatal(err)
	}
	o := confirm.New(c, negated(t, f))
	run := confirm.Run{Start: []bool{false, false}, Inputs: [][]bool{{false}}, Flipped: []bool{true}, Letters: [][]bool{{}}, Loop: 1}
	for _, notion := range []confirm.Notion{confirm.None, confirm.OneVisit, confirm.EveryVisit} {
		if o.Run(confirm.Flip{Notion: notion, Signal: c.Signals()[0]}, run.Start, run) == nil {
			t.Errorf("notion %d: a run that violates nothing is taken", notion)
		}
	}
}

// TestInitialUnderSomeInputs: a state that is initial under one input only is not covered
// by what another input would show there.
func TestInitialUnderSomeInputs(t *testing.T) {
	g := aig.NewGraph()
	in, x, later := g.Input(), g.Latch(), g.Latch()
	c, err := circuit.New(circuit.Circuit{
		Graph: g, Constraint: aig.True, Inputs: []circuit.Signal{{Name: "i", Lit: in}},
		Controls: []circuit.Control{{Name: "x", Lit: x, Next: x, Reset: in}, {Name: "later", Lit: later, Next: aig.True, Reset: aig.False}},
		Outputs:  []circuit.Signal{{Name: "o", Lit: aig.True}},
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := formula.Parse("G (o | i)", formula.LTL)
	if err != nil {
		t.Fatal(err)
	}
	p := NewSAT(c, negated(t, f))
	if run, err := p.Holds(context.Background()); err != nil || run != nil {
		t.Fatal(run, err)
	}
	set, err := p.Cover(context.Background(), NodeCoverage, Flip{Signal: "o"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	sameSet(t, p.a, set, []string{"00", "10", "01", "11"}, []string{"00", "01", "11"}, "o")
}
