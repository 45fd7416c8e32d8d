package verilog

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"netcov/netlist"
)

// randomDesign writes a small module with registers of all kinds, a memory,
// temporaries, a shared counter of loops, and properties in blocks of all kinds.
func randomDesign(r *rand.Rand) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	var expression func(depth int) string
	expression = func(depth int) string {
		if depth == 0 {
			return pick("d", "e", "p", "q", "s", "m[d[1:0]]", "4'd3", fmt.Sprintf("4'd%d", r.IntN(16)))
		}
		x, y := expression(depth-1), expression(depth-1)
		switch r.IntN(7) {
		case 0:
			return "(" + x + pick(" == ", " != ", " < ", " >= ", " && ", " || ") + y + ")"
		case 1:
			return "(~" + x + ")"
		case 2:
			return "(" + x + pick(" << ", " >> ") + "e[1:0])"
		case 3:
			return "(" + x + " ? " + y + " : " + expression(depth-1) + ")"
		case 4:
			return pick("{2{", "{1{") + pick("d[1:0]", "e[3:2]", "p[2:1]") + "}}"
		}
		return "(" + x + pick(" + ", " - ", " & ", " | ", " ^ ", " * ") + y + ")"
	}
	labels := 0
	property := func() string {
		labels++
		kind := pick("assert", "assert", "assert", "assume")
		return fmt.Sprintf("`P(%s%d, %s, %s)", kind[:2], labels, kind, expression(1))
	}
	var statements func(name, op string, depth int) string
	statements = func(name, op string, depth int) string {
		switch {
		case depth == 0 || r.IntN(4) == 0:
			text := name + " " + op + " " + expression(2) + ";"
			if r.IntN(3) == 0 {
				text += " " + property()
			}
			return "begin " + text + " end"
		case r.IntN(2) == 0:
			return "case (" + pick("d", "e", "q") + "[1:0]) 0: " + statements(name, op, depth-1) + " 1, 2: " + statements(name, op, depth-1) + " default: " + statements(name, op, depth-1) + " endcase"
		}
		text := "if (" + expression(1) + ") " + statements(name, op, depth-1)
		if r.IntN(2) == 0 {
			text += " else " + statements(name, op, depth-1)
		}
		return "begin " + text + " end"
	}
	reset := pick("posedge rst", "negedge rst")
	active := map[string]string{"posedge rst": pick("rst", "rst == 1'b1"), "negedge rst": pick("!rst", "~rst", "rst == 0")}[reset]
	body := []string{
		"always @(posedge clk) " + statements("p", "<=", 2),
		"always @(posedge clk or " + reset + ") if (" + active + ") q <= " + fmt.Sprint(r.IntN(16)) + "; else " + statements("q", "<=", 2),
		"always @(posedge clk) begin t = " + expression(2) + "; if (" + expression(1) + ") s <= t; end",
		"always @(posedge clk) if (" + expression(1) + ") m[" + pick("d", "e", "q") + "[1:0]] <= " + expression(1) + ";",
		"always @(posedge clk) for (i = 0; i < 4; i = i + 1) u[i] <= p[3-i] ^ d[i];",
		"always @* begin v = 0; for (i = 0; i < 4; i = i + 1) if (e[i]) v = v + q[i]; end",
		"always @* begin " + property() + " if (" + expression(1) + ") " + property() + " end",
		"initial begin " + property() + " end",
	}
	r.Shuffle(len(body), func(i, k int) { body[i], body[k] = body[k], body[i] })
	return "`ifdef FORMAL\n`define P(l, k, x) l: k (x);\n`else\n`define P(l, k, x) ;\n`endif\n" +
		"module top(input clk, input rst, input [3:0] d, input [3:0] e, output reg [3:0] v, output [3:0] w);\n" +
		"integer i;\nreg [3:0] p = 3, q = 0, s = 0, t, u = 9;\nreg [3:0] m [0:3];\nassign w = u ^ s;\n" +
		"initial begin m[0] = 1; m[1] = 2; m[2] = 4; m[3] = 8; end\n" +
		strings.Join(body, "\n") + "\nendmodule\n"
}

// TestRandomDesigns: every yosys of this machine makes a netlist of the same
// behaviour, and iverilog agrees on the registers.
func TestRandomDesigns(t *testing.T) {
	found := allYosys()
	if len(found) == 0 {
		t.Skip("yosys is not installed")
	}
	if os.Getenv(YosysVariable) != found[0] {
		t.Skip("compares all yosys at once")
	}
	if testing.Short() {
		found = found[:1]
	}
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			text := randomDesign(rand.New(rand.NewPCG(seed, 17)))
			path := filepath.Join(t.TempDir(), "t.v")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			var first *builder
			for _, yosys := range found {
				b, err := load(context.Background(), Options{Files: []string{path}, Yosys: yosys})
				if err != nil {
					t.Fatalf("%s: %v\n%s", yosys, err, text)
				}
				sane(t, b)
				if first == nil {
					first = b
				} else if what := differs(first, b, seed); what != "" {
					t.Fatalf("%s and %s: %s\n%s", found[0], yosys, what, text)
				}
			}
			if got := registers(first); got != 4*8 {
				t.Errorf("%d register bits\n%s", got, text)
			}
			compare(t, bench{options: Options{Files: []string{path}}, reset: "rst", cycles: 200}, first)
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

// differs runs two netlists on the same inputs and compares, by name, what their
// registers store, their outputs, properties and constraints.
func differs(x, y *builder, seed uint64) string {
	names := func(b *builder) map[string]func(s *state) bool {
		all := map[string]func(s *state) bool{}
		for i, o := range b.d.Latches {
			if !o.Artefact {
				all[b.n.Latches[i].Name] = func(s *state) bool { return s.latches[i] }
			}
		}
		for _, list := range [][]netlist.Signal{b.n.Bads, b.n.Outputs, b.n.Constraints} {
			for _, signal := range list {
				all[signal.Name] = func(s *state) bool { return s.value(signal.Lit) }
			}
		}
		return all
	}
	nx, ny := names(x), names(y)
	for name := range nx {
		if ny[name] == nil {
			return name + " is missing in the second"
		}
	}
	if len(nx) != len(ny) {
		return fmt.Sprintf("%d names against %d", len(nx), len(ny))
	}
	r := rand.New(rand.NewPCG(seed, 18))
	none := func() bool { return false }
	for range 20 {
		sx, sy := start(x.n, none), start(y.n, none)
		for step := range 30 {
			value := map[string]bool{}
			run := func(b *builder, s *state) {
				in := make([]bool, len(b.n.Inputs))
				for i, input := range b.n.Inputs {
					if _, known := value[input.Name]; !known {
						value[input.Name] = r.IntN(2) == 0
					}
					in[i] = value[input.Name]
				}
				s.eval(in)
			}
			run(x, sx)
			run(y, sy)
			for name, get := range nx {
				if get(sx) != ny[name](sy) {
					return fmt.Sprintf("%s differs in step %d", name, step)
				}
			}
			sx.step()
			sy.step()
		}
	}
	return ""
}
