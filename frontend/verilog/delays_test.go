package verilog

import (
	"strings"
	"testing"

	"netcov/frontend/verilog/preprocess"
)

func TestBlankDelays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"q <= #1 d;", "q <=    d;"},
		{"q<=#1.5ns d;", "q<=       d;"},
		{"q <= # 10ps d;", "q <=        d;"},
		{"q = #(A + (B)) d;", "q =            d;"},
		{"q = #D (d);", "q =    (d);"},
		{"q = #p::D d;", "q =       d;"},
		{`q = #\D+ d;`, `q =      d;`},
		{"assign #(1, 2) y = #3 d;", "assign         y =    d;"},
		{"q <= #(1\n+2) d;", "q <=    \n    d;"},
		{"q = ##1 d;", ""},
		{"a #=# b", ""},
		{"#5 q = d;", ""},
		{"m #(1) u(q);", ""},
		{"m #(.P(1)) u(.assign (d));", ""},
		{"q <= #(1", ""},
		{"q <= #", ""},
	} {
		if c.want == "" {
			c.want = c.text
		}
		text := preprocess.Text{Text: []byte(c.text), Lines: []preprocess.Place{{}, {}}}
		if got := string(blankDelays(text.Text, scan(&text))); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestDeferral: deferred assertions are immediate ones.
func TestDeferral(t *testing.T) {
	t.Parallel()
	text := preprocess.Text{Text: []byte("l: assert #0 (a); assume\n# 0 (b); cover #1 (c); assert #0 x; q <= #0 (d);"), Lines: []preprocess.Place{{}, {}}}
	tokens := scan(&text)
	kept := withoutDeferral(&text, tokens)
	if got, want := string(text.Text), "l: assert    (a); assume\n    (b); cover #1 (c); assert #0 x; q <= #0 (d);"; got != want || len(kept) != len(tokens)-4 || len(kept) != len(scan(&text)) {
		t.Errorf("%q, %d of %d tokens", got, len(kept), len(tokens))
	}
}

// TestDelaysForSlang: a design with delays makes the netlist of the design without.
func TestDelaysForSlang(t *testing.T) {
	t.Parallel()
	needSlang(t)
	const text = "module top(input clk, input rst, input [3:0] d, output [3:0] y);\nparameter D = 1;\nreg [3:0] p = 0, q = 0;\n" +
		"assign #2 y = p;\nalways @(posedge clk or posedge rst) if (rst) p <= #D 0; else p <= #(D + 1) d;\n" +
		"always @(posedge clk) q <= #1ns p;\none: assert property (@(posedge clk) d == 3 |=> p == 3);\nalways @(posedge clk) two: assert (q != 9);\nendmodule\n"
	bare := strings.NewReplacer("#2 ", "   ", "#D ", "   ", "#(D + 1) ", "         ", "#1ns ", "     ").Replace(text)
	if strings.Contains(bare, "#") {
		t.Fatal(bare)
	}
	with := mustLoadText(t, text, Options{Frontend: FrontendSlang})
	without := mustLoadText(t, bare, Options{Frontend: FrontendSlang})
	if what := differs(with, without, 1); what != "" {
		t.Error(what)
	}
	if registers(with) != 8 || len(with.n.Bads) != 2 {
		t.Errorf("%d register bits, %d assertions", registers(with), len(with.n.Bads))
	}
}
