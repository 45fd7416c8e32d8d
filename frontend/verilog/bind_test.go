package verilog

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"netcov/aig"
	"netcov/mutant"
	"netcov/netlist"
)

// bindDesign has counters in instances of two levels; %S and %T are what the modules
// mid and top have beside.
const bindDesign = `module counter #(parameter W = 2, parameter START = 1) (input clk, input up, output full);
  reg [W-1:0] count = START;
  always @(posedge clk) if (up) count <= count + 1;
  assign full = &count;
  %C
endmodule
module mid (input clk, input up, output full);
  wire half;
  counter #(.W(3)) first (.clk(clk), .up(up), .full(half));
  counter second (.clk(clk), .up(up && half), .full(full));
  %M
endmodule
module top (input clk, input [1:0] up, output [1:0] full);
  mid a (clk, up[0], full[0]);
  mid b (.clk(clk), .up(up[1]), .full(full[1]));
  %T
endmodule
`

const bindChecker = `
module check (input clk, input [2:0] one, input wire [1:0] two, input flag);
  reg seen = 0;
  always @(posedge clk) seen <= flag;
  always @(posedge clk) begin
    never: assert (one != 5 || two != 3 || flag);
    after: assert (!seen || one != two);
  end
endmodule
`

// led leads the counters out through ports, as one does without bind.
func led(inside string) string {
	return strings.NewReplacer(
		"output full);\n  reg", "output full, output [W-1:0] c);\n  reg", "%C", "assign c = count;",
		"(input clk, input up, output full);\n  wire", "(input clk, input up, output full, output [2:0] c, output [1:0] d);\n  wire",
		".full(half)", ".full(half), .c(c)", ".full(full));", ".full(full), .c(d));",
		"%M", "", "clk, up[0], full[0]", "clk, up[0], full[0], ca, da", ".full(full[1])", ".full(full[1]), .c(cb), .d(db)",
		"module top (input clk, input [1:0] up, output [1:0] full);", "module top (input clk, input [1:0] up, output [1:0] full); wire [2:0] ca, cb; wire [1:0] da, db;",
		"%T", inside,
	).Replace(bindDesign) + bindChecker
}

func bare() string { return strings.NewReplacer("%C", "", "%M", "", "%T", "").Replace(bindDesign) }

func TestBind(t *testing.T) {
	needYosys(t)
	for name, c := range map[string]struct{ design, binds, same, inside string }{
		"by name": {
			bare() + "module names (input clk, input [1:0] up, full); always @(posedge clk) assert (up != full); endmodule\n",
			"bind top names c (.*); bind top check d (.clk(clk), .one({1'b0, up}), .two(full), .flag(full[0]));",
			bare() + "module names (input clk, input [1:0] up, full); always @(posedge clk) assert (up != full); endmodule\n",
			"names c (.*); check d (.clk(clk), .one({1'b0, up}), .two(full), .flag(full[0]));",
		},
		"top": {bare(), "bind top check c (.clk(clk), .one({1'b0, up}), .two(full), .flag(full[0]));", bare(), "check c (.clk(clk), .one({1'b0, up}), .two(full), .flag(full[0]));"},
		"below": {
			bare(), "bind top check c (\n .clk(clk),\n .one(b.first.count), .two(a.second.count), .flag(up[0]));",
			led("check c (.clk(clk), .one(cb), .two(da), .flag(up[0]));"), "",
		},
		"twice": {
			bare(), "bind top check c (.clk(clk), .one(a.first.count), .two(a.second.count), .flag(up[0])); bind top check d (.clk(clk), .one(b.first.count), .two(b.second.count), .flag(up[1]));",
			led("check c (.clk(clk), .one(ca), .two(da), .flag(up[0])); check d (.clk(clk), .one(cb), .two(db), .flag(up[1]));"), "",
		},
		"every instance": {bare(), "bind mid check c (.clk(clk), .one({up, 2'b1}), .two(second.count), .flag(half));", led("check c (.clk(clk), .one({up[0], 2'b1}), .two(da), .flag(&ca)); check d (.clk(clk), .one({up[1], 2'b1}), .two(db), .flag(&cb));"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(file, text string) string {
				path := filepath.Join(dir, file)
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				return path
			}
			same := c.same
			if c.inside != "" {
				same = strings.Replace(same, "(.clk(clk), .up(up[1]), .full(full[1]));", "(.clk(clk), .up(up[1]), .full(full[1])); "+c.inside, 1) + bindChecker
			}
			got := mustLoad(t, Options{Files: []string{write("d.v", c.design), write("c.sv", bindChecker+c.binds)}})
			want := mustLoad(t, Options{Files: []string{write("w.v", same)}})
			for i, o := range got.d.Latches {
				if o.Artefact != strings.Contains(o.Register, ".seen") {
					t.Errorf("artefact %v: %s", o.Artefact, o.Register)
				}
				if l := got.n.Latches[i]; !l.Reset.Const() {
					t.Errorf("%s has no initial value", l.Name)
				}
			}
			equalProperties(t, got.n, want.n)
		})
	}
}

