package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"netcov/internal/shared"
)

// What follows up to TestReplays is a reader of AIGER files and of traces, and a
// simulator, that share nothing with the program's: they are as plain as can be,
// and know only what evidence has.

// circuit is an AIGER file. A gate is a triple of literals.
type circuit struct {
	maxVar                     int
	inputs                     []int
	latches, ands              [][3]int // literal, next, reset; output, operands
	outputs, bads, constraints []int
	order                      []int // of ands, operands first
}

func readCircuit(path string) (*circuit, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	at := 0
	line := func() []int {
		end := at + bytes.IndexByte(data[at:], '\n')
		words := strings.Fields(string(data[at:end]))
		at = end + 1
		var nums []int
		for _, w := range words {
			n, err2 := strconv.Atoi(w)
			if err2 != nil && w != "aag" && w != "aig" {
				err = fmt.Errorf("%s: %q is no number", path, w)
			}
			nums = append(nums, n)
		}
		return nums
	}
	binary := bytes.HasPrefix(data, []byte("aig "))
	h := append(line(), make([]int, 9)...)
	c := &circuit{maxVar: h[1]}
	for i := range h[2] {
		lit := 2 * (i + 1)
		if !binary {
			lit = line()[0]
		}
		c.inputs = append(c.inputs, lit)
	}
	for i := range h[3] {
		l := line()
		if binary {
			l = append([]int{2 * (h[2] + i + 1)}, l...)
		}
		l = append(l, 0)
		c.latches = append(c.latches, [3]int(l[:3]))
	}
	for range h[4] {
		c.outputs = append(c.outputs, line()[0])
	}
	for range h[6] {
		c.bads = append(c.bads, line()[0])
	}
	for range h[7] {
		c.constraints = append(c.constraints, line()[0])
	}
	if h[8]+h[9] > 0 {
		return nil, fmt.Errorf("%s: justice and fairness are not for this reader", path)
	}
	number := func() (n int) {
		for shift := 0; ; shift += 7 {
			b := data[at]
			at++
			n |= int(b&127) << shift
			if b < 128 {
				return n
			}
		}
	}
	for i := range h[5] {
		var g [3]int
		if binary {
			g[0] = 2 * (h[2] + h[3] + i + 1)
			g[1] = g[0] - number()
			g[2] = g[1] - number()
		} else {
			g = [3]int(line())
		}
		c.ands = append(c.ands, g)
	}
	gate := map[int]int{}
	for i, g := range c.ands {
		gate[g[0]/2] = i + 1
	}
	done := make([]bool, len(c.ands))
	var visit func(lit int)
	visit = func(lit int) {
		i := gate[lit/2] - 1
		if i < 0 || done[i] {
			return
		}
		done[i] = true
		visit(c.ands[i][1])
		visit(c.ands[i][2])
		c.order = append(c.order, i)
	}
	for _, g := range c.ands {
		visit(g[0])
	}
	return c, err
}

// fault lets all readers of a variable see a value: 0, 1, or the last input of
// the trace (2). Variable 0 is no fault.
type fault struct{ variable, value int }

// replayPlainly simulates a trace file; it returns an error unless the property
// fails in its last step and the constraints hold in all of them.
func (c *circuit) replayPlainly(path string, property int, f fault) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines := strings.Split(string(data), "\n")
	if len(lines) < 5 || lines[0] != "1" || lines[1] != "b"+strconv.Itoa(property) {
		return fmt.Errorf("no trace of property %d: %.40q", property, data)
	}
	end := 3
	for lines[end] != "." {
		end++
	}
	state := lines[2]
	if len(state) != len(c.latches) {
		return fmt.Errorf("%d latches in the trace, %d in the file", len(state), len(c.latches))
	}
	value := make([]bool, c.maxVar+1)
	for i, l := range c.latches {
		v := state[i] == '1'
		if l[2] != l[0] && l[2] > 1 || l[2] == 1 && !v || l[2] == 0 && v {
			return fmt.Errorf("latch %d starts with %c", i, state[i])
		}
		value[l[0]/2] = v
	}
	bads := c.bads
	if len(bads) == 0 {
		bads = c.outputs
	}
	for t, in := range lines[3:end] {
		free := f.value == 1
		width := len(c.inputs)
		if f.value == 2 {
			width++
			free = in[len(in)-1] == '1'
		}
		if len(in) != width {
			return fmt.Errorf("step %d has %d inputs, %d are due", t, len(in), width)
		}
		for i, lit := range c.inputs {
			value[lit/2] = in[i] == '1'
		}
		read := func(lit int) bool {
			if lit/2 == f.variable && lit > 1 {
				return free != (lit%2 == 1)
			}
			return value[lit/2] != (lit%2 == 1)
		}
		for _, i := range c.order {
			g := c.ands[i]
			value[g[0]/2] = read(g[1]) && read(g[2])
		}
		for i, lit := range c.constraints {
			if !read(lit) {
				return fmt.Errorf("constraint %d does not hold in step %d", i, t)
			}
		}
		if t == end-4 && !read(bads[property]) {
			return fmt.Errorf("the property holds in the last step")
		}
		next := make([]bool, len(c.latches))
		for i, l := range c.latches {
			next[i] = read(l[1])
		}
		for i, l := range c.latches {
			value[l[0]/2] = next[i]
		}
	}
	return nil
}

