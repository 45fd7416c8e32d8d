package structure

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestCommandPages: docs/commands is what netcov manual writes.
func TestCommandPages(t *testing.T) {
	const kept = "../../docs/commands"
	const cure = "write them again: go run ./cmd/netcov manual docs/commands --format markdown"
	dir := t.TempDir()
	if out, err := exec.Command("go", "run", "netcov/cmd/netcov", "manual", dir, "--format", "markdown").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	names := func(dir string) []string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range entries {
			out = append(out, e.Name())
		}
		return out
	}
	if got, want := names(kept), names(dir); !slices.Equal(got, want) {
		t.Fatalf("the pages are %v, and the commands have %v; %s", got, want, cure)
	}
	for _, name := range names(dir) {
		got, err := os.ReadFile(filepath.Join(kept, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s is not what the command's help says; %s", name, cure)
		}
	}
}
