package sva

import (
	"strings"
	"testing"
)

func lowered(t *testing.T, source string) *Result {
	t.Helper()
	r, err := Lower("m.sv", source)
	if err != nil {
		t.Fatalf("%s\n%v", source, err)
	}
	if got, want := strings.Count(r.Text, "\n"), strings.Count(source, "\n"); got != want {
		t.Errorf("%d lines became %d:\n%s", want, got, source)
	}
	return r
}

// inModule puts a property on line 2 of a module.
func inModule(property string) string {
	return "module m(input clk, a, b, c);\np: assert property (@(posedge clk) " + property + ");\nendmodule\n"
}

// Both sides of a row are the same property: table 16-3, derived operators,
// named declarations.
func TestEqualProperties(t *testing.T) {
	for _, row := range [][2]string{
		{"int'(a) |-> b", "(int'(a)) |-> b"},
		{"a inside {b, c} |-> b", "(a inside {b, c}) |-> b"},
		{"a ##1 b[*2] |-> c", "(a ##1 (b[*2])) |-> c"},
		{"a and b or c |=> b", "((a and b) or c) |=> b"},
		{"not a ##1 b", "not (a ##1 b)"},
		{"not (a ##1 b) and c", "(not (a ##1 b)) and c"},
		{"nexttime a ##1 b or c", "(nexttime (a ##1 b)) or c"},
		{"a |-> b |=> c", "a |-> (b |=> c)"},
		{"a until b until c", "a until (b until c)"},
		{"a implies b implies c", "a implies (b implies c)"},
		{"a iff b or c", "a iff (b or c)"},
		{"a |-> always b |-> c", "a |-> (always (b |-> c))"},
		{"if (a) b else c ##1 a", "if (a) b else (c ##1 a)"},
		{"if (a) if (b) c else a", "if (a) (if (b) c else a)"},
		{"a throughout b ##1 c |-> a", "(a throughout (b ##1 c)) |-> a"},
		{"a within b ##2 c intersect a ##2 b |-> c", "((a within (b ##2 c)) intersect (a ##2 b)) |-> c"},
		{"a ##[*] b |-> c", "a ##[0:$] b |-> c"},
		{"a ##[+] b |-> c", "a ##[1:$] b |-> c"},
		{"a[*] ##1 b |-> c", "a[*0:$] ##1 b |-> c"},
		{"a[+] ##1 b |-> c", "a[*1:$] ##1 b |-> c"},
		{"a [*2] |-> c", "a ##1 a |-> c"},
		{"(a ##1 b)[*2] |-> c", "a ##1 b ##1 a ##1 b |-> c"},
		{"a[->2] |-> c", "(!a[*] ##1 a)[*2] |-> c"},
		{"a[=1] ##1 b |-> c", "a[->1] ##1 !a[*] ##1 b |-> c"},
		{"##2 a |-> b", "1[*2] ##1 a |-> b"},
		{"a #-# b", "not (a |-> not b)"},
		{"a |-> s_eventually[0:1] b", "a |-> b or nexttime b"},
		{"sync_reject_on(a) b ##1 c", "reject_on(a) b ##1 c"},
		{"(a && b) |-> (c)", "a && b |-> c"},
		{"a ? b : c |-> a", "(a ? b : c) |-> a"},
		{"case (a) b: c; default: a; endcase", "if ((a) === (b)) c else a"},
		{"a /* not ##1 */ |-> // comment )\n b", "a |-> b"},
		{"a ##(1+2*1) b |-> c", "a ##3 b |-> c"},
		{"a ##2'd3 b |-> c", "a ##3 b |-> c"},
	} {
		l, r := builderText(t, row[0]), builderText(t, row[1])
		if l != r {
			t.Errorf("%s\n%s\n%s\n%s", row[0], l, row[1], r)
		}
	}
}

// builderText is the automaton of a property as text, without the spelling of its
// expressions.
func builderText(t *testing.T, property string) string {
	t.Helper()
	r := lowered(t, inModule(property))
	text := strings.TrimSpace(strings.Split(r.Text, "\n")[1])
	_, text, _ = strings.Cut(text, "_state")
	text, _, _ = strings.Cut(text, "p__antecedent:")
	text = strings.NewReplacer("__netcov_sva_0_antecedent", "x").Replace(text)
	if i := strings.Index(text, " wire x"); i >= 0 {
		text = text[:i]
	}
	return text
}

