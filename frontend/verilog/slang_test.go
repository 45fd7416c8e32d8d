package verilog

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/frontend/verilog/preprocess"
)

// needSlang skips a test unless the yosys of this run has slang.
func needSlang(t *testing.T) {
	t.Helper()
	needYosys(t)
	if slangIn(context.Background(), findYosys()) == withoutSlang {
		t.Skip("this yosys has no slang")
	}
}

const modernText = `package kinds;
  typedef enum logic [1:0] {IDLE, RUN = 2, DONE} state_e;
  typedef struct packed { logic [3:0] data; logic wr; } request_t;
endpackage
interface bus (input logic clk);
  logic [3:0] data;
  logic valid;
  modport reader (input data, valid, clk);
endinterface
module leaf import kinds::*; #(parameter type T = logic)
  (bus.reader b, input logic rst, output state_e seen, output T copy);
  state_e state = IDLE;
  request_t r;
  initial r = '0;
  assign seen = state;
  always_ff @(posedge b.clk) begin
    if (rst) state <= IDLE;
    else case (state)
      IDLE: if (b.valid) state <= RUN;
      RUN: state <= DONE;
      default: state <= IDLE;
    endcase
    r.data <= b.data; r.wr <= b.valid;
    copy <= r.data;
  end
  a_legal: assert property (@(posedge b.clk) state != 2'b01);
  a_runs: assert property (@(posedge b.clk) disable iff (rst) state == RUN |=> state == DONE);
endmodule
module top (input logic clk, rst, input logic [3:0] data, input logic valid, output logic [3:0] q);
  bus b(clk);
  assign b.data = data;
  assign b.valid = valid;
  logic [3:0] x [2];
  kinds::state_e s [2];
  for (genvar i = 0; i < 2; i++) begin : g
    logic [1:0] last = 0;
    leaf #(.T(logic [3:0])) u (.b(b), .rst, .seen(s[i]), .copy(x[i]));
    always_ff @(posedge clk) last <= s[i];
  end
  assign q = x[0] & x[1] & {g[0].last, g[1].last};
  always @(posedge clk) a_same: assert (s[0] == s[1]);
  a_ends: assert property (@(posedge clk) s[0] == kinds::RUN |-> s_eventually s[0] == kinds::IDLE);
endmodule
module watch (input clk, input [1:0] s, input kinds::state_e e);
  logic started = 0;
  always_ff @(posedge clk) started <= 1;
  bound: assert property (@(posedge clk) s == e);
endmodule
bind leaf watch w (.clk(b.clk), .s(seen), .e(state));
`

// TestModern: packages, interfaces, structs, enumerations, bind and types as
// parameters are read under auto, with the names and places of the source.
func TestModern(t *testing.T) {
	t.Parallel()
	needSlang(t)
	b := mustLoadText(t, modernText, Options{Frontend: FrontendAuto, Top: "top"})
	var names []string
	for i, p := range b.n.Properties() {
		names = append(names, p.Name)
		o := b.d.Properties[i]
		if want := map[string]int{"a_legal": 26, "a_runs": 27, "bound": 47, "a_same": 41, "a_ends": 42}[p.Name[strings.LastIndexByte(p.Name, '.')+1:]]; o.Line != want {
			t.Errorf("%s stands on line %d, want %d", p.Name, o.Line, want)
		}
	}
	want := []string{
		"top.a_same", "top.g[0].u.a_legal", "top.g[0].u.a_runs", "top.g[0].u.w.bound",
		"top.g[1].u.a_legal", "top.g[1].u.a_runs", "top.g[1].u.w.bound", "top.a_ends",
	}
	if !slices.Equal(names, want) {
		t.Errorf("properties %v\nwant %v", names, want)
	}
	if len(b.n.Bads) != 7 || len(b.n.Justice) != 1 {
		t.Errorf("%d of safety and %d of liveness", len(b.n.Bads), len(b.n.Justice))
	}
	if got := registers(b); got != 2*(2+2+5+4) {
		t.Errorf("%d register bits", got)
	}
	lines := map[string]int{"top.g[1].last": 36, "top.g[0].u.state": 12, "top.g[0].u.r": 13, "top.g[1].u.copy": 11}
	for _, o := range b.d.Latches {
		if want := lines[o.Register]; want > 0 && o.Line != want {
			t.Errorf("%s is declared on line %d, want %d", o.Register, o.Line, want)
		}
		if strings.HasPrefix(o.Register, "top.g[1].u.w") && (o.Module != "watch" || o.Instance != "top.g[1].u.w") {
			t.Errorf("origin %+v", o)
		}
	}
}

