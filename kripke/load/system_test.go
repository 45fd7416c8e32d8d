package load

import (
	"context"
	"slices"
	"testing"

	"netcov/frontend"
	"netcov/kripke/bdd"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
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
		if s.Circuit() {
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
