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
		if isCircuit, _ := s.Circuit(); isCircuit {
			t.Errorf("read as a circuit:\n%s", m.text)
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
