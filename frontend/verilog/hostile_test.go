package verilog

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// inFolder makes files in a new folder and goes there.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	needYosys(t)
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// counter is a design with one register of the given width.
func counter(width string) string {
	return "module top(input clk, input a);\n  reg [" + width + "-1:0] r = 0;\n  always @(posedge clk) r <= r + a;\n  always @* assert (r != 9);\nendmodule\n"
}

// TestOddNames: yosys sees none of the names of files, so that it cannot take them
// for a pattern, an option, a file of its own, the home folder or a command.
func TestOddNames(t *testing.T) {
	names := []string{
		"x[1].v", "+/simcells.v", "~/x.v", "a b.v", "a\"b.v", "a;b.v", "a\nb.v", "-x.v", "-o", "*.v", "a#b.v", "a\\b.v", "!touch x", "<x", ">>x", "netcov.1.v", "x.il", "x.v.gz",
	}
	files := map[string]string{"x1.v": counter("7"), "y.v": counter("7")}
	for _, n := range names {
		files[n] = counter("4")
	}
	inFolder(t, files)
	for _, n := range names {
		b := mustLoad(t, Options{Files: []string{n}})
		if registers(b) != 4 {
			t.Errorf("%q: %d registers", n, registers(b))
		}
		sum := sha256.Sum256([]byte(files[n]))
		if b.d.SHA256 != hex.EncodeToString(sum[:]) {
			t.Errorf("%q: not the hash of this file", n)
		}
		if p := b.d.Properties[0]; p.File != n || p.Line != 4 {
			t.Errorf("%q: the assertion is said to be at %q:%d", n, p.File, p.Line)
		}
	}
}

