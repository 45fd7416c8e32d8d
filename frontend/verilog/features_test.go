package verilog

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/aig"
	"netcov/netlist"
)

// TestAssertTiming: an assert in a clocked block fails in the very step in
// which its condition is false, as does one that reads $past.
func TestAssertTiming(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
module top(input clk, input rst_n, input d, input e, output [5:0] bad);
  reg q = 0, before = 0, started = 0;
  always @(posedge clk) begin q <= d; before <= q ^ e; started <= 1; end
  assign bad = {rst_n && q, q != e, started && q != before, e && !d && q, q && !e, q && d};
  always @(*) a0: assert(!(q && d));
  always @(posedge clk) a1: assert(!(q && !e));
  always @(posedge clk) if (e) begin if (!d) a2: assert(!q); end
  always @(posedge clk) if (started) a3: assert(q == $past(q ^ e));
  a4: assert property (q == e);
  always @(posedge clk or negedge rst_n) if (!rst_n) begin end else a5: assert(!q);
endmodule`, Options{})
	r := rand.New(rand.NewPCG(1, 1))
	fired := make([]int, 6)
	for range 20 {
		s := start(b.n, func() bool { return r.IntN(2) == 0 })
		for step := range 50 {
			in := make([]bool, len(b.n.Inputs))
			for i := range in {
				in[i] = r.IntN(2) == 0
			}
			s.eval(in)
			for k := range 6 {
				out := b.n.Outputs[slices.IndexFunc(b.n.Outputs, func(o netlist.Signal) bool { return o.Name == fmt.Sprintf("top.bad[%d]", k) })]
				bad := b.n.Bads[slices.IndexFunc(b.n.Bads, func(o netlist.Signal) bool { return o.Name == fmt.Sprintf("top.a%d", k) })]
				if got, want := s.value(bad.Lit), s.value(out.Lit); got != want {
					t.Fatalf("step %d: bad-state literal of a%d is %v, its condition gives %v", step, k, got, want)
				} else if got {
					fired[k]++
				}
			}
			s.step()
		}
	}
	if slices.Contains(fired, 0) {
		t.Errorf("some assertion never failed: %v", fired)
	}
}

// TestKeptApart: equal asserts stay apart, and registers that no assert reads
// stay, constant ones and duplicates too.
func TestKeptApart(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
module top(input clk, input d);
  reg used = 0, twin = 0, twin2 = 0, constant = 0, lonely;
  always @(posedge clk) begin used <= d; twin <= d; twin2 <= d; constant <= 0; lonely <= !lonely; end
  always @(*) assert(!used || d);
  always @(*) assert(!used || d);
  always @(*) begin assert(used || d); assert(used || d); end
endmodule`, Options{})
	if len(b.n.Bads) != 4 || registers(b) != 5 {
		t.Errorf("%d asserts and %d registers", len(b.n.Bads), registers(b))
	}
	var names []string
	for _, s := range b.n.Bads {
		names = append(names, s.Name)
	}
	want := "top.assert:t.v:5 top.assert:t.v:6 top.assert:t.v:7 top.assert:t.v:7#2"
	if strings.Join(names, " ") != want {
		t.Errorf("names %v", names)
	}
}

