package analysis

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"netcov/frontend"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/load"
	"netcov/kripke/ltl"
	"netcov/kripke/report"
)

// randomSMV is a model of registers a, b and c, an input go and a definition o, and what
// makes random terms over them.
func randomSMV(rng *rand.Rand) (text string, term func() string) {
	names := []string{"a", "b", "c", "go"}
	term = func() string {
		x, y := names[rng.IntN(4)], names[rng.IntN(4)]
		return fmt.Sprintf("(%s%s %s %s)", []string{"", "!"}[rng.IntN(2)], x, []string{"&", "|", "xor"}[rng.IntN(3)], y)
	}
	text = "MODULE main\nVAR a : boolean; b : boolean; c : boolean; go : boolean;\nASSIGN\n"
	for _, r := range names[:3] {
		next := term()
		if rng.IntN(3) == 0 {
			next = "{" + next + ", " + r + "}"
		}
		text += fmt.Sprintf(" init(%s) := FALSE; next(%s) := %s;\n", r, r, next)
	}
	return text + "DEFINE o := " + term() + " | " + term() + ";\n", term
}

// TestInvariantsBySAT: with no room for states and diagrams, auto goes on with SAT, and
// finds what it finds with room, as cubes.
func TestInvariantsBySAT(t *testing.T) {
	ctx := context.Background()
	covered, whole, fails := 0, 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 25))
		names := []string{"a", "b", "c", "go"}
		text, term := randomSMV(rng)
		path := filepath.Join(t.TempDir(), "m.smv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		spec, err := formula.Parse("AG (o | "+term()+" | "+term()+")", formula.CTL)
		if err != nil {
			t.Fatal(err)
		}
		var specs [2]report.CTLSpec
		bySAT := false
		for i, opt := range []ctl.Options{{}, {MaxStates: 1, NodeLimit: 10}} {
			src, err := load.Open(ctx, path, frontend.Options{})
			if err != nil {
				t.Fatal(err)
			}
			opt.Progress = func(string) {}
			r, err := CTL{Source: src, Specs: []formula.Formula{spec}, Basic: true, Signals: []string{"o", "a", "b", "c"}, Options: opt}.Run(ctx)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			specs[i] = r.Specs[0]
			bySAT = bySAT || slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "computed by SAT") })
			if r.Stopped != "" {
				t.Fatalf("stopped: %s\n%s", r.Stopped, text)
			}
		}
		if !bySAT { // a diagram of so few nodes
			continue
		}
		if *specs[0].Holds != *specs[1].Holds {
			t.Fatalf("%s: %v, %v by SAT\n%s", spec, *specs[0].Holds, *specs[1].Holds, text)
		}
		if !*specs[0].Holds {
			fails++
			continue
		}
		for n, want := range specs[0].Signals {
			got := specs[1].Signals[n]
			if got.Complete == nil { // there was room for this one
				continue
			}
			if !*got.Complete {
				t.Fatalf("%s is not complete", got.Name)
			}
			in := func(cube, state string) bool {
				for _, l := range strings.Split(cube, " & ") {
					if name := strings.TrimPrefix(l, "!"); l != "TRUE" && (state[slices.Index(names, name)] == '0') != (name != l) {
						return false
					}
				}
				return true
			}
			for _, state := range append(slices.Clone(want.Covered), want.Uncovered...) {
				inWhole, inSome := false, false
				for _, q := range got.Cubes {
					inSome = inSome || in(q.Cube, state)
					inWhole = inWhole || q.Automaton == nil && in(q.Cube, state)
				}
				if c := slices.Contains(want.Covered, state); inWhole && !c || c && !inSome {
					t.Fatalf("%s of %s in %s: covered %v, cubes %v\n%s", got.Name, spec, state, want.Covered, got.Cubes, text)
				} else if c {
					covered++
				}
				if inWhole {
					whole++
				}
			}
		}
	}
	if covered < 50 || whole < 50 || fails < 5 {
		t.Errorf("%d covered states, %d in whole cubes, %d specifications fail", covered, whole, fails)
	}
}

