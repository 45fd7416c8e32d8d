package verilog

import (
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
