package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call runs the program.
func call(t testing.TB, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// TestVerifyCommand: evidence of a run stands, alone and beside the design and the
// report; damaged evidence does not, and the failure is named.
func TestVerifyCommand(t *testing.T) {
	dir := t.TempDir()
	design, report, proofs := filepath.Join(dir, "toggle.aag"), filepath.Join(dir, "report.json"), filepath.Join(dir, "evidence")
	text := "aag 5 1 3 0 1 1\n2\n4 5\n6 4\n8 2\n10\n10 4 6\nl0 toggle\n"
	if err := os.WriteFile(design, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, e := call(t, "cover", design, "--format", "json", "-o", report, "--evidence", proofs); code != exitDone {
		t.Fatal(e)
	}
	if code, _, e := call(t, "cover", design, "--evidence", proofs); code != exitFailure || !strings.Contains(e, "not empty") {
		t.Errorf("a directory in use: exit code %d, %s", code, e)
	}
	for _, args := range [][]string{
		{"verify", proofs},
		{"verify", proofs, "--solver", "both", "--jobs", "2"},
		{"verify", proofs, "--design", design, "--report", report, "--solver", "gophersat"},
		{"verify", proofs, "--format", "json"},
	} {
		code, out, e := call(t, args...)
		if code != exitDone || !strings.Contains(out, "9: 4 covered") && !strings.Contains(out, `"mutants": 9`) {
			t.Errorf("%v: exit code %d, %s%s", args, code, out, e)
		}
	}
	other := filepath.Join(dir, "other.aag")
	if err := os.WriteFile(other, []byte(strings.Replace(text, "4 5", "4 4", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := call(t, "verify", proofs, "--design", other); code != exitFailure || !strings.Contains(out, "FAILS") {
		t.Errorf("another design: exit code %d, %s", code, out)
	}
	witness := filepath.Join(proofs, "p0", "original.witness.aig")
	data, err := os.ReadFile(witness)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(witness, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, out, e := call(t, "verify", proofs); code != exitFailure || !strings.Contains(out, "original.witness.aig") || !strings.Contains(e, "does not stand") {
		t.Errorf("damage: exit code %d, %s%s", code, out, e)
	}
	for _, args := range [][]string{{"verify"}, {"verify", proofs, "--solver", "minisat"}, {"verify", proofs, "--format", "xml"}, {"verify", proofs, "--jobs", "0"}} {
		if code, _, _ := call(t, args...); code != exitUsage {
			t.Errorf("%v: exit code %d, usage is due", args, code)
		}
	}
	if code, _, e := call(t, "verify", dir); code != exitFailure || !strings.Contains(e, "no evidence") {
		t.Errorf("no evidence: exit code %d, %s", code, e)
	}
}
