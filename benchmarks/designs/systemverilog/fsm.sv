// The traffic lights of fsm.v: states are an enumeration, and the checker is bound.
package lights_pkg;
  typedef enum logic [1:0] {MAIN, MAIN_YELLOW, SIDE, SIDE_YELLOW} state_t;
endpackage

module fsm
  import lights_pkg::*;
#(
    parameter int GREEN = 5
) (
    input  logic clk,
    input  logic rst,
    input  logic car,
    output logic main_green,
    output logic main_red,
    output logic side_green,
    output logic side_red
);
  state_t     state = MAIN;
  logic [2:0] timer = '0;

  assign main_green = state == MAIN;
  assign main_red   = state inside {SIDE, SIDE_YELLOW};
  assign side_green = state == SIDE;
  assign side_red   = !main_red;

  always_ff @(posedge clk)
    if (rst) begin
      state <= MAIN;
      timer <= '0;
    end else
      unique case (state)
        MAIN:
        if (timer < GREEN) timer <= timer + 1'b1;
        else if (car) begin
          state <= MAIN_YELLOW;
          timer <= '0;
        end
        MAIN_YELLOW: state <= SIDE;
        SIDE:
        if (timer < GREEN && car) timer <= timer + 1'b1;
        else begin
          state <= SIDE_YELLOW;
          timer <= '0;
        end
        SIDE_YELLOW: state <= MAIN;
      endcase
endmodule

module fsm_checker
  import lights_pkg::*;
(
    input logic clk,
    input logic rst,
    input logic car,
    input logic main_green,
    input logic main_red,
    input logic side_green,
    input logic side_red,
    input state_t state,
    input logic [2:0] timer
);
  localparam int GREEN = 5;
  default clocking @(posedge clk); endclocking

  never_both: assert property (!(main_green && side_green));
`ifdef STRONG
  lights: assert property (main_red != side_red);
  limit: assert property (timer <= GREEN);
  restart: assert property (state == MAIN || state == SIDE || timer == 0);
  after_reset: assert property (rst |=> state == MAIN && timer == 0);

  // One transition: what holds before it leads to what holds behind it.
  property step(before, behind);
    disable iff (rst) (before) |=> (behind);
  endproperty
  main_next: assert property (step(state == MAIN,
      state == MAIN || state == MAIN_YELLOW && $past(car) && $past(timer) == GREEN));
  yellow_next: assert property (step(state == MAIN_YELLOW, state == SIDE));
  side_next: assert property (step(state == SIDE, state == SIDE || state == SIDE_YELLOW));
  end_next: assert property (step(state == SIDE_YELLOW, state == MAIN));
  runs: assert property (!rst && timer < GREEN ##1 (state == MAIN || state == SIDE) && $stable(state) |-> timer == $past(timer) + 1'b1);
  empty_road: assert property (step(state == SIDE && !car, state == SIDE_YELLOW));
  waits_no_longer: assert property (step(state == MAIN && timer == GREEN && car, state == MAIN_YELLOW));
`endif
endmodule

bind fsm fsm_checker check (
    .clk(clk), .rst(rst), .car(car), .main_green(main_green), .main_red(main_red), .side_green(side_green), .side_red(side_red),
    .state(state), .timer(timer)
);
