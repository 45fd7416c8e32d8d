package verilog

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/netlist"
)

// bitsOf counts the bits of each register of the design.
func bitsOf(b *builder) map[string]int {
	count := map[string]int{}
	for _, o := range b.d.Latches {
		if !o.Artefact {
			count[o.Register]++
		}
	}
	return count
}

// TestTemporaries: what a block assigns by = and reads only after that is no
// register; all else that yosys makes a flip-flop or latch of is one.
func TestTemporaries(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
module leaf(input clk, input d, output reg q);
  reg step;
  always @(posedge clk) begin step = !d; q <= step; end
endmodule
module top(input clk, input en, input [3:0] d, output reg [3:0] y, output reg shown, output reg [1:0] late, output q);
  integer i, down;
  reg [3:0] tmp, held, early, other, unread, chain, said;
  reg [1:0] wide;
  always @(posedge clk) begin
    tmp = d ^ 4'd5;                                  // no state
    chain = tmp + 1;                                 // no state
    for (i = 0; i < 4; i = i + 1) y[i] <= chain[3-i];
    if (en) begin held = d; shown <= held[0]; end    // no state: its own multiplexer alone reads it
  end
  always @(posedge clk) begin late[1] <= early[1]; early = d; end // read before it is assigned
  always @(posedge clk) begin other = d; end         // read by another block
  always @(posedge clk) unread <= d;                 // a register that nobody reads
  always @(posedge clk) begin said = d; $display("x"); end
  always @(posedge clk) begin wide[0] = d[0]; wide[1] <= d[1]; if (wide[1]) late[0] <= wide[0]; end
  always @* if (en) for (down = 3; down > 0; down = down - 1) assert (d[down] || !other[down]);
  leaf l(clk, d[0], q);
  reg alone = 0; always @(posedge clk) alone <= d[0]; reg after = 0; always @(posedge clk) begin after <= d[1];
  end reg last = 0; initial last = 0;
  always @(posedge clk) last <= d[2]; // the = outside of the block is an initial value
`+"`"+`define FLOP(q, d) reg q; initial q = 0; always @(posedge clk) q <= d;
  `+"`"+`FLOP(made, d[3])
  // unread = 3 in a comment is no assignment
endmodule`, Options{})
	got := bitsOf(b)
	want := map[string]int{
		"top.y": 4, "top.shown": 1, "top.late": 2, "top.early": 4, "top.other": 4, "top.unread": 4, "top.wide": 2, "top.l.q": 1,
		"top.alone": 1, "top.after": 1, "top.last": 1, "top.made": 1,
	}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s has %d bits, not %d", name, got[name], n)
		}
	}
	for name := range got {
		if want[name] == 0 {
			t.Errorf("%s is taken for a register", name)
		}
	}
	for _, note := range []string{"top.i (", "top.down (", "top.tmp (", "top.chain (", "top.held (", "top.said (", "top.l.step ("} {
		if notesWith(b, note) != 1 {
			t.Errorf("no note of %s in\n%s", note, strings.Join(b.d.Notes, "\n"))
		}
	}
}

// TestSharedCounters: an integer that counts the loops of several blocks is no
// register and no second driver, and the registers that the loops assign behave.
func TestSharedCounters(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
module top(input clk, input rst, input [3:0] d, output reg [3:0] z, output [3:0] sum);
  integer i;
  reg [3:0] q = 0, p = 0;
  initial for (i = 0; i < 4; i = i + 1) q[i] = 0;
  always @(posedge clk) for (i = 0; i < 4; i = i + 1) q[i] <= d[3-i];
  always @(posedge clk) if (rst) p <= 0; else for (i = 0; i < 4; i = i + 1) if (d[i]) p[i] <= q[i];
  always @* begin z = 0; if (!rst) for (i = 0; i < 4; i = i + 1) z[i] = p[3-i]; end
  assign sum = p ^ q;
  always @* assert (p != 5);
endmodule`, Options{})
	if got := bitsOf(b); len(got) != 2 || got["top.q"] != 4 || got["top.p"] != 4 {
		t.Errorf("registers %v", got)
	}
	if notesWith(b, "several blocks assign i,") != 1 {
		t.Errorf("notes\n%s", strings.Join(b.d.Notes, "\n"))
	}
	output := func(s *state, name string) (v uint) {
		for k := range 4 {
			at := slices.IndexFunc(b.n.Outputs, func(o netlist.Signal) bool { return o.Name == "top."+name+"["+string(rune('0'+k))+"]" })
			if s.value(b.n.Outputs[at].Lit) {
				v |= 1 << k
			}
		}
		return v
	}
	reverse := func(v uint) uint { return v>>3&1 | v>>1&2 | v<<1&4 | v<<3&8 }
	r := rand.New(rand.NewPCG(7, 8))
	s := start(b.n, nil)
	var p, q uint
	for step := range 300 {
		d, rst := uint(r.IntN(16)), r.IntN(8) == 0
		in := make([]bool, len(b.n.Inputs))
		in[inputNamed(t, b.n, "top.rst")] = rst
		for k := range 4 {
			in[inputNamed(t, b.n, "top.d["+string(rune('0'+k))+"]")] = d>>k&1 == 1
		}
		s.eval(in)
		z := reverse(p)
		if rst {
			z = 0
		}
		if output(s, "z") != z || output(s, "sum") != p^q {
			t.Fatalf("step %d: z %d, sum %d, want %d and %d", step, output(s, "z"), output(s, "sum"), z, p^q)
		}
		s.step()
		if rst {
			p = 0
		} else {
			p = p&^d | q&d
		}
		q = reverse(d)
	}
}

// TestSharedState: what carries a value from one block to another has two drivers.
func TestSharedState(t *testing.T) {
	t.Parallel()
	const head = "module top(input clk, input rst, input [3:0] d, output reg [3:0] q);\ninteger i;\nreg r;\n"
	for body, want := range map[string]string{
		"always @(posedge clk) if (rst) i = d;\nalways @(posedge clk) begin if (d[0]) i = 3; q <= i; end": "t.v:[45]: two drivers of i",
		"always @(posedge clk) if (rst) r <= d[1];\nalways @(posedge clk) if (d[0]) r <= 1;":              "t.v:[45]: two drivers of r",
		"always @(posedge clk) i <= d;\nalways @(posedge clk) i <= d + 1;\nalways @* q = i;":              "t.v:[45]: two drivers of i",
	} {
		_, err := loadText(t, head+body+"\nendmodule", Options{})
		if err == nil || !matches(err.Error(), want) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// TestInitialisedTwice: a loop before $readmemh is named, one after it is not.
func TestInitialisedTwice(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "words.hex")
	if err := os.WriteFile(file, []byte("1 2 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const loop = "for (i = 0; i < 4; i = i + 1) rom[i] = 9;\n"
	task := "$readmemh(\"" + file + "\", rom);\n"
	for _, c := range []struct {
		body  string
		notes int
	}{{loop + task, 1}, {task + loop, 0}, {task, 0}, {loop, 0}} {
		b := mustLoadText(t, "module top(input clk, input [1:0] a, output reg [3:0] q);\nreg [3:0] rom [0:3];\ninteger i;\ninitial begin\n"+
			c.body+"end\nalways @(posedge clk) q <= rom[a];\nalways @* assert (q != 8);\nendmodule", Options{})
		if got := notesWith(b, "t.v:5 win over the file that is read at line 6"); got != c.notes {
			t.Errorf("%s: %d notes in\n%s", c.body, got, strings.Join(b.d.Notes, "\n"))
		}
	}
}
