package analysis

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"netcov/frontend"
	"netcov/kripke/formula"
	"netcov/kripke/load"
	"netcov/kripke/report"
)

func runCompare(t *testing.T, path, algorithm string, specs ...string) *report.Comparison {
	t.Helper()
	src, err := load.Open(t.Context(), path, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := Comparison{Impl: src, Algorithm: algorithm, Room: Room{Progress: func(string) {}}}
	for _, s := range specs {
		f, err := formula.Parse(s, formula.ACTL)
		if err != nil {
			t.Fatal(err)
		}
		q.Specs = append(q.Specs, f)
	}
	r, err := q.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// turns is a design with a client at a time and a property for each.
func turns(t *testing.T, k int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "MODULE main\nVAR who : 0..%d;\n", k)
	for i := range k {
		fmt.Fprintf(&b, "VAR a%d : boolean;\nDEFINE r%d := who = %d;\nASSIGN init(a%d) := FALSE; next(a%d) := r%d;\nSPEC AG (r%d -> AX a%d)\n", i, i, i+1, i, i, i, i, i)
	}
	path := filepath.Join(t.TempDir(), "turns.smv")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCompareAlgorithms: what is found does not depend on the algorithm, for models,
// circuits and structures.
func TestCompareAlgorithms(t *testing.T) {
	designs := "../../benchmarks/designs"
	text := filepath.Join(t.TempDir(), "k.txt")
	if err := os.WriteFile(text, []byte("ap p q\ninit a\nstate a {p} -> b c\nstate b {q} -> a\nstate c {q} -> c a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	fair := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, x := range []struct {
		path  string
		specs []string
		holds bool
	}{
		{turns(t, 4), nil, true},
		{turns(t, 2), []string{"AG (r0 -> !r1)", "AG (a0 -> AX !a1) | r0"}, false},
		{designs + "/smv/kgg99/trans.smv", nil, true},
		{designs + "/smv/kgg99/unimp.smv", nil, true},
		{designs + "/smv/kgg99/m2o.smv", nil, true},
		{designs + "/counter.aag", []string{"AG !at_most_9"}, true},
		{text, []string{"AG (p -> AX q)", "p"}, true},
		{text, []string{"AG (q -> AX p)", "p"}, false},
		// Unfair paths do not count: those that stay away from n = 3, that leave a
		// register set, and those into a dead state.
		{fair("m.smv", "MODULE main\nVAR go : boolean; n : 0..3; hung : boolean;\nASSIGN init(n) := 0; next(n) := go & !hung ? (n + 1) mod 4 : n;\n"+
			"init(hung) := FALSE; next(hung) := hung | n = 2 & !go;\nFAIRNESS n = 3\n"), []string{"AG (n = 2 -> AX n = 3)", "AG !hung"}, true},
		{fair("m.aag", "aag 3 1 2 0 0 0 0 0 1\n2\n4 4\n6 2\n5\ni0 i\nl0 stuck\nl1 r\n"), []string{"AG (r | !r)", "AG !stuck"}, true},
		{fair("m.aag", "aag 3 1 2 0 0 0 0 0 1\n2\n4 4 4\n6 2\n5\ni0 i\nl0 stuck\nl1 r\n"), []string{"AG (r | !r)", "AG !stuck"}, true},
		{fair("m.txt", "ap p q\ninit a d\nstate a {p} -> b c d\nstate b {q} -> a\nstate c {q} -> c a\nstate d -> d\nfair b\n"), []string{"AG (p -> AX q)", "p"}, true},
		{fair("m.txt", "ap p q\ninit a d\nstate a {p} -> b c d\nstate b {q} -> a\nstate c {q} -> c a\nstate d -> d\nfair b\nfair d\n"), []string{"AG (p -> AX q)", "p & !p"}, true},
	} {
		want := runCompare(t, x.path, "explicit", x.specs...)
		if *want.Holds != x.holds {
			t.Fatalf("%s %v: holds %v", x.path, x.specs, *want.Holds)
		}
		for _, a := range []string{"symbolic", "implicit", "auto"} {
			got := runCompare(t, x.path, a, x.specs...)
			if !x.holds {
				if *got.Holds || len(got.Reason) == 0 {
					t.Errorf("%s, %s: %+v", x.path, a, got)
				}
				continue
			}
			if g, w := fmt.Sprint(got.States, got.Tableau, got.Pairs, got.Totals, got.Complete, got.Observed), fmt.Sprint(want.States, want.Tableau, want.Pairs, want.Totals, want.Complete, want.Observed); g != w {
				t.Errorf("%s, %s:\n got %s\nwant %s", x.path, a, g, w)
			}
			if g, w := implementations(got), implementations(want); g != w {
				t.Errorf("%s, %s: states\n got %s\nwant %s", x.path, a, g, w)
			}
		}
	}
}

// implementations names the design states of OneToMany, which do not depend on how
// tableau states are listed.
func implementations(r *report.Comparison) string {
	names := map[string]bool{}
	for _, e := range r.Criteria["OneToMany"] {
		names[e.Implementation[0].State] = true
	}
	return fmt.Sprint(names)
}

// TestCompareMany: 16 properties have 4^16 tableau states.
func TestCompareMany(t *testing.T) {
	r := runCompare(t, turns(t, 16), "auto")
	if r.Algorithm != "implicit" || r.Tableau.States != "4294967296" || r.States != "289" {
		t.Errorf("%s: %s states, tableau %s", r.Algorithm, r.States, r.Tableau.States)
	}
	// Each of the 17 choices of the next turn goes with each of the present one.
	if r.Totals["UnImplementedState"] != "4294967007" {
		t.Errorf("%v", r.Totals)
	}
	if n := len(r.Criteria["UnImplementedState"]); n != 1000 {
		t.Errorf("%d entries", n)
	}
}

// TestCompareWithoutVariables: a model of constants has one state.
func TestCompareWithoutVariables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "constant.smv")
	if err := os.WriteFile(path, []byte("MODULE main\nDEFINE x := TRUE;\nSPEC AG x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, a := range CompareAlgorithms {
		if r := runCompare(t, path, a); !r.Complete || r.States != "1" || r.Tableau.States != "1" {
			t.Errorf("%s: %s states, tableau %s", a, r.States, r.Tableau.States)
		}
	}
}

// TestLongChain: a long tableau with few steps is listed by auto, without diagrams first.
func TestLongChain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.smv")
	if err := os.WriteFile(path, []byte("MODULE main\nVAR p : boolean;\nASSIGN init(p) := TRUE; next(p) := TRUE;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const n = 700
	f, err := formula.Parse(strings.Repeat("AX (", n)+"p"+strings.Repeat(")", n), formula.ACTL)
	if err != nil {
		t.Fatal(err)
	}
	src, err := load.Open(t.Context(), path, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := Comparison{Impl: src, Specs: []formula.Formula{f}, Room: Room{Progress: func(s string) {
		if s == "reading the design" { // the first step of the algorithm implicit
			t.Error("neither side is listed")
		}
	}}}
	r, err := q.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.Holds == nil || !*r.Holds || len(r.Notes) > 0 {
		t.Errorf("holds: %v, notes: %v", r.Holds, r.Notes)
	}
}
