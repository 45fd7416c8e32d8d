// From yosys 0.38 on, asserts and prints are cells of one kind. A property with a
// trigger is checked in each step, since its trigger is the clock: that has been
// checked before, and the netlist has no place for it. A trigger of no signal is an
// initial block: the property is checked in the first step alone. Of several
// triggers one is the clock, whose position takes the place of the priority
// (triggers.go); while another is active, the property is not checked.
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
  wire enabled;
  genvar i;
  generate
    if (TRG_ENABLE == 1 && TRG_WIDTH == 0) begin
      wire first;
      \$initstate initial_block (.Y(first));
      assign enabled = EN & first;
    end else if (TRG_ENABLE == 1 && TRG_WIDTH > 1) begin
      wire [TRG_WIDTH-1:0] inactive;
      for (i = 0; i < TRG_WIDTH; i = i + 1)
        if (i == PRIORITY)
          assign inactive[i] = 1;
        else
          assign inactive[i] = TRG[i] ^ TRG_POLARITY[i];
      assign enabled = EN & (&inactive);
    end else begin
      assign enabled = EN;
    end
    // With several clocks the property watches its own: it is checked with the
    // values before the edge.
`ifdef NETCOV_SEVERAL_CLOCKS
    `define HOLDS holds
    `define ON on
    wire holds, on;
    if (TRG_ENABLE == 1 && TRG_WIDTH > 0) begin
      localparam CLOCK = TRG_WIDTH > 1 ? PRIORITY : 0;
      (* init = 1'b0 *) wire sampled_on;
      \$dff #(.WIDTH(1), .CLK_POLARITY(TRG_POLARITY[CLOCK])) sample_a (.CLK(TRG[CLOCK]), .D(A), .Q(holds));
      \$dff #(.WIDTH(1), .CLK_POLARITY(TRG_POLARITY[CLOCK])) sample_en (.CLK(TRG[CLOCK]), .D(enabled), .Q(sampled_on));
      assign on = sampled_on;
    end else begin
      assign holds = A;
      assign on = enabled;
    end
`else
    // A itself: checkers of liveness are known by the name of what they read.
    `define HOLDS A
    `define ON enabled
`endif
    if (FLAVOR == "assert") begin
      \$assert _TECHMAP_REPLACE_ (.A(`HOLDS), .EN(`ON));
    end else if (FLAVOR == "live") begin
      \$live _TECHMAP_REPLACE_ (.A(`HOLDS), .EN(`ON));
    end else if (FLAVOR == "fair") begin
      \$fair _TECHMAP_REPLACE_ (.A(`HOLDS), .EN(`ON));
    end else if (FLAVOR == "cover") begin
      \$cover _TECHMAP_REPLACE_ (.A(`HOLDS), .EN(`ON));
    end else if (FLAVOR == "assume") begin
      \$assume _TECHMAP_REPLACE_ (.A(`HOLDS), .EN(`ON));
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
