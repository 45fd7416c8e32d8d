package sva

import (
	"strings"
	"testing"
)

// TestProcedural: an assertion of a boolean expression in a block stays, under a default
// disable iff with its condition, and is refused where the compiler would read it as
// another: where it reads what the block assigns by =.
func TestProcedural(t *testing.T) {
	const a = "p: assert property (t == n);"
	for _, row := range []struct{ item, want string }{
		{"always @(posedge clk) " + a, ""},
		{"always @(posedge clk) begin t <= n; " + a + " end", ""},
		{"always @(posedge clk) begin u = t; v[t] = n; w.t = t == n; " + a + " end", ""},
		{"always @(posedge clk) begin " + a + " t = n; end", ""},
		{"always @(posedge clk) begin automatic int t = n; " + a + " end", ""},
		{"always @(posedge clk) for (int t = 0; t < 4; t++) " + a, ""},
		{"always @* begin t = n; " + a + " end", ""},
		{"always @(posedge clk) begin t = n; " + a + " end", "the block assigns t by ="},
		{"always @(posedge clk) if (c) begin t[1].x[n[0]] = n; end else begin " + a + " end", "the block assigns t by ="},
		{"always @(posedge clk) begin {u, t} = n; " + a + " end", "the block assigns t by ="},
		{"always @(negedge clk) begin n += 2; " + a + " end", "the block assigns n by ="},
		{"always @(posedge clk) begin n++; " + a + " end", "the block assigns n by ="},
		{"always @(posedge clk) for (t = 0; t < 4; t = t + 1) " + a, "the block assigns t by ="},
		{"default disable iff (rst); always @(posedge clk) if (c) " + a + " else n <= 1;", "if (c) p: assert property (((rst)) || (t == n)); else"},
		{"default disable iff (rst); always @(posedge clk) cover property (t) n <= 1;", "cover property (!((rst)) && (t));"},
		{"default disable iff ($past(rst)); always @(posedge clk) " + a, "a default disable iff that depends on other ticks"},
		{"default disable iff (rst); always @(posedge clk) begin t = n; " + a + " end", "the block assigns t by ="},
	} {
		source := "module m(input clk, rst, c);\n" + row.item + "\nendmodule\n"
		r, err := Lower("m.sv", source)
		switch {
		case err != nil && (row.want == "" || !strings.Contains(err.Error(), row.want)):
			t.Errorf("%s: %v", row.item, err)
		case err == nil && row.want == "" && r.Text != source, err == nil && !strings.Contains(r.Text, row.want):
			t.Errorf("%s:\n%s", row.item, r.Text)
		}
	}
}

// TestPackages: bounds, properties and sequences of packages, by their whole name and by
// import, also from another source.
func TestPackages(t *testing.T) {
	const pkg = "package k; localparam N = M + 1; parameter M = 1; sequence s; a ##N b; endsequence property r(x); x |=> b; endproperty endpackage\n"
	const module = "module m(input clk, a, b);\n"
	end := "\nendmodule\n"
	first, err := Lower("k.sv", pkg)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range [][2]string{
		{"p: assert property (@(posedge clk) a ##(k::N) b |-> a);", "p: assert property (@(posedge clk) a ##2 b |-> a);"},
		{"import k::*; p: assert property (@(posedge clk) a ##N b[*M] |-> a);", "import k::*; p: assert property (@(posedge clk) a ##2 b |-> a);"},
		{"import k::s, k::r; p: assert property (@(posedge clk) r(s));", "import k::s, k::r; p: assert property (@(posedge clk) a ##2 b |=> b);"},
		{"p: assert property (@(posedge clk) k::r(k::s));", "p: assert property (@(posedge clk) a ##2 b |=> b);"},
		{"import k::*; localparam N = 3; p: assert property (@(posedge clk) a ##N b |-> a);", "import k::*; localparam N = 3; p: assert property (@(posedge clk) a ##3 b |-> a);"},
	} {
		want := lowered(t, module+row[1]+end).Text
		if got := lowered(t, pkg+module+row[0]+end).Text; !strings.HasSuffix(got, want) {
			t.Errorf("%s\ngives %s\nwant  %s", row[0], got, want)
		}
		r, err := Lower("m.sv", module+row[0]+end, first)
		if err != nil || r.Text != want {
			t.Errorf("%s with the package before: %v\n%v", row[0], err, r)
		}
	}
	const hidden = "module m(input clk, a, b); import k::*; for (genvar N = 0; N < 2; N++) begin assert property (@(posedge clk) a ##N b); end endmodule"
	if r, err := Lower("m.sv", hidden, first); err == nil || !strings.Contains(err.Error(), "the bound N is a parameter") {
		t.Errorf("%v %v", err, r)
	}
}
