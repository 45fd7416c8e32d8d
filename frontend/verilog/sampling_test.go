package verilog

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"testing"
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
