package verilog

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/aig"
)

// asynchronous writes a small module whose registers have asynchronous resets and sets
// of both polarities, with and without enables, and are transparent latches, beside
// plain ones; all read each other.
func asynchronous(r *rand.Rand) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	value := func() string {
		x, y := pick("d", "p", "q", "s", "h", "u"), pick("e", "p", "q", "s", "h", "u")
		return "(" + x + pick(" + ", " ^ ", " & ", " | ", " - ") + y + ")"
	}
	number := func() string { return fmt.Sprint(r.IntN(8)) }
	edge := pick("posedge rst", "negedge rst")
	active := map[string]string{"posedge rst": "rst", "negedge rst": "!rst"}[edge]
	return "module top(input clk, input rst, input [2:0] d, input [2:0] e, output [2:0] y, output z);\n" +
		"reg [2:0] p = 1, q = " + number() + ", s = " + number() + ", h = 2, u = 5;\n" +
		"wire set = d[2] & ~(" + active + ");\n" +
		"always @(posedge clk) p <= " + value() + ";\n" +
		"always @(posedge clk or " + edge + ") if (" + active + ") q <= " + number() + "; else " + pick("", "if (e[0]) ") + "q <= " + value() + ";\n" +
		"always @(posedge clk or posedge set) if (set) s <= " + number() + "; else " + pick("", "if (d[0]) ") + "s <= " + value() + ";\n" +
		"always @(posedge clk or " + edge + " or posedge set) if (" + active + ") u <= 0; else if (set) u <= 7; else u <= " + value() + ";\n" +
		"always @* if (e[1]) h = " + pick("d", "e", "d ^ e") + ";\n" +
		"assign y = h ^ " + value() + " ^ " + value() + ";\nassign z = ^(q + s);\nendmodule\n"
}

// TestForcedRegisters: a register that is stuck at a value is, for all that reads it,
// what a simulator's force makes of it, whatever asynchronous resets and latches do.
// Every register bit of random modules is stuck at both values; registers and outputs
// are compared in each step.
func TestForcedRegisters(t *testing.T) {
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("iverilog is not installed")
	}
	designs := uint64(8)
	if testing.Short() {
		designs = 3
	}
	for seed := range designs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 20))
			text := asynchronous(r)
			b := mustLoadText(t, text, Options{})
			if registers(b) != 15 || len(b.d.Seen) == 0 {
				t.Fatalf("%d register bits, %d behind gates\n%s", registers(b), len(b.d.Seen), text)
			}
			compareForced(t, b, text, r, nil)
		})
	}
}

// forced is a mutant: node is always the value, or nothing is forced.
type forced struct {
	bit   string // in the source; "" for none
	node  aig.Node
	value bool
}

// forcings lists the design itself and every register bit stuck at both values.
func forcings(b *builder) []forced {
	all := []forced{{}}
	for i, o := range b.d.Latches {
		if o.Artefact {
			continue
		}
		for _, value := range []bool{false, true} {
			f := forced{strings.TrimPrefix(b.n.Latches[i].Name, b.h.top), b.n.Latches[i].Lit.Node(), value}
			if g, ok := b.d.Seen[i]; ok {
				f.node, f.value = b.n.Gates[g].Node(), value != b.d.Gates[g].Inverted
			}
			all = append(all, f)
		}
	}
	return all
}

// watched lists what is compared: the bits of the source, and their literals.
func watched(b *builder) (bits []string, lits []aig.Lit) {
	for i, o := range b.d.Latches {
		if o.Artefact {
			continue
		}
		l := b.n.Latches[i].Lit
		if g, ok := b.d.Seen[i]; ok {
			l = b.n.Gates[g].XorSign(b.d.Gates[g].Inverted)
		}
		bits, lits = append(bits, strings.TrimPrefix(b.n.Latches[i].Name, b.h.top)), append(lits, l)
	}
	for _, o := range b.outputs {
		bits, lits = append(bits, strings.TrimPrefix(o.Name, b.h.top)), append(lits, o.Lit)
	}
	return bits, lits
}