// TestOddMacros: the value of a macro is taken to the letter.
func TestOddMacros(t *testing.T) {
	text := "module top(input clk, output [7:0] y);\n  reg [7:0] r = {`LIST};\n  always @(posedge clk) r <= r;\n  assign y = r;\nendmodule\n"
	inFolder(t, map[string]string{"t.v": text})
	for value, want := range map[string]string{
		"4'd1,4'd2": "01001000", "8'd7\n": "11100000", "\"A\"": "10000010", "8'd1; \n!touch pwned": "", "`LIST": "", "8'd`N": "11000000",
	} {
		b, err := load(t.Context(), Options{Files: []string{"t.v"}, Defines: []string{"LIST=" + value, "N=3"}})
		if want == "" {
			if err == nil {
				t.Errorf("%q was accepted", value)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", value, err)
			continue
		}
		got := ""
		for _, l := range b.n.Latches {
			got += map[bool]string{false: "0", true: "1"}[l.Reset&1 != 0]
		}
		if got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
	if exists("pwned") {
		t.Error("a macro ran a command")
	}
}

// TestNothingRuns: what a design could call is refused by name, and leaves nothing
// behind.
func TestNothingRuns(t *testing.T) {
	module := func(text string) string { return "module top(input clk, input a);\n" + text + "\nendmodule\n" }
	dpi := "import \"DPI-C\" function integer system(integer n);\n"
	cases := map[string]string{
		dpi + module("localparam P = system(1);"): `t.v:1: import "DPI-C": a function of another language`,
		module("export \"DPI-C\" f;"):             `t.v:2: a form of export "DPI-C" that is not supported`,
		"`define I import\n`define D \"DPI-C\"\n`I `D function integer system(integer n);\n" + module(""): `t.v:3: import "DPI-C"`,
		module("initial $system(\"touch pwned\");"):                                                       "t.v:2: yosys: Can't resolve task name `\\$system'",
		module("localparam X = $system(\"touch pwned\");"):                                                "t.v:2: yosys: Can't resolve function name `\\$system'",
		module("integer f; initial f = $fopen(\"pwned\");"):                                               "t.v:2: yosys: Can't resolve function name `\\$fopen'",
		module("reg m[0:1]; initial $writememh(\"pwned\", m);"):                                           "t.v:2: yosys: Can't resolve task name `\\$writememh'",
		module("`include \"/dev/zero\""):                                                                  "t.v:2: `include: /dev/zero: this is a device",
		module("`include \"pipe\""):                                                                       "t.v:2: `include: pipe: this is a pipe",
		module("reg m[0:1]; initial $readmemh(\"/dev/zero\", m);"):                                        "t.v:2: $readmemh: /dev/zero: this is a device",
		module("reg m[0:1]; initial $readmemh(\"none.hex\", m);"):                                         "t.v:2: $readmemh: there is no file \"none.hex\"",
		module("`file_push \"/dev/zero\""):                                                                "t.v:2: the macro `file_push is not defined",
		module("`line 1 \"/dev/zero\" 0\nalways @* assert(a); x"):                                         "t.v:4: yosys: syntax error",
		module("(* nosync *) reg q; always @(posedge clk) q <= a;"):                                       "t.v:2: the attribute nosync",
		module("(* \\nosync *) reg q; always @(posedge clk) q <= a;"):                                     "t.v:2: the attribute \\nosync",
		module("reg [7:0] m[0:1];\ninitial $readmemh({\"no\", \"ne.hex\"}, m);"):                          "t.v:3: yosys: Can not open file",
		module("(* yreg *) wire q;"):                                                                      "t.v:2: the attribute yreg",
		module("reg __netcov_sva_0_q; always @(posedge clk) __netcov_sva_0_q <= a;"):                      "t.v:2: the name __netcov_sva_0_q begins with __netcov_sva_",
		module("reg \\u.__netcov_sva_bound_1 ;"):                                                          "t.v:2: the name \\u.__netcov_sva_bound_1 begins with",
		module("(* netcov_temporary *) reg q;"):                                                           "t.v:2: the attribute netcov_temporary",
		module("") + "bind top chk c(.*);\n":                                                              "t.v:3: yosys: Module `\\chk' referenced in module",
		"`define B bind\n" + module("") + "`B top chk c(.*)\n":                                            "t.v:5: a form of bind that is not supported",
	}
	inFolder(t, nil)
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Skip(err)
	}
	for text, want := range cases {
		if err := os.WriteFile("t.v", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := load(t.Context(), Options{Files: []string{"t.v"}, Frontend: FrontendYosys})
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
	if left, _ := filepath.Glob("*"); len(left) != 2 {
		t.Errorf("the folder has %v", left)
	}
}

// TestSourceAttribute: a source that tells other places makes nobody read them.
func TestSourceAttribute(t *testing.T) {
	inFolder(t, map[string]string{
		"t.v": "(* src = \"/dev/zero:1.1-2.2\" *)\nmodule top(input clk, input a);\n  (* src = \"/dev/zero:1.1-2.2\" *) reg r = 0;\n  always @(posedge clk) r <= a;\n  always @* assert (r);\nendmodule\n",
	})
	mustLoad(t, Options{Files: []string{"t.v"}})
}

// TestListsWithoutEnd: a list that is a device or a pipe, or that names one.
func TestListsWithoutEnd(t *testing.T) {
	inFolder(t, map[string]string{"zero.f": "/dev/zero\n", "list.f": "-f /dev/zero\n", "pipe.f": "pipe\n", "pipes.f": "-f pipe\n"})
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Skip(err)
	}
	for list, want := range map[string]string{
		"zero.f": "/dev/zero: this is a device; give a file", "list.f": "/dev/zero: this is a device", "pipe.f": "pipe: this is a pipe", "pipes.f": "pipe: this is a pipe",
		"/dev/zero": "/dev/zero: this is a device", "pipe": "pipe: this is a pipe", ".": ".: this is no file",
	} {
		if _, err := load(t.Context(), Options{List: list}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v", list, err)
		}
	}
}

// TestMemoryFiles: files are found from the working folder and from the source, by
// a string and by a parameter; what lies elsewhere is told; the hash covers all.
func TestMemoryFiles(t *testing.T) {
	rom := func(name string) string {
		return "module top(input clk, input [1:0] a, output reg [7:0] q);\n  parameter F = " + name + ";\n  reg [7:0] m [0:3];\n  initial $readmemh(F, m);\n  always @(posedge clk) q <= m[a];\n" +
			"  always @(posedge clk) if (a == 3) m[a] <= 1;\nendmodule\n"
	}
	outer := t.TempDir()
	if err := os.WriteFile(outer+"/out.hex", []byte("5 6 7 8\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	inFolder(t, map[string]string{"here.hex": "1 2 3 4\n", "src/beside.hex": "3 2 1 0\n", "netcov.1.v": "9 9 9 9\n", "src/keep": ""})
	for name, first := range map[string]int{"here.hex": 1, "./here.hex": 1, "src/../here.hex": 1, "beside.hex": 3, "src/beside.hex": 3, "netcov.1.v": 9, outer + "/out.hex": 5} {
		for _, direct := range []bool{false, true} {
			text := rom(`"` + name + `"`)
			if direct {
				text = strings.Replace(text, "(F, m)", `("`+name+`", m)`, 1)
			}
			if err := os.WriteFile("src/t.v", []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			b, err := load(t.Context(), Options{Files: []string{"src/t.v"}})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			got := 0
			for i, l := range b.n.Latches {
				if o := b.d.Latches[i]; strings.HasSuffix(o.Register, "m[0]") {
					got |= int(l.Reset&1) << o.Bit
				}
			}
			if got != first {
				t.Errorf("%s: the first word is %d, want %d", name, got, first)
			}
			if told := notesWith(b, "outside of the folders of the sources"); (told == 1) != strings.HasSuffix(name, "out.hex") {
				t.Errorf("%s: %d notes", name, told)
			}
			if sum := sha256.Sum256([]byte(text)); b.d.SHA256 == hex.EncodeToString(sum[:]) {
				t.Errorf("%s: the hash does not cover the memory", name)
			}
		}
	}
}

// TestHashCoversIncludes: another included file is another design.
func TestHashCoversIncludes(t *testing.T) {
	inFolder(t, map[string]string{"t.v": "`include \"w.vh\"\n" + counter("`W"), "w.vh": "`define W 4\n"})
	one := mustLoad(t, Options{Files: []string{"t.v"}}).d.SHA256
	if err := os.WriteFile("w.vh", []byte("`define W 5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if two := mustLoad(t, Options{Files: []string{"t.v"}}).d.SHA256; one == two {
		t.Error("both have the same hash")
	}
}

// TestLeftOut: a note tells of assertions that are not read.
func TestLeftOut(t *testing.T) {
	b := mustLoadText(t, "module top(input clk, input a);\n`ifdef SVA\nalways @* assert(a);\nalways @* assert(!a);\n`endif\n// synopsys translate_off\nalways @* assert(a);\n// synopsys translate_on\n"+
		"`ifndef FORMAL\nalways @* assert(0);\n`endif\nendmodule\n", Options{Top: "top"})
	for _, want := range []string{"t.v:3), which is not defined", "2 assertions stand under `ifdef SVA", "1 assertion is not read: translate_off at", "1 assertion stands under `ifndef FORMAL"} {
		if notesWith(b, want) != 1 {
			t.Errorf("no note %q in\n%s", want, strings.Join(b.d.Notes, "\n"))
		}
	}
}

// TestMacroPlaces: assertions of a macro stand at the lines of its uses.
func TestMacroPlaces(t *testing.T) {
	b := mustLoadText(t, "`define CHECK(n, x) \\\n  always @* \\\n    n: assert (x);\nmodule top(input a, input b);\n`CHECK(one, a)\n`CHECK(two,\n  b)\nalways @*\n  assert (a | b);\nendmodule\n", Options{})
	var at []int
	for _, p := range b.d.Properties {
		at = append(at, p.Line)
	}
	if len(at) != 3 || at[0] != 5 || at[1] != 6 || at[2] != 9 {
		t.Errorf("lines %v", at)
	}
}

// TestNotBelow: assertions of a module that the top module does not use.
func TestNotBelow(t *testing.T) {
	text := "(* top *) module one(input clk, input a); always @* assert(a); endmodule\nmodule two(input a);\nalways @* assert(a);\nalways @* assert(!a);\none u(a, a);\nendmodule\n"
	b := mustLoadText(t, text, Options{Top: "one"})
	if notesWith(b, "module two (") != 1 || notesWith(b, "2 assertions are not read") != 1 || notesWith(b, "module one (") != 0 {
		t.Errorf("notes\n%s", strings.Join(b.d.Notes, "\n"))
	}
	if b := mustLoadText(t, text, Options{Top: "two"}); notesWith(b, "not below") != 0 {
		t.Errorf("notes\n%s", strings.Join(b.d.Notes, "\n"))
	}
}
