package verilog

import (
	"slices"
	"strings"
	"testing"
)

const assertionsText = `
module top(input clk, input rst, input req, output reg ack);
  reg [1:0] n = 0;
  initial ack = 0;
  always @(posedge clk)
    if (rst) begin n <= 0; ack <= 0; end
    else begin ack <= n == 2; n <= n == 2 ? 0 : n != 0 || req ? n + 1 : 0; end
  default clocking @(posedge clk); endclocking
  default disable iff (rst);
  answered: assert property (req && n == 0
    |-> ##3 ack);
  assert property (ack && $past(n) == 2 |=> !ack);
  live: assert property (req |-> s_eventually ack);
  m: assume property (rst |=> !rst);
` + "`ifdef VENDOR\n  assert property ((req, x = 1) |-> ack);\n`endif" + `
  c: cover property (ack ##1 req);
endmodule
`

// TestConcurrent: names, places and kinds are those of the source, and checkers
// bring no register.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, assertionsText, Options{})
	var names []string
	for i, p := range b.n.Properties() {
		o := b.d.Properties[i]
		names = append(names, p.Name)
		if want := []int{10, 12, 13}[i]; o.Line != want || !strings.HasSuffix(o.File, "t.v") {
			t.Errorf("%s stands at %s:%d, want line %d", p.Name, o.File, o.Line, want)
		}
	}
	if want := []string{"top.answered", "top.assert:t.v:12", "top.live"}; !slices.Equal(names, want) {
		t.Errorf("properties %v, want %v", names, want)
	}
	if len(b.n.Constraints) != 1 || b.n.Constraints[0].Name != "top.m" {
		t.Errorf("constraints %v", b.n.Constraints)
	}
	if registers(b) != 3 {
		t.Errorf("%d register bits, want 3", registers(b))
	}
	for _, o := range b.d.Gates {
		if o.Line > 9 && !o.Artefact {
			t.Errorf("a gate of a checker counts as the design's: %+v", o)
		}
	}
	if notes := strings.Join(b.d.Notes, "\n"); !strings.Contains(notes, "1 cover statements skipped: ") {
		t.Errorf("notes %s", notes)
	}
}

// TestCovers: the covers take the places of the assertions, those of antecedents
// with the names of their assertions.
func TestCovers(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, assertionsText, Options{Covers: true})
	var names []string
	for _, p := range b.n.Properties() {
		names = append(names, p.Name)
	}
	want := []string{"top.answered__antecedent", "top.assert:t.v:12__antecedent", "top.live__antecedent", "top.c"}
	if !slices.Equal(names, want) {
		t.Errorf("covers %v, want %v", names, want)
	}
}
