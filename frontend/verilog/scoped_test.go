package verilog

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestScopedLabels: the names of assertions in random generate blocks, below instances
// and in bound modules are those that iverilog's %m gives, and each name is that of its
// own copy: assertion number k fails where v is k, and only there.
func TestScopedLabels(t *testing.T) {
	t.Parallel()
	needYosys(t)
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("iverilog is not installed")
	}
	frontends, seeds := []string{FrontendYosys}, uint64(3)
	if slangIn(t.Context(), findYosys()) != withoutSlang {
		frontends, seeds = append(frontends, FrontendSlang), 1
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 5))
		g := &blocks{Rand: r}
		g.write("module chk(input clk, input [15:0] v);\nlocalparam B = 0;\n")
		g.items(1, nil)
		g.write("endmodule\nmodule sub #(parameter B = 0) (input clk, input [15:0] v);\n")
		g.items(2, nil)
		g.write("@CHK@ endmodule\nmodule top(input clk, input [15:0] v);\nlocalparam B = 0;\n")
		g.items(3, nil)
		g.write("sub #(1) u(clk, v);\nendmodule\n")
		const checker = "chk ck(.v(v), .clk(clk));"
		want := simulatedNames(t, strings.Replace(g.String(), "@CHK@", checker, 1))
		text := strings.Replace(g.String(), "@CHK@", "", 1) + "bind sub " + checker + "\n"
		for _, frontend := range frontends {
			b := mustLoadText(t, text, Options{Top: "top", Frontend: frontend})
			if len(b.n.Bads) != len(want) {
				t.Errorf("%s: %d assertions, want %d\n%s", frontend, len(b.n.Bads), len(want), text)
			}
			for number := range valuesOf(want) {
				s := start(b.n, func() bool { return false })
				in := make([]bool, len(b.n.Inputs))
				for bit := range 16 {
					in[inputNamed(t, b.n, fmt.Sprintf("top.v[%d]", bit))] = number>>bit&1 == 1
				}
				s.eval(in)
				for i, p := range b.d.Properties {
					k, ok := want[p.Register]
					if fails := s.value(b.n.Bads[i].Lit); !ok || fails != (k == number) {
						t.Fatalf("%s: with v = %d, %s fails: %v, number %d (%v)\n%s", frontend, number, p.Register, fails, k, ok, text)
					}
				}
			}
		}
	}
}

func valuesOf(m map[string]int) map[int]bool {
	values := map[int]bool{}
	for _, v := range m {
		values[v] = true
	}
	return values
}

// simulatedNames returns the assertions by the name that iverilog gives their place.
func simulatedNames(t *testing.T, text string) map[string]int {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "t.v")
	text = assertionLine.ReplaceAllString(text, `initial $$display("%m.$1 %0d", $2);`)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("iverilog", "-g2012", "-s", "top", "-o", dir+"/t", path).CombinedOutput(); err != nil {
		t.Fatalf("%s%s", out, text)
	}
	out, err := exec.Command(dir + "/t").Output()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]int{}
	for line := range strings.Lines(string(out)) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		names[name], _ = strconv.Atoi(number)
	}
	return names
}

var assertionLine = regexp.MustCompile(`(a\d): assert property \(@\(posedge clk\) .*v != (.*)\);`)

