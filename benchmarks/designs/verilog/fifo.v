// A synchronous FIFO of DEPTH words. Pointers have one bit more than an
// address, which tells a full FIFO from an empty one.
//
// Weak assertions: the fill count never exceeds the depth.
// Strong assertions (STRONG): flags, pointers and count agree, and a word that
// is followed from its entry leaves unchanged.
module fifo #(
    parameter WIDTH = 4,
    parameter ADDRESS = 2
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,
    input  wire [WIDTH-1:0] din,
    input  wire             pop,
    output wire [WIDTH-1:0] dout,
    output wire             full,
    output wire             empty
);
  localparam DEPTH = 1 << ADDRESS;

  reg [WIDTH-1:0] store [0:DEPTH-1];
  reg [ADDRESS:0] head = 0;  // next word to leave
  reg [ADDRESS:0] tail = 0;  // next free place
  reg [ADDRESS:0] count = 0;

  wire enter = push && !full;
  wire leave = pop && !empty;

  assign full  = head[ADDRESS-1:0] == tail[ADDRESS-1:0] && head[ADDRESS] != tail[ADDRESS];
  assign empty = head == tail;
  assign dout  = store[head[ADDRESS-1:0]];

  always @(posedge clk)
    if (rst) begin
      head  <= 0;
      tail  <= 0;
      count <= 0;
    end else begin
      if (enter) tail <= tail + 1'b1;
      if (leave) head <= head + 1'b1;
      count <= count + enter - leave;
    end

  always @(posedge clk)
    if (enter) store[tail[ADDRESS-1:0]] <= din;

`ifdef FORMAL
  always @(*) assert (count <= DEPTH);

`ifdef STRONG
  // One word, chosen by the environment, is followed.
  (* anyseq *) wire follow;
  reg following = 0;
  reg [ADDRESS:0] place;
  reg [WIDTH-1:0] word;

  always @(posedge clk)
    if (rst) following <= 0;
    else if (!following && enter && follow) begin
      following <= 1;
      place     <= tail;
      word      <= din;
    end else if (following && leave && head == place) following <= 0;

  wire [ADDRESS:0] ahead = place - head;  // words that leave before it

`ifdef CONCURRENT
  default clocking @(posedge clk); endclocking

  agree: assert property (count == (tail - head));
  full_flag: assert property (full iff count == DEPTH);
  empty_flag: assert property (empty iff count == 0);
  queued: assert property (following |-> ahead < count);
  unchanged: assert property (following |-> store[place[ADDRESS-1:0]] == word);
`else
  always @(*) begin
    agree: assert (count == (tail - head));
    full_flag: assert (full == (count == DEPTH));
    empty_flag: assert (empty == (count == 0));
  end

  always @(*)
    if (following) begin
      queued: assert (ahead < count);
      unchanged: assert (store[place[ADDRESS-1:0]] == word);
    end
`endif
`endif
`endif
endmodule