// Declarations, defaults and instances.
func TestDeclarations(t *testing.T) {
	const head = "module m(input clk, rst, a, b, c);\n"
	want := lowered(t, head+"p: assert property (@(posedge clk) disable iff (rst) a ##2 b |=> c);\nendmodule\n").Text
	want = strings.Split(want, "\n")[1]
	for _, source := range []string{
		"default clocking @(posedge clk); endclocking default disable iff (rst); p: assert property (a ##2 b |=> c);",
		"clocking cb @(posedge clk); endclocking default clocking cb; p: assert property (disable iff (rst) a ##2 b |=> c);",
		"clocking cb @(posedge clk); endclocking p: assert property (@cb disable iff (rst) a ##2 b |=> c) else $error(\"no ) %d\", a);",
		"p: assert property (q); property q; @(posedge clk) disable iff (rst) a ##2 b |=> c; endproperty : q",
		"sequence s(x, n = 2); x ##n b; endsequence p: assert property (@(posedge clk) disable iff (rst) s(a) |=> c);",
		"property q(sequence s, property t); @(posedge clk) disable iff (rst) s |=> t; endproperty p: assert property (q(.t(c), .s(a ##2 b)));",
		"property q(event e, r); @(e) disable iff (r) a ##2 b |=> c; endproperty p: assert property (q(posedge clk, rst));",
		"localparam X = 1, N = 2*X; p: assert property (@(posedge clk) disable iff (rst) a ##N b |=> c);",
		"p: assert property (@(posedge clk) disable iff (rst) a ##2 b |=> c) begin end else begin if (a) begin end end",
	} {
		got := lowered(t, head+source+"\nendmodule\n")
		line := strings.Split(got.Text, "\n")[1]
		if i := strings.Index(line, "wire __netcov"); i < 0 || squeeze(line[i:]) != squeeze(want) {
			t.Errorf("%s\n%s\nwant\n%s", source, line, want)
		}
	}
}

// squeeze drops blanks and the brackets of arguments.
func squeeze(s string) string {
	s = strings.Join(strings.Fields(s), "")
	for _, v := range []string{"a", "b", "c", "rst"} {
		for strings.Contains(s, "(("+v+"))") {
			s = strings.ReplaceAll(s, "(("+v+"))", "("+v+")")
		}
	}
	return strings.ReplaceAll(s, "endendelse", "")
}

// What is no concurrent assertion stays as it is, byte for byte.
func TestUntouched(t *testing.T) {
	for _, source := range []string{
		"module m(input a); always @* assert (a); initial assume (!a); p: assert property (a); assert property (a || !a) else $error; endmodule",
		"// assert property (@(posedge clk) a |-> b);\n/* property p; a; endproperty */ module m; endmodule",
		"module m; initial $display(\"assert property (@(posedge clk) a |=> b); /* \\\" //\"); endmodule",
		"module m(input clk, a); always @(posedge clk) if (a) x: assert property (a) ; else y: assert property (!a); endmodule",
		"module m; reg sequence, property; wire let = property; endmodule",
		"`define A(x) assert property (@(posedge clk) x |-> \\\n 1)\nmodule m; endmodule",
		"module m(input \\assert , \\property( ); wire x = \\assert ; endmodule",
		"", "\n\n", "module m; wire [7:0] x = 8'hz? ; wire y = 'x; endmodule // no end of line",
	} {
		if r := lowered(t, source); r.Text != source {
			t.Errorf("%s\nbecame\n%s", source, r.Text)
		}
	}
}

func TestConditionals(t *testing.T) {
	source := "module m(input clk, a, b);\n`ifdef X\nproperty p; a |=> b; endproperty\n`else\nproperty p; b; endproperty\n`endif\n" +
		"q: assert property (@(posedge clk)\n`ifndef Y\n a |->\n`endif\n p);\n" +
		"`ifdef Z\nr: assert property (@(posedge clk) disable iff (a) expect_me.triggered |-> b);\n`endif\nendmodule\n"
	r := lowered(t, source)
	if got := strings.Count(r.Text, "q: assert"); got != 4 {
		t.Errorf("%d variants, want 4\n%s", got, r.Text)
	}
	if len(r.Refused) != 1 || r.Refused[0].Line != 13 || !strings.Contains(r.Text, "`"+RefusedMacro+"0") {
		t.Errorf("refused: %v\n%s", r.Refused, r.Text)
	}
	if c := r.Checks[0]; c.Line != 7 || c.Column != 4 || c.Label != "q" {
		t.Errorf("%+v", c)
	}
}

