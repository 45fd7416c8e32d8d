package sby

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/frontend/verilog"
)

// lines joins the texts of lines.
func texts(lines []line) string {
	var out []string
	for _, l := range lines {
		out = append(out, l.text)
	}
	return strings.Join(out, "|")
}

const tagged = `[tasks]
# a comment
fast prove small
slow prove default
cov : cover small
x1 x2 : prove sized
.low: lent
[options]
mode bmc
prove: mode prove
~prove: mode cover
cov:
depth 1
--
~cov:
depth 2
small: skip 3
fast:
append 4
--
sized: timeout 5
lent: wait on
[script]
read -formal a.v
`

// TestTasks: each task has the lines with its marks, and those without.
func TestTasks(t *testing.T) {
	for task, want := range map[string]string{
		"fast": "[options]|mode bmc|mode prove|depth 2|skip 3|append 4|[script]|read -formal a.v",
		"slow": "[options]|mode bmc|mode prove|depth 2|wait on|[script]|read -formal a.v",
		"":     "[options]|mode bmc|mode prove|depth 2|wait on|[script]|read -formal a.v", // slow is the default
		"cov":  "[options]|mode bmc|mode cover|depth 1|[script]|read -formal a.v",         // a mark within a block does not end it
		"x1":   "[options]|mode bmc|mode prove|depth 2|timeout 5|[script]|read -formal a.v",
		"x2":   "[options]|mode bmc|mode prove|depth 2|timeout 5|[script]|read -formal a.v",
	} {
		p := &project{path: "p.sby"}
		lines, err := p.selectTask(tagged, task)
		if err != nil || texts(lines) != want {
			t.Errorf("%q: %s, %v; want %s", task, texts(lines), err, want)
		}
		if i := slices.IndexFunc(lines, func(l line) bool { return l.text == "[script]" }); err == nil && lines[i].no != 23 {
			t.Errorf("%q: [script] in line %d", task, lines[i].no)
		}
	}
}

// TestMatchesSymbiYosys compares the lines of each task with what sby itself writes.
func TestMatchesSymbiYosys(t *testing.T) {
	program, err := exec.LookPath("sby")
	if err != nil {
		t.Skip("sby is not installed")
	}
	path := filepath.Join(t.TempDir(), "p.sby")
	if err := os.WriteFile(path, []byte(tagged), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, task := range []string{"fast", "slow", "cov", "x1", "x2"} {
		out, err := exec.Command(program, "--dumpcfg", path, task).Output()
		if err != nil {
			t.Fatal(err)
		}
		lines, err := (&project{path: "p.sby"}).selectTask(tagged, task)
		if want := strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", "|"); err != nil || texts(lines) != want {
			t.Errorf("%s: %s, %v; sby has %s", task, texts(lines), err, want)
		}
	}
}