// compareForced runs all mutants in iverilog, an instance each, and as netlists. The
// clock ticks once a step; where the design has several, clocked says which inputs are
// clocks (true) or asynchronous controls (false).
func compareForced(t *testing.T, b *builder, text string, r *rand.Rand, clocked map[string]bool) {
	t.Helper()
	const steps = 60
	mutants := forcings(b)
	if clocked != nil {
		mutants = slices.DeleteFunc(mutants, func(m forced) bool { return strings.HasPrefix(m.bit, ".k_") }) // drivers of clocks
	}
	bits, lits := watched(b)
	dir := t.TempDir()
	var bench strings.Builder
	width := len(b.n.Inputs)
	fmt.Fprintf(&bench, "module tb;\nreg clk = 0;\nreg [%d:0] now;\n", width-1)
	var connect []string
	for name, p := range b.net.Ports {
		switch {
		case p.Direction != "input":
		case name == b.inv.clockName:
			connect = append(connect, fmt.Sprintf(".%s(clk)", name))
		default:
			fmt.Fprintf(&bench, "wire [%d:0] w_%s;\n", len(p.Bits)-1, name)
			connect = append(connect, fmt.Sprintf(".%s(w_%s)", name, name))
			for i := range p.Bits {
				label := b.h.full(name)
				if len(p.Bits) > 1 {
					label = fmt.Sprintf("%s[%d]", label, hdlIndex(i, len(p.Bits), p.Offset, p.Upto))
				}
				fmt.Fprintf(&bench, "assign w_%s[%d] = now[%d];\n", name, i, inputNamed(t, b.n, label))
			}
		}
	}
	var forces, shown []string
	for i, m := range mutants {
		fmt.Fprintf(&bench, "%s dut%d(%s);\n", b.h.top, i, strings.Join(connect, ", "))
		if m.bit != "" {
			value := m.value
			for k, l := range b.n.Latches { // the register's value, not its node's
				if g, ok := b.d.Seen[k]; ok && strings.TrimPrefix(l.Name, b.h.top) == m.bit {
					value = m.value != b.d.Gates[g].Inverted
				}
			}
			forces = append(forces, fmt.Sprintf("force dut%d%s = %d;", i, m.bit, btoi(value)))
		}
		for _, bit := range bits {
			shown = append(shown, fmt.Sprintf("dut%d%s", i, bit))
		}
	}
	stimulus := make([][]bool, steps)
	quiet := make([]byte, width) // no reset is active, so that registers have their initial values
	for i := range quiet {
		quiet[width-1-i] = "01"[btoi(b.n.Inputs[i].Name == "top.rst" && strings.Contains(text, "negedge rst"))]
	}
	var initial []string // some registers, no latches, have changed at edges from x
	for i := range mutants {
		for _, l := range b.n.Latches {
			if bit := strings.TrimPrefix(l.Name, b.h.top); slices.Contains(bits, bit) && !strings.HasPrefix(bit, ".h[") && bit != ".k_on" {
				initial = append(initial, fmt.Sprintf("dut%d%s = %d;", i, bit, btoi(l.Reset == aig.True)))
			}
		}
	}
	set := strings.Join(initial, "\n")
	fmt.Fprintf(&bench, "initial begin\nnow = %d'b%s; #1 %s\n#1 %s\n#1 %s\n", width, quiet, set, set, strings.Join(forces, "\n"))
	digits := func(in []bool) string {
		text := make([]byte, width)
		for i := range width {
			text[width-1-i] = "01"[btoi(in[i])]
		}
		return string(text)
	}
	last := make([]bool, width)
	for i := range last {
		last[i] = quiet[width-1-i] == '1'
	}
	for k := range stimulus {
		in := make([]bool, width)
		ticks := k > 0 && r.IntN(4) > 0 // clocks change, or asynchronous controls do
		controls := slices.Clone(last)  // these come before the data
		for i, input := range b.n.Inputs {
			in[i] = r.IntN(3) == 0
			switch clock, known := clocked[input.Name]; {
			case known && clock && (!ticks || r.IntN(2) == 0), known && !clock && (ticks || k == 0):
				in[i] = last[i]
			case known && clock:
				in[i] = !last[i]
			}
			if known := slices.Contains(slices.Collect(maps.Keys(clocked)), input.Name); known {
				controls[i] = in[i]
			}
		}
		stimulus[k], last = in, in
		if clocked == nil {
			fmt.Fprintf(&bench, "now = %d'b%s; #4 $display(\"%%b\", {%s}); #1 clk = 1; #5 clk = 0;\n", width, digits(in), strings.Join(shown, ","))
		} else {
			fmt.Fprintf(&bench, "now = %d'b%s; #5 now = %d'b%s; #5 $display(\"%%b\", {%s});\n", width, digits(controls), width, digits(in), strings.Join(shown, ","))
		}
	}
	bench.WriteString("$finish;\nend\nendmodule\n")
	source, tb := filepath.Join(dir, "t.v"), filepath.Join(dir, "tb.v")
	for name, content := range map[string]string{source: text, tb: bench.String()} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("iverilog", "-g2012", "-s", "tb", "-o", dir+"/t.vvp", source, tb).CombinedOutput(); err != nil {
		t.Fatalf("iverilog: %v\n%s\n%s", err, out, text)
	}
	out, err := exec.Command("vvp", "-n", dir+"/t.vvp").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(out))
	if len(lines) != steps || len(lines[0]) != len(shown) {
		t.Fatalf("iverilog printed %d lines, the first of %d bits for %d", len(lines), len(lines[0]), len(shown))
	}
	for i, m := range mutants {
		s := start(b.n, func() bool { return false })
		for k, in := range stimulus {
			s.evalForced(in, m)
			for j, l := range lits {
				want := lines[k][i*len(bits)+j]
				if (want == '1') != s.value(l) || want != '0' && want != '1' {
					t.Fatalf("step %d, %s stuck: %s is %v, in iverilog %c\n%s", k, m.bit, bits[j], s.value(l), want, text)
				}
			}
			s.step()
		}
	}
}

// evalForced computes a step in which a node has a value whatever drives it.
func (s *state) evalForced(inputs []bool, m forced) {
	s.eval(inputs)
	if m.bit == "" {
		return
	}
	for i := range s.values {
		if node := aig.Node(i); node == m.node {
			s.values[i] = m.value
		} else if s.n.Graph.Kind(node) == aig.KindAnd {
			a, b := s.n.Graph.Fanins(node)
			s.values[i] = s.value(a) && s.value(b)
		}
	}
}
