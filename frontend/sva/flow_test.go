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
		last := len(prefix) + len(loop) - 1
		var text strings.Builder
		fmt.Fprintf(&text, `module top(input clk);
  reg [2:0] at = 0;
  reg a, b, c;
  always @(posedge clk) at <= at == %d ? %d : at + 1;
  always @(*) case (at)
%s    default: {c, b, a} = 0;
  endcase
  default clocking @(posedge clk); endclocking
`, last, len(prefix), cases.String())
		oracles := sva.NewOracles(uint64(n), count, 4)
		for i, o := range oracles {
			fmt.Fprintf(&text, "  p%d: assert property (%s);\n", i, o.Text)
		}
		text.WriteString("endmodule\n")
		file := filepath.Join(t.TempDir(), "lasso.sv")
		if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := verilog.Load(context.Background(), verilog.Options{Files: []string{file}})
		if err != nil {
			t.Fatal(err)
		}
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
			n, at := d.Netlist, i
			if p.Kind == netlist.PropertyJustice {
				f, _, err := liveness.Safety(n.ToAIGER(), p.Index)
				if err != nil {
					t.Fatal(err)
				}
				n, at = netlist.FromAIGER(f), 0
			}
			if got := coverage.Check(context.Background(), n, at, coverage.DefaultEngine, false); got.Status != want {
				t.Errorf("%s on %v %v: %v, want %v (%v)", o.Text, prefix, loop, got.Status, want, got.Err)
			}
		}
	}
	t.Logf("%d properties, %d fail; %d of liveness, %d of these fail", words*count, fails, live, liveFails)
	if !testing.Short() && (liveFails == 0 || live == liveFails) {
		t.Error("too few properties of liveness were compared")
	}
}