// TestRefusals: each section's errors, with their lines.
func TestRefusals(t *testing.T) {
	const options = "[options]\nmode prove\n"
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.v", []byte("module a; endmodule\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, task, want string }{
		{"[tasks]\na\nb\n" + options, "", "p.sby: the project has 2 tasks; name one of them after the file: a, b"},
		{"[tasks]\na\nb\n" + options, "c", `p.sby: the project has no task "c"; it has a, b`},
		{options, "a", `p.sby: the project has no tasks, so "a" is none; name none`},
		{"[tasks]\na : b : c\n" + options, "a", "p.sby:2: a line of [tasks] with two colons"},
		{"[tasks]\na\n(: b\n" + options, "a", `p.sby:3: "(" is no regular expression`},
		{"[tasks]\na\n" + options + "b: depth 3\n", "a", `p.sby:5: "b" is no task and no group`},
		{options + "[tasks]\na\n", "", ""},
		{"mode prove\n", "", `p.sby:1: "mode prove" stands before the first section`},
		{"[optoins]\n", "", "p.sby:1: [optoins] is no section"},
		{"[]\n", "", "p.sby:1: a section without a name"},
		{options + "[options]\n", "", "p.sby:3: the section [options] comes twice"},
		{"[script x]\n", "", "p.sby:1: the section [script] takes no argument"},
		{"[engines a b]\n", "", "p.sby:1: the section [engines] takes one argument"},
		{"[options]\nmode\n", "", `p.sby:2: the option "mode" has no value`},
		{"[options]\nmode think\n", "", `p.sby:2: the mode "think" is not known; it is one of bmc, prove, live, cover, prep`},
		{"[options]\nmulticlock on\n", "", "p.sby: the option mode is missing"},
		{options + "multiclock yes\n", "", `p.sby:3: the option multiclock is "yes"; write on or off`},
		{options + "assume_early no\n", "", `p.sby:3: the option assume_early is "no"; write on or off`},
		{options + "deep 3\n", "", "p.sby:3: deep is no option of SymbiYosys that netcov knows"},
		{options + "smtc a.smtc\n", "", "p.sby:3: the option smtc: constraints in SMT-LIB are not read"},
		{options + "[files]\na b c\n", "", "p.sby:4: 3 words in a line of [files]"},
		{options + "[files]\n../x a.v\n", "", `p.sby:4: "../x" is no name for a file of the project`},
		{options + "[files]\n/x a.v\n", "", `p.sby:4: "/x" is no name for a file of the project`},
		{options + "[files]\na.v\nsub/a.v\n", "", "p.sby:5: two files are called a.v (the other is in line 4)"},
		{options + "[files]\nnone.v\n", "", "p.sby:4: there is no file none.v"},
		{options + "[files]\n$NETCOV_NO_SUCH/x.v\n", "", "p.sby:4: the variable NETCOV_NO_SUCH of the environment is not set"},
		{options + "[file]\n", "", "p.sby:3: the section [file] needs one name"},
		{options + "[file ../x.v]\n", "", `p.sby:3: "../x.v" is no name for a file of the project`},
		{options + "[file a.v]\n[files]\na.v\n", "", "p.sby:5: two files are called a.v"},
		{options + "[script]\n", "", "p.sby: the script reads no file"},
		{options + "[script]\nread -formal b.v\n", "", "p.sby:4: there is no file b.v in the project; list it in [files]"},
		{options + "[script]\nread\n", "", "p.sby:4: read without an argument"},
		{options + "[script]\nread -liberty x.lib\n", "", "p.sby:4: read -liberty is not supported"},
		{options + "[script]\nread -formal -D\n", "", "p.sby:4: read -D without a value"},
		{options + "[script]\nread_verilog -lib a.v\n", "", "p.sby:4: read_verilog -lib is not supported"},
		{options + "[script]\nverific -vhdl a.vhd\n", "", "p.sby:4: verific -vhdl is not supported"},
		{options + "[script]\nverilog_defines -x\n", "", "p.sby:4: verilog_defines -x is not supported"},
		{options + "[script]\nprep -top\n", "", "p.sby:4: prep -top without a value"},
		{options + "[script]\nprep -run a:b\n", "", "p.sby:4: prep -run is not supported"},
		{options + "[script]\nprep -top a\nchparam -set W 4 b\n", "", "p.sby:5: chparam sets a parameter of another module than the top a"},
		{options + "[script]\ncutpoint a/x\n", "", "p.sby:4: the command cutpoint a/x may change the design; netcov does not run it"},
		{options + "[script]\nread_rtlil a.il\n", "", "p.sby:4: the command read_rtlil"},
		{options + "[script]\nchformal -assert -skip 2\n", "", "p.sby:4: the command chformal -assert -skip 2 may change the design"},
		{options + "[script]\nchformal -early -remove\n", "", "p.sby:4: the command chformal -early -remove may change the design"},
		{options + "[script]\nflatten\nchformal -assume -remove top/a\n", "", "p.sby:5: chformal -assume -remove top/a: the front end selects by the names that cells have before that"},
		{options + "[script]\nprep -flatten -top top\nchformal -assume -remove top/a\n", "", "p.sby:5: chformal -assume -remove top/a: the front end selects by"},
		{options + "[script]\nsetundef -zero\n", "", "p.sby:4: the command setundef -zero may change the design"},
		{options + "[script]\ntechmap -map a.v\n", "", "p.sby:4: the command techmap -map a.v may change the design"},
		{options + "[files]\na.v\n[script]\nghdl a.v\n", "", "p.sby:6: ghdl without -e and the top entity; write ghdl FILES -e ENTITY"},
		{options + "[script]\nghdl -e a\n", "", "p.sby:4: ghdl -e without files before it"},
		{options + "[files]\na.v\n[script]\nghdl a.v -e a rtl\n", "", "p.sby:6: ghdl -e without files before it, or with more than an entity after it"},
		{options + "[script]\nghdl b.vhd -e b\n", "", "p.sby:4: there is no file b.vhd in the project's [files]; list it"},
		{options + "[file b.vhd]\n[script]\nghdl b.vhd -e b\n", "", "p.sby:5: there is no file b.vhd in the project's [files]; list it"},
		{options + "[script]\nghdl --std=93 a.v -e a\n", "", "p.sby:4: ghdl --std=93 is not supported; remove it: VHDL is read as that of 2008"},
		{options + "[files]\na.v\n[script]\nghdl a.v -e a\nread -formal a.v\n", "", "p.sby: the script reads Verilog and VHDL, one design of both"},
		{options + "[script]\nread -formal <<END\nmodule a; endmodule\n", "", "p.sby:4: the text after <<END has no end"},
	} {
		_, _, err := options2(c.text, c.task)
		if c.want == "" {
			c.want = "p.sby: the script reads no file" // [tasks] may come late, as long as no mark comes before
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q, task %q:\n%v; want\n%s", c.text, c.task, err, c.want)
		}
	}
}

