package campaign

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"netcov/certify"
	"netcov/coverage"
	"netcov/frontend"
	"netcov/mutant"
)

// opened opens sources as the command does.
func opened(t *testing.T, paths ...string) *Design {
	t.Helper()
	s, err := frontend.Open(context.Background(), paths, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return New(s)
}

// covered runs the coverage of registers.
func (d *Design) covered(t *testing.T) (coverage.Options, *coverage.Set, int, int) {
	t.Helper()
	which, err := d.Choose("all")
	if err != nil {
		t.Fatal(err)
	}
	opt := coverage.Options{Targets: d.Targets(true, false), Engine: coverage.EngineSet}
	if together, _ := d.Split(which); len(together) == 0 {
		opt.Engine = coverage.DefaultEngine
	}
	set, err := d.Run(t.Context(), which, opt)
	if err != nil {
		t.Fatal(err)
	}
	n, all := 0, 0
	for j := range set.All() {
		if all++; j.Verdict == mutant.Covered {
			n++
		}
	}
	return opt, set, n, all
}

func nothingWaived(mutant.Target, mutant.Fault) bool { return false }

// deep has a counter that no assertion is about in an instance of an instance, steps at
// the falling edge, and has a register of which yosys makes no port.
const deep = `module leaf (input clk, input rst, input go, output [2:0] level);
  reg [2:0] count = 0;
  always @(negedge clk) if (rst) count <= 0; else if (go && count < 5) count <= count + 1;
  assign level = count;
endmodule
module middle (input clk, input rst, input go, output top);
  wire [2:0] unused;
  leaf inner (.clk(clk), .rst(rst), .go(go), .level(unused));
  assign top = unused == 5;
endmodule
module deep (input clk, input rst, input go, output reg seen);
  wire top;
  middle m (clk, rst, go, top);
  initial seen = 0;
  always @(negedge clk) seen <= top && !rst;
  always @* assert (!(seen && top && m_is_off));
  wire m_is_off = 0;
endmodule
`

// TestSuggestionsRoundTrip writes suggestions, reads them back beside the design, and
// finds the coverage that was promised. yosys accepts the file as it stands.
func TestSuggestionsRoundTrip(t *testing.T) {
	yosys, err := exec.LookPath("yosys")
	if err != nil {
		t.Skip("yosys is not installed")
	}
	dir := t.TempDir()
	own := filepath.Join(dir, "deep.v")
	if err := os.WriteFile(own, []byte(deep), 0o666); err != nil {
		t.Fatal(err)
	}
	const designs = "../../benchmarks/designs/verilog/"
	sources := []string{own, designs + "pair.v"}
	if !testing.Short() {
		sources = append(sources, designs+"arbiter.v", designs+"fsm.v")
	}
	for _, source := range sources {
		t.Run(filepath.Base(source), func(t *testing.T) {
			d := opened(t, source)
			opt, set, before, all := d.covered(t)
			x, err := d.Explain(t.Context(), coverage.Budget{Factor: 1}, certify.ObserveDefault, false, opt, set)
			if err != nil {
				t.Fatal(err)
			}
			s, err := d.Suggest(t.Context(), coverage.Budget{}, opt, set, x, nothingWaived)
			if err != nil {
				t.Fatal(err)
			}
			if s.Covered == 0 || s.Unknown > 0 {
				t.Fatalf("%d covered, %d unknown", s.Covered, s.Unknown)
			}
			file := filepath.Join(dir, "suggested.sv")
			if err := os.WriteFile(file, []byte(d.SuggestionFile(s, "", "")), 0o666); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(yosys, "-q", "-p", "read_verilog -sv -formal "+file+"; proc").CombinedOutput(); err != nil {
				t.Errorf("yosys does not accept the file: %s", out)
			}
			both := opened(t, source, file)
			_, _, after, mutants := both.covered(t)
			if mutants != all || after != before+s.Covered {
				text, _ := os.ReadFile(file)
				t.Errorf("promised %d of %d, found %d of %d\n%s", before+s.Covered, all, after, mutants, text)
			}
		})
	}
}

// TestSuggestionsOfEscapedNames: what is written can be read, whatever the names of the
// source are, and also where nothing can be suggested.
func TestSuggestionsOfEscapedNames(t *testing.T) {
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skip("yosys is not installed")
	}
	const design = `module \top<b>"( (input \clk"> , input in, output out);
  reg NAME = 0;
  assign out = NAME ;
  always @(posedge \clk"> ) NAME <= in;
  always @(posedge \clk"> ) assert (NAME || !NAME );
endmodule
`
	for name, some := range map[string]bool{"plain": true, `\r">`: false} {
		dir := t.TempDir()
		source, file := filepath.Join(dir, "d.v"), filepath.Join(dir, "s.sv")
		text := strings.ReplaceAll(design, "NAME", name+" ")
		if !some { // no word has a name that a bind can connect
			text = strings.NewReplacer("input in,", `input \i< ,`, "output out", `output \o< `, "assign out", `assign \o< `, "<= in", `<= \i< `).Replace(text)
		}
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		d := opened(t, source)
		opt, set, before, all := d.covered(t)
		s, err := d.Suggest(t.Context(), coverage.Budget{}, opt, set, nil, nothingWaived)
		if err != nil {
			t.Fatal(err)
		}
		if (s.Covered > 0) != some {
			t.Errorf("%s: %d covered", name, s.Covered)
		}
		written := d.SuggestionFile(s, "", "")
		if err := os.WriteFile(file, []byte(written), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, after, mutants := opened(t, source, file).covered(t); mutants != all || after != before+s.Covered {
			t.Errorf("%s: promised %d of %d, found %d of %d\n%s", name, before+s.Covered, all, after, mutants, written)
		}
	}
}

// TestSuggestionsAsText: a netlist with symbols, but no source, gets a text.
func TestSuggestionsAsText(t *testing.T) {
	d := opened(t, "../../benchmarks/designs/counter.aag")
	opt, set, _, _ := d.covered(t)
	s, err := d.Suggest(t.Context(), coverage.Budget{}, opt, set, nil, nothingWaived)
	if err != nil {
		t.Fatal(err)
	}
	text := d.SuggestionFile(s, "before", "after")
	if s.Covered == 0 || !strings.Contains(text, "\ncount") && !strings.Contains(text, "count == ") || strings.Contains(text, "module") {
		t.Errorf("%d covered:\n%s", s.Covered, text)
	}
}
