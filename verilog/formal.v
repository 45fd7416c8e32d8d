// From yosys 0.37 on, asserts and prints are cells of one kind. Their trigger
// is the clock, which the netlist has no place for: it has been checked before.
(* techmap_celltype = "$check" *)
module netcov_check (A, EN, TRG, ARGS);
  parameter ARGS_WIDTH = 0;
  parameter FLAVOR = "";
  parameter FORMAT = "";
  parameter PRIORITY = 0;
  parameter TRG_ENABLE = 0;
  parameter TRG_POLARITY = 0;
  parameter TRG_WIDTH = 0;
  input A, EN;
  input [TRG_WIDTH-1:0] TRG;
  input [ARGS_WIDTH-1:0] ARGS;
  generate
    if (FLAVOR == "assert") begin
      \$assert _TECHMAP_REPLACE_ (.A(A), .EN(EN));
    end else if (FLAVOR == "assume") begin
      \$assume _TECHMAP_REPLACE_ (.A(A), .EN(EN));
    end
  endgenerate
endmodule

(* techmap_celltype = "$print" *)
module netcov_print (EN, TRG, ARGS);
  parameter ARGS_WIDTH = 0;
  parameter FORMAT = "";
  parameter PRIORITY = 0;
  parameter TRG_ENABLE = 0;
  parameter TRG_POLARITY = 0;
  parameter TRG_WIDTH = 0;
  input EN;
  input [TRG_WIDTH-1:0] TRG;
  input [ARGS_WIDTH-1:0] ARGS;
endmodule
