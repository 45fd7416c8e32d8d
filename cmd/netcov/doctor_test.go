package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDoctor: what is found, what it is for, and how to get the rest.
func TestDoctor(t *testing.T) {
	dir := t.TempDir()
	write := func(name, said string) {
		t.Helper()
		// Another program writes the file: one that this process has open for writing
		// cannot be started while a child of another test has the descriptor.
		shell := exec.Command("sh", "-c", `cat > "$0" && chmod 700 "$0"`, filepath.Join(dir, name))
		shell.Stdin = strings.NewReader("#!/bin/sh\nprintf '%s\\n' '" + said + "'\n")
		if err := shell.Run(); err != nil {
			t.Fatal(err)
		}
	}
	write("yosys", "Yosys 0.99 (git sha1 0)")
	write("iverilog", "Icarus Verilog version 11.0 (stable) ()")
	t.Setenv("PATH", dir)
	t.Setenv("NETCOV_YOSYS", filepath.Join(dir, "none"))
	var out, errOut strings.Builder
	if code := run([]string{"doctor"}, nil, &out, &errOut); code != exitDone {
		t.Fatalf("exit %d: %s", code, errOut.String())
	}
	for _, want := range []string{
		"none (NETCOV_YOSYS)", "does not run: no such file or directory",
		"0.99, with slang", "yosys (PATH)", "an alternative",
		"note: yosys 0.99 is outside of the versions that netcov is tested with, 0.23 to 0.70",
		"11.0", "not found", "make tools", "apt-get install ghdl graphviz berkeley-abc minisat spin\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