// TestBothParsers: yosys' parser and slang make netlists of the same behaviour.
func TestBothParsers(t *testing.T) {
	t.Parallel()
	needSlang(t)
	const text = `module top(input clk, input rst, input [3:0] d, output reg [3:0] v, output [3:0] w);
integer i, j;
reg [3:0] p = 3, q = 0, s = 0, t, u = 9;
reg [3:0] m [0:3];
assign w = u ^ s;
initial begin m[0] = 1; m[1] = 2; m[2] = 4; m[3] = 8; end
function [3:0] next(input [3:0] x); reg [3:0] y; begin y = x + 1; next = y ^ 4'b0101; end endfunction
always @(posedge clk) if (d[0]) p <= next(p); else p <= m[d[1:0]];
always @(posedge clk or negedge rst) if (!rst) q <= 6; else begin q <= q + d; two: assert (q != 7); end
always @(posedge clk) begin t = p ^ d; if (d[3]) s <= t; end
always @(posedge clk) if (q[0]) m[d[1:0]] <= d;
always @(posedge clk) for (i = 0; i < 4; i = i + 1) u[i] <= p[3-i] ^ d[i];
always @* begin v = 0; for (j = 0; j < 4; j = j + 1) if (d[j]) v = v + q[j]; end
always @* begin if ($signed(q) < $signed(d)) three: assert (u >= s); end
always @(posedge clk) begin : block reg [1:0] kept; if (d[2]) kept = d[1:0]; assert (kept != 2); end
initial begin five: assume (d != 3); if (rst) six: assert (d != 4); end
wire [1:0] dangling;
(* anyconst *) reg [1:0] chosen;
always @(posedge clk) seven: assert (dangling != chosen);
endmodule
`
	yosys := mustLoadText(t, text, Options{Frontend: FrontendYosys})
	slang := mustLoadText(t, text, Options{Frontend: FrontendSlang})
	if what := differs(yosys, slang, 1); what != "" {
		t.Error(what)
	}
	if notesWith(slang, "top.t (t.v") != notesWith(yosys, "top.t (t.v") || notesWith(slang, "nothing drives") != 1 {
		t.Errorf("notes %v\nagainst %v", slang.d.Notes, yosys.d.Notes)
	}
	places := func(b *builder) map[string]int {
		lines := map[string]int{}
		for _, o := range slices.Concat(b.d.Latches, b.d.Properties) {
			if !o.Artefact {
				lines[o.Register] = o.Line
			}
		}
		return lines
	}
	other := places(slang)
	for name, line := range places(yosys) {
		if other[name] != line {
			t.Errorf("%s stands on line %d for yosys, %d for slang", name, line, other[name])
		}
	}
}

// TestSlangMistakes: slang's own messages, with file, line and column of the source;
// and nothing that a source says makes slang read or write another file.
func TestSlangMistakes(t *testing.T) {
	needSlang(t)
	inFolder(t, map[string]string{"secret.svh": "wire secret = nothing;\n", "list.f": "t.v\n"})
	module := func(text string) string { return "module top(input clk, input a);\n" + text + "\nendmodule\n" }
	for _, c := range []struct{ text, want string }{
		{module("`define WRONG(x) x + nowhere\nwire b = `WRONG(a);"), "t.v:3:14: slang: use of undeclared identifier 'nowhere'"},
		{module("\nfoo u(a);\nbar v(a);"), "t.v:3:1: slang: unknown module 'foo' (1 more errors)"},
		{module("initial begin $system(\"touch pwned\"); end reg [3:0] f; initial f = $fopen(\"pwned\"); reg m[0:1]; initial $writememh(\"pwned\", m);"), "t.v:2:"},
		{module("import \"DPI-C\" function int system(int n);"), `t.v:2: import "DPI-C": a function of another language`},
		{module("reg [7:0] m[0:1];\ninitial $readmemh({\"no\", \"ne.hex\"}, m);\nassert property (m[0] == 1);"), "t.v:"},
	} {
		if err := os.WriteFile("t.v", []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := load(t.Context(), Options{Files: []string{"t.v"}, Frontend: FrontendSlang})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s\n got %v\nwant %s", c.text, err, c.want)
		}
	}
	if left, _ := filepath.Glob("*"); len(left) != 3 {
		t.Errorf("the folder has %v", left)
	}
}

// TestInitialProperties: only blocks of nothing but properties change, and columns
// stay.
func TestInitialProperties(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"initial assume (a == b);", "always@*assume (a == b);"},
		{"initial l: assert (f(a));", "always@*l: assert (f(a));"},
		{"initial begin : n assume (a); if (b) begin cover (c); end else ; end : n x", "always@*begin : n assume (a); if (b) begin cover (c); end else ; end : n x"},
		{"initial begin assume (a); q = 1; end", ""},
		{"initial if (a) q <= 1;", ""},
		{"initial assert (a) else $error;", ""},
		{"initial begin assume (a);", ""},
		{"initial assert (a", ""},
		{"u(.initial (a)); initial", ""},
	} {
		if c.want == "" {
			c.want = c.text
		}
		text := preprocess.Text{Text: []byte(c.text), Lines: []preprocess.Place{{}}}
		if got, _ := initialProperties(c.text, scan(&text)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}
