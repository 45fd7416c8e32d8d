package preprocess

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// run preprocesses a text, with other files beside it.
func run(t *testing.T, text string, files map[string]string, o Options) (*Result, error) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "t.v")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for i, d := range o.Include {
		o.Include[i] = filepath.Join(dir, d)
	}
	o.Files = append([]string{path}, o.Files...)
	return Run(o)
}

// TestTexts checks what sources become. Blanks count as one.
func TestTexts(t *testing.T) {
	files := map[string]string{"a.vh": "in_a\n", "inc/b.vh": "`define B from_b\n", "c.vh": "`include \"a.vh\"\nin_c"}
	for _, c := range []struct{ name, text, want string }{
		{"macro", "`define W 8\nreg [`W-1:0] x;", "reg [8 -1:0] x;"},
		{"arguments", "`define ADD(a,b) ((a)+(b))\nx = `ADD(1, f(2,3));", "x = ((1)+(f(2,3))) ;"},
		{"macro in its own argument", "`define ADD(a,b) ((a)+(b))\n`ADD(`ADD(1,2),3)", "((((1)+(2)) )+(3))"},
		{"default of an argument", "`define F(a, b=7) a b\n`F(1) `F(1,) `F(1,2)", "1 7 1 7 1 2"},
		{"empty argument", "`define F(a) [a]\n`F()", "[]"},
		{"pasting", "`define R(n) reg r_``n``_q\n`R(ab);", "reg r_ab_q ;"},
		{"pasting after a macro", "`define P pre\n`define N(x) `P``_x\n`N(1)", "pre_x"},
		{"pasting two macros", "`define P pre\n`define Q post\n`define N `P```Q\n`N;", "prepost ;"},
		{"string of an argument", "`define S(x) `\"x is `\\`\"x`\\`\"`\"\n`S(a)", `"a is \"a\""`},
		{"no argument inside a string", "`define S(x) \"x\"\n`S(a)", `"x"`},
		{"several lines", "`define M a \\\n b // comment\n`M", "a b"},
		{"comment in a definition", "`define M a // b\n`M `M", "a a"},
		{"comma in brackets", "`define F(a) <a>\n`F({1,2}) `F([3,4])", "<{1,2}> <[3,4]>"},
		{"comma in a string", "`define F(a) <a>\n`F(\"x,)\")", `<"x,)">`},
		{"arguments on lines", "`define F(a,b) a b\n`F(1,\n2)", "1 2"},
		{"name of a macro from a macro", "`define F `G\n`define G(x) [x]\n`F(1)", "[1]"},
		{"redefined", "`define A 1\n`define A 2\n`A", "2"},
		{"undefined again", "`define A 1\n`undef A\n`ifdef A\nyes\n`else\nno\n`endif", "no"},
		{"elsif", "`define B\n`ifdef A\na\n`elsif B\nb\n`elsif B\nc\n`else\nd\n`endif", "b"},
		{"nested", "`ifdef A\n`ifndef B\nx\n`else\ny\n`endif\n`else\nz\n`endif", "z"},
		{"ifndef", "`ifndef A\nx\n`endif", "x"},
		{"no directive in a string", "\"`ifdef A\"", "\"`ifdef A\""},
		{"no directive in an escaped name", "\\`ifdef a", "\\`ifdef a"},
		{"no string in an escaped name", "\\a\"b x \"c\"", "\\a\"b x \"c\""},
		{"definition in a branch that is not taken", "`ifdef A\n`define X `endif\n`endif\nx", "x"},
		{"comments", "a/* b\nc */d // e\nf", "a d f"},
		{"comments that tools read", "case (x) // synopsys full_case parallel_case\n/*synthesis  translate_off*/", "case (x) /* synopsys full_case parallel_case */ /* synthesis translate_off */"},
		{"include", "`include \"a.vh\"\nx", "in_a x"},
		{"include in angle brackets", "`include <a.vh>\nx", "in_a x"},
		{"include by a folder", "`include \"b.vh\"\n`B", "from_b"},
		{"include of an include", "x\n`include \"c.vh\"\ny", "x in_a in_c y"},
		{"include by a macro", "`define F \"a.vh\"\n`include `F\nx", "in_a x"},
		{"include in a macro", "`define F `include \"a.vh\"\n`F\nx", "in_a x"},
		{"given", "`LIST `ONE", "2'd1,2'd2 1"},
		{"dropped", "`timescale 1ns/1ps\n`line 7 \"/dev/zero\" 0\n`celldefine module", "module"},
		{"kept", "`default_nettype none\nx\n`resetall", "`default_nettype none x `default_nettype wire"},
		{"line ends of others", "a\r\n`ifdef A\r\nb\r\n`endif\r\nc", "a c"},
		{"words apart", "`define A a\n`define F(x) x\nx`A `F(b)c", "x a b c"},
		{"place", "\n`__LINE__", "2"},
	} {
		r, err := run(t, c.text, files, Options{Include: []string{"inc"}, Defines: map[string]string{"LIST": "2'd1,2'd2", "ONE": "1"}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := strings.Join(strings.Fields(string(r.Texts[0].Text)), " "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		if n := strings.Count(string(r.Texts[0].Text), "\n"); n != len(r.Texts[0].Lines) {
			t.Errorf("%s: %d lines have %d places", c.name, n, len(r.Texts[0].Lines))
		}
	}
}

// TestErrors checks that a refusal has its place and one line.
func TestErrors(t *testing.T) {
	double := "`define A0 \n"
	for i := range 40 {
		double += strings.NewReplacer("N", string(rune('A'+i/26))+string(rune('a'+i%26)), "M", string(rune('A'+(i+1)/26))+string(rune('a'+(i+1)%26))).Replace("`define XM `XN `XN\n")
	}
	for _, c := range []struct{ text, want string }{
		{"\n`A", "t.v:2: the macro `A is not defined; add the file"},
		{"\n`ifdef A\n", "t.v:2: this `ifdef has no `endif"},
		{"`endif", "t.v:1: `endif without `ifdef"},
		{"`ifdef A\n`else\n`else\n`endif", "t.v:3: `else after `else"},
		{"`include \"no.vh\"", `t.v:1: cannot find the included file "no.vh"; add its directory`},
		{"`include \"self.vh\"", "self.vh:1: `include of \"self.vh\": files include each other"},
		{"`include \"bad.vh\"", "bad.vh:2: the macro `B is not defined"},
		{"`include \"half.vh\"\n`endif", "half.vh:1: this `ifdef has no `endif"},
		{"`include \"/dev/zero\"", "t.v:1: `include: /dev/zero: this is a device"},
		{"`include \"..\"", "t.v:1: cannot find the included file"},
		{"`include A", "t.v:1: `include without a name"},
		{"`define A `A\n`A", "t.v:2: the macro `A does not come to an end"},
		{"`define A `A x\n`A", "t.v:2: the macro `A does not come to an end"},
		{double + "`define XAa\n`XBn", "does not come to an end"},
		{"`define F(a) a\n`F(1,2)", "t.v:2: the macro `F takes 1 arguments, not 2"},
		{"`define F(a,b) a\n`F(1)", "t.v:2: the macro `F takes 2 arguments, not 1"},
		{"`define F(a) a\n`F;", "t.v:2: the macro `F takes 1 arguments"},
		{"`define F(a) a\n`F(", "the list of arguments has no end"},
		{"`define F(1+) a\n", "is no name of an argument"},
		{"`define include x\n", "this is a directive's name"},
		{"x = \"abc\n;", "this string has no end on its line"},
		{"/* abc", "this comment has no end"},
		{"a\n\x00", "t.v:2: a byte of value 0"},
		{"`default_nettype foo", "t.v:1: `default_nettype foo"},
		{"`unconnected_drive pull1", "is not supported"},
	} {
		_, err := run(t, c.text, map[string]string{"self.vh": "`include \"self.vh\"\n", "bad.vh": "\n`B", "half.vh": "`ifdef A\n"}, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: got %v, want %s", c.text, err, c.want)
		}
	}
}

func TestPlaces(t *testing.T) {
	r, err := run(t, "`define M(x) x x\none\n`include \"a.vh\"\n`M(\ntwo\n) three\nfour", map[string]string{"a.vh": "\nin\n"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"one": "t.v 2", "in": "a.vh 2", "two": "t.v 4", "four": "t.v 7"}
	for i, line := range strings.Split(strings.TrimSuffix(string(r.Texts[0].Text), "\n"), "\n") {
		for word, place := range want {
			if p := r.Texts[0].Lines[i]; strings.HasPrefix(strings.TrimSpace(line), word) {
				if got := filepath.Base(p.File) + " " + string(rune('0'+p.Line)); got != place {
					t.Errorf("%s: %s, want %s", word, got, place)
				}
				delete(want, word)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not found: %v in %q", want, r.Texts[0].Text)
	}
	if len(r.Read) != 2 || filepath.Base(r.Read[1].Name) != "a.vh" {
		t.Errorf("read %d files", len(r.Read))
	}
}

func TestSkipped(t *testing.T) {
	r, err := run(t, "`ifdef A\nassert (x); \"assert\" // assert\n`ifdef B\nassert (y);\n`endif\n`else\nassert (z);\n`endif\n`ifndef C\n`else\nassert (1);\n`endif", nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Skipped) != 2 || r.Skipped[0].Macro != "A" || r.Skipped[0].Count != 2 || r.Skipped[0].First.Line != 2 || r.Skipped[1].Macro != "C" || r.Skipped[1].Count != 1 || r.Skipped[1].Unless {
		t.Errorf("got %+v", r.Skipped)
	}
}

func TestMacrosGoOn(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.v")
	if err := os.WriteFile(other, []byte("`A"), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := run(t, "`define A 5\n", nil, Options{Files: []string{other}})
	if err != nil || strings.TrimSpace(string(r.Texts[1].Text)) != "5" {
		t.Errorf("got %+v, %v", r, err)
	}
}
