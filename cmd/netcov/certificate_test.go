package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/certify"
)

// TestCertificateFlag: check --certificate writes a witness circuit about the
// design itself where it can, and beside a model of its own where it cannot; and
// a trace for a property that fails.
func TestCertificateFlag(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		name, text, property string
		code                 int
		model                bool
	}{
		{"plain", "aag 2 1 1 1 0\n2\n4 4\n4\n", "0", exitDone, false},
		{"renumbered", "aag 9 1 1 1 0\n2\n6 6\n6\n", "0", exitDone, true},
		{"two", "aag 2 1 1 2 0\n2\n4 4\n2\n4\n", "1", exitDone, true},
		{"fails", "aag 2 1 1 2 0\n2\n4 4\n2\n4\n", "0", exitFails, false},
	} {
		design, out := path(c.name+".aag"), path(c.name+".cert.aig")
		if err := os.WriteFile(design, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		code, _, e := call(t, "check", design, "--property", c.property, "--certificate", out)
		if code != c.code || strings.Contains(e, "model") != c.model {
			t.Errorf("%s: exit code %d, %s", c.name, code, e)
		}
		if c.code == exitFails {
			f, _ := aiger.ReadFile(design, aiger.Options{})
			in, err := os.Open(out)
			if err != nil {
				t.Fatal(err)
			}
			if ws, err := aiger.ReadWitnesses(in, out, f); err != nil || certify.NewChecker(f, 0).Replay(ws[0]) != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			in.Close()
			continue
		}
		model := design
		if c.model {
			model = out + ".model.aig"
		}
		m, err := aiger.ReadFile(model, aiger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w, err := aiger.ReadFile(out, aiger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := certify.CheckWitness(context.Background(), certify.Both, m, w); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if code, _, _ := call(t, "check", path("two.aag"), "--certificate", path("x")); code != exitUsage {
		t.Errorf("two properties: exit code %d", code)
	}
}

// TestArraysByWord: check takes an array above the limit by word, with a note and a
// witness of the array itself; what rests on the whole of it is refused.
func TestArraysByWord(t *testing.T) {
	design := filepath.Join(t.TempDir(), "mem.btor2")
	text := `1 sort bitvec 32
2 sort bitvec 8
3 sort array 1 2
4 sort bitvec 1
5 state 3 mem
6 zero 2
7 init 3 5 6
8 input 1 at
9 constd 2 7
10 write 3 5 8 9
11 next 3 5 10
12 read 2 5 8
13 eq 4 12 9
14 bad 13 seven
15 constd 2 9
16 eq 4 12 15
17 bad 16 nine
`
	if err := os.WriteFile(design, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	code, out, notes := call(t, "check", design)
	if code != exitFails || !strings.Contains(out, "sat\nb0\n#0\n@0\n") || !strings.Contains(out, "c nine\n0\nb1\n") || !strings.Contains(notes, "kept by word") {
		t.Errorf("exit code %d, %s%s", code, out, notes)
	}
	for _, args := range [][]string{{"check", design, "--property", "1", "--certificate", design + ".cert"}, {"explain", design, "mem"}, {"info", design}} {
		if code, _, e := call(t, args...); code != exitFailure || !strings.Contains(e, "limit") {
			t.Errorf("%v: exit code %d, %s", args, code, e)
		}
	}
}

// TestUndecidedTo: an undecided property has the steps within which it does not fail.
func TestUndecidedTo(t *testing.T) {
	within := regexp.MustCompile(`does not fail within \d+ step`)
	design := "../../benchmarks/designs/counter.aag"
	for _, form := range []string{"text", "hwmcc"} {
		code, out, e := call(t, "check", design, "--engine", "bmc", "--timeout", "300ms", "--format", form)
		if code != exitUndecided || !within.MatchString(out+e) {
			t.Errorf("%s: exit code %d, %s%s", form, code, out, e)
		}
	}
	if _, out, _ := call(t, "cover", design, "--engine", "bmc", "--timeout", "300ms"); !within.MatchString(out) {
		t.Error(out)
	}
}
