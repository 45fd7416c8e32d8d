package ltl

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/internal/shared"
	"netcov/kripke/automaton"
	"netcov/kripke/formula"
	"netcov/kripke/hoa"
	"netcov/kripke/structure"
)

// sharedCase is a case of the shared benchmark folder, with its coverage by
// brute force.
type sharedCase struct {
	path      string
	structure *structure.Structure
	formula   formula.Formula // the zero value for an automaton
	wrong     *automaton.Automaton
	expected  map[Kind]map[string][]string
}

func sharedCases(t *testing.T) []sharedCase {
	t.Helper()
	dir := shared.Dir(t, "kripke-cases")
	var out []sharedCase
	for _, pattern := range []string{"ltl/*.json", "aut/*.json", "known/theorem1-*.json"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			out = append(out, readCase(t, file))
		}
	}
	return out
}

func readCase(t *testing.T, file string) sharedCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var j struct {
		Formula               string
		Structure, Node, Tree map[string][]string
	}
	if err := json.Unmarshal(data, &j); err != nil {
		t.Fatal(err)
	}
	base := strings.TrimSuffix(file, ".json")
	c := sharedCase{path: base, expected: map[Kind]map[string][]string{
		StructureCoverage: j.Structure, NodeCoverage: j.Node, TreeCoverage: j.Tree,
	}}
	if c.structure, err = structure.ReadFile(base + ".hoa"); err != nil {
		t.Fatal(err)
	}
	if j.Formula == "" {
		h, err := hoa.ReadFile(base + ".aut.hoa")
		if err != nil {
			t.Fatal(err)
		}
		if c.wrong, err = automaton.FromHOA(h); err != nil {
			t.Fatalf("%s: %v", base, err)
		}
		return c
	}
	if c.formula, err = formula.Parse(j.Formula, formula.LTL); err != nil {
		t.Fatal(err)
	}
	c.wrong = negated(t, c.formula)
	return c
}

func negated(t testing.TB, f formula.Formula) *automaton.Automaton {
	t.Helper()
	a, err := automaton.FromLTL(formula.Not(f), automaton.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func cellNames(cells []string, s structure.Set) []string {
	out := []string{}
	for c := range s.All() {
		out = append(out, cells[c])
	}
	slices.Sort(out)
	return out
}

// TestSharedCases compares the product algorithm with the shared cases.
func TestSharedCases(t *testing.T) {
	checks := 0
	for _, c := range sharedCases(t) {
		ck, err := NewChecker(context.Background(), mustModel(t, c.structure, c.wrong.AP), c.wrong)
		if err != nil {
			t.Fatal(err)
		}
		if counterexample, err := ck.Holds(); err != nil || counterexample != nil {
			t.Fatalf("%s: does not hold: %v %v", c.path, counterexample, err)
		}
		for _, kind := range Kinds {
			for signal, want := range c.expected[kind] {
				got := cellNames(ck.p.m.Cells, byProduct(t, ck, kind, signal))
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("%s: %s coverage of %s: %v, want %v", c.path, kind, signal, got, want)
				}
				checks++
			}
		}
	}
	t.Logf("%d sets compared", checks)
}

func mustModel(t testing.TB, k *structure.Structure, ap []string) *Model {
	t.Helper()
	m, err := FromStructure(k, ap)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// byProduct asks the product algorithm for one set.
func byProduct(t testing.TB, ck *Checker, kind Kind, signal string) structure.Set {
	t.Helper()
	return byProductIn(t, ck, kind, Flip{Signal: signal})
}

func byProductIn(t testing.TB, ck *Checker, kind Kind, flip Flip) structure.Set {
	t.Helper()
	node, err := ck.Node(flip)
	if err != nil {
		t.Fatal(err)
	}
	if kind == NodeCoverage {
		return node[0]
	}
	tree, err := ck.Tree(flip, node[0])
	if err != nil {
		t.Fatal(err)
	}
	if kind == TreeCoverage {
		return tree
	}
	s, err := ck.Structure(flip, tree)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
