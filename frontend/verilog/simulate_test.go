package verilog

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"netcov/aig"
)

// bench is a design that is run in iverilog and as a netlist.
type bench struct {
	options Options
	reset   string // input that is active in the first steps
	low     bool   // it is active low
	cycles  int
}

// TestAgainstIverilog compares every register bit of the six designs with
// iverilog, step by step, on random inputs.
func TestAgainstIverilog(t *testing.T) {
	for _, c := range []bench{
		{options: Options{Files: []string{designs + "fifo.v"}}, reset: "rst"},
		{options: Options{Files: []string{designs + "arbiter.v"}}, reset: "rst"},
		{options: Options{Files: []string{designs + "uart_tx.v"}}, reset: "rst"},
		{options: Options{Files: []string{designs + "fsm.v"}}, reset: "rst"},
		{options: Options{Files: []string{designs + "ram.v"}}, reset: "rst_n", low: true},
		{options: Options{Files: []string{designs + "pair.v"}}, reset: "rst"},
	} {
		t.Run(filepath.Base(c.options.Files[0]), func(t *testing.T) {
			t.Parallel()
			c.cycles = 600
			compare(t, c, mustLoad(t, c.options))
		})
	}
}

// TestOddConstructs does the same for registers that are easily got wrong.
func TestOddConstructs(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds of yosys")
	}
	text := `
module odd(input clk, input rst, input en, input [3:0] d, input [1:0] a, output [0:3] up, output reg signed [4:1] off, output latched, output [7:0] y);
  reg [0:3] up;
  reg set_reg, cleared;
  reg [2:0] low;
  reg [3:0] table_of [2:5];
  reg held;
  reg [3:0] words [0:3];
  assign latched = held;
  wire [3:0] shifted = $signed(off) >>> a;
  assign y = d * up + {shifted, low} - (d / 4'd3) + (up % d);
  always @(posedge clk) if (rst) begin up <= 4'b0011; off <= -3; end else if (en) begin up <= {up[1:3], up[0]} ^ d; off <= off + $signed(d); end
  always @(posedge clk or posedge rst) if (rst) set_reg <= 1; else set_reg <= en ^ set_reg;
  always @(posedge clk or posedge rst) if (rst) cleared <= 0; else if (en) cleared <= d[1];
  always @(posedge clk) low[1:0] <= rst ? 0 : low[1:0] + 1;
  always @(posedge clk) low[2] <= rst ? 0 : ^low;
  always @(*) if (en) held = d[2];
  always @(posedge clk) if (rst) table_of[2] <= 0; else table_of[2 + a] <= d;
  always @(posedge clk) begin words[a] <= d; if (en) words[a + 1] <= ~d; if (d == 3) words[2] <= 1; end
  genvar g;
  generate for (g = 0; g < 2; g = g + 1) begin : lane
    reg [1:0] r;
    always @(posedge clk) r <= rst ? 0 : r + d[g] + (g == 1 ? table_of[3] : words[a]);
  end endgenerate
endmodule`
	path := filepath.Join(t.TempDir(), "odd.v")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o := Options{Files: []string{path}}
	b := mustLoad(t, o)
	if got := registers(b); got != 4+4+1+1+3+16+1+16+4 {
		t.Errorf("%d register bits", got)
	}
	compare(t, bench{options: o, reset: "rst", cycles: 400}, b)
}

// compare runs both and compares all register bits that are known in iverilog.
func compare(t *testing.T, c bench, b *builder) {
	t.Helper()
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("iverilog is not installed")
	}
	r := rand.New(rand.NewPCG(5, 6))
	stimulus := make([][]bool, c.cycles)
	for k := range stimulus {
		in := make([]bool, len(b.n.Inputs))
		for i := range in {
			in[i] = r.IntN(2) == 0
		}
		active := k < 2 || r.IntN(40) == 0
		in[inputNamed(t, b.n, b.h.full(c.reset))] = active != c.low
		stimulus[k] = in
	}
	var regs []int
	for i, o := range b.d.Latches {
		if !o.Artefact {
			regs = append(regs, i)
		}
	}
	lines := runIverilog(t, c, b, regs, stimulus)
	visible := make([]aig.Lit, len(regs))
	for j, i := range regs {
		visible[j] = visibleBit(t, b, i)
	}
	s := start(b.n, func() bool { return r.IntN(2) == 0 })
	known := make([]int, len(regs))
	for k, in := range stimulus {
		s.eval(in)
		for j, i := range regs {
			want := lines[k][j]
			if want != '0' && want != '1' {
				continue
			}
			known[j]++
			got := s.latches[i]
			if visible[j] != aig.Undef {
				got = s.value(visible[j])
			}
			if got != (want == '1') {
				t.Fatalf("step %d: %s is %v, in iverilog %c", k, b.n.Latches[i].Name, got, want)
			}
		}
		s.step()
	}
	for j, i := range regs {
		if known[j] < c.cycles/3 {
			t.Errorf("%s was known in %d of %d steps only", b.n.Latches[i].Name, known[j], c.cycles)
		}
	}
}

