package vhdl

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
	"time"

	"netcov/aig"
	"netcov/frontend/design"
	"netcov/frontend/verilog"
	"netcov/netlist"
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

// TestVariables: variables of processes are registers by their names, of one without a
// label too, unless two have the name; what prev and its like remember is a helper's, and a
// register called prev is none.
func TestVariables(t *testing.T) {
	const source = `library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity e is port (clk, d : in std_logic; y, prev : out std_logic; z : out unsigned(1 downto 0)); end entity;
architecture rtl of e is
	signal stable : std_logic := '0';
begin
  named: process (clk)
    variable Mine : std_logic := '1';
  begin
    if rising_edge(clk) then y <= mine; mine := d; end if;
  end process;
  process (clk)
		variable	count	: unsigned(1 downto 0) := "01";
		variable	twice	: std_logic := '0';
  begin
    if rising_edge(clk) then if twice = '1' then count := count + 1; end if; z <= count; twice := twice xor d; end if;
  end process;
  process (clk)
    variable twice : std_logic := '0';
  begin
    if rising_edge(clk) then stable <= twice; prev <= stable; twice := twice xor not d; end if;
  end process;
  default clock is rising_edge(clk);
  a: assert always (z /= 3 or		PREV(d) = '1' or rose(d) or fell(d) or stable(z) or d = prev(d, 2));
end architecture;
`
	d, err := read(t, verilog.Options{}, source)
	if err != nil {
		t.Fatal(err)
	}
	var registers []string
	helpers := 0
	for i, o := range d.Latches {
		if o.Artefact {
			helpers++
			continue
		}
		registers = append(registers, fmt.Sprintf("%s:%d", d.Netlist.Latches[i].Name, o.Line))
	}
	slices.Sort(registers)
	want := "e.count[0]:12 e.count[1]:12 e.n_twice:13 e.n_twice:18 e.named_mine:7 e.prev:20 e.stable:4 e.y:9 e.z[0]:15 e.z[1]:15"
	if got := regexp.MustCompile(`n\d+_twice`).ReplaceAllString(strings.Join(registers, " "), "n_twice"); got != want || helpers < 6 {
		t.Errorf("%s, %d helpers", got, helpers)
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

// TestNamesOfOutputs: a register that is an output has the output's name and the line of its
// process, and a case of all choices makes no latch.
func TestNamesOfOutputs(t *testing.T) {
	d, err := read(t, verilog.Options{}, `library ieee; use ieee.std_logic_1164.all;
entity e is port (clk : in std_logic; op : in std_logic_vector(1 downto 0); a, b : in std_logic_vector(2 downto 0); y : out std_logic_vector(2 downto 0)); end entity;
architecture rtl of e is
begin
  process (clk) begin
    if rising_edge(clk) then
      case op is
        when "00" => y <= a;
        when "01" => y <= b;
        when "10" => y <= a and b;
        when "11" => y <= a xor b;
        when others => null;
      end case;
    end if;
  end process;
  a_low : assert y /= "111";
end architecture;
`)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range d.Latches {
		if want := fmt.Sprintf("e.y[%d]", i); d.Netlist.Latches[i].Name != want || o.Line < 5 || o.Line > 6 {
			t.Errorf("%s of line %d; want %s", d.Netlist.Latches[i].Name, o.Line, want)
		}
	}
	if len(d.Latches) != 3 {
		t.Errorf("%d latches", len(d.Latches))
	}
}

// TestAgainstSimulation compares the outputs with ghdl's own simulation, step by step.
func TestAgainstSimulation(t *testing.T) {
	d, err := read(t, verilog.Options{}, counter)
	if err != nil {
		t.Fatal(err)
	}
	const steps = 200
	stimulus, bench := random(steps, []string{"rst", "en"}, "report \"=\" & integer'image(to_integer(count)) & std_logic'image(odd);")
	var want []string
	for line := range strings.Lines(simulate(t, counter, "counter", "signal rst, en, odd : std_logic := '0'; signal count : unsigned(3 downto 0);", "clk, rst, en, count, odd", bench)) {
		if _, value, ok := strings.Cut(strings.TrimSpace(line), ": ="); ok {
			want = append(want, value)
		}
	}
	if len(want) != steps {
		t.Fatalf("ghdl printed %d values", len(want))
	}
	n := d.Netlist
	follow(n, stimulus, func(k int, value func(aig.Lit) bool) {
		count, odd := 0, false
		for _, o := range n.Outputs {
			var bit int
			if _, err := fmt.Sscanf(o.Name, "counter.count[%d]", &bit); err == nil && value(o.Lit) {
				count |= 1 << bit
			} else if o.Name == "counter.odd" {
				odd = value(o.Lit)
			}
		}
		if got := fmt.Sprintf("%d'%d'", count, map[bool]int{true: 1}[odd]); got != want[k] {
			t.Fatalf("step %d: %s, in ghdl %s", k, got, want[k])
		}
	})
}

// checked is a counter with properties that fail now and then.
const checked = `library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
entity checked is port (clk, rst, en : in std_logic; count : out unsigned(2 downto 0)); end entity;
architecture rtl of checked is
  signal r : unsigned(2 downto 0) := "010";
begin
  process (clk, rst) begin
    if rst = '1' then r <= "001"; elsif rising_edge(clk) then if en = '1' then r <= r + 1; end if; end if;
  end process;
  count <= r;
  -- psl default clock is rising_edge(clk);
  -- psl a_low : assert always r <= 5;
  -- psl a_next : assert always (r = 3) -> next (r = 4);
  -- psl a_seq : assert always {r = 1; r = 2} |=> {r = 3};
  -- psl a_later : assert always (r = 4) -> next[2] (en = '1');
  -- psl a_never : assert never {r = 6; r = 7; r = 7};
  -- psl a_from : assert always (r = 7) -> (en = '1' until r = 2);
end architecture;
`

// TestFailuresAgainstSimulation compares the steps in which assertions fail with ghdl's own
// simulation.
func TestFailuresAgainstSimulation(t *testing.T) {
	d, err := read(t, verilog.Options{}, checked)
	if err != nil {
		t.Fatal(err)
	}
	const steps = 400
	stimulus, bench := random(steps, []string{"rst", "en"}, "")
	want := map[string]bool{}
	failure := regexp.MustCompile(`(?m)^c\.vhd:(\d+):\d+:@(\d+)ns:\(psl assertion error\)`)
	for _, m := range failure.FindAllStringSubmatch(simulate(t, checked, "checked", "signal rst, en : std_logic := '0'; signal count : unsigned(2 downto 0);", "clk, rst, en, count", bench), -1) {
		at, _ := strconv.Atoi(m[2])
		want[fmt.Sprintf("line %s step %d", m[1], at/9)] = true
	}
	n := d.Netlist
	got := map[string]bool{}
	failing := map[string]bool{}
	follow(n, stimulus, func(k int, value func(aig.Lit) bool) {
		for i, p := range n.Bads {
			if value(p.Lit) {
				got[fmt.Sprintf("line %d step %d", d.Properties[i].Line, k)] = true
				failing[p.Name] = true
			}
		}
	})
	for _, kind := range []struct {
		what        string
		have, other map[string]bool
	}{{"the netlist alone", got, want}, {"ghdl alone", want, got}} {
		for at := range kind.have {
			if !kind.other[at] {
				t.Errorf("%s fails at %s", kind.what, at)
			}
		}
	}
	if len(failing) != 6 {
		t.Errorf("%d of 6 properties fail somewhere", len(failing))
	}
}

// random makes values for inputs, and the bench that applies them: a step begins every 9
// ns, and its edge of the clock is at 4 ns.
func random(steps int, names []string, report string) (stimulus []map[string]bool, bench string) {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range steps {
		in := map[string]bool{}
		for _, name := range names {
			in["."+name] = r.IntN(8) > 2
			if name == "rst" {
				in["."+name] = r.IntN(8) == 0
			}
			fmt.Fprintf(&b, "%s <= %s; ", name, map[bool]string{false: "'0'", true: "'1'"}[in["."+name]])
		}
		stimulus = append(stimulus, in)
		fmt.Fprintf(&b, "wait for 4 ns; %s clk <= '1'; wait for 5 ns; clk <= '0';\n", report)
	}
	return stimulus, b.String()
}

// simulate returns what ghdl's simulation prints.
func simulate(t *testing.T, source, entity, signals, ports, bench string) string {
	t.Helper()
	text := "library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\nentity tb is end entity;\narchitecture sim of tb is\n  signal clk : std_logic := '0'; " + signals + "\nbegin\n" +
		"  dut : entity work." + entity + " port map (" + ports + ");\n  process begin\n" + bench + "    wait;\n  end process;\nend architecture;\n"
	dir := t.TempDir()
	for name, content := range map[string]string{"c.vhd": source, "tb.vhd": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out []byte
	for _, args := range [][]string{{"-a", "--std=08", "-fpsl", "c.vhd", "tb.vhd"}, {"--elab-run", "--std=08", "-fpsl", "tb", "--psl-report=/dev/null"}} {
		cmd := exec.Command("ghdl", args...)
		cmd.Dir = dir
		var err error
		if out, err = cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return string(out)
}

// follow runs a netlist, and shows the value of each literal in each step.
func follow(n *netlist.Netlist, stimulus []map[string]bool, show func(k int, value func(aig.Lit) bool)) {
	values := make([]bool, n.Graph.Size())
	value := func(l aig.Lit) bool { return values[l.Node()] != l.Neg() }
	for _, l := range n.Latches {
		values[l.Lit.Node()] = l.Reset == aig.True
	}
	for k, in := range stimulus {
		for _, x := range n.Inputs {
			values[x.Lit.Node()] = in[x.Name[strings.LastIndexByte(x.Name, '.'):]]
		}
		for i := range values {
			if node := aig.Node(i); n.Graph.Kind(node) == aig.KindAnd {
				a, b := n.Graph.Fanins(node)
				values[i] = value(a) && value(b)
			}
		}
		show(k, value)
		next := make([]bool, len(n.Latches))
		for i, l := range n.Latches {
			next[i] = value(l.Next)
		}
		for i, l := range n.Latches {
			values[l.Lit.Node()] = next[i]
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

// TestEndless: an entity that instantiates itself without end is ended at the limit of
// time, an array too large at that of memory.
func TestEndless(t *testing.T) {
	const itself = "library ieee; use ieee.std_logic_1164.all;\nentity r is generic (N : natural := 0); port (clk, a : in std_logic; q : out std_logic); end entity;\n" +
		"architecture x of r is\n  signal s : std_logic := '0';\nbegin\n  process (clk) begin if rising_edge(clk) then s <= a; end if; end process;\n" +
		"  u : entity work.r generic map (N => N + 1) port map (clk, s, q);\nend architecture;\n"
	const large = "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;\nentity r is port (clk : in std_logic; a : in unsigned(29 downto 0); q : out std_logic); end entity;\n" +
		"architecture x of r is\n  type t is array (0 to 2**30-1) of std_logic;\n  signal s : t := (others => '0');\nbegin\n" +
		"  process (clk) begin if rising_edge(clk) then s(to_integer(a)) <= '1'; q <= s(to_integer(a)); end if; end process;\nend architecture;\n"
	for text, want := range map[string]string{itself: "ghdl did not finish in 10s; ", large: "ghdl needs more than 200 MiB of memory; "} {
		o := verilog.Options{Top: "r", Time: 10 * time.Second, Memory: 200 << 20}
		if text == large {
			o.Time = 5 * time.Minute
		}
		_, err := read(t, o, text)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
