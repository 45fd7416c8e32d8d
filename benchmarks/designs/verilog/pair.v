// A hierarchy: two instances of one credit counter, of different sizes, on the
// two sides of a bridge. A packet takes a credit on its way out and a place of
// the receiver; its acknowledgement gives both back.
//
// Weak assertions: the sender's counter stays in its range.
// Strong assertions (STRONG): both counters in range, and both agree.
module pair (
    input  wire clk,
    input  wire rst,
    input  wire send,
    input  wire acknowledge,
    output wire blocked,
    output wire idle
);
  wire [2:0] credits;
  wire [1:0] places;
  wire go   = send && !blocked;
  wire back = acknowledge && !idle;

  assign blocked = credits == 0;
  assign idle    = places == 0;

  // The sender starts with three credits, the receiver with no place taken.
  credit #(.WIDTH(3), .START(3)) sender (.clk(clk), .rst(rst), .up(back), .down(go), .count(credits));
  credit #(.WIDTH(2), .START(0)) receiver (.clk(clk), .rst(rst), .up(go), .down(back), .count(places));

`ifdef FORMAL
  range: assert property (credits <= 3);

`ifdef STRONG
`ifdef CONCURRENT
  default clocking @(posedge clk); endclocking

  sum: assert property (credits + places == 3);
  taken: assert property (!rst && go && !back |=> credits == $past(credits) - 1'b1);
  given: assert property (!rst && back && !go |=> places == $past(places) - 1'b1);
  same: assert property (!rst && go == back |=> $stable(credits));
`else
  sum: assert property (credits + places == 3);

  reg started = 0;
  always @(posedge clk) started <= 1;
  always @(posedge clk)
    if (started && !$past(rst)) begin
      if ($past(go && !back)) taken: assert (credits == $past(credits) - 1'b1);
      if ($past(back && !go)) given: assert (places == $past(places) - 1'b1);
      if ($past(go == back)) same: assert (credits == $past(credits));
    end
`endif
`endif
`endif
endmodule

// A counter that goes up and down and starts at START.
module credit #(
    parameter WIDTH = 3,
    parameter START = 0
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             up,
    input  wire             down,
    output reg  [WIDTH-1:0] count
);
  initial count = START;

  always @(posedge clk)
    if (rst) count <= START;
    else count <= count + up - down;

`ifdef FORMAL
`ifdef STRONG
`ifdef CONCURRENT
  restarted: assert property (@(posedge clk) rst |=> count == START);
`else
  reg seen_reset = 0;
  always @(posedge clk) seen_reset <= rst;
  always @(*) if (seen_reset) restarted: assert (count == START);
`endif
`endif
`endif
endmodule