// visibleBit returns the value of the net that the user named: with an
// asynchronous reset it is not the latch itself. Memory words have no such net.
func visibleBit(t *testing.T, b *builder, latch int) aig.Lit {
	t.Helper()
	name := strings.TrimPrefix(b.d.Latches[latch].Register, b.h.top+".")
	n := b.net.Netnames[name]
	if n == nil {
		return aig.Undef
	}
	for i, at := range n.Bits {
		if len(n.Bits) == 1 || n.index(i) == b.d.Latches[latch].Bit {
			l, err := b.eval(at)
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
	}
	return aig.Undef
}

// runIverilog returns, for each step, the registers' values before the edge.
func runIverilog(t *testing.T, c bench, b *builder, regs []int, stimulus [][]bool) []string {
	t.Helper()
	dir := t.TempDir()
	var bits strings.Builder
	for _, in := range stimulus {
		for i := range in {
			bits.WriteByte("01"[btoi(in[len(in)-1-i])])
		}
		bits.WriteByte('\n')
	}
	// The inputs of the netlist are the bits of the ports, in order.
	var ports, connect, wires []string
	for name, p := range b.net.Ports {
		if name == b.inv.clockName {
			connect = append(connect, fmt.Sprintf(".%s(clk)", name))
			continue
		}
		if p.Direction != "input" {
			continue
		}
		wires = append(wires, fmt.Sprintf("wire [%d:0] w_%s;", len(p.Bits)-1, name))
		connect = append(connect, fmt.Sprintf(".%s(w_%s)", name, name))
		for i := range p.Bits {
			label := b.h.full(name)
			if len(p.Bits) > 1 {
				label = fmt.Sprintf("%s[%d]", label, hdlIndex(i, len(p.Bits), p.Offset, p.Upto))
			}
			ports = append(ports, fmt.Sprintf("assign w_%s[%d] = now[%d];", name, i, inputNamed(t, b.n, label)))
		}
	}
	var shown []string
	for _, i := range regs {
		shown = append(shown, "dut"+strings.TrimPrefix(b.n.Latches[i].Name, b.h.top))
	}
	text := fmt.Sprintf(`module tb;
  reg clk = 0;
  reg [%d:0] stimulus [0:%d];
  reg [%d:0] now;
  integer k;
  %s
  %s
  %s dut(%s);
  initial begin
    $readmemb("%s/bits.txt", stimulus);
    for (k = 0; k < %d; k = k + 1) begin
      now = stimulus[k];
      #4 $display("%%b", {%s});
      #1 clk = 1;
      #5 clk = 0;
    end
    $finish;
  end
endmodule
`, len(b.n.Inputs)-1, len(stimulus)-1, len(b.n.Inputs)-1, strings.Join(wires, "\n"), strings.Join(ports, "\n"),
		b.h.top, strings.Join(connect, ", "), dir, len(stimulus), strings.Join(shown, ", "))
	for name, content := range map[string]string{"tb.v": text, "bits.txt": bits.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"-g2012", "-s", "tb", "-o", filepath.Join(dir, "tb.vvp")}
	for _, d := range c.options.Defines {
		args = append(args, "-D"+d)
	}
	args = append(append(args, c.options.Files...), filepath.Join(dir, "tb.v"))
	if out, err := exec.Command("iverilog", args...).CombinedOutput(); err != nil {
		t.Fatalf("iverilog: %v\n%s", err, out)
	}
	out, err := exec.Command("vvp", "-n", filepath.Join(dir, "tb.vvp")).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(out))
	if len(lines) != len(stimulus) || len(lines[0]) != len(regs) {
		t.Fatalf("iverilog printed %d lines for %d steps, the first %q for %d registers", len(lines), len(stimulus), lines[0], len(regs))
	}
	return lines
}
