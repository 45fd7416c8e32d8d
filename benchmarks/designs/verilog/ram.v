// A small memory that remembers which words were written. The valid bits and
// the output register have an asynchronous reset, active low; the words have
// none.
//
// Weak assertions: a word that was never written is not delivered.
// Strong assertions (STRONG): what is delivered is what was written.
module ram #(
    parameter WIDTH = 4,
    parameter ADDRESS = 2
) (
    input  wire               clk,
    input  wire               rst_n,
    input  wire               write,
    input  wire               read,
    input  wire [ADDRESS-1:0] where,
    input  wire [WIDTH-1:0]   din,
    output reg  [WIDTH-1:0]   dout,
    output reg                hit
);
  localparam WORDS = 1 << ADDRESS;

  reg [WIDTH-1:0] words [0:WORDS-1];
  reg [WORDS-1:0] valid;

  always @(posedge clk)
    if (write) words[where] <= din;

  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      valid <= 0;
      dout  <= 0;
      hit   <= 0;
    end else begin
      if (write) valid[where] <= 1;
      hit <= read && valid[where];
      if (read) dout <= valid[where] ? words[where] : 0;
    end

`ifdef FORMAL
  initial assume (!rst_n);

  always @(*) assert (valid != 0 || !hit);

`ifdef STRONG
  // One address, chosen by the environment, is followed.
  (* anyconst *) wire [ADDRESS-1:0] followed;
  reg             seen;
  reg [WIDTH-1:0] content;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      seen    <= 0;
      content <= 0;
    end else if (write && where == followed) begin
      seen    <= 1;
      content <= din;
    end

`ifdef CONCURRENT
  default clocking @(posedge clk); endclocking

  flag: assert property (rst_n |-> valid[followed] == seen);
  stored: assert property (rst_n && seen |-> words[followed] == content);
  cleared: assert property (!rst_n |-> valid == 0 && dout == 0 && !hit);
  answer: assert property (rst_n ##1 rst_n |-> hit == $past(read && valid[where]));
  delivered: assert property (rst_n && read && where == followed ##1 rst_n |-> dout == ($past(seen) ? $past(content) : 0));
  holds: assert property (rst_n && !read ##1 rst_n |-> $stable(dout));
`else
  reg started = 0;
  always @(posedge clk) started <= 1;

  always @(*)
    if (rst_n) begin
      flag: assert (valid[followed] == seen);
      if (seen) stored: assert (words[followed] == content);
    end else begin
      cleared: assert (valid == 0 && dout == 0 && !hit);
    end

  always @(posedge clk)
    if (started && rst_n && $past(rst_n)) begin
      answer: assert (hit == $past(read && valid[where]));
      if ($past(read && where == followed)) begin
        delivered: assert (dout == ($past(seen) ? $past(content) : 0));
      end
      if (!$past(read)) holds: assert (dout == $past(dout));
    end
`endif
`endif
`endif
endmodule
