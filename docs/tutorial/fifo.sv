module fifo (
    input  logic       clk, push, pop,
    input  logic [3:0] data_in,
    output logic [3:0] data_out,
    output logic       empty, full
);
  logic [3:0] store [4];
  logic [1:0] head = 0, tail = 0;
  logic [2:0] count = 0;

  wire put = push && !full;
  wire get = pop && !empty;
  assign empty = count == 0;
  assign full = count == 4;
  assign data_out = store[tail];

  always_ff @(posedge clk) begin
    if (put) begin
      store[head] <= data_in;
      head <= head + 1;
    end
    if (get) tail <= tail + 1;
    count <= count + put - get;
  end

  in_range: assert property (@(posedge clk) count <= 4);
endmodule
