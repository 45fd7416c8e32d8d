package sva

import (
	"strings"
	"testing"
)

// A declaration that is the body of a generate if, else, for or case leaves an empty
// body: what follows it is no part of the condition. What it declares holds in that body
// alone.
func TestDeclarationAsBody(t *testing.T) {
	declarations := []string{
		"default disable iff (a);",
		"default clocking @(negedge clk); endclocking",
		"default clocking cb @(negedge clk); endclocking : cb",
		"clocking cb @(posedge clk); input a; endclocking",
		"property p; a; endproperty : p",
		"sequence s; a ##1 a; endsequence",
		"let f(x) = x;",
	}
	heads := map[string]string{
		"if (P) %":                               "if (P) begin end",
		"if (P)\n`ifdef X\n`endif\n %":           "begin end",
		"if (P) assign b = a; else %":            "else begin end",
		"for (genvar i = 0; i < 2; i++) %":       "i++) begin end",
		"case (P) 0: % default: % endcase":       "0: begin end default: begin end endcase",
		"if (P) if (P > 1) % else assign b = a;": "if (P > 1) begin end else",
	}
	const before, after = "module m #(parameter P = 0)(input clk, a, output b);\n", "\nx: assert property (@(posedge clk) a |=> a);\nendmodule\n"
	want := lowered(t, before+after).Text
	for head, body := range heads {
		for _, d := range declarations {
			got := lowered(t, before+strings.ReplaceAll(head, "%", d)+after).Text
			if !strings.Contains(got, body) {
				t.Errorf("%s, %s:\n%s", head, d, got)
			}
			if checker(got) != checker(want) {
				t.Errorf("%s, %s: the assertion becomes\n%s\nwant\n%s", head, d, checker(got), checker(want))
			}
		}
	}
	// With begin, nothing is left.
	got := lowered(t, before+"if (P) begin default disable iff (a); end"+after).Text
	if !strings.Contains(got, "if (P) begin  end") || checker(got) != checker(want) {
		t.Error(got)
	}
}

// checker is the line with the assertion.
func checker(text string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, Prefix) {
			return line
		}
	}
	return ""
}
