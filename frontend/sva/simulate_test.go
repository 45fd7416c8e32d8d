package sva

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	immediate = regexp.MustCompile(`always @\([^)]*\) (if \(!\([^;]*?\)\) )?\w+: (assert|cover) [^;]*;`)
	endWire   = regexp.MustCompile(`(\w+): (assert|cover) \(!?(\w+)\)`)
)

// outcomes simulates the checkers of a module with signals a, b, c, rst in
// iverilog, and returns for each label and tick whether its assertion fails, or its
// cover is reached. With yosys it simulates what yosys reads.
func outcomes(t *testing.T, yosys bool, properties string, letters []int, resets []bool) map[string][]bool {
	t.Helper()
	program, err := exec.LookPath("iverilog")
	if err != nil {
		t.Skip("no iverilog")
	}
	r, err := Lower("p.sv", "module top(input clk, input rst, input a, input b, input c, input [3:0] d);\n"+properties+"\nendmodule\n")
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	var bench strings.Builder
	checkers := immediate.ReplaceAllString(r.Text, "")
	if yosys {
		checkers = throughYosys(t, checkers)
	}
	bench.WriteString(checkers)
	bench.WriteString("module bench; reg clk = 0, rst = 0, a = 0, b = 0, c = 0; reg [3:0] d = 0; top top(clk, rst, a, b, c, d);\n")
	bench.WriteString("task tick; begin #1 $display(\"=\"")
	for _, m := range endWire.FindAllStringSubmatch(r.Text, -1) {
		labels = append(labels, m[1])
		fmt.Fprintf(&bench, ",,\"%%b\", top.%s", m[3])
	}
	bench.WriteString("); #1 clk = 1; #1 clk = 0; end endtask\ninitial begin\n")
	for i, l := range letters {
		rst := 0
		if resets[i] {
			rst = 1
		}
		fmt.Fprintf(&bench, "rst = %d; a = %d; b = %d; c = %d; d = %d; tick;\n", rst, l&1, l>>1&1, l>>2&1, l&15)
	}
	bench.WriteString("$finish; end endmodule\n")
	dir := t.TempDir()
	source := filepath.Join(dir, "bench.sv")
	if err := os.WriteFile(source, []byte(bench.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(program, "-g2012", "-s", "bench", "-o", filepath.Join(dir, "bench"), source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.2000s", err, said)
	}
	said, err := exec.Command("vvp", filepath.Join(dir, "bench")).Output()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]bool{}
	lines := bufio.NewScanner(bytes.NewReader(said))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) != len(labels)+1 {
			continue
		}
		for i, l := range labels {
			got[l] = append(got[l], words[i+1] == "1")
		}
	}
	return got
}

// throughYosys returns a module as yosys reads and writes it.
func throughYosys(t *testing.T, source string) string {
	t.Helper()
	program, err := exec.LookPath("yosys")
	if err != nil {
		t.Skip("no yosys")
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.sv"), filepath.Join(dir, "out.v")
	if err := os.WriteFile(in, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	script := "read_verilog -sv " + in + "; hierarchy -top top; proc; write_verilog -noattr " + out
	if said, err := exec.Command(program, "-q", "-p", script).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.2000s", err, said)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Random properties through iverilog: many traces one after the other, with
// resets between them, against annex F.
func TestSimulate(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes of simulation")
	}
	g := generator{rand.New(rand.NewPCG(1, 16))}
	const count, traces = 400, 12
	var text strings.Builder
	trees := map[string]*tree{}
	for n := 0; len(trees) < count; n++ {
		p := g.property(1 + g.IntN(3))
		a, ok := compile(t, p.write())
		if !ok || a.machine.accept != nil || len(a.machine.next) > 40 {
			continue
		}
		label := fmt.Sprintf("p%d", n)
		trees[label] = p
		fmt.Fprintf(&text, "%s: assert property (@(posedge clk) disable iff (rst) %s);\n", label, p.write())
	}
	var letters []int
	var resets []bool
	var words []lassoWord
	for range traces {
		w := g.word(1+g.IntN(6), 1)
		words = append(words, w)
		letters = append(append(letters, w.prefix...), g.IntN(8))
		resets = append(append(resets, make([]bool, len(w.prefix))...), true)
	}
	got := outcomes(t, false, text.String(), letters, resets)
	fails := 0
	for label, p := range trees {
		at := 0
		for _, w := range words {
			refuted := false
			for tick := range w.prefix {
				want := false
				for from := 0; from <= tick && !want; from++ {
					want = !w.suffix(from).cut(tick-from+1, top).holds(p, false) &&
						(tick == from || w.suffix(from).cut(tick-from, top).holds(p, false))
				}
				if refuted = refuted || want; refuted {
					fails++
				}
				// An attempt that has failed may fail again by another run.
				if is := got[label][at+tick]; want && !is || is && !refuted {
					t.Fatalf("%s on %v, tick %d: fails is %v, want %v", p.write(), w.prefix, tick, is, want)
				}
			}
			at += len(w.prefix)
			if got[label][at] && !resets[at] {
				t.Fatalf("%s fails in reset", label)
			}
			at++
		}
	}
	t.Logf("%d properties, %d failures", len(trees), fails)
	if fails < count {
		t.Error("too few failures were compared")
	}
}
