package verilog

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"netcov/cert"
	"netcov/coverage"
	"netcov/mutant"
)

// Small modules in which «r» is what is read of a register r. A register that holds its
// value reads itself, so that stands in words, too.
var seenDesigns = map[string]string{
	"decade": `module decade(input clk, input en);
reg [3:0] count = 0;
always @(posedge clk) count <= en ? («count» == 9 ? 4'd0 : «count» + 4'd1) : «count»;
always @(*) assert(«count» <= 9);
endmodule`,
	"copies": `module copies(input clk, input d, input e);
reg [1:0] a = 0, b = 0;
reg idle = 0;
always @(posedge clk) begin
  a <= {«a»[0], d}; b <= {«b»[0], d}; idle <= e | «idle»;
end
always @(*) assert(«a» == «b»);
endmodule`,
	"pointers": `module pointers(input clk, input push, input pop);
reg [1:0] head = 0, tail = 0;
reg [2:0] size = 0;
wire in = push & («size» != 4), out = pop & («size» != 0);
always @(posedge clk) begin
  head <= «head» + {1'b0, in}; tail <= «tail» + {1'b0, out};
  size <= «size» + {2'b0, in} - {2'b0, out};
end
always @(*) assert((«head» - «tail») == «size»[1:0]);
endmodule`,
	"lamp": `module lamp(input clk, input go);
reg [1:0] colour = 0;
reg was = 0;
always @(posedge clk) begin
  was <= go;
  colour <= go & ~«was» ? («colour» == 2 ? 2'd0 : «colour» + 2'd1) : «colour»;
end
always @(*) assert(«colour» != 3);
endmodule`,
}

var (
	seen     = regexp.MustCompile(`«(\w+)»`)
	declared = regexp.MustCompile(`(?m)^reg (\[\d+:0\] )?(.*);$`)
)

// masked is the text with a mask for each register: what is read is the value XOR the
// mask.
func masked(text string) string {
	text = declared.ReplaceAllStringFunc(text, func(line string) string {
		m := declared.FindStringSubmatch(line)
		for _, r := range strings.Split(m[2], ", ") {
			name, _, _ := strings.Cut(r, " ")
			line += fmt.Sprintf(" reg %sm_%s = 0; wire %ss_%s = %s ^ m_%s;", m[1], name, m[1], name, name, name)
		}
		return line
	})
	return seen.ReplaceAllString(text, "s_$1")
}

// TestInvertedInIverilog compares the verdicts on registers of which everybody reads the
// complement with a simulation of the source in which that is so: the trace of a covered
// one makes the assertion fail there, and only with the fault; no random run does on one
// that is not covered.
func TestInvertedInIverilog(t *testing.T) {
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("iverilog is not installed")
	}
	verdicts := map[mutant.Verdict]int{}
	for name, text := range seenDesigns {
		b := mustLoadText(t, seen.ReplaceAllString(text, "$1"), Options{})
		res, err := coverage.Run(context.Background(), b.n.ToAIGER(), b.n, 0, coverage.Options{Faults: []mutant.Fault{mutant.Inverted}})
		if err != nil || res.Proof.Status != cert.Holds {
			t.Fatalf("%s: %v, %v", name, res, err)
		}
		f := newForcing(t, b, []byte(masked(text)), name, 0)
		r := rand.New(rand.NewPCG(20, 14))
		for _, m := range res.Mutants {
			register := f.register(m.Target.Index)
			inject := strings.Replace(register, "dut.", "dut.m_", 1) + " = 1;"
			verdicts[m.Verdict]++
			switch m.Verdict {
			case mutant.Covered:
				if out := f.run(t, m.Evidence.Trace, inject); !f.failed(out) {
					t.Errorf("%s: the assertion does not fail in iverilog: %s", register, out)
				}
				if out := f.run(t, m.Evidence.Trace, ""); f.failed(out) {
					t.Errorf("%s: the assertion fails in iverilog without the fault: %s", register, out)
				}
			case mutant.NotCovered:
				random := &cert.Trace{Latches: make([]bool, len(b.n.Latches))}
				for range 200 {
					in := make([]bool, len(b.n.Inputs))
					for i := range in {
						in[i] = r.IntN(2) == 1
					}
					random.Inputs = append(random.Inputs, in)
				}
				if out := f.run(t, random, inject); f.failed(out) {
					t.Errorf("%s is not covered, and the assertion fails in iverilog: %s", register, out)
				}
			default:
				t.Errorf("%s is undecided", register)
			}
		}
	}
	if verdicts[mutant.Covered] < 8 || verdicts[mutant.NotCovered] < 3 {
		t.Errorf("only %v", verdicts)
	}
	t.Log(verdicts)
}