func TestRefusals(t *testing.T) {
	for _, row := range [][2]string{
		{inModule("__netcov_sva_0_x |-> a"), "m.sv:2:36: the name __netcov_sva_0_x begins with __netcov_sva_"},
		{"module m; wire \\u.__netcov_sva_ ; endmodule", "m.sv:1:16: the name \\u.__netcov_sva_ begins with"},
		{"module m(input c, a); property r; a |=> q; endproperty property q; a |=> r; endproperty p: assert property (@(posedge c) r); endmodule", "m.sv:1:74: property r is recursive"},
		{"module m(input c, a); property r; w_t v; (a, v = a) |=> v; endproperty p: assert property (@(posedge c) r); endmodule", "m.sv:1:35: local variables"},
		{"module m(input c, a); property r; k::w_t v; (a, v = a) |=> v; endproperty p: assert property (@(posedge c) r); endmodule", "m.sv:1:35: local variables"},
		{"module m(input c, a); let f(x) = !x; wire b = f(a); assert property (@(posedge c) f(b)); endmodule", "m.sv:1:47: let f is used outside of a concurrent assertion"},
		{"module m(input c, a); clocking k @(posedge c); input a; endclocking assert property (@k a |-> k.a); endmodule", "m.sv:1:95: k.a, a signal of a clocking block, is not supported; write a"},
		{inModule("a ##1 b, x = 1"), "m.sv:2:43: local variables"},
		{inModule("(a, x = b) ##1 c"), "m.sv:2:38: local variables and calls in a sequence are not supported"},
		{inModule("a |=> @(posedge b) c"), "m.sv:2:42: two clocks (posedge clk and posedge b): properties of several clocks"},
		{inModule("s.triggered |-> a"), "m.sv:2:38: the method triggered"},
		{inModule("a ##N b"), "m.sv:2:40: the bound N is no number"},
		{inModule("a ##[2:1] b"), "m.sv:2:41: the range 2:1 is empty"},
		{inModule("a ##1"), "m.sv:2:41: an expression is expected here, not the end"},
		{inModule("(a ##1 b"), "m.sv:2:20: this bracket is not closed"},
		{inModule("(a ##1 b]"), "m.sv:2:20: this bracket is not closed"},
		{inModule("a[*0]"), "m.sv:2:37: a sequence that admits the empty match is no property"},
		{inModule("(a ##1 b) intersect c"), "m.sv:2:46: this sequence never matches"},
		{inModule("(a |-> b) ##1 c"), "m.sv:2:39: a sequence is expected before ##"},
		{inModule("(a |-> b) |-> c"), "m.sv:2:39: a sequence is expected before |->"},
		{inModule("(a ##1 b) && c"), "m.sv:2:46: && joins boolean expressions"},
		{inModule("a && (b ##1 c)"), "m.sv:2:44: ## stands inside of a boolean expression"},
		{inModule("(a ##1 b)[->2] |-> c"), "m.sv:2:39: [-> repeats a boolean expression"},
		{inModule("$past(a, 2, b, @(posedge b)) |-> c"), "m.sv:2:36: $past with another clock"},
		{inModule("$past_gclk(a) |-> c"), "m.sv:2:36: $past_gclk is not supported"},
		{inModule("a |-> b dist {1 := 2}"), "m.sv:2:44: dist is not supported"},
		{inModule("a[*9999] |-> b"), "m.sv:2:39: the bound 9999 is not between"},
		{inModule("a[*1:4000] ##[1:4000] b[*1:4000] |-> c"), "m.sv:2:4: this assertion is too large"},
		{inModule("disable iff (a) disable iff (b) c"), "m.sv:2:52: disable iff stands inside"},
		{"module m;\nproperty r; disable iff (c) a; endproperty property q; @(posedge clk) r; endproperty\np: assert property (not q);\nendmodule\n", "m.sv:2:13: this disable iff belongs to a property that is the operand of not"},
		{"module m;\nproperty r; @(posedge clk) disable iff (c) a; endproperty\np: assert property (a |-> r);\nendmodule\n", "m.sv:2:28: this disable iff belongs to a property that is the operand of |->"},
		{"module m(input a); p: assert property (a |=> a); endmodule", "m.sv:1:23: this assertion has no clock"},
		{"module m(input a); p: assert property (@(a) a |=> a); endmodule", "m.sv:1:42: the clock a has no edge"},
		{"module m(input a); p: assert property (@(posedge a iff a) a |=> a); endmodule", "m.sv:1:52: a clock with iff"},
		{"module m(input a); p: assert property (@(posedge a or negedge a) a |=> a); endmodule", "m.sv:1:52: several clock edges"},
		{"module m(input c, a); always @(posedge c) p: assert property (a |=> a); endmodule", "m.sv:1:46: a concurrent assertion in a procedural block"},
		{"module m(input c, a); initial expect (@(posedge c) a); endmodule", "m.sv:1:31: expect is not supported"},
		{"module m(input c, a); m: cover property (@(posedge c) always a); endmodule", "m.sv:1:26: the cover of a property that no finite trace can settle"},
		{"module m #(parameter N = 2)(input c, a); p: assert property (@(posedge c) a ##N a |-> a); endmodule", "m.sv:1:79: the bound N is a parameter"},
		{"module m(input c, a); property r; a |=> r; endproperty p: assert property (@(posedge c) r); endmodule", "m.sv:1:41: property r is recursive"},
		{"module m(input c, a); property r; int x; a |=> a; endproperty p: assert property (@(posedge c) r); endmodule", "m.sv:1:35: local variables"},
		{"module m(input c, a); property r; a |=> a; p: assert property (@(posedge c) r); endmodule", "m.sv:1:32: property r has no endproperty"},
		{"module m(input c, a); sequence s; a ##1 a; endproperty p: assert property (@(posedge c) s); endmodule", "m.sv:1:32: sequence s has no endsequence"},
		{"module m(input c, a); property r(x, x); x |=> a; endproperty p: assert property (@(posedge c) r(a, a)); endmodule", "m.sv:1:37: r has two arguments x"},
		{"module m; global clocking g @(posedge c); endclocking endmodule", "m.sv:1:11: global clocking"},
		{"module m;\n`ifdef X\nendmodule\n", "m.sv:2:1: this `ifdef has no `endif"},
		{"module m;\n`endif\nendmodule\n", "m.sv:2:1: `endif without `ifdef"},
		{"module m; /* endmodule", "m.sv:1:11: this comment has no end"},
		{"module m; initial $display(\"x\n\"); endmodule", "m.sv:1:28: this string has no end"},
		{"module m(input c, a);\np: assert property (@(posedge c)\n`ifdef X\na);\n`endif\nendmodule", "m.sv:3:1: this `ifdef begins inside"},
	} {
		_, err := Lower("m.sv", row[0])
		if err == nil || !strings.HasPrefix(err.Error(), row[1]) {
			t.Errorf("%s\ngives %v\nwant  %s", row[0], err, row[1])
		}
	}
}

