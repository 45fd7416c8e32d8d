package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"netcov/aiger"
)

// TestDegenerate runs netcov cover on designs that lack something, or have far
// too much of it.
func TestDegenerate(t *testing.T) {
	thousand := &strings.Builder{}
	fmt.Fprint(thousand, "aag 1 0 1 1000 0\n2 2\n"+strings.Repeat("2\n", 1000))
	for _, c := range []struct {
		name, text string
		code       int
		want       string
	}{
		{"no latches", "aag 1 1 0 1 0\n2\n0\n", 0, "the design has no registers of its own: nothing to cut"},
		{"no inputs", "aag 1 0 1 1 0\n2 2\n2\n", 0, "coverage: 66.7% (2 of 3 mutants)"},
		{"nothing", "aag 0 0 0 1 0\n0\n", 0, "holds"},
		{"no property", "aag 0 0 0 0 0\n", 1, "there is no property"},
		{"constant false", "aag 1 0 1 1 0\n2 3\n0\n", 0, "coverage: 0.0% (0 of 3 mutants)"},
		{"constant true", "aag 1 0 1 1 0\n2 3\n1\n", 3, "FAILS"},
		{"property is an input", "aag 1 1 0 1 0\n2\n2\n", 3, "FAILS"},
		{"property is an input, constrained", "aag 2 1 1 0 0 1 1\n2\n4 4\n2\n3\n", 0, "coverage: 0.0% (0 of 3 mutants)"},
		{"constraints contradict", "aag 1 0 1 0 0 1 2\n2 3\n2\n2\n3\n", 0, "coverage: 0.0% (0 of 3 mutants)"},
		{"a latch that feeds itself", "aag 1 0 1 1 0\n2 2 2\n2\n", 3, "FAILS"},
		{"a latch that feeds itself, reset 1", "aag 1 0 1 1 0\n2 2 1\n3\n", 0, "1 constant"},
		{"a thousand properties", thousand.String(), 0, "coverage of the 1000 properties together: 66.7% (2 of 3 mutants)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "design.aag")
			if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			code, out, errOut := capture(t, "cover", path)
			if code != c.code || !strings.Contains(out+errOut, c.want) {
				t.Errorf("exit code %d, want %d; output %q %q, want %q", code, c.code, out, errOut, c.want)
			}
		})
	}
}

// shiftRegister is a chain of latches that starts with a constant 0; the bad
// state is a 1 in the latch at the tap.
func shiftRegister(length, tap int) *aiger.File {
	f := &aiger.File{MaxVar: uint32(length)}
	for i := range length {
		l := aiger.Latch{Lit: aiger.Lit(2 * (i + 1))}
		if i > 0 {
			l.Next = aiger.Lit(2 * i)
		}
		f.Latches = append(f.Latches, l)
	}
	f.Bads = []aiger.Lit{aiger.Lit(2 * (tap + 1))}
	return f
}

// TestLongShiftRegister has a hundred thousand latches: three of them in the
// cone of influence, or all, and then little time.
func TestLongShiftRegister(t *testing.T) {
	length := 100_000
	if testing.Short() {
		length /= 20
	}
	path := filepath.Join(t.TempDir(), "shift.aig")
	if err := aiger.WriteFile(path, shiftRegister(length, 2)); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := capture(t, "cover", path)
	want := fmt.Sprintf("6 of %d mutants), all decided", 3*length)
	if code != 0 || !strings.Contains(out, want) {
		t.Errorf("exit code %d: %s; want %q; %.500s", code, errOut, want, out)
	}
	if err := aiger.WriteFile(path, shiftRegister(length, length-1)); err != nil {
		t.Fatal(err)
	}
	code, out, errOut = capture(t, "cover", path, "--timeout", "1s", "--budget", "1s")
	if code != 4 && code != 0 {
		t.Errorf("exit code %d: %s; %.500s", code, errOut, out)
	}
}

// TestDeepChain has a chain of gates of great depth in its property: nothing may
// recurse on it.
func TestDeepChain(t *testing.T) {
	depth := 1_000_000
	if testing.Short() {
		depth /= 20
	}
	f := &aiger.File{MaxVar: uint32(depth + 3)}
	f.Inputs = []aiger.Lit{2, 4}
	f.Latches = []aiger.Latch{{Lit: 6, Next: 6}}
	last := aiger.Lit(6)
	for i := range depth {
		// conjunctions and disjunctions in turn, with one input and the other
		a := aiger.And{Lhs: aiger.Lit(8 + 2*i), Rhs0: last, Rhs1: aiger.Lit(2+2*(i/2%2)) ^ aiger.Lit(i/4%2)}
		f.Ands = append(f.Ands, a)
		last = a.Lhs ^ 1
	}
	f.Bads = []aiger.Lit{0}
	f.Outputs = []aiger.Lit{last}
	f.Constraints = []aiger.Lit{1}
	path := filepath.Join(t.TempDir(), "deep.aig")
	for _, bad := range []aiger.Lit{0, last, last ^ 1} {
		f.Bads[0] = bad
		if err := aiger.WriteFile(path, f); err != nil {
			t.Fatal(err)
		}
		code, out, errOut := capture(t, "cover", path, "--timeout", "20s", "--budget", "20s")
		if code != 0 && code != 3 && code != 4 {
			t.Errorf("exit code %d: %s; %.500s", code, errOut, out)
		}
	}
}
