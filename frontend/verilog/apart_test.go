package verilog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"netcov/aig"
)

// apartOf lists the registers that only properties read.
func apartOf(b *builder) []string {
	var names []string
	for _, o := range b.d.Latches {
		if name := strings.TrimPrefix(o.Register, b.h.top+"."); o.PropertyOnly && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestApart: registers without a path to an output, by structure alone.
func TestApart(t *testing.T) {
	t.Parallel()
	const text = `module top(input clk, input d, input [1:0] a, output reg q, output [3:0] y);
  reg past_valid = 0, dead = 0, seen = 0, both = 0, through = 0, hold = 0, assumed = 0;
  reg [3:0] m [0:3], shadow [0:3], last;
  child u(clk, d);
  initial q = 0;
  assign y = m[a] & {4{both}};
  always @(posedge clk) begin
    past_valid <= 1; q <= d | hold; m[a] <= {4{d}}; shadow[a] <= {4{d}}; dead <= d; seen <= seen ^ d;
    both <= d; through <= d; hold <= through; last <= shadow[a]; assumed <= d;
  end
  always @(posedge clk) begin if (past_valid) assert (q | !q & both); assert (last != 3 || through); end
  always @* begin cover (seen); assume (assumed | !d); end
endmodule
module child(input clk, input d);
  reg alone = 0, count = 0;
  always @(posedge clk) begin alone <= d; count <= !count; end
  always @* assert (alone | count);
endmodule
`
	b := mustLoadText(t, text, Options{})
	want := []string{"assumed", "last", "past_valid", "seen", "shadow[0]", "shadow[1]", "shadow[2]", "shadow[3]", "u.alone", "u.count"}
	if got := apartOf(b); !slices.Equal(got, want) {
		t.Errorf("apart %v\nwant  %v", got, want)
	}
	noInfluence(t, b)
	for _, ports := range []string{"input clk, input d", "input clk, input d, output y", "input clk, input d, output y = d"} {
		outputs := strings.Replace(text[:strings.Index(text, "module child")], "input clk, input d, input [1:0] a, output reg q, output [3:0] y", strings.TrimSuffix(ports, " = d"), 1)
		outputs = strings.Replace(outputs, "initial q = 0;", "reg q = 0; wire [1:0] a = 0;", 1)
		outputs = strings.Replace(outputs, "assign y = m[a] & {4{both}};", map[bool]string{true: "assign y = d;"}[strings.HasSuffix(ports, "= d")], 1)
		if got := apartOf(mustLoadText(t, outputs+text[strings.Index(text, "module child"):], Options{})); got != nil {
			t.Errorf("no output depends on a register with (%s), and apart are %v", ports, got)
		}
	}
}

// TestApartRandom: what is apart has no influence on any output.
func TestApartRandom(t *testing.T) {
	t.Parallel()
	found := 0
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 91))
		var text strings.Builder
		text.WriteString("module top(input clk, input [2:0] d, output y, output z);\n")
		const n = 12
		source := func() string {
			if r.IntN(3) == 0 {
				return fmt.Sprintf("d[%d]", r.IntN(3))
			}
			return fmt.Sprintf("r%d", r.IntN(n))
		}
		for i := range n {
			fmt.Fprintf(&text, "reg r%d = %d;\n", i, r.IntN(2))
		}
		for i := range n {
			fmt.Fprintf(&text, "always @(posedge clk) if (%s) r%d <= %s ^ %s;\n", source(), i, source(), source())
		}
		fmt.Fprintf(&text, "assign y = r%d, z = r%d & d[0];\n", r.IntN(3), r.IntN(3))
		for range 3 {
			fmt.Fprintf(&text, "always @* assert (%s | %s);\n", source(), source())
		}
		text.WriteString("endmodule\n")
		b := mustLoadText(t, text.String(), Options{})
		found += len(apartOf(b))
		noInfluence(t, b)
		if t.Failed() {
			t.Fatal(text.String())
		}
	}
	if found == 0 {
		t.Error("no register was apart")
	}
}

// noInfluence checks it in two ways: the graph leads from no output to such a register,
// and a run in which they are flipped at random has the same outputs.
func noInfluence(t *testing.T, b *builder) {
	t.Helper()
	reached := map[aig.Node]bool{}
	var visit func(l aig.Lit)
	next := map[aig.Node]aig.Lit{}
	for _, l := range b.n.Latches {
		next[l.Lit.Node()] = l.Next
	}
	visit = func(l aig.Lit) {
		node := l.Node()
		if reached[node] {
			return
		}
		reached[node] = true
		if b.n.Graph.Kind(node) == aig.KindAnd {
			x, y := b.n.Graph.Fanins(node)
			visit(x)
			visit(y)
		} else if l, ok := next[node]; ok {
			visit(l)
		}
	}
	for _, o := range b.outputs {
		visit(o.Lit)
	}
	for i, o := range b.d.Latches {
		if o.PropertyOnly && reached[b.n.Latches[i].Lit.Node()] {
			t.Errorf("an output depends on %s", o.Register)
		}
	}
	r := rand.New(rand.NewPCG(1, 92))
	x, y := start(b.n, func() bool { return false }), start(b.n, func() bool { return false })
	for range 300 {
		in := make([]bool, len(b.n.Inputs))
		for i := range in {
			in[i] = r.IntN(2) == 0
		}
		for i, o := range b.d.Latches {
			if o.PropertyOnly && r.IntN(2) == 0 {
				y.latches[i] = !y.latches[i]
			}
		}
		x.eval(in)
		y.eval(in)
		for _, o := range b.outputs {
			if x.value(o.Lit) != y.value(o.Lit) {
				t.Fatalf("output %s changes", o.Name)
			}
		}
		x.step()
		y.step()
	}
}
