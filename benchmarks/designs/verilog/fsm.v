// Traffic lights at a crossing of a main road and a side road. A car at the
// side road ends the main road's green, which lasts at least GREEN steps.
//
// Weak assertions: never green on both roads.
// Strong assertions (STRONG): every transition, and the timer's range.
module fsm #(
    parameter GREEN = 5
) (
    input  wire clk,
    input  wire rst,
    input  wire car,
    output wire main_green,
    output wire main_red,
    output wire side_green,
    output wire side_red
);
  localparam [1:0] MAIN = 0, MAIN_YELLOW = 1, SIDE = 2, SIDE_YELLOW = 3;

  reg [1:0] state = MAIN;
  reg [2:0] timer = 0;

  assign main_green = state == MAIN;
  assign main_red   = state[1];
  assign side_green = state == SIDE;
  assign side_red   = !state[1];

  always @(posedge clk)
    if (rst) begin
      state <= MAIN;
      timer <= 0;
    end else
      case (state)
        MAIN:
        if (timer < GREEN) timer <= timer + 1'b1;
        else if (car) begin
          state <= MAIN_YELLOW;
          timer <= 0;
        end
        MAIN_YELLOW: state <= SIDE;
        SIDE:
        if (timer < GREEN && car) timer <= timer + 1'b1;
        else begin
          state <= SIDE_YELLOW;
          timer <= 0;
        end
        SIDE_YELLOW: state <= MAIN;
      endcase

`ifdef FORMAL
  always @(*) assert (!(main_green && side_green));

`ifdef STRONG
`ifdef CONCURRENT
  default clocking @(posedge clk); endclocking

  lights: assert property (main_red != side_red);
  limit: assert property (timer <= GREEN);
  restart: assert property (!state[0] || timer == 0);
  after_reset: assert property (rst |=> state == MAIN && timer == 0);

  // One transition: what holds before it leads to what holds behind it.
  property step(before, behind);
    !rst && (before) |=> (behind);
  endproperty
  main_next: assert property (step(state == MAIN,
      state == MAIN || state == MAIN_YELLOW && $past(car) && $past(timer) == GREEN));
  yellow_next: assert property (step(state == MAIN_YELLOW, state == SIDE));
  side_next: assert property (step(state == SIDE, state == SIDE || state == SIDE_YELLOW));
  end_next: assert property (step(state == SIDE_YELLOW, state == MAIN));
  runs: assert property (!rst && timer < GREEN ##1 !state[0] && $stable(state) |-> timer == $past(timer) + 1'b1);
  empty_road: assert property (step(state == SIDE && !car, state == SIDE_YELLOW));
  waits_no_longer: assert property (step(state == MAIN && timer == GREEN && car, state == MAIN_YELLOW));
`else
  always @(*) begin
    lights: assert (main_red != side_red);
    limit: assert (timer <= GREEN);
    restart: assert (!state[0] || timer == 0);
  end

  reg started = 0;
  always @(posedge clk) started <= 1;
  always @(posedge clk)
    if (started) begin
      if ($past(rst)) after_reset: assert (state == MAIN && timer == 0);
      else begin
        if ($past(state == MAIN))
          main_next: assert (state == MAIN || state == MAIN_YELLOW && $past(car) && $past(timer) == GREEN);
        if ($past(state == MAIN_YELLOW)) yellow_next: assert (state == SIDE);
        if ($past(state == SIDE)) side_next: assert (state == SIDE || state == SIDE_YELLOW);
        if ($past(state == SIDE_YELLOW)) end_next: assert (state == MAIN);
        if (!state[0] && $past(state) == state && $past(timer) < GREEN)
          runs: assert (timer == $past(timer) + 1'b1);
        if ($past(state == SIDE && !car)) empty_road: assert (state == SIDE_YELLOW);
        if ($past(state == MAIN && timer == GREEN && car)) waits_no_longer: assert (state == MAIN_YELLOW);
      end
    end
`endif
`endif
`endif
endmodule