func options2(text, task string) (verilog.Options, *script, error) {
	return options("p.sby", []byte(text), task, verilog.Options{})
}

// TestHostile: no command of a project runs, whatever way it takes.
func TestHostile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, script := range []string{
		"!touch pwned", "  !touch pwned", "read -formal a.v; !touch pwned", "exec -- touch pwned", "tcl a.tcl", "plugin -i a.so", "script a.ys", "shell", "abc -script a",
		"tee -o pwned log", "read_verilog -formal |touch", "write_verilog pwned", "--pycode-begin--\nopen('pwned', 'w')\n--pycode-end--",
		"--pycode-begin--\nimport os\nos.system('touch pwned')\n--pycode-end--", "--pycode-begin--\n__import__('os').system('touch pwned')\n--pycode-end--",
		"--pycode-begin--\noutput('!touch pwned')\n--pycode-end--", "--pycode-begin--\noutput('--pycode-begin--')\noutput('x')\n--pycode-end--\n--pycode-end--",
		"--pycode-begin--\nexec('x')\n--pycode-end--", "--pycode-begin--\noutput(str.__class__)\n--pycode-end--", "--pycode-begin--\noutput('a')\n",
		"--pycode-begin--\noutput('read -formal a.v\\nexec')\n--pycode-end--", "--pycode-begin--\nopen('/dev/zero')\n--pycode-end--",
	} {
		text := "[options]\nmode prove\n[script]\n" + script + "\n[file a.v]\nmodule a; endmodule\n"
		if _, err := Load(context.Background(), "p.sby", []byte(text), "", verilog.Options{}); err == nil {
			t.Errorf("%q was accepted", script)
		}
		if _, err := os.Stat("pwned"); err == nil {
			t.Fatalf("%q has run", script)
		}
	}
}

// TestPython: a block writes lines for its task, with tags of their own, which are read in
// its place; what it reads is part of the hash.
func TestPython(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = `[tasks]
prove : wide default
cov
[options]
mode prove
[script]
--pycode-begin--
cmd = "hierarchy -top top"
cmd += " -chparam W %d" % (8 if "wide" in tags else 4)
output(cmd)
if task == "cov":
	output("read -formal a.v")
else:
	for line in open("list.txt"):
		output(f"read -formal {line.strip()}")
--pycode-end--
[files]
--pycode-begin--
output("cov: a.v")
output("~cov: b.v")
--pycode-end--
`
	for name, content := range map[string]string{"a.v": "", "b.v": "", "list.txt": "b.v\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for task, want := range map[string]string{"prove": "top [W=8] [b.v]", "cov": "top [W=4] [a.v]"} {
		o, s, err := options("p.sby", []byte(text), task, verilog.Options{})
		if err != nil {
			t.Fatal(task, err)
		}
		if got := fmt.Sprint(o.Top, " ", o.Params, " ", o.Files); got != want {
			t.Errorf("task %q: %s, want %s", task, got, want)
		}
		if got := fmt.Sprintf("%s", s.p.read); task == "prove" && got != "[b.v\n]" {
			t.Errorf("it has read %s", got)
		}
	}
	_, _, err := options2("[options]\nmode prove\n[script]\n--pycode-begin--\n\nimport sys\n--pycode-end--\n", "")
	if want := "p.sby:6: a block of Python, which netcov reads and never runs: import sys is not in the part of Python that is read"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v; want %s", err, want)
	}
}

