package verilog

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"netcov/aig"
	"netcov/netlist"
)

// sameAsOutputs checks, on random runs, that each property aK is violated exactly
// when bit K of the output bad is 1.
func sameAsOutputs(t *testing.T, b *builder, properties int) {
	t.Helper()
	signal := func(list []netlist.Signal, name string) aig.Lit {
		at := slices.IndexFunc(list, func(s netlist.Signal) bool { return s.Name == name })
		if at < 0 {
			t.Fatalf("no %s", name)
		}
		return list[at].Lit
	}
	r := rand.New(rand.NewPCG(3, 4))
	fired := make([]int, properties)
	for range 60 {
		s := start(b.n, func() bool { return r.IntN(2) == 0 })
		for step := range 20 {
			in := make([]bool, len(b.n.Inputs))
			for i := range in {
				in[i] = r.IntN(2) == 0
			}
			s.eval(in)
			for k := range properties {
				digit := string(rune('0' + k))
				got, want := s.value(signal(b.n.Bads, "top.a"+digit)), s.value(signal(b.n.Outputs, "top.bad["+digit+"]"))
				if got != want {
					t.Fatalf("step %d: a%d is violated: %v, its condition gives %v", step, k, got, want)
				}
				if got {
					fired[k]++
				}
			}
			s.step()
		}
	}
	if slices.Contains(fired, 0) {
		t.Errorf("some property is never violated: %v", fired)
	}
}

// TestInitialBlocks: a property in an initial block is checked in the first step
// alone, an assumption there holds in the first step alone.
func TestInitialBlocks(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
module top(input clk, input d, input e, output [2:0] bad);
  reg first = 1, q = 1;
  always @(posedge clk) begin first <= 0; q <= d; end
  assign bad = {first && !d && e, first && !d, first && e};
  initial begin
    a0: assert (!e);
    a1: assert (d);
    if (e) a2: assert (d);
    m: assume (!(d && e));
    cover (d);
  end
endmodule`, Options{})
	sameAsOutputs(t, b, 3)
	if len(b.n.Constraints) != 1 {
		t.Fatalf("%d constraints", len(b.n.Constraints))
	}
	for _, c := range []struct {
		d, e, later, holds bool
	}{{true, true, false, false}, {true, false, false, true}, {true, true, true, true}} {
		s := start(b.n, nil)
		in := make([]bool, len(b.n.Inputs))
		if c.later {
			s.eval(in)
			s.step()
		}
		in[inputNamed(t, b.n, "top.d")], in[inputNamed(t, b.n, "top.e")] = c.d, c.e
		if s.eval(in); s.value(b.n.Constraints[0].Lit) != c.holds {
			t.Errorf("%+v: the assumption says %v", c, !c.holds)
		}
	}
}

// TestSeveralEdges: a property in the branch without an asynchronous reset is not
// checked while the reset is active, however the reset is tested.
func TestSeveralEdges(t *testing.T) {
	t.Parallel()
	b := mustLoadText(t, `
module leaf(input clk, input r, input d, input e, output q);
  reg q = 0;
  always @(posedge clk, posedge r) if (r == 1'b1) q <= 0; else begin q <= d; if (d) a4: assert (e); end
endmodule
module top(input clk, input rst_n, input rst, input d, input e, output [4:0] bad);
  reg q = 0, p = 0, s = 0;
  assign bad = {!rst && d && !e, !rst && e && p, rst_n && d && !s, rst_n && q, rst_n && d && q == e};
  always @(negedge rst_n or posedge clk) if (!rst_n) q <= 0; else begin q <= d; if (d) a0: assert (q != e); a1: assert (!q); end
  always @(posedge clk or negedge rst_n) if (rst_n == 0) s <= 1; else if (d) begin s <= e; a2: assert (s); end
  always @(posedge clk, posedge rst) if (~rst) begin p <= d; if (e) a3: assert (!p); end else p <= 0;
  leaf l(clk, rst, d, e);
endmodule`, Options{})
	for i := range b.n.Bads {
		b.n.Bads[i].Name = strings.Replace(b.n.Bads[i].Name, "top.l.a4", "top.a4", 1)
	}
	sameAsOutputs(t, b, 5)
}

// TestEdgeOfReset: a property that is checked at the edge of a reset, too, is
// refused by every yosys: up to 0.37 by its own word.
func TestEdgeOfReset(t *testing.T) {
	t.Parallel()
	const head = "module top(input clk, input rst, input d, input e);\nreg q = 0;\nalways @(posedge clk, posedge rst) "
	for _, body := range []string{
		"if (rst) begin q <= 0; a: assert (e); end else q <= d;",
		"begin if (rst) q <= 0; else q <= d; a: assert (q != e); end",
		"begin a: assert (q != e); if (rst) q <= 0; else q <= d; end",
	} {
		_, err := loadText(t, head+body+"\nendmodule", Options{})
		if err == nil {
			t.Errorf("%s: read", body)
			continue
		}
		text := err.Error()
		if !strings.Contains(text, "t.v:3: a property in a block of several edges is checked while an asynchronous reset") && !strings.Contains(text, "yields non-constant value") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// TestComparedBit: which bit of a comparison decides it.
func TestComparedBit(t *testing.T) {
	for _, c := range []struct {
		x, y           bits
		compared, with bit
		ok             bool
	}{
		{bits{7}, bits{bit0}, 7, bit0, true},
		{bits{bit1, bit0}, bits{7}, 7, bit1, true},
		{bits{7}, bits{bit1, bit0, bit0}, 7, bit1, true},
		{bits{7}, bits{bit1, bit1}, 0, 0, false},
		{bits{7, 8}, bits{bit1, bit1}, 0, 0, false},
		{bits{7}, bits{8}, 0, 0, false},
		{bits{7}, bits{bitX}, 0, 0, false},
		{bits{bit1}, bits{bit1}, 0, 0, false},
	} {
		compared, with, ok := comparedBit(c.x, c.y)
		if ok != c.ok || ok && (compared != c.compared || with != c.with) {
			t.Errorf("%v against %v: bit %d, %d, %v", c.x, c.y, compared, with, ok)
		}
	}
}