// TestScopedKinds: all kinds of properties, and blocks without a name, which have the
// numbers that the standard gives them.
func TestScopedKinds(t *testing.T) {
	t.Parallel()
	needYosys(t)
	const text = `module top(input clk, input rst, input [1:0] x);
for (genvar k = 1; k >= 0; k = k - 1) begin : c
  a: assert property (@(posedge clk) disable iff (x[k]) 1'b0);
  l: assert property (@(posedge clk) s_eventually x[k]);
  f: assume property (@(posedge clk) s_eventually x[k]);
  m: assume property (@(posedge clk) x[k] |=> x[0]);
  v: cover property (@(posedge clk) disable iff (rst) x[k] ##1 x[0]);
  if (k) begin : one o: assert property (@(posedge clk) x[k]); end else e: assert property (@(posedge clk) x[k]);
  for (genvar j = 0; j < 1; j = j + 1) begin o: assert property (@(posedge clk) x[k] |-> x[j]); end
end
o: assert property (@(posedge clk) x[0]);
endmodule
`
	frontend := FrontendYosys
	if slangIn(t.Context(), findYosys()) != withoutSlang {
		frontend = FrontendSlang
	}
	b := mustLoadText(t, text, Options{Frontend: frontend})
	var names []string
	for _, p := range b.d.Properties {
		names = append(names, p.Register)
	}
	const want = "top.c[0].a top.c[1].a top.c[0].genblk1.e top.c[1].one.o top.c[0].genblk2[0].o top.c[1].genblk2[0].o top.o top.c[0].l top.c[1].l"
	if got := strings.Join(names, " "); got != want || len(b.n.Justice) != 2 || len(b.n.Constraints) != 4 || len(b.n.Fairness) != 2 {
		t.Errorf("got  %s\nwant %s\n%d justice, %d constraints, %d fairness", got, want, len(b.n.Justice), len(b.n.Constraints), len(b.n.Fairness))
	}
	covers := mustLoadText(t, text, Options{Frontend: frontend, Covers: true})
	names = nil
	for _, p := range covers.d.Properties {
		names = append(names, p.Register)
	}
	const reached = "top.c[0].v top.c[1].v top.c[0].genblk2[0].o__antecedent top.c[1].genblk2[0].o__antecedent"
	if got := strings.Join(names, " "); got != reached {
		t.Errorf("got  %s\nwant %s", got, reached)
	}
}

// TestScopedInterfaces: a property of an interface has the name of the interface's
// instance; yosys' own parser does not connect it, and is refused.
func TestScopedInterfaces(t *testing.T) {
	t.Parallel()
	needYosys(t)
	const text = `interface bus(input clk); logic v;
  w: assert property (@(posedge clk) v);
endinterface
module top(input clk, input a, input b);
  bus x(clk); bus y(clk);
  assign x.v = a; assign y.v = b;
endmodule
`
	if slangIn(t.Context(), findYosys()) == withoutSlang {
		if _, err := loadText(t, text, Options{}); err == nil || !strings.Contains(err.Error(), "t.v:2: interface bus has logic or properties of its own") {
			t.Error(err)
		}
		return
	}
	got := mustLoadText(t, text, Options{Frontend: FrontendSlang}).d.Properties
	if len(got) != 2 || got[0].Register != "top.x.w" || got[1].Register != "top.y.w" {
		t.Errorf("%v", got)
	}
}

// blocks writes random generate blocks.
type blocks struct {
	*rand.Rand
	strings.Builder
	assertions, names int
}

func (g *blocks) write(format string, args ...any) { fmt.Fprintf(&g.Builder, format, args...) }

func (g *blocks) items(depth int, vars []string) {
	for i := range 1 + g.IntN(3) {
		number := fmt.Sprintf("%d + 100 * B", 200*g.assertions+7)
		for k, v := range vars {
			number += fmt.Sprintf(" + %s * %d", v, []int{1, 4, 16}[k])
		}
		disable := []string{"", "disable iff (v == 0) "}[g.IntN(2)]
		g.write("a%d: assert property (@(posedge clk) %sv != %s);\n", i, disable, number)
		g.assertions++
		if depth == 0 {
			continue
		}
		g.names++
		name := fmt.Sprintf(" : b%d", g.names) // iverilog has its own numbers for blocks without a name
		v := fmt.Sprintf("i%d", g.names)
		switch g.IntN(5) {
		case 0:
			g.write("for (genvar %s = 0; %s < %d; %s = %s + 1) begin%s\n", v, v, 1+g.IntN(3), v, v, name)
			g.items(depth-1, append(slices.Clip(vars), v))
			g.write("end\n")
		case 1:
			g.write("for (genvar %s = 2; %s >= %d; %s = %s - 1) begin%s\n", v, v, g.IntN(3), v, v, name)
			g.items(depth-1, append(slices.Clip(vars), v))
			g.write("end\n")
		case 2:
			g.write("if (%d) begin%s\n", g.IntN(2), name)
			g.items(depth-1, vars)
			g.write("end else begin : other%d\n", g.names)
			g.items(depth-1, vars)
			g.write("end\n")
		case 3:
			g.write("case (%d) 0, 1: begin%s\n", g.IntN(3), name)
			g.items(depth-1, vars)
			g.write("end\ndefault: begin : other%d\n", g.names)
			g.items(depth-1, vars)
			g.write("end endcase\n")
		}
	}
}
