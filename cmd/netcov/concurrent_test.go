package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"netcov/frontend/verilog"
)

// verdicts returns, by register bit and fault, whether some assertion notices it.
func verdicts(t *testing.T, design string, flags ...string) map[string]bool {
	t.Helper()
	args := append([]string{"cover", "../../benchmarks/designs/" + design, "--format", "csv", "--why", "none", "--vacuity", "none"}, flags...)
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
			byHand, concurrent := verdicts(t, design, "-D", "STRONG"), verdicts(t, design, "-D", "STRONG", "-D", "CONCURRENT")
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

// slangYosys returns a yosys with slang: the one of NETCOV_YOSYS, or that of `make tools`.
func slangYosys(t *testing.T) string {
	t.Helper()
	own := "../../scripts/yosys-npm/yosys"
	if name := os.Getenv(verilog.YosysVariable); name != "" {
		own = name
	} else if _, err := os.Stat("../../scripts/yosys-npm/node_modules/.installed"); err != nil {
		t.Skip("no yosys with slang (make tools)")
	}
	if err := exec.Command(own, "-q", "-p", "slang_version").Run(); err != nil {
		t.Skipf("%s has no slang: %v", own, err)
	}
	return own
}

// The designs written anew in SystemVerilog, with packages, interfaces, enumerations and
// bound checkers, have the same registers, and their assertions notice the same faults.
func TestSystemVerilogTwins(t *testing.T) {
	if testing.Short() {
		t.Skip("slang takes seconds for each reading")
	}
	slang := slangYosys(t)
	for _, design := range []string{"arbiter", "fifo", "fsm", "pair", "ram", "uart_tx"} {
		t.Run(design, func(t *testing.T) {
			t.Parallel()
			own := verdicts(t, "verilog/"+design+".v")
			for _, set := range [][]string{nil, {"-D", "STRONG"}} {
				there := verdicts(t, "verilog/"+design+".v", set...)
				twin := verdicts(t, "systemverilog/"+design+".sv", append(set, "--frontend", "slang", "--yosys", slang)...)
				for key := range own {
					if got, ok := twin[key]; !ok || got != there[key] {
						t.Errorf("%v, %s: covered is %v (there: %v) in SystemVerilog, %v in Verilog", set, key, got, ok, there[key])
					}
				}
			}
		})
	}
}
