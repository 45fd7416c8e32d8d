// The memory of ram.v: requests and answers are structs of a package, and the checker is
// bound.
package ram_pkg;
  localparam int WIDTH = 4, ADDRESS = 2, WORDS = 1 << ADDRESS;
  typedef logic [WIDTH-1:0] word_t;
  typedef logic [ADDRESS-1:0] address_t;
  typedef struct packed {
    logic     write;
    logic     read;
    address_t where;
    word_t    din;
  } request_t;
endpackage

module ram
  import ram_pkg::*;
(
    input  logic     clk,
    input  logic     rst_n,
    input  request_t request,
    output word_t    dout,
    output logic     hit
);
  word_t            words [WORDS];
  logic [WORDS-1:0] valid;

  always_ff @(posedge clk)
    if (request.write) words[request.where] <= request.din;

  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      valid <= '0;
      dout  <= '0;
      hit   <= 0;
    end else begin
      if (request.write) valid[request.where] <= 1;
      hit <= request.read && valid[request.where];
      if (request.read) dout <= valid[request.where] ? words[request.where] : '0;
    end

`ifdef FORMAL
  initial assume (!rst_n);

  default clocking @(posedge clk); endclocking

  written: assert property (valid != 0 || !hit);
`ifdef STRONG
  // One address, chosen by the environment, is followed.
  (* anyconst *) address_t followed;
  logic  seen;
  word_t content;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      seen    <= 0;
      content <= '0;
    end else if (request.write && request.where == followed) begin
      seen    <= 1;
      content <= request.din;
    end

  flag: assert property (rst_n |-> valid[followed] == seen);
  stored: assert property (rst_n && seen |-> words[followed] == content);
  cleared: assert property (!rst_n |-> valid == 0 && dout == 0 && !hit);
  answer: assert property (rst_n ##1 rst_n |-> hit == $past(request.read && valid[request.where]));
  delivered: assert property (rst_n && request.read && request.where == followed ##1 rst_n |-> dout == ($past(seen) ? $past(content) : 0));
  holds: assert property (rst_n && !request.read ##1 rst_n |-> $stable(dout));
`endif
`endif
endmodule
