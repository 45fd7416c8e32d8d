package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"netcov/frontend"
	"netcov/kripke/bdd"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
)

// models have what makes listing states and building relations different:
// choices, constraints, domains whose size is no power of two, free variables
// and inputs.
var models = []struct {
	text    string
	specs   []string
	signals []string
}{
	{`MODULE main
VAR
  st : {idle, busy, done};
  n : 0..4;
ASSIGN
  init(st) := idle;
  next(st) := case st = idle : {idle, busy}; st = busy & n > 2 : done; st = busy : busy; TRUE : idle; esac;
  init(n) := 0;
  next(n) := case st = busy & n < 4 : n + 1; st = done : 0; TRUE : n; esac;
DEFINE
  ready := st = idle;
  full := n >= 3;
`, []string{"AG (st = busy -> AF st = done)", "AG (ready -> EX !ready) & AG EF full", "AG (st = done -> full)"}, []string{"ready", "full"}},
	{`MODULE main
VAR
  a : boolean;
  b : boolean;
  x : 0..2;
INIT !a & !b
TRANS next(a) -> (a | x = 1)
TRANS next(b) = (a & x != 0)
INVAR !(a & b & x = 2)
`, []string{"AG (b -> EF a)", "EF b", "AG (a -> EX b) | EF EG !a"}, []string{"a", "b"}},
	{`MODULE main
IVAR go : boolean;
VAR c : 0..5; odd : boolean;
ASSIGN
  init(c) := {0, 2};
  next(c) := case go & c < 5 : c + 1; c = 5 : {0, 3}; TRUE : c; esac;
  init(odd) := FALSE;
  next(odd) := next(c) mod 2 = 1;
DEFINE top := c = 5;
`, []string{"AG (top -> odd)", "AG EF (top & EX !top)", "AG (!odd -> EF odd)"}, []string{"top", "odd"}},
}