// TestScript: what each command says of the reading.
func TestScript(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.v", "b.sv", "inc/c.vh"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := `[options]
mode cover # a comment
assume_early off
[engines]
smtbmc
[script]
# all of it
read -define W=4 -DX
verilog_defines -D Y=1 -UX; read -incdir inc
read -formal -D A=1 -DB a.v;; read -sv b.sv # more
read_verilog -assume-asserts \
  c.v
read -formal <<EOT
module d; endmodule
EOT
hierarchy -check -top top -chparam N 3; proc; opt -fast -full
chparam -set M 8'h1f top
chformal -early -assume; setundef -undriven -anyseq
prep -flatten -top top; write_smt2 x.smt2
[files]
a.v
b.sv
c.v sub.v
inc
[file sub.v]
module sub; endmodule
`
	text = strings.Replace(text, "c.v sub.v\n", "c.v a.v\n", 1)
	o, s, err := options("p.sby", []byte(text), "", verilog.Options{Include: []string{"mine"}, Params: []string{"Z=1"}})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join([]string{
		strings.Join(o.Files, " "), o.Top, strings.Join(o.Params, " "), strings.Join(o.Include, " "),
		strings.Join(o.Reads[0].Define, " "), strings.Join(o.Reads[0].Undefine, " "), strings.Join(o.Reads[0].Local, " "), strings.Join(o.Reads[2].Flags, " "),
		strings.Join(s.notes(), "/"),
	}, "|")
	want := "a.v b.sv a.v p.sby/script-line-13.v|top|N=3 M=8'h1f Z=1|mine inc|W=4 X Y=1|X|A=1 B|-assume-asserts|" +
		"SymbiYosys project: its engines and its depth are not used/the project's mode cover is not used: the assertions are what counts/" +
		"assume_early off is not taken: an assumption in a clocked block excludes a run in the very step that breaks it, also for assertions outside of clocked blocks/" +
		"the front end's own flow stands in the place of the script's proc, opt, chformal, setundef, prep/not run, since they write files: write_smt2"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for i, want := range []verilog.Reading{{}, {Design: true}, {Design: true, Old: true}, {}} {
		if r := o.Reads[i]; r.Design != want.Design || r.Old != want.Old {
			t.Errorf("file %d: %+v", i, r)
		}
	}
	if text, ok := o.Folder.Text("p.sby/script-line-13.v"); !ok || string(text) != "module d; endmodule\n" {
		t.Errorf("the text within the script is %q", text)
	}
	if path := o.Folder.Find("c.vh", "a.v", o.Include); path != "inc/c.vh" {
		t.Errorf("c.vh is %q", path)
	}
	if path := o.Folder.Find("sub.v", "a.v", nil); path != "p.sby/sub.v" {
		t.Errorf("sub.v is %q", path)
	}
	if path := o.Folder.Find("b.v", "a.v", nil); path != "" {
		t.Errorf("b.v is %q", path)
	}
}

// TestLoad: a project of two tasks, with parameters, macros, an included file and a
// memory file under other names, is the same design as its files read by hand.
func TestLoad(t *testing.T) {
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skip("yosys is not installed")
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"rtl/top.v": "`include \"words.vh\"\nmodule top #(parameter W = 2) (input clk, input [`BITS-1:0] d, output [W-1:0] y);\n  reg [W-1:0] r = 0;\n" +
			"  reg [3:0] rom [0:3];\n  initial $readmemh(\"table.hex\", rom);\n  always @(posedge clk) r <= r + d + rom[d[1:0]];\n  assign y = r;\n`ifdef FORMAL\n" +
			"  always @* a_small: assert (r != `LIMIT);\n`endif\n`ifdef SYNTHESIS\n  reg hidden;\n`endif\nendmodule\n",
		"rtl/words.vh":   "`define BITS 9\n",
		"proof/real.vh":  "`define BITS 3\n",
		"proof/data.hex": "1 2 3 9\n",
		"proof/p.sby": "[tasks]\nnarrow\nwide\n[options]\nmode prove\nwide: expect fail\n[engines]\nabc pdr\n[script]\nread -define LIMIT=3\n" +
			"wide: read -define LIMIT=77\nread -formal top.v\nwide: hierarchy -top top -chparam W 7\nprep -top top\n" +
			"[files]\n../rtl/top.v\nwords.vh real.vh\ntable.hex data.hex\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile("proof/p.sby")
	if err != nil {
		t.Fatal(err)
	}
	hashes := map[string]bool{}
	for task, width := range map[string]int{"narrow": 2, "wide": 7} {
		d, err := Load(context.Background(), "proof/p.sby", text, task, verilog.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Latches) != width || len(d.Netlist.Inputs) != 3 || len(d.Properties) != 1 {
			t.Errorf("%s: %d latches, %d inputs, %d properties", task, len(d.Latches), len(d.Netlist.Inputs), len(d.Properties))
			continue
		}
		if o := d.Latches[0]; o.File != "rtl/top.v" || o.Line != 3 || o.Register != "top.r" {
			t.Errorf("%s: the register is %+v", task, o)
		}
		if p := d.Properties[0]; p.Register != "top.a_small" || p.Line != 9 {
			t.Errorf("%s: the assertion is %+v", task, p)
		}
		hashes[d.SHA256] = true
	}
	if len(hashes) != 1 {
		t.Error("the hash depends on the task")
	}
	if err := os.WriteFile("proof/data.hex", []byte("1 2 3 8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := Load(context.Background(), "proof/p.sby", text, "wide", verilog.Options{}); err != nil || hashes[d.SHA256] {
		t.Errorf("the hash does not depend on a memory file, or %v", err)
	}
	// A file that is read for synthesis has no FORMAL.
	other := strings.Replace(string(text), "read -formal", "read -sv", 1)
	d, err := Load(context.Background(), "proof/p.sby", []byte(other), "narrow", verilog.Options{})
	if err != nil || len(d.Properties) != 0 || !strings.Contains(strings.Join(d.Notes, "|"), verilog.NoAssert) {
		t.Errorf("read -sv: %v", err)
	}
}

// TestVHDL: a script that reads VHDL through yosys' plugin goes to the front end for VHDL,
// with its generics and its top entity.
func TestVHDL(t *testing.T) {
	for _, program := range []string{"ghdl", "yosys"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	t.Chdir(t.TempDir())
	unit := func(name, text string) string {
		return "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;\nentity " + name + " is\n  generic (W : natural := 2);\n  port (clk : in std_logic; y : out unsigned(W-1 downto 0));\nend entity;\narchitecture rtl of " + name + " is\n" + text + "end architecture;\n"
	}
	for name, text := range map[string]string{
		"low.vhd": unit("low", "  signal r : unsigned(W-1 downto 0) := (others => '0');\nbegin\n  process (clk) begin if rising_edge(clk) then r <= r + 1; end if; end process;\n  y <= r;\n"),
		"top.vhd": unit("top", "begin\n  u : entity work.low generic map (W) port map (clk, y);\n  a_small : assert y /= 3;\n"),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := "[options]\nmode prove\n[script]\nplugin -i ghdl\nghdl --std=08 -gW=5 low.vhd top.vhd -e top\nprep -top top\n[files]\nlow.vhd\ntop.vhd\n"
	d, err := Load(context.Background(), "p.sby", []byte(text), "", verilog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Latches) != 5 || d.Latches[0].File != "low.vhd" || d.Latches[0].Register != "top.u.r" || len(d.Properties) != 1 || d.Properties[0].File != "top.vhd" || d.Format != "vhdl" {
		t.Errorf("%s: %+v, %+v", d.Format, d.Latches, d.Properties)
	}
}

// TestClocks: a project says whether it has several clocks.
func TestClocks(t *testing.T) {
	for _, c := range []struct {
		options, script string
		several, early  bool
	}{
		{"", "", false, false},
		{"multiclock off", "chformal -early", false, true},
		{"multiclock on", "", true, false},
		{"multiclock on", "chformal -early -assume", true, true},
		{"", "clk2fflogic", true, false},
	} {
		o, _, err := options2("[options]\nmode prove\n"+c.options+"\n[script]\nread -formal a.v\nprep\n"+c.script+"\n[file a.v]\nmodule a; endmodule\n", "")
		if err != nil || o.Multiclock != c.several || o.EarlyAssumes != c.early {
			t.Errorf("%+v: %v, %v, %v", c, o.Multiclock, o.EarlyAssumes, err)
		}
	}
	_, _, err := options2("[options]\nmode prove\nmulticlock on\n[script]\nchformal -early\n", "")
	if err == nil || !strings.Contains(err.Error(), "p.sby:5: chformal -early: with several clocks") {
		t.Error(err)
	}
}

// TestChangedProperties: chformal makes assumptions of asserts and the like, of all or of
// those that it selects; a selection of nothing is refused.
func TestChangedProperties(t *testing.T) {
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skip("yosys is not installed")
	}
	t.Chdir(t.TempDir())
	const source = "module low(input clk, input a, output reg q);\n  initial q = 0;\n  always @(posedge clk) q <= a;\n  always @* la: assume (!a);\n  always @(posedge clk) lb: assert (!q);\nendmodule\n" +
		"module top(input clk, input b, output q);\n  reg s = 0;\n  always @(posedge clk) s <= b;\n  low u(clk, s, q);\n  always @* ta: assume (!b);\n  always @(posedge clk) tb: assert (!s);\n" +
		"  tc: assert property (@(posedge clk) b |=> s);\nendmodule\n"
	for command, want := range map[string]string{
		"":                                    "tb tc u.lb 2",
		"chformal -assume2assert":             "ta tb tc u.la u.lb 0",
		"chformal -assume2assert top/* %M":    "tb tc u.la u.lb 1",
		"chformal -assert2assume":             " 5",
		"chformal -assert2assume low/*":       "tb tc 3",
		"chformal -assert -remove top/tb":     "tc u.lb 2",
		"chformal -assume -remove":            "tb tc u.lb 0",
		"chformal -cover -remove none/*":      "tb tc u.lb 2",
		"chformal -early -assert":             "tb tc u.lb 2",
		"chformal -assume2assert none/*":      "p.sby:5: chformal -assume2assert none/*: Selection \"none\" did not match any module; ",
		"chformal -assert -remove top/absent": "p.sby:5: chformal -assert -remove top/absent: Selection \"absent\" did not match any object; ",
	} {
		text := "[options]\nmode prove\n[script]\nread -formal a.v; prep -top top\n" + command + "\n[file a.v]\n" + source
		d, err := Load(context.Background(), "p.sby", []byte(text), "", verilog.Options{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: %v", command, err)
			}
			continue
		}
		var names []string
		for _, p := range d.Netlist.Bads {
			names = append(names, strings.TrimPrefix(p.Name, "top."))
		}
		slices.Sort(names)
		if got := fmt.Sprintf("%s %d", strings.Join(names, " "), len(d.Netlist.Constraints)); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}

// TestLivenessRemoved: the properties of liveness go where the script removes them, and stay
// where it removes covers.
func TestLivenessRemoved(t *testing.T) {
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skip("yosys is not installed")
	}
	t.Chdir(t.TempDir())
	const source = "module top(input clk, input d);\n  reg r = 0;\n  always @(posedge clk) r <= d;\n" +
		"  a: assert property (@(posedge clk) !r);\n  l: assert property (@(posedge clk) s_eventually r);\n  c: cover property (@(posedge clk) r);\nendmodule\n"
	for command, want := range map[string][2]int{
		"": {1, 1}, "chformal -live -remove": {1, 0}, "chformal -live -fair -cover -remove": {1, 0}, "chformal -cover -remove": {1, 1}, "chformal -assert -remove": {0, 1},
	} {
		text := "[options]\nmode prove\n[script]\nread -formal -sv a.sv\n" + command + "\nprep -top top\n[file a.sv]\n" + source
		d, err := Load(context.Background(), "p.sby", []byte(text), "", verilog.Options{})
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		if got := [2]int{len(d.Netlist.Bads), len(d.Netlist.Justice)}; got != want {
			t.Errorf("%s: %v safety and liveness properties, want %v", command, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(tagged, "slow")
	f.Add("[options]\nmode bmc\n[script]\nread -formal a.v; prep -top a\n[file a.v]\nmodule a; endmodule\n", "")
	f.Fuzz(func(t *testing.T, text, task string) {
		o, _, err := options("no/such/folder/p.sby", []byte(text), task, verilog.Options{})
		if err == nil && len(o.Files) != len(o.Reads) {
			t.Errorf("%d files, %d readings", len(o.Files), len(o.Reads))
		}
	})
}