// TestShareOfTime: a specification that is not decided in its share of the time leaves
// the others theirs.
func TestShareOfTime(t *testing.T) {
	const text = `MODULE main
VAR n : unsigned word[40]; a : boolean; b : boolean; go : boolean;
ASSIGN
 init(n) := 0ud40_0; next(n) := go ? n + 0ud40_1 : n;
 init(a) := FALSE; next(a) := go;
 init(b) := FALSE; next(b) := go;
DEFINE same := a <-> b;
LTLSPEC G n != 0ud40_1099511627775
LTLSPEC G same
`
	path := filepath.Join(t.TempDir(), "m.smv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	src, err := load.Open(ctx, path, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := LTL{Source: src, Algorithm: "sat", Room: Room{Progress: func(string) {}}}.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if r.Specs[0].Holds != nil || r.Stopped == "" {
		t.Errorf("the hard specification: %v, stopped: %q", r.Specs[0].Holds, r.Stopped)
	}
	if s := r.Specs[1]; s.Holds == nil || !*s.Holds || len(s.Signals) != 1 || s.Signals[0].Complete == nil || !*s.Signals[0].Complete {
		t.Errorf("the other specification: %+v", s)
	}
}

// TestFirstUncovered: all algorithms that know the uncovered states give the path to one, and
// a witness, in the report's text too.
func TestFirstUncovered(t *testing.T) {
	const text = `MODULE main
VAR x : boolean; y : boolean;
ASSIGN init(x) := FALSE; next(x) := TRUE; init(y) := FALSE; next(y) := x;
DEFINE o := !y;
LTLSPEC G (o | y)
`
	path := filepath.Join(t.TempDir(), "m.smv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, algorithm := range []string{"product", "symbolic", "sat"} {
		src, err := load.Open(context.Background(), path, frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := LTL{
			Source: src, Algorithm: algorithm, Coverage: []ltl.Kind{ltl.NodeCoverage}, Signals: []string{"o"},
			Room: Room{Progress: func(string) {}},
		}.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var states []string
		if c := r.Specs[0].Signals[0].FirstUncovered; c != nil {
			for _, s := range c.Steps {
				states = append(states, s.State)
			}
		}
		if !slices.Equal(states, []string{"00", "10", "11"}) {
			t.Errorf("%s: the path to an uncovered state is %v", algorithm, states)
		}
		if w := r.Specs[0].Signals[0].Witness; w == nil || w.State != "00" && w.State != "10" {
			t.Errorf("%s: witness %+v", algorithm, w)
		}
		var b strings.Builder
		if err := report.WriteText(&b, r, 0); err != nil {
			t.Fatal(err)
		}
		if want := "path to the nearest uncovered state"; !strings.Contains(b.String(), want) {
			t.Errorf("%s: no %s in\n%s", algorithm, want, &b)
		}
	}
}

// TestNoSATAfterEmptyFirst: SAT takes every first input, so with the first input empty it
// must not decide: y is 1 only after a first input of 1.
func TestNoSATAfterEmptyFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.aag")
	text := "aag 4 1 2 0 1\n2\n4 1\n6 8\n8 2 5\ni0 i\nl0 later\nl1 y\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	spec, err := formula.Parse("AG !y", formula.CTL)
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []ctl.Options{{}, {MaxStates: 1, NodeLimit: 10}} {
		src, err := load.Open(context.Background(), path, frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		opt.EmptyFirst, opt.Progress = true, func(string) {}
		r, err := CTL{Source: src, Specs: []formula.Formula{spec}, Basic: true, Options: opt}.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if holds := r.Specs[0].Holds; holds == nil && r.Stopped == "" || holds != nil && !*holds || holds == nil && opt.MaxStates == 0 {
			t.Errorf("%+v: holds %v, stopped %q", opt, holds, r.Stopped)
		}
	}
}
