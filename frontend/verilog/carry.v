// Carries by ripple: half the gates of a prefix adder, and easier to prove.
(* techmap_celltype = "$lcu" *)
module netcov_lcu (P, G, CI, CO);
  parameter WIDTH = 1;
  input [WIDTH-1:0] P, G;
  input CI;
  output [WIDTH-1:0] CO;
  wire [WIDTH:0] carry = {G | (P & carry[WIDTH-1:0]), CI};
  assign CO = carry[WIDTH:1];
endmodule
