// A UART transmitter: one start bit, eight data bits, one stop bit, each DIVIDE
// clock cycles long.
//
// Weak assertions: the line rests at 1.
// Strong assertions (STRONG): counters in range, frame as it should be.
module uart_tx #(
    parameter DIVIDE = 3
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       start,
    input  wire [7:0] data,
    output wire       ready,
    output reg        line
);
  reg [1:0] divider = 0;  // cycles left of the current bit
  reg [3:0] left = 0;     // bits left of the frame, the current one included
  reg [8:0] shift = 9'h1ff;

  initial line = 1;

  assign ready = left == 0;

  always @(posedge clk)
    if (rst) begin
      divider <= 0;
      left    <= 0;
      shift   <= 9'h1ff;
      line    <= 1;
    end else if (ready) begin
      if (start) begin
        line    <= 0;
        shift   <= {1'b1, data};
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

`ifdef FORMAL
  always @(*) if (ready) assert (line);

`ifdef STRONG
  // The byte is followed through the frame.
  reg [7:0] byte_sent = 8'hff;
  always @(posedge clk)
    if (rst) byte_sent <= 8'hff;
    else if (ready && start) byte_sent <= data;

  wire [17:0] frame = {10'h3ff, byte_sent};
  wire [8:0] to_come = frame >> (4'd10 - left);
  wire [8:0] under_way = frame >> (4'd9 - left);

`ifdef CONCURRENT
  default clocking @(posedge clk); endclocking

  short: assert property (left <= 10);
  in_bit: assert property (divider < DIVIDE);
  rests: assert property (ready |-> divider == 0);
  start_bit: assert property (left == 10 |-> !line);
  stop_bit: assert property (left == 1 |-> line);
  data_bit: assert property (left >= 1 && left <= 9 |-> line == under_way[0]);
  rest: assert property (left >= 1 && left <= 10 |-> shift == to_come);
  accepted: assert property (!rst && ready && start |=> left == 10 && divider == DIVIDE - 1);
  counts: assert property (!rst && !ready && divider != 0
      |=> divider == $past(divider) - 1'b1 && $stable(left) && $stable(line));
  next_bit: assert property (!rst && !ready && divider == 0
      |=> left == $past(left) - 1'b1 && (left == 0 || divider == DIVIDE - 1));
`else
  always @(*) begin
    short: assert (left <= 10);
    in_bit: assert (divider < DIVIDE);
    rests: assert (!ready || divider == 0);
    start_bit: assert (left != 10 || !line);
    stop_bit: assert (left != 1 || line);
  end

  always @(*) begin
    if (left >= 1 && left <= 9) data_bit: assert (line == under_way[0]);
    if (left >= 1 && left <= 10) rest: assert (shift == to_come);
  end

  reg started = 0;
  always @(posedge clk) started <= 1;
  always @(posedge clk)
    if (started && !$past(rst)) begin
      if ($past(ready && start)) accepted: assert (left == 10 && divider == DIVIDE - 1);
      if ($past(!ready && divider != 0))
        counts: assert (divider == $past(divider) - 1'b1 && left == $past(left) && line == $past(line));
      if ($past(!ready && divider == 0))
        next_bit: assert (left == $past(left) - 1'b1 && (left == 0 || divider == DIVIDE - 1));
    end
`endif
`endif
`endif
endmodule
