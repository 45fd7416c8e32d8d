package verilog

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestScriptRuns: yosys runs the script as it is printed, in a folder with the
// technology maps.
func TestScriptRuns(t *testing.T) {
	t.Parallel()
	needYosys(t)
	dir := t.TempDir()
	source, err := filepath.Abs(designs + "ram.v")
	if err != nil {
		t.Fatal(err)
	}
	text, err := Script(Options{Files: []string{source}})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"all.ys": text}
	for _, m := range techMaps {
		files[m.name] = m.text
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("yosys", "-q", "-s", "all.ys")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, _, err := (&run{dir: dir, src: &sources{}}).onlyModule("net.json"); err != nil {
		t.Error(err)
	}
}
