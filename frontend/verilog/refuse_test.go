package verilog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestRefusals checks that what cannot be modelled is refused by name and place.
// A pattern's T stands for the name of the file.
func TestRefusals(t *testing.T) {
	const head = "module top(input clk, input rst, input d, input e, output reg q, output y);\n"
	for _, c := range []struct{ name, text, want string }{
		{
			"two clocks",
			"module top(input a, input b, input d, output reg q, output reg r);\nalways @(posedge a) q <= d;\nalways @(posedge b) r <= q;\nendmodule",
			`^T:[23]: several clocks: posedge [ab] for [qr] \(T:[23]\), posedge [ab] for [qr] \(T:[23]\); a step of the netlist is one edge of one clock`,
		},
		{
			"both edges",
			head + "reg r;\nalways @(posedge clk) q <= d;\nalways @(negedge clk) r <= q;\nendmodule",
			`^T:[34]: both edges of a clock: (pos|neg)edge clk for [qr] \(T:[34]\), (pos|neg)edge clk for`,
		},
		{
			"clock of an assert",
			head + "always @(posedge clk) q <= d;\nalways @(posedge e) assert(q == d);\nendmodule",
			`^T:[23]: several clocks`,
		},
		{
			"clock of a memory",
			head + "reg m [0:3];\nalways @(posedge clk) q <= m[d];\nalways @(negedge clk) m[d] <= e;\nendmodule",
			`^T:[234]: both edges of a clock: .* for m `,
		},
		{
			"gated clock",
			head + "wire g = clk & e;\nalways @(posedge g) q <= d;\nendmodule",
			`^T:3: the clock of q is no input of the top module: g is gated or derived; a step of the netlist is one edge of one clock`,
		},
		{
			"divided clock",
			head + "reg half;\nalways @(posedge half) q <= d;\nendmodule",
			`^T:3: the clock of q is no input of the top module: half is gated or derived`,
		},
		{
			"clock that is not declared",
			head + "always @(posedge clock) q <= d;\nendmodule",
			`^T:2: the clock clock of q is not declared: it is an implicit wire that nothing drives; declare it`,
		},
		{
			"clock of an instance that is not declared",
			"module in(input clk, input d, output reg q);\nalways @(posedge ck) q <= d;\nendmodule\nmodule top(input clk, input d, output y);\nin u(clk, d, y);\nendmodule",
			`^T:2: the clock u\.ck of .* is not declared`,
		},
		{
			"loop through a selected bit",
			head + "wire [3:0] w;\nassign w[3:1] = {d, e, rst};\nassign w[0] = w[{d, e}];\nassign y = w[0];\nendmodule",
			`^T:[1245]: combinational loop through .*; break it`,
		},
		{
			"loop through another bit",
			head + "wire [2:0] w;\nassign w[0] = w[1] & d;\nassign w[1] = w[0] | e;\nassign y = w[0];\nendmodule",
			`^T:[34]: combinational loop through .*; break it`,
		},
		{
			"past beside an asynchronous reset",
			head + "always @(posedge clk or posedge rst)\nif (rst) q <= 0; else begin\nq <= d;\nassert (q == $past(q));\nend\nendmodule",
			`^T:5: \$past in a block with an asynchronous reset, .*; keep the last value`,
		},
		{
			"asynchronous reset to what is no constant",
			head + "always @(posedge clk or posedge rst)\nif (rst) q <= d; else q <= !q;\nalways @* assert (!rst || q == d);\nendmodule",
			`^T:2: a register is reset asynchronously to a value that is not constant`,
		},
		{
			"import in a header",
			"package p;\nlocalparam W = 1;\nendpackage\nmodule top\n  import p::*; (input a);\nendmodule",
			`^T:5: yosys does not read import here \(syntax error.*\); write package::name`,
		},
		{
			"assert with an action",
			head + "always @* assert (d) else $error(\"x\");\nendmodule",
			`^T:2: yosys does not read assert with else here .*; remove the else`,
		},
		{"covergroup", head + "covergroup g @(posedge clk);\nendgroup\nendmodule", `^T:2: yosys does not read covergroup here`},
		{"checker", "checker c(input a);\nendchecker\nmodule top(input a);\nendmodule", `^T:1: yosys does not read checker here .*; make it a module`},
		{"program", "program p(input a);\nendprogram\nmodule top(input a);\nendmodule", `^T:1: yosys does not read program here`},
		{"final", head + "final assert (d);\nendmodule", `^T:2: yosys does not read final here`},
		{
			"clock as data",
			head + "always @(posedge clk) q <= d ^ clk;\nendmodule",
			`^T:1: the clock clk is read as data by top.q; use the clock as a clock only`,
		},
		{
			"clock in an assert",
			head + "always @(posedge clk) q <= d;\nalways @(*) named: assert(clk || q);\nendmodule",
			`^T:3: the clock clk is read as data by top.named`,
		},
		{
			"combinational loop",
			head + "wire a, b;\nassign a = b & d;\nassign b = a | e;\nassign y = a;\nendmodule",
			`^T:[34]: combinational loop through [aby], [aby]; break it`,
		},
		{
			"loop through an instance",
			"module inner(input i, output o);\nassign o = !i;\nendmodule\nmodule top(output y);\nwire a;\ninner u(a, a);\nassign y = a;\nendmodule",
			`^T:2: combinational loop through `,
		},
		{
			"tri-state",
			head + "assign y = e ? d : 1'bz;\nendmodule",
			`^T:2: tri-state driver of y; drive 0 or 1`,
		},
		{
			"two drivers",
			head + "assign y = d & e;\nassign y = d | e;\nendmodule",
			`^T:[23]: two drivers of y \(the other is at T:[23]\); drive each net once`,
		},
		{
			"two inputs on a net",
			head + "assign y = d;\nassign y = e;\nendmodule",
			`^T:1: two drivers of [dey]; drive each net once`,
		},
		{
			"an input that is driven",
			head + "assign d = rst & e;\nassign y = d;\nendmodule",
			`^T:[12]: two drivers of d \(the other is at T:[12]\); drive each net once`,
		},
		{
			"a register tied to a constant",
			head + "reg r = 0;\nalways @(posedge clk)\n  r <= d;\nassign y = r;\nassign y = 1'b0;\nendmodule",
			`^T:3: two drivers: what is driven here is also tied to a constant; drive each net once`,
		},
		{
			"an input tied to a constant",
			head + "assign y = d;\nassign y = 1'b0;\nendmodule",
			`^T:1: two drivers: the input d is also tied to a constant; drive each net once`,
		},
		{
			"black box",
			"(* blackbox *)\nmodule ip(input a, output b);\nendmodule\nmodule top(input a, output b);\nip u(a, b);\nendmodule",
			"^T:5: yosys: Module `\\\\ip' .* is a blackbox/whitebox module.; add its source",
		},
		{
			"missing module",
			"module top(input a, output b);\nip u(a, b);\nendmodule",
			"^T:2: yosys: Module `\\\\ip' referenced in module `\\\\top' in cell `\\\\u' is not part of the design.; add the file",
		},
		{
			"missing module below an instance with parameters",
			"module mid #(parameter W = 1)(input [W-1:0] a, output b);\nip #(.N(W))\n  u(a, b);\nendmodule\nmodule top(input [1:0] a, output b);\nmid #(.W(2)) m(a, b);\nendmodule",
			"^T:[23]: yosys: Module `\\\\ip' referenced in module .* is not part of the design.; add the file",
		},
		{
			"reference into an instance",
			"module ip(input clk);\nreg [2:0] c = 0;\nalways @(posedge clk) c <= c + 1;\nendmodule\nmodule top(input clk);\nip u(clk);\nalways @(posedge clk)\n  assert(u.c != 5);\nendmodule",
			`^T:8: hierarchical reference u\.c, which yosys does not resolve; write the assertion in the module`,
		},
		{
			"reference to an outer signal",
			"module ip(input clk);\nalways @(posedge clk)\n  assert(top.z);\nendmodule\nmodule top(input clk);\nreg z = 1;\nalways @(posedge clk) z <= z;\nip u(clk);\nendmodule",
			`^T:3: hierarchical reference top\.z, which`,
		},
		{
			"memory above the limit",
			"module top(input clk, input [11:0] a, input [15:0] d, output [15:0] q);\nreg [15:0] big [0:4095];\nassign q = big[a];\nalways @(posedge clk) big[a] <= d;\nendmodule",
			`^T:2: memory big has 65536 bits \(4096 words of 16\), above the limit of 16384; shrink it by a parameter, or raise the limit`,
		},
		{
			"quantified variable",
			head + "(* allconst *) reg c;\nalways @(*) assert(c == d);\nendmodule",
			`quantified variable \(allconst\)`,
		},
		{
			"concurrent assertion",
			head + "assert property (@(posedge clk) (d, x = 1) |-> q);\nendmodule",
			`^T:2:35: local variables and calls in a sequence are not supported`,
		},
		{
			"concurrent assertion in a branch that is compiled",
			head + "`ifndef NONE\nassert property (@(posedge clk) (d, x = 1) |-> q);\n`endif\nendmodule",
			`^T:3:35: local variables and calls in a sequence are not supported`,
		},
		{
			"implication without a clock",
			head + "assert property (d |-> q);\nendmodule",
			`^T:2:1: this assertion has no clock; `,
		},
		{"syntax", head + "assign y = ;\nendmodule", `^T:2: yosys: syntax error, unexpected ';'.*; correct the source`},
		{
			"label in a loop",
			head + "integer i;\nalways @(*) for (i = 0; i < 2; i = i + 1) named: assert(d == i);\nendmodule",
			`a cell with the same name was already created.*; remove or change the label`,
		},
		{
			"label of an instance",
			"module ip(input a);\nendmodule\nmodule top(input a);\nip u(a);\nalways @(*) u: assert(a);\nendmodule",
			`^T:5: yosys: .*a cell with the same name was already created at .*; remove or change the label of the assert: another cell has it`,
		},
		{
			"formal clock beside a clock",
			head + "(* gclk *) wire g;\nreg r;\nalways @(posedge g) r <= d;\nalways @(posedge clk) q <= d;\nendmodule",
			`^T:[45]: several clocks: .*the formal clock for r`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := loadText(t, c.text, Options{Top: "top"})
			var refusal *Error
			if !errors.As(err, &refusal) {
				t.Fatalf("got %v", err)
			}
			got := err.Error()
			short := regexp.MustCompile(`[^\s(]*/t\.v`).ReplaceAllString(got, "T")
			if !regexp.MustCompile(c.want).MatchString(short) {
				t.Errorf("\n got %s\nwant %s", short, c.want)
			}
			if strings.Contains(got, "\n") || refusal.Cure == "" {
				t.Errorf("no cure or more than a line: %q", got)
			}
		})
	}
}