// TestNotes: what is skipped or assumed is said.
func TestNotes(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
module top(input clk, input rst, input [3:0] d, output reg [3:0] q, output z);
  integer i;
  wire nothing;
  assign z = nothing;
  always @(posedge clk or posedge rst) if (rst) q <= 0; else begin q <= d; end
  reg [3:0] copy;
  always @(posedge clk) for (i = 0; i < 4; i = i + 1) copy[i] <= d[i];
  always @(*) begin
    assert(q != 3);
    cover(q == 5);
    assume(d != 2);
  end
endmodule`, Options{})
	for _, want := range []string{
		"1 cover statements skipped: ",
		"t.v:11",
		"top.i (",
		"is a loop variable, no register",
		"1 bits that nothing drives are free inputs: top.z",
		"4 register bits have an asynchronous reset",
		"8 register bits have no initial value",
	} {
		if notesWith(b, want) == 0 {
			t.Errorf("no note %q in\n%s", want, strings.Join(b.d.Notes, "\n"))
		}
	}
	if registers(b) != 8 {
		t.Errorf("%d registers", registers(b))
	}
	if c := b.n.Constraints; len(c) != 1 || c[0].Name != "top.assume:t.v:12" {
		t.Errorf("constraints %v", c)
	}
}

// TestArtefacts: latches that yosys adds are no registers of the design.
func TestArtefacts(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
module top(input clk, input [3:0] d);
  reg [3:0] q = 0;
  (* anyconst *) wire [1:0] c;
  (* anyseq *) wire s;
  always @(posedge clk) begin q <= d + c; assert($initstate || $past(d) != 9 || $past(d, 2) == q || s); end
endmodule`, Options{})
	if registers(b) != 4 {
		t.Errorf("%d registers", registers(b))
	}
	var artefacts int
	for i, o := range b.d.Latches {
		if o.Artefact {
			artefacts++
		} else if artefacts > 0 {
			t.Errorf("register %s comes after an artefact", b.n.Latches[i].Name)
		}
	}
	if artefacts != 2+1+12 { // anyconst, initstate, one $past of one and one of two steps
		t.Errorf("%d artefacts", artefacts)
	}
	names := func() (all []string) {
		for _, in := range b.n.Inputs {
			all = append(all, in.Name)
		}
		return all
	}()
	if strings.Join(names, " ") != "top.d[0] top.d[1] top.d[2] top.d[3] top.s" {
		t.Errorf("inputs %v", names)
	}
	own := 0
	for _, o := range b.d.Gates {
		if !o.Artefact {
			own++
		}
	}
	if own == 0 || own == len(b.d.Gates) {
		t.Errorf("%d of %d gates are the design's", own, len(b.d.Gates))
	}
}

// TestReset: the state after the reset sequence is the initial state.
func TestReset(t *testing.T) {
	t.Parallel()
	text := `
module top(input clk, input rst_n, input d, output [3:0] o);
  reg a, b, c, open;
  assign o = {a, b, c, open};
  always @(posedge clk) begin
    if (!rst_n) a <= 1; else a <= d;
    b <= a;
    c <= rst_n ? d : b;
    open <= d;
    assert(a || d);
  end
endmodule`
	for cycles, want := range map[int]string{1: "1xxx", 2: "11xx", 3: "111x", 50: "111x"} {
		b := mustLoadText(t, text, Options{Reset: "!rst_n", ResetCycles: cycles})
		got := ""
		for _, name := range []string{"top.a", "top.b", "top.c", "top.open"} {
			l := b.n.Latches[slices.IndexFunc(b.n.Latches, func(l netlist.Latch) bool { return l.Name == name })]
			switch l.Reset {
			case aig.False:
				got += "0"
			case aig.True:
				got += "1"
			case l.Lit:
				got += "x"
			}
		}
		if got != want {
			t.Errorf("after %d cycles: %s, want %s", cycles, got, want)
		}
		rst := b.n.Inputs[inputNamed(t, b.n, "top.rst_n")].Lit
		if c := b.n.Constraints; len(c) != 1 || c[0].Lit != rst {
			t.Errorf("constraints %v, want the input rst_n", c)
		}
		if notesWith(b, "initial state: after") != 1 {
			t.Errorf("notes %q", b.d.Notes)
		}
	}
}

