package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// built builds the program, for tests that start and kill processes.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "netcov")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}