// What belongs to an assertion goes with it: its action block, whatever the statement,
// and a label that yosys does not take.
func TestActions(t *testing.T) {
	for _, row := range []string{
		`p: assert property (@(posedge clk) a |=> b);`,
		`p: assert property (@(posedge clk) a |=> b) else $error("no; (", a);`,
		`p: assert property (@(posedge clk) a |=> b) $info("x"); else if (a) $error("y"); else $error("z");`,
		`p: assert property (@(posedge clk) a |=> b) if (a) begin $info("x"); end else if (b) ; else $info("y"); else begin end`,
		`p: assert property (@(posedge clk) a |=> b) else for (i = 0; i < 2; i++) begin $error("y"); end`,
		`p: assert property (@(posedge clk) a |=> b) else repeat (2) if (a) $error("y"); else ;`,
		`\p : assert property (@(posedge clk) a |=> b);`,
	} {
		want := lowered(t, inModule("a |=> b")).Text
		head, tail, _ := strings.Cut(inModule("a |=> b"), "p: assert property (@(posedge clk) a |=> b);")
		got := lowered(t, head+row+tail).Text
		if got != want {
			t.Errorf("%s\ngives %s\nwant  %s", row, got, want)
		}
	}
	if got := lowered(t, "module m(input c, a);\n\\p+q : assert property (@(posedge c) a |=> a);\nendmodule\n").Text; strings.Contains(got, "p+q") {
		t.Errorf("an escaped label stays: %s", got)
	}
}

