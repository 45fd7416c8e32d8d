package python

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// world is what blocks of the tests see.
var world = Env{
	Task: "prove", Tags: []string{"prove", "wide"},
	Read: func(name string) ([]byte, error) {
		if name != "list.txt" {
			return nil, errors.New("there is no file " + name)
		}
		return []byte("add\r\nsub\n xor \n"), nil
	},
	List: func(string) ([]string, error) { return []string{"insn_b.v", "insn_a.v", "README"}, nil },
}

func texts(out []Output) string {
	var all []string
	for _, o := range out {
		all = append(all, fmt.Sprintf("%d:%s", o.Line, o.Text))
	}
	return strings.Join(all, "|")
}

// TestRun: what public projects write, and each construct.
func TestRun(t *testing.T) {
	for block, want := range map[string]string{
		"cmd = \"hierarchy -top a\"\nif (\"wide\" in tags):\n\tcmd += \" -chparam W 8\"\nelif (\"x\" in tags):\n\tcmd += \" -chparam W 2\"\nelse:\n\tcmd += \" -chparam W 4\"\ncmd += \" -chparam L %d\" % (1 if \"low\" in tags else 0)\noutput(cmd);\n": "9:hierarchy -top a -chparam W 8 -chparam L 0",
		"import os\nfor f in os.listdir('..'):\n  if f.startswith('insn_') and f.endswith('.v'):\n    output('read %s' % f)":                                                                                                                              "4:read insn_a.v|4:read insn_b.v",
		"with open('list.txt') as f:\n  for line in f:\n    output('insn_%s.v' % line.strip())":                                                                                                                                                           "3:insn_add.v|3:insn_sub.v|3:insn_xor.v",
		"f = open('list.txt')\nfor l in f:\n  break\nfor l in f: output(l.rstrip('\\n'))\noutput(f.read() + 'end')":                                                                                                                                       "4:sub|4: xor |5:end",
		"# nothing\n\n   # at all\nif not task:\n  pass\nelse:\n  output(task)\n":                                                                                                                                                                         "7:prove",
		"for t in tags: output(t)\nfor n in range(2, 4): output(f'{n}{{')":                                                                                                                                                                                "",
		"for t in tags: output(t)\nfor n in range(2, 4): output(f'{n}:{\"a\" if n > 2 else \"b\"}')":                                                                                                                                                      "1:prove|1:wide|2:2:b|2:3:a",
		"output('a' 'b' \"\"\"c\"\"\" r'\\d' + '-' * 3 + str(1 + 2 * 3 - -4 // 3 % 5))":                                                                                                                                                                   "1:abc\\d---4",
		"output(','.join(sorted(['b', 'a']) + 'x y'.split() + 'p/q'.split('/')))\noutput('{} {}'.format(1, True) + 'aXa'.replace('X', '..'))":                                                                                                             "1:a,b,x,y,p,q|2:1 Truea..a",
		"x = [1,\n  2]\noutput(str(x[-1] + len(x) + int('7')) + str(2 in x) + str('b' not in 'abc') + str(None) + str(3 != 3))":                                                                                                                           "3:11TrueFalseNoneFalse",
		"for i in range(5):\n  if i == 1: continue\n  if i == 3: break\n  output('%03d %x %5s%%' % (i, 254, 'ab'))":                                                                                                                                       "4:000 fe    ab%|4:002 fe    ab%",
	} {
		out, err := Run(block, world)
		if want == "" {
			if err == nil {
				t.Errorf("accepted:\n%s", block)
			}
			continue
		}
		if err != nil || texts(out) != want {
			t.Errorf("%s\n%s, %v; want\n%s", block, texts(out), err, want)
		}
	}
}

