package verilog

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// endless are designs without end, or with far too much.
var endless = map[string]string{
	"generate":      "module top(input clk, input a);\n  genvar i;\n  generate for (i = 0; i >= 0; i = i + 1) begin: g\n    reg r = 0; always @(posedge clk) r <= a;\n  end endgenerate\n  always @* assert (a);\nendmodule\n",
	"itself":        "module sub #(parameter N = 0)(input clk, input a);\n  reg r = 0; always @(posedge clk) r <= a;\n  sub #(N + 1) u(clk, a);\nendmodule\nmodule top(input clk, input a);\n  sub #(1) u(clk, a);\n  always @* assert (a);\nendmodule\n",
	"loop":          "module top(input clk, input a, output reg [7:0] q);\n  integer i;\n  always @(posedge clk) begin q = 0; for (i = 0; i < 2000000000; i = i + 1) q = q + a; end\n  always @* assert (q != 3);\nendmodule\n",
	"function":      "module top(input clk, output reg [7:0] q);\n  function integer f(input integer n); begin f = 0; while (f >= 0) f = f ^ 1; end endfunction\n  localparam P = f(3);\n  always @(posedge clk) q <= P;\n  always @* assert (q != 3);\nendmodule\n",
	"initial loop":  "module top(input clk, input [31:0] a, output reg q);\n  reg [63:0] m [0:2147483646];\n  integer i;\n  initial for (i = 0; i < 2147483646; i = i + 1) m[i] = i;\n  always @(posedge clk) begin m[a] <= 1; q <= m[a]; end\n  always @* assert (q != 3);\nendmodule\n",
	"large replica": "module top(input clk, input a);\n  wire [2000000000:0] w = {2000000001{a}};\n  reg [63:0] r = 0;\n  always @(posedge clk) r <= w[63:0];\n  always @* assert (r != 3);\nendmodule\n",
}

// TestEndless: what has no end is ended at the limit, in one line that names it.
func TestEndless(t *testing.T) {
	for name, text := range endless {
		begin := time.Now()
		_, err := loadText(t, text, Options{Time: 4 * time.Second})
		var e *Error
		if !errors.As(err, &e) || strings.Contains(e.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		} else if atLimit := strings.HasPrefix(e.What, "yosys did not finish in 4s"); atLimit != (e.Option == "Time") || !atLimit && !strings.Contains(e.What, "exceeds") {
			t.Errorf("%s: %v", name, e)
		}
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("%s: ended after %v", name, took)
		}
	}
}

// TestMuchMemory: the limit of memory ends yosys, too; a design within it is read.
func TestMuchMemory(t *testing.T) {
	const most = 320 << 20 // the newest yosys needs more than half of it before it reads
	_, err := loadText(t, endless["generate"], Options{Memory: most, Time: 5 * time.Minute})
	var e *Error
	if !errors.As(err, &e) || e.Option != "Memory" || !strings.HasPrefix(e.Error(), "yosys needs more than 320 MiB of memory; ") {
		t.Error(err)
	}
	mustLoadText(t, "module top(input a); always @* assert (a); endmodule\n", Options{Memory: most})
}
