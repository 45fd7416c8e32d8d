package vhdl

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"netcov/aig"
	"netcov/frontend/design"
	"netcov/frontend/verilog"
)

const counter = `library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity counter is
  generic (LIMIT : natural := 9);
  port (clk, rst, en : in std_logic; count : out unsigned(3 downto 0); odd : out std_logic);
end entity;

architecture rtl of counter is
  signal c : unsigned(3 downto 0) := "0010";
  signal flip : std_logic := '1';
begin
  process (clk, rst) begin
    if rst = '1' then
      c <= (others => '0');
    elsif rising_edge(clk) then
      if en = '1' then
        if c = LIMIT then c <= (others => '0'); else c <= c + 1; end if;
      end if;
    end if;
  end process;
  process (clk) begin
    if rising_edge(clk) then flip <= not flip; end if;
  end process;
  count <= c;
  odd <= c(0) xor flip;
  -- psl default clock is rising_edge(clk);
  -- psl a_limit : assert always c <= LIMIT;
  -- psl a_wrap : assert always (c = LIMIT and en = '1' and rst = '0') -> next (c = 0);
  -- psl assume always en = '1' or rst = '0';
  -- psl c_limit : cover {c = LIMIT};
end architecture;
`

// read loads sources, which are called a.vhd, b.vhd and so on.
func read(t *testing.T, o verilog.Options, sources ...string) (*design.Design, error) {
	t.Helper()
	for _, program := range []string{"ghdl", "yosys"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	dir := t.TempDir()
	var files []string
	for i, text := range sources {
		files = append(files, filepath.Join(dir, string(rune('a'+i))+".vhd"))
		if err := os.WriteFile(files[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Load(t.Context(), files, o)
}

// TestCounter: names, places, initial values; the registers of PSL's automata are
// helpers.
func TestCounter(t *testing.T) {
	d, err := read(t, verilog.Options{}, counter)
	if err != nil {
		t.Fatal(err)
	}
	var registers []string
	for i, o := range d.Latches {
		if !o.Artefact {
			registers = append(registers, fmt.Sprintf("%s:%d=%d", d.Netlist.Latches[i].Name, o.Line, d.Netlist.Latches[i].Reset))
		}
	}
	if got := strings.Join(registers, " "); got != "counter.c[0]:11=0 counter.c[1]:11=1 counter.c[2]:11=0 counter.c[3]:11=0 counter.flip:12=1" {
		t.Error(got)
	}
	var properties []string
	for i, p := range d.Netlist.Properties() {
		properties = append(properties, fmt.Sprintf("%s:%d", p.Name, d.Properties[i].Line))
	}
	if got := strings.Join(properties, " "); got != "counter.a_limit:29 counter.a_wrap:30" || len(d.Netlist.Constraints) != 1 || d.Format != "vhdl" {
		t.Errorf("%s, %d constraints, %s", got, len(d.Netlist.Constraints), d.Format)
	}
	d, err = read(t, verilog.Options{Covers: true, Params: []string{"LIMIT=3"}}, counter)
	if err != nil || len(d.Netlist.Bads) != 1 || d.Netlist.Bads[0].Name != "counter.c_limit" {
		t.Errorf("covers: %v", err)
	}
}

// TestAnyConstant: a signal with the attribute anyconst keeps one value for ever, any one;
// with anyseq it has any in each step; allconst is refused by name.
func TestAnyConstant(t *testing.T) {
	const source = `library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity e is port (clk : in std_logic; d : in unsigned(2 downto 0); y : out unsigned(2 downto 0)); end entity;
architecture rtl of e is
  signal pick : unsigned(2 downto 0);
  signal r : unsigned(2 downto 0) := "000";
  attribute anyconst : boolean;
  attribute anyconst of pick : signal is true;
begin
  process (clk) begin if rising_edge(clk) then
    if d = pick then r <= pick; end if;
  end if; end process;
  y <= r;
  a_low : assert r = 0 or r = pick;
end architecture;
`
	for kind, want := range map[string][2]int{"anyconst": {3, 3}, "anyseq": {6, 0}} { // inputs, helpers
		d, err := read(t, verilog.Options{}, strings.ReplaceAll(source, "anyconst", kind))
		if err != nil {
			t.Fatal(err)
		}
		helpers, registers := 0, 0
		for i, o := range d.Latches {
			if !o.Artefact {
				registers++
			} else if helpers++; d.Netlist.Latches[i].Next != d.Netlist.Latches[i].Lit {
				t.Errorf("%s: a constant that changes", kind)
			}
		}
		if got := [2]int{len(d.Netlist.Inputs), helpers}; got != want || registers != 3 || len(d.Netlist.Bads) != 1 {
			t.Errorf("%s: %d inputs and helpers, %d registers, %d properties", kind, got, registers, len(d.Netlist.Bads))
		}
	}
	if _, err := read(t, verilog.Options{}, strings.ReplaceAll(source, "anyconst", "allconst")); err == nil || !strings.Contains(err.Error(), "quantified variable (allconst)") {
		t.Error(err)
	}
}

// TestAgainstSimulation compares the outputs with ghdl's own simulation, step by step.
func TestAgainstSimulation(t *testing.T) {
	d, err := read(t, verilog.Options{}, counter)
	if err != nil {
		t.Fatal(err)
	}
	const steps = 200
	r := rand.New(rand.NewPCG(1, 2))
	var stimulus [][2]bool // rst, en
	var bench strings.Builder
	for range steps {
		in := [2]bool{r.IntN(8) == 0, r.IntN(3) > 0}
		stimulus = append(stimulus, in)
		digit := map[bool]string{false: "'0'", true: "'1'"}
		fmt.Fprintf(&bench, "    rst <= %s; en <= %s; wait for 4 ns; report \"=\" & integer'image(to_integer(count)) & std_logic'image(odd); clk <= '1'; wait for 5 ns; clk <= '0';\n", digit[in[0]], digit[in[1]])
	}
	text := "library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\nentity tb is end entity;\narchitecture sim of tb is\n  signal clk, rst, en, odd : std_logic := '0';\n  signal count : unsigned(3 downto 0);\nbegin\n" +
		"  dut : entity work.counter port map (clk, rst, en, count, odd);\n  process begin\n" + bench.String() + "    wait;\n  end process;\nend architecture;\n"
	dir := t.TempDir()
	for name, content := range map[string]string{"c.vhd": counter, "tb.vhd": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out []byte
	for _, args := range [][]string{{"-a", "--std=08", "c.vhd", "tb.vhd"}, {"--elab-run", "--std=08", "tb", "--psl-report=/dev/null"}} {
		cmd := exec.Command("ghdl", args...)
		cmd.Dir = dir
		if out, err = cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	var want []string
	for line := range strings.Lines(string(out)) {
		if _, value, ok := strings.Cut(strings.TrimSpace(line), ": ="); ok {
			want = append(want, value)
		}
	}
	if len(want) != steps {
		t.Fatalf("ghdl printed %d values\n%.500s", len(want), out)
	}
	n := d.Netlist
	value := make([]bool, n.Graph.Size())
	edge := func(l aig.Lit) bool { return value[l.Node()] != l.Neg() }
	for _, l := range n.Latches {
		value[l.Lit.Node()] = l.Reset == aig.True
	}
	for k, in := range stimulus {
		for _, x := range n.Inputs {
			value[x.Lit.Node()] = in[map[string]int{"counter.rst": 0, "counter.en": 1}[x.Name]]
		}
		for i := range value {
			if node := aig.Node(i); n.Graph.Kind(node) == aig.KindAnd {
				a, b := n.Graph.Fanins(node)
				value[i] = edge(a) && edge(b)
			}
		}
		count, odd := 0, false
		for _, o := range n.Outputs {
			var bit int
			if _, err := fmt.Sscanf(o.Name, "counter.count[%d]", &bit); err == nil && edge(o.Lit) {
				count |= 1 << bit
			} else if o.Name == "counter.odd" {
				odd = edge(o.Lit)
			}
		}
		if got := fmt.Sprintf("%d'%d'", count, map[bool]int{true: 1}[odd]); got != want[k] {
			t.Fatalf("step %d: %s, in ghdl %s", k, got, want[k])
		}
		next := make([]bool, len(n.Latches))
		for i, l := range n.Latches {
			next[i] = edge(l.Next)
		}
		for i, l := range n.Latches {
			value[l.Lit.Node()] = next[i]
		}
	}
}

// TestRefusals: places are those of the user's files.
func TestRefusals(t *testing.T) {
	lost := `library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity e is port (clk : in std_logic; a, b : in unsigned(1 downto 0); y : out unsigned(1 downto 0)); end entity;
architecture rtl of e is
  type words is array (0 to 3) of unsigned(1 downto 0);
  signal mem : words := (others => "00");
begin
  process (clk) begin if rising_edge(clk) then
    mem(to_integer(a)) <= b;
  end if; end process;
  y <= mem(0);
  assert mem(1) /= "11";
end architecture;
`
	for _, c := range []struct {
		source, top, want string
	}{
		{strings.Replace(counter, "c <= c + 1", "c <= d + 1", 1), "", `a.vhd:19:59: ghdl: no declaration for "d"`},
		{counter, "other", "ghdl"},
		{lost, "", "a.vhd:7: ghdl makes no register of what is assigned at this edge of a clock"},
		{"", "", "design file is empty"},
	} {
		_, err := read(t, verilog.Options{Top: c.top}, c.source)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
}