// equalProperties compares the properties of two netlists on random inputs.
func equalProperties(t *testing.T, a, b *netlist.Netlist) {
	t.Helper()
	if len(a.Bads) != len(b.Bads) || len(a.Inputs) != len(b.Inputs) {
		t.Fatalf("%d and %d properties, %d and %d inputs", len(a.Bads), len(b.Bads), len(a.Inputs), len(b.Inputs))
	}
	var sims [2]*netlist.Simulator
	var models [2]*netlist.Model
	for i, n := range []*netlist.Netlist{a, b} {
		var bads []aig.Lit
		for _, s := range n.Bads {
			bads = append(bads, s.Lit)
		}
		models[i] = netlist.CompileSet(n, bads, nil, mutant.AtOutput)
		sims[i] = netlist.NewSimulator(models[i])
		sims[i].Reset(nil)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	seen := uint64(0)
	for step := range 100 {
		in := make([]uint64, len(a.Inputs))
		for i := range in {
			in[i] = rng.Uint64()
		}
		for i := range sims {
			sims[i].Eval(in)
		}
		for k := range a.Bads {
			x, y := sims[0].Value(models[0].Bads[k]), sims[1].Value(models[1].Bads[k])
			seen |= x
			if x != y {
				t.Fatalf("step %d: %s and %s differ", step, a.Bads[k].Name, b.Bads[k].Name)
			}
		}
		for i := range sims {
			sims[i].Step()
		}
	}
	if seen == 0 {
		t.Error("no property ever fails: the comparison says nothing")
	}
}

func TestBindRefused(t *testing.T) {
	checker := "module chk(input clk, input [1:0] x); always @(posedge clk) assert (x != 3); endmodule\n"
	for bind, says := range map[string]string{
		"bind top : a chk c (.clk(clk), .x(up));":                                  "a form of bind that is not supported",
		"bind top.a chk c (.clk(clk), .x(2'b0));":                                  "a form of bind that is not supported",
		"bind other chk c (.clk(clk), .x(up));":                                    "bind to other, which is no module here",
		"bind top chk c (.clk(clk), .x(a.second.count + 1));":                      "a signal of an instance, within an expression",
		"bind top chk c (.clk(clk), .x(a.second.nothing));":                        "top has no signal a.second.nothing",
		"bind top chk c (.clk(clk), .x(a.first.count));":                           "a.first.count has 3 bits, the port that it is bound to has 2",
		"bind top chk c (.clk(clk), .y(a.first.count), .x(up));":                   "port y of chk",
		"bind top chk c (.clk(clk), .x(up));\nbind top chk c (.x(up)":              "a form of bind that is not supported",
		"module n; if (0) bind top chk c (.clk(clk), .x(up)); endmodule":           "a bind statement in a generate block",
		"module n; if (0) begin bind top chk c (.clk(clk), .x(up)); end endmodule": "a bind statement in a generate block",
	} {
		_, err := loadText(t, bare()+checker+bind+"\n", Options{})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s\n got %v\nwant %s", bind, err, says)
		}
	}
}
