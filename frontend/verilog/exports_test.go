package verilog

import (
	"strings"
	"testing"

	"netcov/frontend/verilog/preprocess"
)

// TestExports: declarations for programs are blanked, columns and lines stay, and all
// else does.
func TestExports(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want, names string }{
		{`a export "DPI-C" function f; b`, `a                            b`, "f"},
		{"export \"DPI-C\" c_f =\n task f ; x", "                    \n          x", "f"},
		{`export "DPI" function f; export "DPI-C" task g;`, strings.Repeat(" ", 47), "f, g"},
		{`export p::*;`, `export p::*;`, ""},
		{`m u (.export "DPI-C" function f;`, `m u (.export "DPI-C" function f;`, ""},
		{`export "DPI-C" function f`, `export "DPI-C" function f`, ""},
		{`s = "export \"DPI-C\" function f;";`, `s = "export \"DPI-C\" function f;";`, ""},
	} {
		text := preprocess.Text{Text: []byte(c.text), Lines: []preprocess.Place{{File: "t.v", Line: 1}, {}}}
		kept, note := withoutExports(&text, scan(&text))
		if got := string(text.Text); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.text, got, c.want)
		}
		if len(kept) != len(scan(&text)) {
			t.Errorf("%s: %d tokens stay", c.text, len(kept))
		}
		if told := strings.Join(note, ""); (c.names == "") != (told == "") || !strings.Contains(told, "of "+c.names+" left out") && told != "" {
			t.Errorf("%s: %q", c.text, told)
		}
	}
}

// TestExportsRead: a design with an export is read as if it were not there.
func TestExportsRead(t *testing.T) {
	t.Parallel()
	needYosys(t)
	const text = "module top(input clk, input d, output reg q = 0);\nfunction f(input x); f = !x; endfunction\nexport \"DPI-C\" function f;\n" +
		"always @(posedge clk) begin q <= f(d); a: assert (q !== d); end\nendmodule\n"
	with := mustLoadText(t, text, Options{})
	without := mustLoadText(t, strings.Replace(text, `export "DPI-C" function f;`, "", 1), Options{})
	if what := differs(with, without, 1); what != "" {
		t.Error(what)
	}
	if notesWith(with, `export "DPI-C" of f left out`) != 1 || notesWith(without, "export") != 0 {
		t.Errorf("%q", with.d.Notes)
	}
}
