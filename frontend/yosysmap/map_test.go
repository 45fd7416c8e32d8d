package yosysmap

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/frontend/design"
	"netcov/internal/alloctest"
	"netcov/netlist"
)

const source = `
module child(input clk, input en, output reg [3:0] count, output reg flag);
  initial count = 5;
  initial flag = 1;
  always @(posedge clk) if (en) begin count <= count + 1; flag <= !flag; end
endmodule
module top(input clk, input en, input [1:0] a, output [3:0] o);
  wire f;
  reg [2:0] mem [0:1];
  child u1(clk, en, o, f);
  always @(posedge clk) mem[a[0]] <= a[1] ? o : 7;
  always @(posedge clk) begin assert(o != 9); assert(f || mem[a[0]] != 1); end
endmodule
`

// written lets yosys write an AIGER file with a map, and reads both.
func written(t *testing.T, command string) (*design.Design, *aiger.File, *Map) {
	t.Helper()
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skip("yosys is not installed")
	}
	dir := t.TempDir()
	v, aig, aim := filepath.Join(dir, "t.v"), filepath.Join(dir, "t.aig"), filepath.Join(dir, "t.aim")
	if err := os.WriteFile(v, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("read_verilog -sv -formal %s; prep -flatten -top top; memory_map; async2sync; dffunmap; techmap; dffunmap; simplemap; opt_clean; aigmap; %s %s %s", v, command, aim, aig)
	if out, err := exec.Command("yosys", "-q", "-p", script).CombinedOutput(); err != nil {
		t.Fatalf("yosys: %v\n%s", err, out)
	}
	f, err := aiger.ReadFile(aig, aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := ReadFile(aim)
	if err != nil {
		t.Fatal(err)
	}
	return &design.Design{File: aig, Netlist: netlist.FromAIGER(f)}, f, m
}

// TestWritten reads what yosys writes. Registers that start with 1 are stored
// inverted with -zinit.
func TestWritten(t *testing.T) {
	for _, command := range []string{"write_aiger -zinit -map", "write_aiger -zinit -vmap", "write_aiger -zinit -no-startoffset -map"} {
		d, f, m := written(t, command)
		if err := m.Apply(d, f); err != nil {
			t.Fatal(err)
		}
		bits := map[string]bool{}
		for i, o := range d.Latches {
			if o.Artefact {
				continue
			}
			bits[Name(o)] = true
			wantInverted := o.Register == "u1.flag" || o.Register == "u1.count" && (o.Bit == 0 || o.Bit == 2)
			if o.Inverted != wantInverted {
				t.Errorf("%s: %s inverted: %v", command, Name(o), o.Inverted)
			}
			if o.Register == "u1.count" && o.Instance != "u1" {
				t.Errorf("%s: instance of latch %d is %q", command, i, o.Instance)
			}
			if n := d.Netlist.Latches[i].Name; n != Name(o) {
				t.Errorf("%s: latch %d is called %q, want %q", command, i, n, Name(o))
			}
		}
		for _, want := range []string{"u1.count[0]", "u1.count[3]", "u1.flag", "mem[0][2]", "mem[1][0]"} {
			if !bits[want] {
				t.Errorf("%s: no %s among %v", command, want, bits)
			}
		}
		if len(bits) != 4+1+6 {
			t.Errorf("%s: %d registers: %v", command, len(bits), bits)
		}
		if got := len(d.Netlist.Inputs); d.Netlist.Inputs[1].Name != "en" || !strings.HasPrefix(d.Netlist.Inputs[got-1].Name, "init(") {
			t.Errorf("%s: inputs %v", command, d.Netlist.Inputs)
		}
		if strings.Contains(command, "vmap") == (len(d.Gates) == 0) {
			t.Errorf("%s: %d gates have origins", command, len(d.Gates))
		}
	}
}

// TestPolarity checks a gate and a latch of a small file by hand.
func TestPolarity(t *testing.T) {
	f, err := aiger.Read(strings.NewReader("aag 3 1 1 1 1\n2\n4 6\n7\n6 2 5\n"), "f", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(strings.NewReader("input 0 0 en\ninvlatch 0 0 u.q\noutput 0 0 u.z\nwire 7 0 u.z\nwire 7 0 u.inner\n"), "m")
	if err != nil {
		t.Fatal(err)
	}
	d := &design.Design{File: "f", Netlist: netlist.FromAIGER(f)}
	if err := m.Apply(d, f); err != nil {
		t.Fatal(err)
	}
	if o := d.Latches[0]; o != (design.Origin{Register: "u.q", Bit: -1, Instance: "u", Inverted: true}) {
		t.Errorf("latch %+v", o)
	}
	if o := d.Gates[0]; o != (design.Origin{Register: "u.inner", Bit: -1, Instance: "u", Inverted: true}) {
		t.Errorf("gate %+v", o)
	}
}

func TestParseSymbol(t *testing.T) {
	for symbol, want := range map[string]design.Origin{
		"top.u1.cnt[3]":           {Register: "top.u1.cnt", Bit: 3, Instance: "top.u1"},
		"flag":                    {Register: "flag", Bit: -1},
		"!o[2] !u1.count[2]":      {Register: "u1.count", Bit: 2, Instance: "u1", Inverted: true},
		"mem[2][0]":               {Register: "mem[2]", Bit: 0},
		"a.lane[1].r":             {Register: "a.lane[1].r", Bit: -1, Instance: "a.lane[1]"},
		"$formal$t.v:9$7_CHECK":   {Register: "$formal$t.v:9$7_CHECK", Bit: -1, Artefact: true},
		"":                        {Bit: -1},
		"x[y]":                    {Register: "x[y]", Bit: -1},
		"$auto$1[0] real_name[0]": {Register: "real_name", Bit: 0},
	} {
		if got := ParseSymbol(symbol); got != want {
			t.Errorf("%q: got %+v, want %+v", symbol, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"latch 0 0\n", "m:1: 3 words where a kind, two numbers and a name are due; a line reads: latch POSITION BIT NAME"},
		{"input 0 0 a\nlatch x 0 q\n", `m:2: "x" is no position`},
		{"latch 0 -1 q\n", `m:1: "-1" is no index of a bit`},
		{"lemon 0 0 q\n", `m:1: unknown entry "lemon"`},
	} {
		if _, err := Read(strings.NewReader(c.text), "m"); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	f, err := aiger.Read(strings.NewReader("aag 1 0 1 0 0\n2 2\n"), "f", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(strings.NewReader("latch 1 0 q\n"), "m")
	if err != nil {
		t.Fatal(err)
	}
	err = m.Apply(&design.Design{File: "f.aig", Netlist: netlist.FromAIGER(f)}, f)
	if err == nil || err.Error() != "m: it names latch 1, but f.aig has 1; give the map that was written with this AIGER file" {
		t.Errorf("got %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("input 0 0 en\ninvlatch 0 3 u.q\nwire 7 0 u.z\n")
	f.Add("input 0 0 a\nlatch 0 0 u.q\noutput 0 0 y\nmonitor 0 1 bad\n")
	file, err := aiger.Read(strings.NewReader("aag 3 1 1 1 1 1\n2\n4 6 1\n4\n5\n6 2 4\n"), "f.aig", aiger.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var m *Map
		var err error
		alloctest.Check(t, len(text), 500, func() { m, err = Read(strings.NewReader(text), "m") })
		switch {
		case err != nil && strings.ContainsAny(err.Error(), "\n\r"):
			t.Errorf("refusal of several lines: %q", err)
		case err == nil:
			_ = m.Apply(&design.Design{File: "f.aig", Netlist: netlist.FromAIGER(file)}, file)
		}
		ParseSymbol(text)
	})
}
