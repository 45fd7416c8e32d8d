package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"netcov/mutant"
)

// genhtml shows the LCOV form on the sources.
func TestGenhtmlTakesLCOV(t *testing.T) {
	if _, err := exec.LookPath("genhtml"); err != nil {
		t.Skip("genhtml is not installed")
	}
	dir := t.TempDir()
	source, info := filepath.Join(dir, "a.v"), filepath.Join(dir, "a.info")
	if err := os.WriteFile(source, []byte("module a;\nreg x;\nreg y;\nendmodule\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	rep := &Report{Schema: Schema}
	rep.Summary.ByFault = map[string]Counts{"zero": {Mutants: 2}}
	for i, v := range []mutant.Verdict{mutant.Covered, mutant.NotCovered} {
		rep.Mutants = append(rep.Mutants, Mutant{Node: Node{Kind: "latch", Index: i, File: source, Line: 2 + i}, Fault: "zero", Verdict: v})
	}
	if err := os.WriteFile(info, []byte(written(t, rep, "lcov")), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("genhtml", "--branch-coverage", "-o", filepath.Join(dir, "html"), info).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "50.0% (1 of 2 lines)") {
		t.Errorf("%v: %s", err, out)
	}
}