// TestMemories: words become registers with the HDL's address and line; a table
// of constants has none.
func TestMemories(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
module top(input clk, input [1:0] a, input w, input [2:0] d, output [5:0] q);
  reg [2:0] m [4:7];
  reg [2:0] table_of [0:3];
  initial begin table_of[0] = 1; table_of[1] = 5; table_of[2] = 2; table_of[3] = 7; m[5] = 6; end
  assign q = {m[4 + a], table_of[a]};
  always @(posedge clk) if (w) m[4 + a] <= d;
  always @(*) assert(table_of[a] != 4);
endmodule`, Options{})
	var names []string
	for i, o := range b.d.Latches {
		names = append(names, strings.TrimPrefix(b.n.Latches[i].Name, "top."))
		if o.Line != 3 {
			t.Errorf("%s is said to be at line %d", o.Register, o.Line)
		}
		if o.Register == "top.m[5]" {
			if want := o.Bit > 0; (b.n.Latches[i].Reset == aig.True) != want {
				t.Errorf("initial value of %s is %d", b.n.Latches[i].Name, b.n.Latches[i].Reset)
			}
		}
	}
	want := "m[4][0] m[4][1] m[4][2] m[5][0] m[5][1] m[5][2] m[6][0] m[6][1] m[6][2] m[7][0] m[7][1] m[7][2]"
	if strings.Join(names, " ") != want {
		t.Errorf("latches %v", names)
	}
	_, err := loadText(t, "module top(input clk, input a, output reg q); reg m [0:1]; always @(posedge clk) begin m[a] <= q; q <= m[!a]; end endmodule", Options{MemoryBits: 1})
	if err == nil || !strings.Contains(err.Error(), "memory m has 2 bits (2 words of 1), above the limit of 1") {
		t.Errorf("got %v", err)
	}
}

// TestHiddenRegisters: registers of blocks without a name and memories that
// nothing reads are registers, the locals of functions and loops are not.
func TestHiddenRegisters(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
module child(input clk, input [3:0] d, output reg [3:0] q);
  reg [1:0] unread [3:5];
  function automatic [3:0] plus(input [3:0] x); reg [3:0] y; begin y = x + 1; plus = y; end endfunction
  always @(posedge clk) begin reg [3:0] sum; sum = sum + d; q <= sum; end
  always @(posedge clk) unread[d[0]] <= plus(d);
  reg [3:0] copy;
  always @(posedge clk) for (int i = 0; i < 4; i = i + 1) copy[i] <= d[i];
endmodule
module top(input clk, input [3:0] d, output [3:0] q);
  child u(clk, d, q);
  always @(*) assert(q != 9);
endmodule`, Options{})
	bits := map[string]int{}
	for _, o := range b.d.Latches {
		if !o.Artefact {
			bits[o.Register]++
		}
	}
	want := map[string]int{"top.u.q": 4, "top.u.copy": 4, "top.u.unread[3]": 2, "top.u.unread[4]": 2, "top.u.unread[5]": 2, "top.u.unnamed_block$1.sum": 4}
	if !maps.Equal(bits, want) {
		t.Errorf("registers %v, want %v", bits, want)
	}
	if len(b.d.Latches) != registers(b) {
		t.Errorf("%d artefacts", len(b.d.Latches)-registers(b))
	}
}

// TestListFile: a list with nested lists, include directories and defines.
func TestListFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"inc/w.vh":         "`define WIDTH 3\n",
		"with space/top.v": "`include \"w.vh\"\nmodule top(input clk, input [`WIDTH-1:0] d, output reg [`WIDTH-1:0] q);\nalways @(posedge clk) q <= d + `STEP;\nchild c(clk);\nendmodule\n",
		"src/child.v":      "module child(input clk);\nreg r = 0;\nalways @(posedge clk) r <= !r;\n`ifdef CHECK\nalways @(*) assert(r || !r);\n`endif\nendmodule\n",
		"more.f":           "src/child.v // the child\n# a comment\n",
		"list.f":           "-f more.f\n+define+STEP=2+CHECK\n",
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := mustLoad(t, Options{Files: []string{filepath.Join(dir, "with space/top.v")}, List: filepath.Join(dir, "list.f"), Include: []string{filepath.Join(dir, "inc")}})
	if registers(b) != 4 || len(b.n.Bads) != 1 || b.h.top != "top" {
		t.Errorf("%d registers, %d asserts, top %s", registers(b), len(b.n.Bads), b.h.top)
	}
	if o := b.d.Properties[0]; o.Instance != "top.c" || o.Module != "child" || o.Line != 5 || !strings.HasSuffix(o.File, "src/child.v") {
		t.Errorf("property %+v", o)
	}
	if notesWith(b, "top module: top") != 1 {
		t.Errorf("notes %q", b.d.Notes)
	}
}

