package sva_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"netcov/cert"
	"netcov/coverage"
	"netcov/frontend/design"
	"netcov/frontend/sva"
	"netcov/frontend/verilog"
	"netcov/liveness"
	"netcov/netlist"
)

// Random properties, of liveness too, through yosys and the model checker: the
// design plays one lasso, so that an assertion holds exactly where annex F says so.
func TestModelCheck(t *testing.T) {
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skip("no yosys")
	}
	words, count := 4, 40
	if testing.Short() {
		words = 1
	}
	r := rand.New(rand.NewPCG(2, 17))
	live, liveFails, fails := 0, 0, 0
	for n := range words {
		prefix, loop := make([]int, r.IntN(3)), make([]int, 1+r.IntN(3))
		var text strings.Builder
		text.WriteString(lasso(r, prefix, loop))
		oracles := sva.NewOracles(uint64(n), count, 4)
		for i, o := range oracles {
			fmt.Fprintf(&text, "  p%d: assert property (%s);\n", i, o.Text)
		}
		text.WriteString("endmodule\n")
		d := load(t, text.String())
		properties := d.Netlist.Properties()
		if len(properties) != count {
			t.Fatalf("%d properties, want %d", len(properties), count)
		}
		for i, p := range properties {
			var k int
			if _, err := fmt.Sscanf(p.Name, "top.p%d", &k); err != nil {
				t.Fatal(err)
			}
			o := oracles[k]
			want := cert.Fails
			if o.Holds(prefix, loop) {
				want = cert.Holds
			} else {
				fails++
			}
			if o.Live {
				live++
				if want == cert.Fails {
					liveFails++
				}
			}
			if got := status(t, d.Netlist, i); got != want {
				t.Errorf("%s on %v %v: %v, want %v", o.Text, prefix, loop, got, want)
			}
		}
	}
	t.Logf("%d properties, %d fail; %d of liveness, %d of these fail", words*count, fails, live, liveFails)
	if !testing.Short() && (liveFails == 0 || live == liveFails) {
		t.Error("too few properties of liveness were compared")
	}
}

// Assumptions, of liveness too: on a design that plays a lasso, some infinite run is
// left exactly where the assumption holds on it.
func TestAssumptions(t *testing.T) {
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skip("no yosys")
	}
	count := 8
	if testing.Short() {
		count = 3
	}
	r := rand.New(rand.NewPCG(3, 17))
	live, admitted := 0, 0
	for n := 0; live < count; n++ {
		o := sva.NewOracles(uint64(1000+n), 1, 4)[0]
		if !o.Live && n%8 != 0 {
			continue
		}
		prefix, loop := make([]int, r.IntN(3)), make([]int, 1+r.IntN(3))
		text := lasso(r, prefix, loop) + "  m: assume property (" + o.Text + ");\n  run: assert property (s_eventually 1'b0);\nendmodule\n"
		d := load(t, text)
		want := cert.Holds
		if o.Holds(prefix, loop) {
			want = cert.Fails
			admitted++
		}
		if o.Live {
			live++
			if len(d.Netlist.Fairness) != 1 {
				t.Errorf("%d fairness constraints, want 1", len(d.Netlist.Fairness))
			}
		}
		if got := status(t, d.Netlist, 0); got != want {
			t.Errorf("assume %s on %v %v: an infinite run is left: %v, want %v", o.Text, prefix, loop, got == cert.Fails, want == cert.Fails)
		}
	}
	t.Logf("%d assumptions of liveness, %d assumptions hold", live, admitted)
	if admitted == 0 {
		t.Error("no assumption holds")
	}
}

// lasso fills a word with random letters, and returns a module without its end that
// plays it on a, b and c.
func lasso(r *rand.Rand, prefix, loop []int) string {
	var cases strings.Builder
	for i := range len(prefix) + len(loop) {
		letter := r.IntN(8)
		if i < len(prefix) {
			prefix[i] = letter
		} else {
			loop[i-len(prefix)] = letter
		}
		fmt.Fprintf(&cases, "    %d: {c, b, a} = %d;\n", i, letter)
	}
	return fmt.Sprintf(`module top(input clk);
  reg [2:0] at = 0;
  reg a, b, c;
  always @(posedge clk) at <= at == %d ? %d : at + 1;
  always @(*) case (at)
%s    default: {c, b, a} = 0;
  endcase
  default clocking @(posedge clk); endclocking
`, len(prefix)+len(loop)-1, len(prefix), cases.String())
}

func load(t *testing.T, text string) *design.Design {
	t.Helper()
	file := filepath.Join(t.TempDir(), "lasso.sv")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := verilog.Load(context.Background(), verilog.Options{Files: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// status model checks a property.
func status(t *testing.T, n *netlist.Netlist, property int) cert.Status {
	t.Helper()
	if p := n.Properties()[property]; p.Kind == netlist.PropertyJustice {
		f, err := liveness.Safety(n.ToAIGER(), p.Index, 0)
		if err != nil {
			t.Fatal(err)
		}
		n, property = netlist.FromAIGER(f), 0
	}
	p := coverage.Check(context.Background(), n, property, coverage.CheckOptions{})
	if p.Err != nil {
		t.Fatal(p.Err)
	}
	return p.Status
}