// TestReplays covers shared benchmarks, registers and gates, and replays each
// covered mutant twice, from the files of the evidence: its own file, and the design under the fault.
// NETCOV_REPLAYS sets the number of mutants.
func TestReplays(t *testing.T) {
	bench := shared.Dir(t, "bench/hwmcc08")
	want := 500
	if text := os.Getenv("NETCOV_REPLAYS"); text != "" {
		var err error
		if want, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	index, err := os.Open(filepath.Join(bench, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	rows := csv.NewReader(index)
	rows.Comma = '\t'
	table, err := rows.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range table[1:] {
		latches, _ := strconv.Atoi(row[2])
		seconds, _ := strconv.ParseFloat(row[7], 64)
		if row[5] == "safe" && latches >= 5 && latches <= 600 && seconds < 2.5 {
			names = append(names, row[0])
		}
	}
	r := rand.New(rand.NewPCG(4, 4))
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	replayed, designs, steps := 0, 0, 0
	for _, name := range names {
		if replayed >= want {
			break
		}
		dir := filepath.Join(t.TempDir(), "evidence")
		code, _, errOut := capture(t, "cover", filepath.Join(bench, name), "--quiet", "--nodes", "all", "--sample", strconv.Itoa(60+want/25),
			"--timeout", "10s", "--budget", "15s", "--evidence", dir)
		if code == exitUndecided {
			continue
		}
		if code != exitDone {
			t.Fatalf("%s: exit code %d: %s", name, code, errOut)
		}
		n, s := replayAll(t, name, dir)
		replayed, steps = replayed+n, steps+s
		designs++
	}
	if replayed < want {
		t.Errorf("%d mutants, want %d", replayed, want)
	}
	t.Logf("%d covered mutants of %d designs, %d steps", replayed, designs, steps)
}

func replayAll(t *testing.T, name, dir string) (mutants, steps int) {
	data, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	var x struct {
		Design     struct{ File string }
		Properties []struct {
			Index   int
			Mutants []struct {
				Kind                         string
				Index                        int
				Fault, Verdict, Trace, Model string
			}
		}
	}
	if err := json.Unmarshal(data, &x); err != nil {
		t.Fatal(err)
	}
	design, err := readCircuit(filepath.Join(dir, x.Design.File))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{"zero": 0, "one": 1, "nondet": 2}
	for _, p := range x.Properties {
		for _, m := range p.Mutants {
			if m.Verdict != "covered" {
				continue
			}
			what := fmt.Sprintf("%s: %s %d %s", name, m.Kind, m.Index, m.Fault)
			mutant, err := readCircuit(filepath.Join(dir, m.Model))
			if err != nil {
				t.Fatal(err)
			}
			trace := filepath.Join(dir, m.Trace)
			if err := mutant.replayPlainly(trace, p.Index, fault{}); err != nil {
				t.Errorf("%s: on its own file: %v", what, err)
			}
			kind, known := kinds[m.Fault]
			if !known {
				t.Fatal(what)
			}
			lit := 0
			switch m.Kind {
			case "latch":
				lit = design.latches[m.Index][0]
			case "gate":
				lit = design.ands[m.Index][0]
			}
			if err := design.replayPlainly(trace, p.Index, fault{lit / 2, kind}); err != nil {
				t.Errorf("%s: on the design under the fault: %v", what, err)
			}
			if design.replayPlainly(trace, p.Index, fault{}) == nil {
				t.Errorf("%s: the trace is one of the design, which is safe", what)
			}
			text, _ := os.ReadFile(trace)
			steps += bytes.Count(text, []byte("\n")) - 4
			mutants++
		}
	}
	return mutants, steps
}
