package main

import (
	"context"
	"os"
	"path/filepath"
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
