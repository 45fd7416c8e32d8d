package verilog

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/frontend/verilog/preprocess"
	"netcov/internal/shared"
)

// write puts files below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestListEntries: all that a list may hold.
func TestListEntries(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("NETCOV_TEST_DIR", "hdl")
	write(t, dir, map[string]string{
		"all.f": `/* a comment
   of two lines */ +incdir+${NETCOV_TEST_DIR}/inc+more
-timescale=1ns/1ps -sverilog	# another
+define+A=1+B -D C -DE="two words"
-F lists/own.f -f lists/plain.f // the others
"with space.v" $(NETCOV_TEST_DIR)/top.v
-y lib -v cells.v +libext+.v+.vlib+ -G WIDTH=3 -U YOSYS -top best
`,
		"lists/own.f":   "leaf.v -I inc\n",
		"lists/plain.f": "hdl/a.v beside.v\n",
		"lists/leaf.v":  "", "lists/beside.v": "", "hdl/a.v": "", "hdl/top.v": "", "with space.v": "",
	})
	o := Options{List: "all.f"}
	if err := o.readList(o.List, false, 0); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want []string }{
		{o.Files, []string{"lists/leaf.v", "hdl/a.v", "lists/beside.v", "with space.v", "hdl/top.v"}},
		{o.Include, []string{"hdl/inc", "more", "lists/inc"}},
		{o.Defines, []string{"A=1", "B", "C", "E=two words"}},
		{o.LibDirs, []string{"lib"}},
		{o.LibFiles, []string{"cells.v"}},
		{o.LibExts, []string{".v", ".vlib"}},
		{o.Params, []string{"WIDTH=3"}},
		{o.Undefine, []string{"YOSYS"}},
		{[]string{o.Top}, []string{"best"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	for text, want := range map[string]string{
		"a.v\n/* open":    "bad.f:2: this comment has no end",
		"\n\"open\n":      "bad.f:2: this name has no closing quote",
		"${NETCOV_NONE}/": "bad.f:1: the environment has no variable NETCOV_NONE",
		"-F\na.f":         "bad.f:1: -F without a value",
		"+acc":            `bad.f:1: unknown entry "+acc"`,
	} {
		write(t, dir, map[string]string{"bad.f": text})
		o := Options{}
		if err := o.readList("bad.f", false, 0); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestLibraries: only what is missing comes from libraries, and what that misses too.
func TestLibraries(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, map[string]string{
		"top.v":      "module top(input clk); leaf #(3) u(.clk(clk)); here v(clk); endmodule module here(input c); endmodule\n",
		"lib/leaf.v": "module leaf(input clk); parameter W = 1; cell_a u(clk); endmodule\n",
		"lib/here.v": "not Verilog", "lib/other.v": "not Verilog", "lib/clk.v": "not Verilog",
		"cells.v":  "module cell_b(input c); endmodule module cell_a(input c); endmodule\n",
		"unused.v": "module unused; endmodule\n",
	})
	o := Options{Files: []string{"top.v"}, LibDirs: []string{"lib"}, LibFiles: []string{"unused.v", "cells.v"}}
	if _, err := o.preprocess(preprocess.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"top.v", "lib/leaf.v", "cells.v"}; !slices.Equal(o.Files, want) {
		t.Errorf("files %v, want %v", o.Files, want)
	}
}

// TestUsersList: a list as a simulator's user writes it.
func TestUsersList(t *testing.T) {
	dir := filepath.Join(shared.Dir(t, "cases/users"), "filelist")
	needYosys(t)
	t.Chdir(dir)
	t.Setenv("PWD", dir)
	b := mustLoad(t, Options{List: "vcs.f"})
	if b.h.top != "top44" || len(b.n.Bads) != 1 || registers(b) == 0 {
		t.Errorf("top %s, %d assertions, %d registers", b.h.top, len(b.n.Bads), registers(b))
	}
}
