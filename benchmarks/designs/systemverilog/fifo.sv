// The FIFO of fifo.v: pointers are structs of a package, and its two sides are
// interfaces.
package fifo_pkg;
  localparam int WIDTH = 4, ADDRESS = 2, DEPTH = 1 << ADDRESS;
  typedef logic [WIDTH-1:0] word_t;
  typedef struct packed {
    logic               lap;
    logic [ADDRESS-1:0] at;
  } pointer_t;
endpackage

// One side of the FIFO: a request, and whether it is taken.
interface fifo_side;
  logic request, taken;
  modport user(output request, input taken);
  modport queue(input request, output taken);
endinterface

module fifo
  import fifo_pkg::*;
(
    input  logic  clk,
    input  logic  rst,
    input  logic  push,
    input  word_t din,
    input  logic  pop,
    output word_t dout,
    output logic  full,
    output logic  empty
);
  word_t    store [DEPTH];
  pointer_t head = '0;  // next word to leave
  pointer_t tail = '0;  // next free place
  logic [ADDRESS:0] count = '0;

  fifo_side entry ();
  fifo_side exit ();
  fifo_gate in (.side(entry), .blocked(full));
  fifo_gate out (.side(exit), .blocked(empty));
  assign entry.request = push;
  assign exit.request  = pop;

  assign full  = head.at == tail.at && head.lap != tail.lap;
  assign empty = head == tail;
  assign dout  = store[head.at];

  always_ff @(posedge clk)
    if (rst) begin
      head  <= '0;
      tail  <= '0;
      count <= '0;
    end else begin
      if (entry.taken) tail <= tail + 1'b1;
      if (exit.taken) head <= head + 1'b1;
      count <= count + entry.taken - exit.taken;
    end

  always_ff @(posedge clk)
    if (entry.taken) store[tail.at] <= din;

`ifdef FORMAL
  default clocking @(posedge clk); endclocking

  in_range: assert property (count <= DEPTH);
`ifdef STRONG
  // One word, chosen by the environment, is followed.
  (* anyseq *) logic follow;
  logic following = 0;
  pointer_t place;
  word_t word;

  always_ff @(posedge clk)
    if (rst) following <= 0;
    else if (!following && entry.taken && follow) begin
      following <= 1;
      place     <= tail;
      word      <= din;
    end else if (following && exit.taken && head == place) following <= 0;

  wire [ADDRESS:0] ahead = place - head;  // words that leave before it

  agree: assert property (count == pointer_t'(tail - head));
  full_flag: assert property (full iff count == DEPTH);
  empty_flag: assert property (empty iff count == 0);
  queued: assert property (following |-> ahead < count);
  unchanged: assert property (following |-> store[place.at] == word);
`endif
`endif
endmodule

// What may pass.
module fifo_gate (
    fifo_side.queue side,
    input logic blocked
);
  assign side.taken = side.request && !blocked;
endmodule