// TestDeepHierarchy: names through three levels, generate blocks and overridden
// parameters.
func TestDeepHierarchy(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
module leaf #(parameter N = 1)(input clk, input d);
  reg [N:1] r = 0;
  always @(posedge clk) r <= r + d;
  always @(*) assert(r != N);
endmodule
module middle(input clk, input d);
  genvar i;
  generate for (i = 2; i < 4; i = i + 1) begin : lane
    leaf #(.N(i)) one (clk, d);
  end endgenerate
endmodule
module top(input clk, input d);
  middle left(clk, d), right(clk, !d);
endmodule`, Options{Top: "top"})
	var got []string
	for i, o := range b.d.Latches {
		if o.Bit == 1 {
			got = append(got, fmt.Sprintf("%s %s %s %d", b.n.Latches[i].Name, o.Instance, o.Module, o.Line))
		}
	}
	for i, o := range b.d.Properties {
		got = append(got, fmt.Sprintf("%s %s %s %d", b.n.Bads[i].Name, o.Instance, o.Module, o.Line))
	}
	var want []string
	for _, side := range []string{"left", "right"} {
		for _, lane := range []string{"2", "3"} {
			at := "top." + side + ".lane[" + lane + "].one"
			want = append(want, at+".r[1] "+at+" leaf 3")
		}
	}
	for _, side := range []string{"left", "right"} {
		for _, lane := range []string{"2", "3"} {
			at := "top." + side + ".lane[" + lane + "].one"
			want = append(want, at+".assert:t.v:5 "+at+" leaf 5")
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestMissing: a netlist that has lost a register or an assert is refused with
// its name.
func TestMissing(t *testing.T) {
	t.Parallel()
	b := mustLoad(t, Options{Files: []string{designs + "pair.v"}})
	lost := b.pre.Netnames["receiver.count"].Bits[1]
	for name, c := range b.pre.Cells {
		if mappedFlop(c.Type) && c.one("Q") == lost {
			delete(b.pre.Cells, name)
		}
	}
	_, err := b.registersByCell()
	if err == nil || err.Error() != "1 of 5 register bits are missing in the netlist: pair.receiver.count[1]; report this with the source and the yosys version" {
		t.Errorf("got %v", err)
	}
	delete(b.net.Cells, "range")
	if err := b.checkProperties(); err == nil || !strings.Contains(err.Error(), "the assertion range is missing in the netlist") {
		t.Errorf("got %v", err)
	}
}

func TestScript(t *testing.T) {
	s, err := Script(Options{Files: []string{designs + "fsm.v"}, Top: "fsm", Defines: []string{"A=1"}, Include: []string{"inc"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"read_verilog -sv -formal -nodpi -DA=1 -Iinc " + designs + "fsm.v\n", "hierarchy -simcheck -top fsm\n",
		"write_json \"net.json\"\n", "# carry.v:\n",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in\n%s", want, s)
		}
	}
	for _, placeholder := range []string{"@READ@", "@TOP@", "@FF@", "@DIR@"} {
		if strings.Contains(s, placeholder) {
			t.Errorf("the placeholder %s is left", placeholder)
		}
	}
}

// TestInitialValueAboveConstantBits: a register of which only one bit is ever
// written, the others being constants.
func TestInitialValueAboveConstantBits(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
module top(input clk, input d);
  reg [2:0] part = 3'b010;
  always @(posedge clk) part[1] <= d;
  always @(*) assert (part[1]);
endmodule`, Options{})
	if registers(b) != 1 || b.n.Latches[0].Name != "top.part[1]" || b.n.Latches[0].Reset != aig.True {
		t.Errorf("%d registers, the first is %+v", registers(b), b.n.Latches[0])
	}
}

// TestResetPolarity: a note tells of a reset that is held active for ever.
func TestResetPolarity(t *testing.T) {
	const text = "module top(input clk, input rst, input rst_n, input d, output reg [3:0] q);\n  always @(posedge clk%s)\n    if (%s) q <= 5; else q <= {q[2:0], d};\n  reg other;\n  always @(posedge clk) other <= d;\nendmodule\n"
	for _, c := range []struct {
		edge, active, reset string
		told                int
	}{
		{"", "rst", "rst", 0},
		{"", "rst", "!rst", 1},
		{"", "!rst_n", "rst_n", 1},
		{"", "!rst_n", "!rst_n", 0},
		{" or negedge rst_n", "!rst_n", "rst_n", 1},
		{" or negedge rst_n", "!rst_n", "!rst_n", 0},
		{" or posedge rst", "rst", "!rst", 1},
		{" or posedge rst", "rst", "rst", 0},
		{"", "d", "rst", 0},
	} {
		b := mustLoadText(t, fmt.Sprintf(text, c.edge, c.active), Options{Reset: c.reset})
		if notesWith(b, "may stay in reset for ever") != c.told {
			t.Errorf("%+v: notes\n%s", c, strings.Join(b.d.Notes, "\n"))
		}
	}
}