func TestSystemsAgainstStructures(t *testing.T) {
	ctx := context.Background()
	held := 0
	for _, m := range models {
		s, err := Open(ctx, write(t, "m.smv", m.text), frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range m.specs {
			f, err := formula.Parse(text, formula.CTL)
			if err != nil {
				t.Fatal(err)
			}
			atoms := append(formula.Atoms(f), m.signals...)
			slices.Sort(atoms)
			atoms = slices.Compact(atoms)
			k, err := s.AsStructure(ctx, atoms, 0)
			if err != nil {
				t.Fatal(err)
			}
			explicit, err := ctl.StructureModel(k)
			if err != nil {
				t.Fatal(err)
			}
			system, err := s.AsSystem(atoms)
			if err != nil {
				t.Fatal(err)
			}
			sys, err := system.Make(bdd.Options{})
			if err != nil {
				t.Fatal(err)
			}
			states, transitions := sys.Size()
			if states.Int64() != int64(k.Len()) || transitions.Int64() != int64(k.Transitions()) || !sys.Listable(int64(k.Len()), 1000) || sys.Listable(int64(k.Len())-1, 1000) {
				t.Errorf("%v states and %v transitions, want %d and %d", states, transitions, k.Len(), k.Transitions())
			}
			fromDiagrams, err := sys.Structure(system.AP)
			if err != nil {
				t.Fatal(err)
			}
			listed, err := ctl.StructureModel(fromDiagrams)
			if err != nil {
				t.Fatal(err)
			}
			var results [3][][]string
			var holds [3]bool
			for i, model := range []*ctl.Model{explicit, system.Model(), listed} {
				p, err := ctl.NewProblem(model, f, ctl.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if holds[i], err = p.Holds(ctx); err != nil {
					t.Fatal(err)
				}
				if !holds[i] {
					tr, err := p.Counterexample(ctx)
					if err != nil || tr == nil {
						t.Fatalf("%s: %v", text, err)
					}
					continue
				}
				for _, q := range m.signals {
					c, err := p.Cover(ctx, q)
					if err != nil {
						t.Fatal(err)
					}
					results[i] = append(results[i], slices.Sorted(slices.Values(c.Covered)), slices.Sorted(slices.Values(c.Uncovered)))
				}
			}
			if holds[0] {
				held++
			}
			for i := 1; i < 3; i++ {
				if holds[0] != holds[i] || !slices.EqualFunc(results[0], results[i], slices.Equal) {
					t.Errorf("%s on\n%s\nlisted: %v %v\nform %d: %v %v", text, m.text, holds[0], results[0], i, holds[i], results[i])
				}
			}
		}
	}
	if held < 5 {
		t.Errorf("only %d specifications hold", held)
	}
}

// TestCircuitsOfWords: random models with ranges, enumerations and words, read as
// circuits and as graphs of states, reach the same states and satisfy the same
// specifications.
func TestCircuitsOfWords(t *testing.T) {
	ctx := context.Background()
	holds, fails := 0, 0
	for seed := range uint64(250) {
		rng := rand.New(rand.NewPCG(seed, 22))
		text := "MODULE main\nVAR n : 0..4; s : {idle, busy, done}; w : unsigned word[2]; b : boolean; req : 1..3; go : boolean;\nASSIGN\n init(n) := 0; init(w) := 0ud2_1; init(b) := FALSE;\n"
		text += fmt.Sprintf(" init(s) := %s;\n", []string{"idle", "busy", "done"}[rng.IntN(3)])
		conds := []string{"go", "b", "!b", "req = 2", "req > 1", "n = 3", "s = busy", "w = 0ud2_2", "s in {idle, done} & go", "n < req"}
		cond := func() string { return conds[rng.IntN(len(conds))] }
		pick := func(values ...string) string { return values[rng.IntN(len(values))] }
		text += fmt.Sprintf(" next(n) := case %s : (n + %s) mod 5; %s : %s; TRUE : n; esac;\n", cond(), pick("1", "2", "req"), cond(), pick("0", "4", "req"))
		text += fmt.Sprintf(" next(s) := case %s : %s; s = idle & %s : busy; TRUE : %s; esac;\n", cond(), pick("idle", "done"), cond(), pick("s", "busy", "idle"))
		text += fmt.Sprintf(" next(w) := %s ? w + 0ud2_1 : %s;\n next(b) := %s;\n", cond(), pick("w", "0ud2_0"), cond())
		text += "CTLSPEC AG n < 5\nINVARSPEC w != 0ud2_3 | n < 5\nLTLSPEC G F b\n"
		s, err := Open(ctx, write(t, "m.smv", text), frontend.Options{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if is, why := s.Circuit(); !is {
			t.Fatalf("%s: no circuit: %s", text, why)
		}
		atoms := []string{"n = 3", "s = busy", "w = 0ud2_2", "b", "req = 2", "go"}
		k, err := s.AsStructure(ctx, atoms, 0)
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.AsCircuit(atoms)
		if err != nil {
			t.Fatal(err)
		}
		mk, err := ctl.StructureModel(k)
		if err != nil {
			t.Fatal(err)
		}
		mc, err := ctl.CircuitModel(c)
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			f := random.Formula(rng, formula.CTL, atoms, 4)
			var verdict [2]bool
			for i, m := range []*ctl.Model{mk, mc} {
				p, err := ctl.NewProblem(m, f, ctl.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if verdict[i], err = p.Holds(ctx); err != nil {
					t.Fatal(err)
				}
				if i == 0 || !verdict[i] {
					continue
				}
				cover, err := p.Cover(ctx, "b")
				if err != nil {
					t.Fatal(err)
				}
				reached := map[string]bool{}
				for state := range k.Reachable().All() {
					name, _, _ := strings.Cut(k.States[state], " req=")
					reached[name] = true
				}
				for _, name := range append(cover.Covered, cover.Uncovered...) {
					if !reached[name] {
						t.Fatalf("%s: %q is no state of the graph", text, name)
					}
					delete(reached, name)
				}
				if len(reached) > 0 {
					t.Fatalf("%s: the circuit does not reach %v", text, reached)
				}
			}
			if verdict[0] != verdict[1] {
				t.Fatalf("%s: %s: %v as a graph, %v as a circuit", text, f, verdict[0], verdict[1])
			}
			if verdict[0] {
				holds++
			} else {
				fails++
			}
		}
	}
	if holds < 100 || fails < 100 {
		t.Errorf("%d specifications hold, %d fail", holds, fails)
	}
}

// choosing is a random model whose registers choose: among values, by IVARs, at the
// start, and with the next value of a variable that nothing defines.
func choosing(rng *rand.Rand) (text string, atoms []string) {
	pick := func(values ...string) string { return values[rng.IntN(len(values))] }
	conds := []string{"go", "b", "!b", "iv", "n = 2", "s = busy", "go & iv", "p = lo", "n > 0 | iv"}
	if rng.IntN(3) == 0 {
		conds = append(conds, "next(go)", "next(go)")
	}
	cond := func() string { return conds[rng.IntN(len(conds))] }
	text = "MODULE main\nVAR n : 0..2; s : {idle, busy}; b : boolean; go : boolean; p : {lo, hi};\nIVAR iv : boolean;\nASSIGN\n init(b) := FALSE;\n"
	text += fmt.Sprintf(" init(n) := %s;\n init(s) := %s;\n", pick("0", "{0, 2}", "0..2", "go ? 1 : {0, 2}"), pick("idle", "{idle, busy}"))
	text += fmt.Sprintf(" p := %s;\n", pick("lo", "b ? {lo, hi} : lo", "{lo, hi}"))
	text += fmt.Sprintf(" next(n) := case %s : %s; %s : %s; TRUE : n; esac;\n", cond(), pick("{n, (n + 1) mod 3}", "0..2", "{0, 1}"), cond(), pick("0", "{n, 2}"))
	text += fmt.Sprintf(" next(s) := case %s : %s; TRUE : %s; esac;\n", cond(), pick("{idle, busy}", "busy"), pick("s", "idle", "{s, idle}"))
	text += fmt.Sprintf(" next(b) := %s;\n", pick("{TRUE, FALSE}", "go ? {b, !b} : b", "!b", "iv", cond()))
	if rng.IntN(4) == 0 {
		text += "FAIRNESS " + pick("b", "n = 0", "s = idle | go") + "\n"
	}
	return text, []string{"n = 2", "s = busy", "b", "go", "p = lo"}
}

// projection is what a state's name says of the variables in a control state's name.
func projection(state, control string) string {
	var kept []string
	for _, part := range strings.Fields(state) {
		name, _, _ := strings.Cut(part, "=")
		if strings.HasPrefix(control, name+"=") || strings.Contains(control, " "+name+"=") {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, " ")
}

// TestCircuitsWithChoices: random models with choices satisfy the same specifications as
// circuits and as graphs with NuSMV's states, and flipping an expression in a control
// state is noticed where flipping it in all states of the graph that share it is.
func TestCircuitsWithChoices(t *testing.T) { circuitsAgree(t, 400, choosing, false) }

// restricted is a random model in which TRANS and INIT forbid steps and starts, and
// variables have an initial value only.
func restricted(rng *rand.Rand) (text string, atoms []string) {
	text, atoms = choosing(rng)
	pick := func(values ...string) string { return values[rng.IntN(len(values))] }
	text = strings.Replace(text, "IVAR", "VAR f : boolean; m : 0..2;\nIVAR", 1)
	if rng.IntN(2) == 0 {
		text += "INIT " + pick("f | b", "f = (n = 2)", "m != 1 | f", "n != m", "go | f", "p = lo | f", "m < n + 1") + "\n"
	}
	if rng.IntN(2) == 0 {
		text += "ASSIGN init(f) := " + pick("TRUE", "go", "b") + ";\n"
	}
	for range rng.IntN(3) {
		text += "TRANS " + pick(
			"case m = 2 : next(m) = 0; TRUE : next(m) = m + 1; esac", "next(m) != m", "f -> next(m) in {0, m}", "next(m) = 0 | next(m) = 2 & f",
			"next(f) -> next(m) > 0", "!(next(b) & next(f))", "next(b) | next(f)", "b -> next(n) != n | next(f)", "next(s) = idle | next(f)",
			"next(f) = (next(m) = 1)", "next(n) < 2", "next(go) | next(f)") + "\n"
	}
	return text, append(atoms, "f", "m = 1")
}

// TestRestrictedCircuits: the same for TRANS and INIT that leave choices, which the
// circuit makes legal.
func TestRestrictedCircuits(t *testing.T) { circuitsAgree(t, 1000, restricted, true) }

func circuitsAgree(t *testing.T, seeds uint64, model func(*rand.Rand) (string, []string), graphs bool) {
	t.Helper()
	ctx := context.Background()
	count := map[string]int{}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 23))
		text, atoms := model(rng)
		s, err := Open(ctx, write(t, "m.smv", text), frontend.Options{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if is, why := s.Circuit(); !is {
			if !graphs {
				t.Fatalf("%s: no circuit: %s", text, why)
			}
			count["graphs"]++
			continue
		}
		k, err := s.AsStructure(ctx, atoms, 0)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		c, err := s.AsCircuit(atoms)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Choices) > 0 {
			count["choices"]++
		}
		mc, err := ctl.CircuitModel(c)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			f := random.Formula(rng, formula.CTL, atoms, 4)
			algorithm := []ctl.Algorithm{ctl.Auto, ctl.Naive, ctl.Pairs, ctl.Singles}[rng.IntN(4)]
			p, err := ctl.NewProblem(mc, f, ctl.Options{Algorithm: algorithm})
			if err != nil {
				t.Fatal(err)
			}
			holds, err := p.Holds(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if want := holdsOn(t, k, f); holds != want {
				t.Fatalf("%s: %s: %v as a graph, %v as a circuit by %s", text, f, want, holds, algorithm)
			}
			count[fmt.Sprint("holds ", holds)]++
			atom := atoms[rng.IntN(2)] // no bit of a register
			if !holds || !slices.Contains(formula.Atoms(f), atom) {
				continue
			}
			cover, err := p.Cover(ctx, atom)
			if err != nil {
				t.Fatal(err)
			}
			rng.Shuffle(len(cover.Uncovered), func(i, j int) {
				cover.Uncovered[i], cover.Uncovered[j] = cover.Uncovered[j], cover.Uncovered[i]
			})
			for _, control := range append(cover.Covered, cover.Uncovered[:min(len(cover.Uncovered), 12)]...) {
				mutant := flipped(t, k, atom, func(state string) bool { return projection(state, control) == control })
				noticed := !holdsOn(t, mutant, f)
				if covered := slices.Contains(cover.Covered, control); covered != noticed {
					t.Fatalf("%s: %s: %s in %s: covered %v by %s, noticed %v", text, f, atom, control, covered, algorithm, noticed)
				}
				count[fmt.Sprint("noticed ", noticed)]++
			}
		}
	}
	for _, what := range []string{"choices", "holds true", "holds false", "noticed true", "noticed false"} {
		if count[what] < 100 {
			t.Errorf("the cases are one-sided: %v", count)
		}
	}
}

func holdsOn(t *testing.T, k *structure.Structure, f formula.Formula) bool {
	t.Helper()
	m, err := ctl.StructureModel(k)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ctl.NewProblem(m, f, ctl.Options{Algorithm: ctl.Naive})
	if err != nil {
		t.Fatal(err)
	}
	holds, err := p.Holds(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return holds
}

// flipped is a structure with a proposition flipped in some states.
func flipped(t *testing.T, k *structure.Structure, atom string, where func(state string) bool) *structure.Structure {
	t.Helper()
	b := structure.NewBuilder(k.AP)
	for s, name := range k.States {
		var holds []string
		for p, ap := range k.AP {
			if k.Holds(s, p) != (ap == atom && where(name)) {
				holds = append(holds, ap)
			}
		}
		b.AddState(name, holds...)
	}
	for s := range k.Len() {
		for _, to := range k.Successors(s) {
			b.AddTransition(s, int(to))
		}
	}
	for _, s := range k.Initial {
		b.AddInitial(s)
	}
	for _, set := range k.Fair {
		b.AddFair(set.List()...)
	}
	out, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return out
}
