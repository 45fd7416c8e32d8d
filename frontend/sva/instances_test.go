package sva

import (
	"fmt"
	"strings"
	"testing"
)

// Sequences that hold each other twice double at each level: the assertion is
// refused before it is built.
func TestInstancesThatDouble(t *testing.T) {
	text := func(levels int) string {
		var b strings.Builder
		b.WriteString("module top(input clk, input a);\ndefault clocking @(posedge clk); endclocking\nsequence q0; a; endsequence\n")
		for i := 1; i <= levels; i++ {
			fmt.Fprintf(&b, "sequence q%d; q%d ##1 q%d; endsequence\n", i, i-1, i-1)
		}
		fmt.Fprintf(&b, "p: assert property (q%d |-> 0);\nendmodule\n", levels)
		return b.String()
	}
	if _, err := Lower("t.sv", text(20)); err == nil || !strings.Contains(err.Error(), "more than 2000 instances") {
		t.Errorf("20 levels: %v", err)
	}
	if _, err := Lower("t.sv", text(5)); err != nil {
		t.Errorf("5 levels: %v", err)
	}
}