// A generate block has declarations and defaults of its own.
func TestGenerateScopes(t *testing.T) {
	const head, tail = "module m(input c, d, a, b);\ndefault clocking @(posedge c); endclocking\n", "endmodule\n"
	for _, row := range [][2]string{
		{
			"if (1) begin : g\nsequence s; a ##1 b; endsequence\nx: assert property (s |-> a);\nend else begin : h\nsequence s; b; endsequence\ny: assert property (s |=> a);\nend\n",
			"if (1) begin : g\n\nx: assert property (a ##1 b |-> a);\nend else begin : h\n\ny: assert property (b |=> a);\nend\n",
		},
		{
			"if (1) begin : g\ndefault clocking @(posedge d); endclocking\nx: assert property (a |=> b);\nend\ny: assert property (a |=> b);\n",
			"if (1) begin : g\n\nx: assert property (@(posedge d) a |=> b);\nend\ny: assert property (@(posedge c) a |=> b);\n",
		},
		{
			"localparam N = 1;\nfor (genvar i = 0; i < 2; i++) begin : g\nlocalparam N = 2;\nassert property (a ##N b |-> a);\nend\nx: assert property (a ##N b |-> a);\n",
			"localparam N = 1;\nfor (genvar i = 0; i < 2; i++) begin : g\nlocalparam N = 2;\nassert property (a ##2 b |-> a);\nend\nx: assert property (a ##1 b |-> a);\n",
		},
		{
			"sequence s; a; endsequence\nif (1) begin\nsequence q; s ##1 b; endsequence\nx: assert property (q |-> a);\nend\n",
			"\nif (1) begin\n\nx: assert property (a ##1 b |-> a);\nend\n",
		},
	} {
		if got, want := strings.TrimSpace(lowered(t, head+row[0]+tail).Text), strings.TrimSpace(lowered(t, head+row[1]+tail).Text); got != want {
			t.Errorf("%s\ngives %s\nwant  %s", row[0], got, want)
		}
	}
}

// Where items stand: generate loops, single items, blocks.
func TestGenerate(t *testing.T) {
	r := lowered(t, `module m(input clk, input [3:0] a);
genvar i;
for (i = 0; i < 4; i = i + 1) begin : g
  x: assert property (@(posedge clk) a[i] |=> a[0]);
end
if (1) y: assert property (@(posedge clk) a[1] |=> a[0]); else z: assert property (@(posedge clk) a[1]);
w: assert property (@(posedge clk) a[1]);
always @(posedge clk) if (a) begin : b if (a[1]) begin end end else begin end
v: assert property (@(posedge clk) a[1]);
endmodule
`)
	lines := strings.Split(r.Text, "\n")
	if strings.Contains(lines[3], "x: ") {
		t.Errorf("a label in a loop: %s", lines[3])
	}
	if labels := r.Spans[0].Labels; labels["__netcov_sva_0_check_0"] != "x" || labels["__netcov_sva_0_check_1"] != "x__antecedent" || len(labels) != 2 {
		t.Errorf("labels in a loop: %q", labels)
	}
	if strings.Count(lines[5], " begin wire ") != 2 || !strings.Contains(lines[5], "end else begin") {
		t.Errorf("no block: %s", lines[5])
	}
	if strings.Contains(lines[6], " begin wire ") || !strings.Contains(lines[8], "v: assert") {
		t.Errorf("%s\n%s", lines[6], lines[8])
	}
}

// A property without a clock is left to yosys, $initstate in it too.
func TestNoClock(t *testing.T) {
	const text = "module m(input a);\nrestrict property (a != $initstate);\nendmodule\n"
	if r := lowered(t, text); r.Text != text {
		t.Errorf("%s", r.Text)
	}
}

func FuzzLower(f *testing.F) {
	for _, s := range []string{
		inModule("a ##[1:$] b[->2] |=> not (c within a)"),
		"`ifdef X\nmodule m; property p(a, b = 1); @(posedge c) a |-> b; endproperty a: cover property (p(1)) else begin end\n`endif\nendmodule",
		"default clocking @(posedge c); endclocking let x(y) = y; assert property (x(1) throughout (a[=2] and b));",
		"cover sequence (@(posedge c) first_match(a[*0:2] ##0 b)); restrict property (@(posedge c) case (a) 1, 2: b; default c; endcase);",
		"'h \"\\\"\" `define X \\\n y\n\\esc (*[*",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		r, err := Lower("f.sv", source)
		if err == nil && strings.Count(r.Text, "\n") != strings.Count(source, "\n") {
			t.Errorf("%q has become %q", source, r.Text)
		}
	})
}