// TestRefused: anything else is named, with its line, and soon.
func TestRefused(t *testing.T) {
	for block, want := range map[string]string{
		"x = 1\nimport subprocess":      "2: import subprocess is not in",
		"from os import system":         `1: from is not in the part of Python that is read here`,
		"import os\nos.system('ls')":    "2: os.system is not in",
		"import os\nx = os.environ":     "2: the attribute .environ is not in",
		"eval('1')":                     "1: the function eval is not in",
		"__import__('os')":              "1: the function __import__ is not in",
		"open('x', 'w')":                `1: open is read for a name alone`,
		"open('x')":                     "1: there is no file x",
		"output.x = 1":                  "1: the function output without a call",
		"output = 1":                    "1: an assignment to output is not in",
		"while True:\n  pass":           "1: while is not in",
		"def f(): pass":                 "1: def is not in",
		"x = [a for a in tags]":         `1: "for" stands where "]" is expected`,
		"x = {}":                        `1: "{" is not in`,
		"x = 1.5":                       `1: the attribute .5 is not in`,
		"x = 0x10":                      `1: "0" is not in`,
		"x = 1 < 2 < 3":                 "1: a chain of comparisons is not in",
		"x = 'a' + 1":                   "1: str + int is not in",
		"x = '%.2f' % 1":                `1: a % of the format "%.2f" is not in`,
		"x = '%d' % 'a'":                "1: %d needs a number and has a str",
		"x = '%d' % (1, 2)":             "1: the format \"%d\" does not fit its values",
		"x = f'{1:02d}'":                "1: the field {1:02d} of an f-string",
		"output(1)":                     "1: output with the arguments (int) is not in",
		"output(tags)":                  "1: output with the arguments (set) is not in",
		"x = []\nx += [1]":              "2: list += is not in",
		"x = 'a\n":                      "1: a string has no end",
		"x = '\\x41'":                   `1: the escape \x in a string is not in`,
		"x = (1":                        "1: a bracket is not closed",
		"x = 1)":                        `1: ")" closes no bracket`,
		"if 1:\nx = 1":                  "2: an indented line is expected",
		"if 1:\n    x = 1\n  y = 2":     "3: the indentation fits no line before",
		"if 1:\n\tx = 1\n        y = 2": "3: the indentation fits no line before",
		"  x = 1":                       "1: the indentation is not expected here",
		"x = y":                         "1: the name y has no value",
		"x += 1":                        "1: the name x has no value",
		"x = 1 // 0":                    "1: a division by zero",
		"x = 999999999999999999 * 999":  "1: a number has more than 64 bits",
		"x = [1][1]":                    "1: an index of a list",
		"break":                         "1: break is not in",
		"x = 'a' * 999999999999":        "1: the block does too much",
		"x = 'ab'\nfor i in range(99): x = x + x":                                  "2: the block does too much",
		"x = []\nfor i in range(99): x = x + [x]":                                  "",
		"x = [1]\nfor i in range(99): x = x + x":                                   "2: the block does too much",
		"x = 'a' * 99999\ny = x.replace('', x)":                                    "2: the block does too much",
		"for i in range(999999999): pass":                                          "1: the block does too much",
		"for i in range(9999):\n  for j in range(9999):\n    x = i and j or not i": ": the block does too much",
		"x = " + strings.Repeat("(", 999) + strings.Repeat(")", 999):               "1: more than 200 levels of nesting",
		"x = " + strings.Repeat("not ", 999) + "1":                                 "1: more than 200 levels of nesting",
		"x = 1" + strings.Repeat(" + 1", 12000):                                    "",
		"x = '" + strings.Repeat("a", maxBlock) + "'":                              "1: the block has more than 65536 bytes",
	} {
		start := time.Now()
		_, err := Run(block, world)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%.60q took %v", block, took)
		}
		var e *Error
		switch {
		case want == "" && err != nil:
			t.Errorf("%.60q: %v", block, err)
		case want != "" && !errors.As(err, &e):
			t.Errorf("%.60q: %v, want %s", block, err, want)
		case want != "" && !strings.Contains(fmt.Sprintf("%d: %s", e.Line, e.What), want):
			t.Errorf("%.60q: %d: %s, want %s", block, e.Line, e.What, want)
		}
	}
}

// writer makes random blocks of the part that is read.
type writer struct {
	r *rand.Rand
	b strings.Builder
}

func (w *writer) pick(all ...string) string { return all[w.r.IntN(len(all))] }

// number and words are random expressions of their types.
func (w *writer) number(d int) string {
	if d == 0 {
		return w.pick("0", "1", "2", "17", "n", "len(s)", "len(tags)")
	}
	switch w.r.IntN(4) {
	case 0:
		return fmt.Sprintf("(%s if %s else %s)", w.number(d-1), w.truth(d-1), w.number(d-1))
	case 1:
		return "-" + w.number(d-1)
	}
	return fmt.Sprintf("(%s %s %s)", w.number(d-1), w.pick("+", "-", "*", "//", "%"), w.number(d-1))
}

func (w *writer) words(d int) string {
	if d == 0 {
		return w.pick("s", "task", "'a b'", `"x,y"`, "''", "r'\\n'", "'''q\nr'''", "'wide'")
	}
	switch w.r.IntN(9) {
	case 0:
		return w.words(d-1) + " + " + w.words(d-1)
	case 1:
		return fmt.Sprintf("'%%s-%%%sd%%%%' %% (%s, %s)", w.pick("", "03", "5"), w.words(d-1), w.number(d-1))
	case 2:
		return fmt.Sprintf("str(%s)", w.pick(w.number(d-1), w.truth(d-1)))
	case 3:
		return fmt.Sprintf("(%s).%s(%s)", w.words(d-1), w.pick("strip", "lstrip", "rstrip"), w.pick("", "'a'", "' x'"))
	case 4:
		return fmt.Sprintf("(%s).replace(%s, %s)", w.words(d-1), w.words(0), w.words(d-1))
	case 5:
		return fmt.Sprintf("(%s).join((%s).split(%s))", w.words(d-1), w.words(d-1), w.pick("", "','", "' '"))
	case 6:
		return fmt.Sprintf("'{}/{}'.format(%s, %s)", w.words(d-1), w.number(d-1))
	case 7:
		return fmt.Sprintf("f'<{n}{s}>' %s", w.pick("'a'", `"b"`))
	}
	return fmt.Sprintf("(%s) * (%s %% 3)", w.words(d-1), w.number(d-1))
}

