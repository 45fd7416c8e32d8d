package verilog

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"netcov/cert"
	"netcov/coverage"
	"netcov/mutant"
)

// TestCoveredMutantsInIverilog replays covered stuck-at mutants of the six designs
// on the source text: with the register's bit forced to the value, the trace's
// inputs make the same assertion fail in iverilog; without the force they do not.
func TestCoveredMutantsInIverilog(t *testing.T) {
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("iverilog is not installed")
	}
	if testing.Short() {
		t.Skip("takes seconds of yosys")
	}
	for _, c := range []struct{ name, define, property string }{
		{"fifo.v", "WEAK", ""},
		{"arbiter.v", "WEAK", ""},
		{"uart_tx.v", "WEAK", ""},
		{"fsm.v", "STRONG", "fsm.limit"}, // nothing is covered by the weak one
		{"ram.v", "WEAK", ""},
		{"pair.v", "WEAK", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := mustLoad(t, Options{Files: []string{designs + c.name}, Defines: []string{c.define}})
			property := 0
			for i, p := range b.n.Bads {
				if p.Name == c.property {
					property = i
				}
			}
			res, err := coverage.Run(context.Background(), b.n.ToAIGER(), b.n, property, coverage.Options{
				Faults: []mutant.Fault{mutant.Zero, mutant.One},
			})
			if err != nil {
				t.Fatal(err)
			}
			if res.Proof.Status != cert.Holds {
				t.Fatalf("the assertion %s", res.Proof.Status)
			}
			text, err := os.ReadFile(designs + c.name)
			if err != nil {
				t.Fatal(err)
			}
			f := newForcing(t, b, text, c.define, property)
			replayed := 0
			for _, m := range res.Mutants {
				if m.Verdict != mutant.Covered || b.d.Latches[m.Target.Index].Artefact {
					continue
				}
				replayed++
				what := fmt.Sprintf("%s stuck at %s", b.n.Latches[m.Target.Index].Name, m.Fault)
				if out := f.run(t, m.Evidence.Trace, f.stuck(m.Target.Index, m.Fault)); !f.failed(out) {
					t.Errorf("%s: the assertion does not fail in iverilog: %s", what, out)
				}
				if out := f.run(t, m.Evidence.Trace, ""); f.failed(out) {
					t.Errorf("%s: the assertion fails in iverilog without the fault: %s", what, out)
				}
			}
			if replayed == 0 {
				t.Error("no mutant is covered")
			}
			t.Logf("%d covered mutants", replayed)
		})
	}
}

// forcing runs a design's source in iverilog on the inputs of traces.
type forcing struct {
	b      *builder
	dir    string
	source string
	define string
	line   int // of the assertion
}

var (
	labelled   = regexp.MustCompile(`\b\w+: assert`)
	concurrent = regexp.MustCompile(`\bassert property`)
	overTime   = regexp.MustCompile("(?s)  reg started = 0;.*?\n`endif")
)

// newForcing copies the source in words that iverilog knows: no labels before
// asserts, concurrent assertions as immediate ones, and no block of assertions
// about several steps ($past). Lines stay.
func newForcing(t *testing.T, b *builder, text []byte, define string, property int) *forcing {
	t.Helper()
	text = overTime.ReplaceAllFunc(text, func(block []byte) []byte {
		return append(bytes.Repeat([]byte("\n"), bytes.Count(block, []byte("\n"))), "`endif"...)
	})
	text = labelled.ReplaceAll(text, []byte("assert"))
	text = concurrent.ReplaceAll(text, []byte("always @(*) assert"))
	dir := t.TempDir()
	f := &forcing{b: b, dir: dir, source: filepath.Join(dir, "design.v"), define: define, line: b.d.Properties[property].Line}
	if err := os.WriteFile(f.source, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

// failed reports whether the assertion failed.
func (f *forcing) failed(out string) bool {
	return strings.Contains(out, fmt.Sprintf("%s:%d: Assertion", f.source, f.line)) ||
		strings.Contains(out, fmt.Sprintf("ERROR: %s:%d", f.source, f.line))
}

// register is the name of a register's bit in the bench.
func (f *forcing) register(latch int) string {
	return "dut" + strings.TrimPrefix(f.b.n.Latches[latch].Name, f.b.h.top)
}

// stuck is the statement that forces a register's bit to the value of a stuck-at fault.
func (f *forcing) stuck(latch int, fault mutant.Fault) string {
	value := (fault == mutant.One) != f.b.d.Latches[latch].Inverted
	return fmt.Sprintf("force %s = %d;", f.register(latch), btoi(value))
}

// run simulates a trace; inject is the statement that brings the fault in, "" for none.
func (f *forcing) run(t *testing.T, trace *cert.Trace, inject string) string {
	t.Helper()
	var wires, connect, steps []string
	for name, p := range f.b.net.Ports {
		if p.Direction != "input" {
			continue
		}
		if name == f.b.inv.clockName {
			connect = append(connect, fmt.Sprintf(".%s(clk)", name))
			continue
		}
		wires = append(wires, fmt.Sprintf("reg [%d:0] w_%s;", len(p.Bits)-1, name))
		connect = append(connect, fmt.Sprintf(".%s(w_%s)", name, name))
	}
	for i, l := range f.b.n.Latches {
		if l.Reset == l.Lit && !f.b.d.Latches[i].Artefact {
			steps = append(steps, fmt.Sprintf("%s = %d;", f.register(i), btoi(trace.Latches[i] != f.b.d.Latches[i].Inverted)))
		}
	}
	if inject != "" {
		steps = append(steps, inject)
	}
	for _, in := range trace.Inputs {
		for name, p := range f.b.net.Ports {
			if p.Direction != "input" || name == f.b.inv.clockName {
				continue
			}
			for i := range p.Bits {
				label := f.b.h.full(name)
				if len(p.Bits) > 1 {
					label = fmt.Sprintf("%s[%d]", label, hdlIndex(i, len(p.Bits), p.Offset, p.Upto))
				}
				steps = append(steps, fmt.Sprintf("w_%s[%d] = %d;", name, i, btoi(in[inputNamed(t, f.b.n, label)])))
			}
		}
		steps = append(steps, "#5 clk = 1; #5 clk = 0;")
	}
	// The last step counts before its clock edge.
	last := len(steps) - 1
	steps[last] = "#5 $finish;"
	bench := fmt.Sprintf("module tb;\n  reg clk = 0;\n  %s\n  %s dut(%s);\n  initial begin\n    #1 %s\n  end\nendmodule\n",
		strings.Join(wires, "\n  "), f.b.h.top, strings.Join(connect, ", "), strings.Join(steps, "\n    "))
	path := filepath.Join(f.dir, "tb.v")
	if err := os.WriteFile(path, []byte(bench), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("iverilog", "-g2012", "-DFORMAL", "-D"+f.define, "-s", "tb", "-o", filepath.Join(f.dir, "tb.vvp"), f.source, path).CombinedOutput()
	if err != nil {
		t.Fatalf("iverilog: %v\n%s", err, out)
	}
	out, err = exec.Command("vvp", "-n", filepath.Join(f.dir, "tb.vvp")).CombinedOutput()
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, out)
	}
	return string(out)
}
