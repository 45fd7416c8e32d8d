// A round-robin arbiter for four requesters. The grant is registered; the
// search for the next requester starts after the last one served.
//
// Weak assertions: at most one grant.
// Strong assertions (STRONG): grants follow requests, in turn.
module arbiter (
    input  wire       clk,
    input  wire       rst,
    input  wire [3:0] request,
    output reg  [3:0] grant
);
  reg [1:0] last = 3;  // the last one served

  initial grant = 0;

  // The requests in the order in which they are served: bit 0 is the neighbour
  // of the last one served.
  wire [7:0] twice = {request, request};
  wire [3:0] turn = twice >> ({1'b0, last} + 3'd1);

  wire [1:0] winner = turn[0] ? last + 2'd1 : turn[1] ? last + 2'd2 : turn[2] ? last + 2'd3 : last;

  always @(posedge clk)
    if (rst) begin
      grant <= 0;
      last  <= 3;
    end else begin
      grant <= 0;
      if (request != 0) begin
        grant <= 4'b0001 << winner;
        last  <= winner;
      end
    end

`ifdef FORMAL
  always @(*) assert ((grant & (grant - 1)) == 0);

`ifdef STRONG
`ifdef CONCURRENT
  default clocking @(posedge clk); endclocking

  assert property (grant != 0 |-> grant[last]);
  answered: assert property (!rst |=> (grant & ~$past(request)) == 0);
  busy: assert property (!rst |=> (grant != 0) == ($past(request) != 0));
  // who was served last waits while another asks
  in_turn: assert property (!rst && (request & ~(4'b0001 << last)) != 0 |=> $changed(last));
  // the neighbour of the last one is served first
  neighbour: assert property (!rst && turn[0] |=> last == $past(last + 2'd1));
  kept: assert property (!rst ##1 grant == 0 |-> $stable(last));
  cleared: assert property (rst |=> grant == 0);
  first: assert property (rst |=> last == 3);
`else
  reg started = 0;
  always @(posedge clk) started <= 1;

  always @(*) if (grant != 0) assert (grant[last]);

  always @(posedge clk)
    if (started && !$past(rst)) begin
      answered: assert ((grant & ~$past(request)) == 0);
      busy: assert ((grant != 0) == ($past(request) != 0));
      // who was served last waits while another asks
      if (($past(request) & ~(4'b0001 << $past(last))) != 0)
        in_turn: assert (last != $past(last));
      // the neighbour of the last one is served first
      if ($past(turn[0]))
        neighbour: assert (last == $past(last + 2'd1));
      if (grant == 0)
        kept: assert (last == $past(last));
    end
  always @(posedge clk)
    if (started && $past(rst)) begin
      cleared: assert (grant == 0);
      first: assert (last == 3);
    end
`endif
`endif
`endif
endmodule
