package verilog

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"netcov/aig"
)

// severalClocks writes a small module with two clocks, both edges, a clock that is
// gated behind a latch, a divided one, asynchronous resets and sets, transparent
// latches, and registers that read those of other clocks. It leaves out what is a race in
// Verilog: what an edge of a divided clock reads changes at other moments.
func severalClocks(r *rand.Rand) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	value := func() string {
		x, y := pick("d", "p", "q", "s", "u"), pick("e", "p", "q", "s", "u")
		return "(" + x + pick(" + ", " ^ ", " & ", " | ", " - ") + y + ")"
	}
	number := func() string { return fmt.Sprint(r.IntN(8)) }
	clock := func() string { return pick("posedge", "negedge") + pick(" ck1", " ck2") }
	return "module top(input ck1, input ck2, input rst, input set, input [2:0] d, input [2:0] e, output [2:0] y, output z);\n" +
		"reg [2:0] p = 1, q = " + number() + ", s = " + number() + ", u = 5, w = 3, h = 2, v = 6;\nreg k_div = 0, k_on = 0;\n" +
		"wire both = rst & set, gated = ck2 & k_on;\n" +
		"always @(" + clock() + ") p <= " + value() + ";\n" +
		"always @(" + clock() + " or posedge rst) if (rst) q <= " + number() + "; else " + pick("", "if (e[0]) ") + "q <= " + value() + ";\n" +
		"always @(" + clock() + " or posedge set) if (set) s <= " + number() + "; else " + pick("", "if (d[0]) ") + "s <= " + value() + ";\n" +
		"always @(" + clock() + " or posedge rst or posedge both) if (rst) u <= 0; else if (both) u <= 7; else u <= " + value() + ";\n" +
		"always @* if (!ck2) k_on = e[0];\n" +
		"always @(posedge gated) w <= w " + pick("+", "^", "-") + " " + pick("d", "p", "q", "u") + ";\n" +
		"always @(posedge ck1) k_div <= ~k_div;\n" +
		"always @(" + pick("posedge", "negedge") + " k_div) v <= v " + pick("+", "^") + " d;\n" +
		"always @* if (" + pick("ck1", "!ck2") + ") h = " + value() + ";\n" +
		"assign y = h ^ v ^ " + value() + ";\nassign z = ^(w + s);\nendmodule\n"
}

// TestSeveralClocks compares with iverilog, on random phases of the clocks, every
// register and output, of the design and with each register bit forced.
func TestSeveralClocks(t *testing.T) {
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("iverilog is not installed")
	}
	designs := uint64(8)
	if testing.Short() {
		designs = 3
	}
	for seed := range designs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 30))
			text := severalClocks(r)
			if _, err := loadText(t, text, Options{}); err == nil {
				t.Error("is read as if it had one clock")
			}
			b := mustLoadText(t, text, Options{Multiclock: true})
			if registers(b) != 23 || notesWith(b, "several clocks: a step is") != 1 {
				t.Fatalf("%d register bits\n%s", registers(b), text)
			}
			compareForced(t, b, text, r, map[string]bool{"top.ck1": true, "top.ck2": true, "top.rst": false, "top.set": false})
		})
	}
}

// TestSetAndReset: cells of netlists with set and reset, which may be active together: the
// reset wins, then the set, and then a latch that is open or an edge. No source has
// these, since yosys lets only one of the two act.
func TestSetAndReset(t *testing.T) {
	kinds := []string{"dffsr", "dlatchsr", "sr"}
	var text strings.Builder
	text.WriteString("module \\top\n")
	for i, name := range []string{"c", "s", "r", "d"} {
		fmt.Fprintf(&text, "  wire input %d \\%s\n", i+1, name)
	}
	type cell struct{ kind, levels int }
	var cells []cell
	for kind, name := range kinds {
		for levels := range 8 {
			k := len(cells)
			cells = append(cells, cell{kind, levels})
			fmt.Fprintf(&text, "  attribute \\init 1'%d\n  wire output %d \\q%d\n  cell $%s $f%d\n    parameter \\WIDTH 1\n", k%2, 5+k, k, name, k)
			fmt.Fprintf(&text, "    parameter \\SET_POLARITY 1'%d\n    parameter \\CLR_POLARITY 1'%d\n    connect \\SET \\s\n    connect \\CLR \\r\n    connect \\Q \\q%d\n", levels>>1&1, levels>>2&1, k)
			switch kind {
			case 0:
				fmt.Fprintf(&text, "    parameter \\CLK_POLARITY 1'%d\n    connect \\CLK \\c\n    connect \\D \\d\n", levels&1)
			case 1:
				fmt.Fprintf(&text, "    parameter \\EN_POLARITY 1'%d\n    connect \\EN \\c\n    connect \\D \\d\n", levels&1)
			}
			text.WriteString("  end\n")
		}
	}
	text.WriteString("end\n")
	needYosys(t)
	b, err := load(context.Background(), Options{Files: []string{"t.il"}, Multiclock: true, Netlist: &Netlist{Form: "rtlil", Data: []byte(text.String())}})
	if err != nil {
		t.Fatal(err)
	}
	shown := make([]aig.Lit, len(cells))
	for _, o := range b.outputs {
		var k int
		if _, err := fmt.Sscanf(o.Name, "top.q%d", &k); err != nil {
			t.Fatal(err)
		}
		shown[k] = o.Lit
	}
	want := make([]bool, len(cells))
	for k := range want {
		want[k] = k%2 == 1
	}
	r := rand.New(rand.NewPCG(1, 50))
	run := start(b.n, func() bool { return false })
	var was map[string]bool
	for step := range 300 {
		now := map[string]bool{}
		inputs := make([]bool, len(b.n.Inputs))
		for _, name := range []string{"c", "s", "r", "d"} {
			now[name] = r.IntN(2) == 0
			inputs[inputNamed(t, b.n, "top."+name)] = now[name]
		}
		run.eval(inputs)
		for k, c := range cells {
			level := func(name string, bit int) bool { return now[name] == (c.levels>>bit&1 == 1) }
			edge := step > 0 && level("c", 0) && now["c"] != was["c"]
			switch {
			case level("r", 2):
				want[k] = false
			case level("s", 1):
				want[k] = true
			case c.kind == 0 && edge:
				want[k] = was["d"]
			case c.kind == 1 && level("c", 0):
				want[k] = now["d"]
			}
			if got := run.value(shown[k]); got != want[k] {
				t.Fatalf("step %d, $%s with levels %03b: %v; want %v", step, kinds[c.kind], c.levels, got, want[k])
			}
		}
		was = now
		run.step()
	}
}
