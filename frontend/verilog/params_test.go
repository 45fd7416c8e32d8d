package verilog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const wide = `module wide #(parameter W = 6, parameter [3:0] RESET = 0) (input clk, input [W-1:0] d);
  reg [W-1:0] a = RESET;
  always @(posedge clk) a <= d;
  always @* assert (a == a);
endmodule
module other (input clk); endmodule
`

// A parameter of the top module is set before the design is read, or refused.
func TestParameters(t *testing.T) {
	needYosys(t)
	path := filepath.Join(t.TempDir(), "wide.v")
	if err := os.WriteFile(path, []byte(wide), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		params  []string
		latches int
		says    string
	}{
		{nil, 6, ""},
		{[]string{"W=3"}, 3, ""},
		{[]string{"W=4'd5", "RESET=4'hf"}, 5, ""},
		{[]string{"X=3"}, 0, "the top module has no parameter X"},
		{[]string{"W"}, 0, `"W" sets no parameter`},
		{[]string{"W=3;shell ls"}, 0, "sets no parameter"},
		{[]string{"W=`id`"}, 0, "sets no parameter"},
	} {
		d, err := Load(t.Context(), Options{Files: []string{path}, Top: "wide", Params: c.params})
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v: %v, want %q", c.params, err, c.says)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if n := len(d.Netlist.Latches); n != c.latches {
			t.Errorf("%v: %d latches, want %d", c.params, n, c.latches)
		}
		if name := d.Netlist.Latches[0].Name; name != "wide.a[0]" {
			t.Errorf("%v: the first latch is %s", c.params, name)
		}
	}
	if _, err := Load(t.Context(), Options{Files: []string{path}, Params: []string{"W=3"}}); err == nil || !strings.Contains(err.Error(), "top module that is not named") {
		t.Errorf("without a top module: %v", err)
	}
}
