package main

import (
	"bytes"
	"encoding/csv"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// verdicts returns, by register bit and fault, whether some assertion notices it.
func verdicts(t *testing.T, design string, defines ...string) map[string]bool {
	t.Helper()
	args := []string{"cover", "../../benchmarks/designs/" + design, "--format", "csv", "--why", "none", "--vacuity", "none"}
	for _, d := range defines {
		args = append(args, "-D", d)
	}
	var out, said bytes.Buffer
	if code := run(args, strings.NewReader(""), &out, &said); code != exitDone {
		t.Fatalf("%v: exit code %d\n%s", args, code, said.String())
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(name string) int { return slices.Index(rows[0], name) }
	v := map[string]bool{}
	for _, r := range rows[1:] {
		key := r[column("name")] + " " + r[column("fault")]
		verdict := r[column("verdict")]
		if verdict != "covered" && verdict != "notcovered" {
			t.Errorf("%v: %v", args, r)
		}
		v[key] = v[key] || verdict == "covered"
	}
	return v
}

// The strong assertions of each design, written as checkers by hand and as
// concurrent assertions, notice the same faults of the design's registers.
func TestConcurrentAssertions(t *testing.T) {
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skip("no yosys")
	}
	for _, design := range []string{"arbiter.v", "fifo.v", "fsm.v", "pair.v", "ram.v", "uart_tx.v"} {
		t.Run(design, func(t *testing.T) {
			t.Parallel()
			design := "verilog/" + design
			own := verdicts(t, design)
			byHand, concurrent := verdicts(t, design, "STRONG"), verdicts(t, design, "STRONG", "CONCURRENT")
			if len(own) == 0 || len(own) > len(concurrent) {
				t.Fatalf("%d mutants of the design, %d with concurrent assertions", len(own), len(concurrent))
			}
			for key, want := range byHand {
				if got, ok := concurrent[key]; ok && got != want {
					t.Errorf("%s: covered is %v by concurrent assertions, %v by hand-made checkers", key, got, want)
				}
			}
			for key := range own {
				if _, ok := concurrent[key]; !ok {
					t.Errorf("%s has no mutant", key)
				}
			}
		})
	}
}

// The designs written anew in SystemVerilog, with packages, interfaces, enumerations and
// bound checkers, have the same registers, and their assertions notice the same faults.
func TestSystemVerilogTwins(t *testing.T) {
	if testing.Short() {
		t.Skip("slang takes seconds for each reading")
	}
	var out, said bytes.Buffer
	if run([]string{"info", "../../benchmarks/designs/systemverilog/pair.sv", "--frontend", "slang"}, strings.NewReader(""), &out, &said) != exitDone {
		if strings.Contains(said.String(), "no yosys with slang") {
			t.Skip("no yosys with slang")
		}
		t.Fatal(said.String())
	}
	for _, design := range []string{"arbiter", "fifo", "fsm", "pair", "ram", "uart_tx"} {
		t.Run(design, func(t *testing.T) {
			own := verdicts(t, "verilog/"+design+".v")
			for _, set := range [][]string{nil, {"STRONG"}} {
				verilog, twin := verdicts(t, "verilog/"+design+".v", set...), verdicts(t, "systemverilog/"+design+".sv", set...)
				for key := range own {
					if got, ok := twin[key]; !ok || got != verilog[key] {
						t.Errorf("%v, %s: covered is %v (there: %v) in SystemVerilog, %v in Verilog", set, key, got, ok, verilog[key])
					}
				}
			}
		})
	}
}
