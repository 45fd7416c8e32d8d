// The bridge of pair.v: the two counters are instances of one module with a type as its
// parameter, and are reached through an interface.
interface credit_if #(
    parameter type count_t = logic [2:0]
);
  logic   up, down;
  count_t count;
  modport counter(input up, down, output count);
endinterface

module pair (
    input  logic clk,
    input  logic rst,
    input  logic send,
    input  logic acknowledge,
    output logic blocked,
    output logic idle
);
  credit_if #(.count_t(logic [2:0])) credits ();
  credit_if #(.count_t(logic [1:0])) places ();

  wire go   = send && !blocked;
  wire back = acknowledge && !idle;
  assign {credits.up, credits.down} = {back, go};
  assign {places.up, places.down}   = {go, back};

  assign blocked = credits.count == 0;
  assign idle    = places.count == 0;

  // The sender starts with three credits, the receiver with no place taken.
  credit #(.count_t(logic [2:0]), .START(3)) sender (.clk, .rst, .port(credits));
  credit #(.count_t(logic [1:0]), .START(0)) receiver (.clk, .rst, .port(places));

  // The two counters, as the assertions name them.
  wire [2:0] left = credits.count;
  wire [1:0] used = places.count;

  default clocking @(posedge clk); endclocking

  range: assert property (left <= 3);
`ifdef STRONG
  sum: assert property (left + used == 3);
  taken: assert property (!rst && go && !back |=> left == $past(left) - 1'b1);
  given: assert property (!rst && back && !go |=> used == $past(used) - 1'b1);
  same: assert property (!rst && go == back |=> $stable(left));
`endif
endmodule

// A counter that goes up and down and starts at START.
module credit #(
    parameter type count_t = logic [2:0],
    parameter int START = 0
) (
    input logic clk,
    input logic rst,
    credit_if.counter port
);
  count_t count = START;
  assign port.count = count;

  always_ff @(posedge clk)
    if (rst) count <= START;
    else count <= count + port.up - port.down;

`ifdef STRONG
  restarted: assert property (@(posedge clk) rst |=> count == START);
`endif
endmodule
