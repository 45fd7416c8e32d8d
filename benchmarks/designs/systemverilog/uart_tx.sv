// The UART transmitter of uart_tx.v: the frame is a struct of a package, and the checker
// is bound.
package uart_pkg;
  localparam int DIVIDE = 3;
  typedef struct packed {
    logic       stop;
    logic [7:0] data;
  } frame_t;
  localparam frame_t RESTING = '1;
endpackage

module uart_tx
  import uart_pkg::*;
(
    input  logic       clk,
    input  logic       rst,
    input  logic       start,
    input  logic [7:0] data,
    output logic       ready,
    output logic       line
);
  logic [1:0] divider = '0;  // cycles left of the current bit
  logic [3:0] left = '0;     // bits left of the frame, the current one included
  frame_t     shift = RESTING;
  initial line = 1;

  assign ready = left == 0;

  always_ff @(posedge clk)
    if (rst) begin
      divider <= '0;
      left    <= '0;
      shift   <= RESTING;
      line    <= 1;
    end else if (ready) begin
      if (start) begin
        line    <= 0;
        shift   <= '{stop: 1'b1, data: data};
        left    <= 10;
        divider <= DIVIDE - 1;
      end
    end else if (divider != 0) divider <= divider - 1'b1;
    else begin
      line  <= shift[0];
      shift <= {1'b1, shift[8:1]};
      left  <= left - 1'b1;
      if (left != 1) divider <= DIVIDE - 1;
    end
endmodule

module uart_checker
  import uart_pkg::*;
(
    input logic clk,
    input logic rst,
    input logic start,
    input logic [7:0] data,
    input logic ready,
    input logic line,
    input logic [1:0] divider,
    input logic [3:0] left,
    input frame_t shift
);
  default clocking @(posedge clk); endclocking

  rests_high: assert property (ready |-> line);
`ifdef STRONG
  // The byte is followed through the frame.
  logic [7:0] byte_sent = '1;
  always_ff @(posedge clk)
    if (rst) byte_sent <= '1;
    else if (ready && start) byte_sent <= data;

  wire [17:0] frame = {10'h3ff, byte_sent};
  wire [8:0] to_come = frame >> (4'd10 - left);
  wire [8:0] under_way = frame >> (4'd9 - left);

  short: assert property (left <= 10);
  in_bit: assert property (divider < DIVIDE);
  rests: assert property (ready |-> divider == 0);
  start_bit: assert property (left == 10 |-> !line);
  stop_bit: assert property (left == 1 |-> line);
  data_bit: assert property (left inside {[1:9]} |-> line == under_way[0]);
  rest: assert property (left inside {[1:10]} |-> shift == to_come);
  accepted: assert property (!rst && ready && start |=> left == 10 && divider == DIVIDE - 1);
  counts: assert property (!rst && !ready && divider != 0
      |=> divider == $past(divider) - 1'b1 && $stable(left) && $stable(line));
  next_bit: assert property (!rst && !ready && divider == 0
      |=> left == $past(left) - 1'b1 && (left == 0 || divider == DIVIDE - 1));
`endif
endmodule

bind uart_tx uart_checker check (
    .clk(clk), .rst(rst), .start(start), .data(data), .ready(ready), .line(line), .divider(divider), .left(left), .shift(shift)
);
