package verilog

import (
	"strings"
	"testing"

	"netcov/aig"
)

// TestInterface: the signals of an interface, and of a named block, are none of
// the references that are refused.
func TestInterface(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
interface bus; logic req; logic [2:0] data; modport m(output req, output data); modport s(input req, input data); endinterface
module source(bus.m b, input clk);
  reg [2:0] c = 0;
  always @(posedge clk) c <= c + 1;
  assign b.data = c;
  assign b.req = c[0];
endmodule
module sink(bus.s b, input clk);
  always @(posedge clk) assert (b.data != 5 || !b.req);
endmodule
module top(input clk);
  bus u();
  source s(.b(u), .clk(clk));
  sink k(.b(u), .clk(clk));
  begin : block
    reg q = 0;
    always @(posedge clk) q <= !q;
  end
  always @(posedge clk) assert (block.q || !u.data[0]);
endmodule`, Options{})
	if len(b.n.Bads) != 2 || registers(b) != 4 {
		t.Errorf("%d asserts and %d registers", len(b.n.Bads), registers(b))
	}
	for i, p := range b.n.Bads {
		if p.Lit == aig.False || p.Lit == aig.True {
			t.Errorf("assertion %d reads no register", i)
		}
	}
}

// TestUndeclared: a property about a name that nothing declares says nothing of the design.
// An implicit wire at a port may be meant.
func TestUndeclared(t *testing.T) {
	t.Parallel()
	const before = "module sub(input x, output y);\n  assign y = !x;\nendmodule\nmodule top(input clk, input a, output reg q);\n  sub u(a, w);\n  sub v(open, z);\n  always @(posedge clk) q <= w;\n"
	for property, says := range map[string]string{
		"p: assert property (@(posedge clk) a |=> qq);": "netcov.sv:8: qq is not declared, and a property reads it",
		"always @(posedge clk) assert (!q || qq);":      "netcov.sv:8: qq is not declared, and a property reads it",
		"always @* assume (qq);":                        "netcov.sv:8: qq is not declared, and a property reads it",
		"p: assert property (@(posedge clk) a |=> !q);": "",
		"always @(posedge clk) assert (!w || z || q);":  "",
		"wire qq; always @* assume (qq);":               "",
	} {
		_, err := loadText(t, before+property+"\nendmodule\n", Options{})
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says[strings.IndexByte(says, ':'):]) {
			t.Errorf("%s\n got %v\nwant %s", property, err, says)
		}
	}
}