func (w *writer) truth(d int) string {
	if d == 0 {
		return w.pick("'wide' in tags", "'low' not in tags", "True", "s", "n", "task == 'prove'")
	}
	switch w.r.IntN(4) {
	case 0:
		return "not (" + w.truth(d-1) + ")"
	case 1:
		return fmt.Sprintf("(%s %s %s)", w.truth(d-1), w.pick("and", "or"), w.truth(d-1))
	case 2:
		return fmt.Sprintf("((%s) %s (%s))", w.words(d-1), w.pick("<", "<=", "==", "!=", ">", ">=", "in"), w.words(d-1))
	}
	return fmt.Sprintf("(%s %s %s)", w.number(d-1), w.pick("<", "<=", "==", "!=", ">", ">="), w.number(d-1))
}

func (w *writer) block(blanks string, d int) {
	for range 1 + w.r.IntN(3) {
		deeper := blanks + w.pick(" ", "\t", "    ")
		switch w.r.IntN(5 + min(d, 1)*3) {
		case 0:
			fmt.Fprintf(&w.b, "%sn %s %s # a comment\n", blanks, w.pick("=", "+="), w.number(2))
		case 1:
			fmt.Fprintf(&w.b, "%ss = %s\n", blanks, w.words(2))
		case 2, 3:
			fmt.Fprintf(&w.b, "%soutput(%s)%s\n", blanks, w.words(2), w.pick("", ";", "; n += 1"))
		case 4:
			fmt.Fprintf(&w.b, "%sif n > 99 or n < -99: n = 1\n\n", blanks)
		case 5:
			fmt.Fprintf(&w.b, "%sif %s:\n", blanks, w.truth(2))
			w.block(deeper, d-1)
			if w.r.IntN(2) == 0 {
				fmt.Fprintf(&w.b, "%selif %s:\n", blanks, w.truth(1))
				w.block(deeper, d-1)
			}
			fmt.Fprintf(&w.b, "%selse:\n", blanks)
			w.block(deeper, d-1)
		case 6:
			fmt.Fprintf(&w.b, "%sfor n in range(%s %% 4):\n", blanks, w.number(1))
			w.block(deeper, d-1)
		case 7:
			fmt.Fprintf(&w.b, "%sfor s in [%s, %s]:\n", blanks, w.words(1), w.words(1))
			fmt.Fprintf(&w.b, "%sif %s: %s\n", deeper, w.truth(1), w.pick("break", "continue"))
			w.block(deeper, d-1)
		}
	}
}

// oracle gives blocks that this test wrote to Python; a block that raises an exception
// has no answer.
const oracle = `
import json, sys
answers = []
for block in json.load(sys.stdin):
    lines = []
    names = {"task": "prove", "tags": {"prove", "wide"}, "output": lines.append, "n": 3, "s": "ab"}
    try:
        exec(block, names)
        answers.append(lines)
    except ArithmeticError:
        answers.append(None)
json.dump(answers, sys.stdout)
`

// TestAsPython: random blocks of the part that is read write what Python itself writes.
func TestAsPython(t *testing.T) {
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	var blocks []string
	for seed := range uint64(2000) {
		w := &writer{r: rand.New(rand.NewPCG(seed, 20))}
		w.block("", 3)
		blocks = append(blocks, w.b.String())
	}
	in, err := json.Marshal(blocks)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-c", oracle)
	cmd.Stdin = strings.NewReader(string(in))
	answer, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []*[]string
	if err := json.Unmarshal(answer, &want); err != nil {
		t.Fatal(err)
	}
	written, refused := 0, 0
	for i, block := range blocks {
		out, err := Run("n = 3; s = 'ab'\n"+block, world)
		switch {
		case want[i] == nil && err != nil:
			continue
		case err != nil && (strings.Contains(err.Error(), "too much") || strings.Contains(err.Error(), "64 bits")):
			refused++
			continue
		case err != nil || want[i] == nil:
			t.Fatalf("%s\n%v", block, err)
		}
		var got []string
		for _, o := range out {
			got = append(got, o.Text)
			written++
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", *want[i]) {
			t.Fatalf("%s\n%q, Python has\n%q", block, got, *want[i])
		}
	}
	if written < 1000 || refused > 200 {
		t.Errorf("%d lines written, %d blocks refused", written, refused)
	}
}

// FuzzRun: whatever a block is, it ends soon, without a crash.
func FuzzRun(f *testing.F) {
	f.Add("cmd = 'a'\nif 'x' in tags:\n\tcmd += ' %d' % (1 if task else 0)\noutput(cmd);\n")
	f.Add("import os\nfor f in sorted(os.listdir('.')):\n  with open(f) as g: output(f'{f}' + g.read())\n")
	f.Fuzz(func(t *testing.T, block string) {
		start := time.Now()
		_, err := Run(block, world)
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%v", err)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Fatalf("%v", took)
		}
	})
}
