// A flip-flop that yosys added for a property, with an asynchronous reset: the
// reset becomes part of its input, so that the flip-flop can be bypassed.
(* techmap_celltype = "$adff" *)
module netcov_adff (CLK, ARST, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1;
  parameter ARST_POLARITY = 1;
  parameter ARST_VALUE = 0;
  input CLK, ARST;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire [WIDTH-1:0] next = ARST == ARST_POLARITY ? ARST_VALUE : D;
  \$dff #(.WIDTH(WIDTH), .CLK_POLARITY(CLK_POLARITY)) _TECHMAP_REPLACE_ (.CLK(CLK), .D(next), .Q(Q));
endmodule
