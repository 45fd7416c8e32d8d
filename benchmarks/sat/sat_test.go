package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/aig"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// TestUnroll solves the unrollings of the shipped designs by file and
// incrementally, with two solvers.
func TestUnroll(t *testing.T) {
	files, err := filepath.Glob("../designs/*.aag")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	seen := map[sat.Status]int{}
	for _, f := range files {
		m, err := readModel(f)
		if err != nil {
			t.Fatal(err)
		}
		// The properties hold; that a latch is true does not, mostly.
		for _, bad := range []aig.Lit{m.Bad, m.Latches[0].Lit} {
			m.Bad = bad
			inc := proof.NewGini()
			fr := netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(inc), Initial: true})
			for k := range 12 {
				path := filepath.Join(t.TempDir(), "k.cnf")
				if err := unroll(m, k).write(path); err != nil {
					t.Fatal(err)
				}
				s, err := newSolver("netcov+Log=true")
				if err != nil {
					t.Fatal(err)
				}
				if err := load(s, path); err != nil {
					t.Fatal(err)
				}
				inc.AddClause(fr.Lit(k, m.Constraint))
				got, want := s.Solve(context.Background()), inc.Solve(context.Background(), fr.Lit(k, m.Bad))
				if got != want {
					t.Errorf("%s at depth %d: %s, want %s", f, k, word(got), word(want))
				}
				seen[got]++
			}
		}
	}
	if seen[sat.Sat] == 0 || seen[sat.Unsat] == 0 {
		t.Errorf("one answer only: %v", seen)
	}
}

func TestFamilies(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a1.aig", "a2.aag", "b1.aig", "x.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	names := func() string {
		groups, err := families(dir)
		if err != nil {
			t.Fatal(err)
		}
		var text []string
		for _, g := range groups {
			for i := range g {
				g[i] = filepath.Base(g[i])
			}
			text = append(text, strings.Join(g, " "))
		}
		slices.Sort(text)
		return strings.Join(text, ", ")
	}
	if got, want := names(), "a1.aig a2.aag, b1.aig"; got != want {
		t.Errorf("by name: %q, want %q", got, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "index.tsv"), []byte("file\tfamily\na1.aig\tu\nb1.aig\tu\na2.aag\tv\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := names(), "a1.aig b1.aig, a2.aag"; got != want {
		t.Errorf("by index: %q, want %q", got, want)
	}
}

func TestOptions(t *testing.T) {
	o, err := parseOptions("Log=true+Eliminate=false")
	if err != nil || !o.Log || o.Eliminate {
		t.Errorf("%+v, %v", o, err)
	}
	for _, bad := range []string{"Nothing=1", "Log=maybe", "Log", "reduceFirst=7"} {
		if _, err := parseOptions(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	if _, err := newSolver("minisat"); err == nil {
		t.Error("minisat is no solver of this process")
	}
}
