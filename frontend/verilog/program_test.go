package verilog

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVersions: what yosys says of itself, and which versions are tested.
func TestVersions(t *testing.T) {
	for text, want := range map[string]string{
		"Yosys 0.23 (git sha1 7ce5011c24b)":                 "",
		"Yosys 0.37 (git sha1 a5c7f69ed, clang 14.0.0 -Os)": "",
		"Yosys 0.69+62 (git sha1 0edda7a3a)":                "",
		"Yosys 0.70":                                        "",
		"Yosys 0.9 (git sha1 1979e0b)":                      "yosys 0.9 is outside of the versions",
		"Yosys 0.22+3":                                      "yosys 0.22+3 is outside of the versions",
		"Yosys 0.71+1":                                      "yosys 0.71+1 is outside of the versions",
		"Yosys 1.0":                                         "yosys 1.0 is outside of the versions",
		"something else":                                    "does not tell its version",
	} {
		if got := untested(text); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// program writes a program that says it is some yosys.
func program(t *testing.T, dir, name, said string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho '"+said+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestWhichYosys: the environment comes before the PATH, and a wrong name there is
// taken as it is.
func TestWhichYosys(t *testing.T) {
	dir := t.TempDir()
	program(t, dir, "yosys", "Yosys 0.23 (git sha1 0)")
	mine := program(t, t.TempDir(), "mine", "Yosys 0.99 (git sha1 0)")
	t.Setenv("PATH", dir)
	t.Setenv(YosysVariable, "")
	if got := findYosys(); got != "yosys" {
		t.Errorf("%s is run, not that of the PATH", got)
	}
	t.Setenv(YosysVariable, mine)
	if got := findYosys(); got != mine {
		t.Errorf("%s is run, not %s", got, mine)
	}
	ps := Programs(context.Background())
	if len(ps) < 2 || ps[0].Path != mine || ps[0].Version != "0.99" || ps[0].Tested || ps[1].Version != "0.23" || !ps[1].Tested {
		t.Errorf("%+v", ps)
	}
	t.Setenv(YosysVariable, filepath.Join(dir, "nowhere"))
	if got := findYosys(); got != filepath.Join(dir, "nowhere") {
		t.Errorf("%s is run instead of a missing one", got)
	}
	if ps := Programs(context.Background()); ps[0].Problem == "" {
		t.Errorf("%+v", ps[0])
	}
}