func TestWithoutYosys(t *testing.T) {
	file := designs + "fsm.v"
	for _, program := range []string{"no-such-yosys", "/no/such/yosys"} {
		_, err := Load(context.Background(), Options{Files: []string{file}, Yosys: program})
		if err == nil || !strings.Contains(err.Error(), "cannot run yosys") || !strings.Contains(err.Error(), "apt-get install yosys") {
			t.Errorf("got %v", err)
		}
	}
}

// TestNoYosys: a program that is none is named.
func TestNoYosys(t *testing.T) {
	t.Parallel()
	_, err := loadText(t, "module top(input a); endmodule\n", Options{Yosys: "/bin/true"})
	if err == nil || !strings.HasPrefix(err.Error(), "/bin/true ended without an error and wrote no netlist") {
		t.Error(err)
	}
}

func TestTimeout(t *testing.T) {
	needYosys(t)
	_, err := Load(context.Background(), Options{Files: []string{designs + "fsm.v"}, Time: time.Millisecond})
	var e *Error
	if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "yosys did not finish in 1ms; ") || e.Option != "Time" {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Load(ctx, Options{Files: []string{designs + "fsm.v"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestOptionErrors(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "list.f")
	for _, c := range []struct {
		list string
		o    Options
		want string
	}{
		{"", Options{}, "no Verilog file given; name at least one"},
		{"", Options{Files: []string{"no-such.v"}}, "no-such.v"},
		{"", Options{Files: []string{dir}}, "this is a directory; name the files in it"},
		{"", Options{Files: []string{list}, Top: "a b"}, `"a b" is no name of a top module`},
		{"", Options{Files: []string{list}, Defines: []string{"A B=1"}}, `"A B" is no name of a macro`},
		{"a.v\n-z dir\n", Options{List: list}, `list.f:2: unknown entry "-z"; a list holds`},
		{"-I\n", Options{List: list}, "list.f:1: -I without a value"},
		{"-f list.f\n", Options{List: list}, "lists include each other"},
	} {
		if err := os.WriteFile(list, []byte(c.list), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(context.Background(), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestManyLists: lists that each include the next one twice are refused, and not
// read a million times.
func TestManyLists(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		next := fmt.Sprintf("-f %d.f\n-f %d.f\n", i+1, i+1)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.f", i)), []byte(next), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "20.f"), []byte("a.v\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := Options{List: filepath.Join(dir, "0.f")}
	if _, err := o.resolved(); err == nil || !strings.Contains(err.Error(), "more than 1000 lists are read") {
		t.Errorf("got %v", err)
	}
}

func TestUnknownTop(t *testing.T) {
	_, err := loadText(t, "module a; endmodule", Options{Top: "b"})
	if e := (*Error)(nil); !errors.As(err, &e) || e.Option != "Top" {
		t.Errorf("got %v", err)
	}
}

func TestUnknownReset(t *testing.T) {
	_, err := loadText(t, "module a(input clk, input [1:0] d, output reg q); always @(posedge clk) q <= ^d; endmodule", Options{Reset: "rst"})
	if err == nil || !strings.Contains(err.Error(), `the reset "rst" is no input of one bit of the top module; its inputs are d[0], d[1]`) {
		t.Errorf("got %v", err)
	}
}
