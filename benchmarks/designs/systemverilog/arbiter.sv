// The round-robin arbiter of arbiter.v: a package with types and the search, and a
// checker that is bound to the design.
package arbiter_pkg;
  localparam int REQUESTERS = 4;
  typedef logic [REQUESTERS-1:0] lines_t;
  typedef logic [$clog2(REQUESTERS)-1:0] number_t;

  // The requests in the order in which they are served: bit 0 is the neighbour of the
  // last one served.
  function automatic lines_t in_turn(lines_t request, number_t last);
    logic [2*REQUESTERS-1:0] twice;
    twice = {request, request} >> ({1'b0, last} + 3'd1);
    return twice[REQUESTERS-1:0];
  endfunction
endpackage

module arbiter
  import arbiter_pkg::*;
(
    input  logic   clk,
    input  logic   rst,
    input  lines_t request,
    output lines_t grant
);
  number_t last = '1;  // the last one served
  initial grant = '0;

  lines_t turn;
  number_t winner;
  assign turn = in_turn(request, last);

  always_comb
    unique casez (turn)
      4'b???1: winner = last + 2'd1;
      4'b??10: winner = last + 2'd2;
      4'b?100: winner = last + 2'd3;
      default: winner = last;
    endcase

  always_ff @(posedge clk)
    if (rst) begin
      grant <= '0;
      last  <= '1;
    end else begin
      grant <= '0;
      if (request != 0) begin
        grant <= lines_t'(1) << winner;
        last  <= winner;
      end
    end
endmodule

module arbiter_checker
  import arbiter_pkg::*;
(
    input logic clk,
    input logic rst,
    input lines_t request,
    input lines_t grant,
    input lines_t turn,
    input number_t last
);
  default clocking @(posedge clk); endclocking

  one: assert property ($onehot0(grant));
`ifdef STRONG
  default disable iff (rst);

  shown: assert property (grant != 0 |-> grant[last]);
  answered: assert property (1 |=> (grant & ~$past(request)) == 0);
  busy: assert property (1 |=> (grant != 0) == ($past(request) != 0));
  // who was served last waits while another asks
  waits: assert property ((request & ~(lines_t'(1) << last)) != 0 |=> $changed(last));
  // the neighbour of the last one is served first
  neighbour: assert property (turn[0] |=> last == $past(last + 2'd1));
  kept: assert property (1 ##1 grant == 0 |-> $stable(last));
  cleared: assert property (disable iff (0) rst |=> grant == 0 && last == 3);
`endif
endmodule

bind arbiter arbiter_checker check (.clk(clk), .rst(rst), .request(request), .grant(grant), .turn(turn), .last(last));
