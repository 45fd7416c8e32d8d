package btor2

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"netcov/aig"
	"netcov/aiger/explicit"
	"netcov/cert"
	"netcov/frontend/btor2/randbtor"
	"netcov/ic3"
	"netcov/mutant"
	"netcov/netlist"
)

// written compares an array with another of which most is left open: the witness has to
// name all of that.
const written = `1 sort bitvec 1
2 sort bitvec 2
3 sort array 2 1
4 one 1
5 state 3 a
6 init 3 5 4
7 state 3 b
8 input 2 i
9 zero 1
10 write 3 5 8 9
11 eq 1 10 7
12 bad 11
13 bad 11
14 next 3 5 5
15 next 3 7 7
`

// rare are seeds of systems: one that reads at a kept address that is moved afterwards, and
// one whose initial value is made of an array that no init or next line settles.
var rare = []int{3676, 5402}

// TestAbstraction decides properties of random systems by word, and holds the answers
// against an enumeration of the states of the whole; and counterexamples, in BTOR2's own
// form, against a run of it.
func TestAbstraction(t *testing.T) {
	rounds := 300
	if s := os.Getenv("NETCOV_ROUNDS"); s != "" {
		rounds, _ = strconv.Atoi(s)
	}
	holds, fails, refined, open := 0, 0, 0, 0
	for k := range rounds {
		seed := k
		if k < len(rare) {
			seed = rare[k]
		}
		text := randbtor.Arrays(rand.New(rand.NewPCG(20, uint64(seed))), 0)
		if k >= len(rare) && k < 20 {
			text = written
		}
		whole := readOptions(t, text, Options{})
		whole.Design.Netlist.ListGates()
		file := whole.Design.Netlist.ToAIGER()
		if len(file.Inputs)+len(file.Latches) > 18 {
			continue
		}
		m := readOptions(t, text, Options{MemoryBits: 1, Abstract: AboveLimit})
		if m.abs == nil {
			continue
		}
		for property := range 2 {
			truth := explicit.Fails(file, property)
			for {
				n := m.Design.Netlist
				model := netlist.Compile(n, n.Bads[property].Lit, nil, mutant.AtOutput)
				res := ic3.New(model, ic3.Options{}).Run(context.Background(), ic3.Budget{})
				if res.Status == cert.Holds {
					holds++
					if truth {
						t.Fatalf("seed %d: property %d fails, and holds by word\n%s", seed, property, text)
					}
					break
				}
				tries := 20 * (seed % 2) // another engine has other traces
				if k < 20 {
					tries = 300
				}
				for try := range tries {
					near := vary(rand.New(rand.NewPCG(uint64(seed), uint64(try))), n, res.Trace)
					if m.runTrace(property, near, 0, nil).strict && m.replay(property, near, -1).failed {
						res.Trace = near
						break
					}
				}
				real, err := m.Replay(property, res.Trace, nil)
				if errors.Is(err, errRun) {
					t.Fatalf("seed %d: property %d: %v\n%s", seed, property, err, text)
				}
				if err != nil {
					open++
					t.Logf("seed %d: property %d: %v", seed, property, err)
					break
				}
				if real != nil {
					fails++
					if !truth {
						t.Fatalf("seed %d: property %d holds, and fails by word\n%s", seed, property, text)
					}
					if !m.runTrace(property, real, 0, nil).strict {
						t.Fatalf("seed %d: property %d: no trace of the netlist\n%s", seed, property, text)
					}
					for try := range 20 { // and of traces near this one
						if real != nil {
							var out bytes.Buffer
							if err := m.WriteWitness(&out, property, real); err != nil {
								t.Fatal(err)
							}
							if !whole.fails(t, property, out.String()) {
								t.Fatalf("seed %d: property %d: the witness is none\n%s%s", seed, property, text, out.String())
							}
						}
						near := vary(rand.New(rand.NewPCG(uint64(seed), uint64(try))), n, res.Trace)
						if real = nil; m.runTrace(property, near, 0, nil).strict {
							if real, err = m.Replay(property, near, nil); errors.Is(err, errRun) {
								t.Fatalf("seed %d: property %d: %v\n%s", seed, property, err, text)
							}
						}
					}
					break
				}
				refined++
				d, err := m.Refine()
				if err != nil {
					t.Fatal(err)
				}
				m = d.Abstraction.(*Model)
			}
		}
	}
	t.Logf("%d hold, %d fail, %d refinements, %d undecided", holds, fails, refined, open)
	if open*100 > holds+fails || holds < rounds/10 || fails < rounds/10 || refined < rounds/10 {
		t.Errorf("%d hold, %d fail, %d refinements, %d undecided", holds, fails, refined, open)
	}
}

// TestByWord: which arrays are kept by word. What does not go by word has its arrays whole,
// up to the limit for that.
func TestByWord(t *testing.T) {
	const system = "1 sort bitvec 1\n2 sort bitvec %d\n3 sort array 2 1\n4 state 3 m\n5 input 2\n6 read 1 4 5\n7 write 3 4 5 -6\n8 next 3 4 7\n9 bad 6\n"
	for _, c := range []struct {
		index int
		more  string
		word  bool
		fails string
	}{
		{12, "", false, ""},
		{13, "", true, ""},
		{13, "10 justice 1 6\n", false, ""},
		{13, "10 state 1\n11 init 1 10 6\n12 bad 10", false, ""},
		{13, "10 state 3 n\n11 init 3 10 4\n12 eq 1 10 4\n13 bad 12\n", true, ""},
		{40, "", true, ""},
		{40, "10 justice 1 6\n", true, ""},
		{40, "10 state 1\n11 init 1 10 6\n12 bad 10", false, "f:11: the initial value depends on a read of an array"},
		{40, "10 state 3\n11 init 3 10 4\n12 init 3 4 10\n13 eq 1 10 4\n14 bad 13", false, "depends on itself; break the cycle"},
	} {
		text := fmt.Sprintf(system, c.index) + c.more
		m, err := Read(strings.NewReader(text), "f", Options{Abstract: Sooner})
		switch {
		case err != nil:
			if c.fails == "" || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%s%v", text, err)
			}
		case c.fails != "" || (m.abs != nil) != c.word:
			t.Errorf("%sby word: %v", text, m.abs != nil)
		}
		if _, err := Read(strings.NewReader(text), "f", Options{}); (err != nil) != (c.index == 40) {
			t.Errorf("%s%v", text, err)
		}
	}
}

// vary gives some free bits of a trace any value.
func vary(r *rand.Rand, n *netlist.Netlist, t *cert.Trace) *cert.Trace {
	out := &cert.Trace{Latches: make([]bool, len(n.Latches))}
	copy(out.Latches, t.Latches)
	for _, row := range t.Inputs {
		out.Inputs = append(out.Inputs, append(slices.Clone(row), make([]bool, len(n.Inputs)-len(row))...))
	}
	for _, row := range append(out.Inputs, out.Latches) {
		for i := range row {
			row[i] = row[i] != (r.IntN(4) == 0)
		}
	}
	return out
}

func readOptions(t *testing.T, text string, opt Options) *Model {
	t.Helper()
	m, err := Read(strings.NewReader(text), "f", opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

// fails runs a witness on a netlist with all of its arrays, what it does not mention 0,
// and reports whether the property fails in the last step, and the constraints hold.
func (m *Model) fails(t *testing.T, property int, witness string) bool {
	n := m.Design.Netlist
	var inputs [][]bool
	latches := make([]bool, len(n.Latches))
	row := func(step int) []bool {
		for len(inputs) <= step {
			inputs = append(inputs, make([]bool, len(n.Inputs)))
		}
		return inputs[step]
	}
	step, vars := 0, m.states
	for line := range strings.Lines(witness) {
		w := strings.Fields(line)
		switch line[0] {
		case '#', '@':
			step, _ = strconv.Atoi(line[1 : len(line)-1])
			vars = m.states
			if line[0] == '@' {
				vars = m.inputs
				row(step)
			}
			continue
		case 's', 'b', '.':
			continue
		}
		k, _ := strconv.Atoi(w[0])
		v, value, first := vars[k], w[1], 0
		if value[0] == '[' {
			e, err := strconv.ParseUint(strings.Trim(value, "[]"), 2, 64)
			if err != nil {
				t.Fatal(err)
			}
			first, value = int(e)*len(w[2]), w[2]
		}
		for i := range value {
			on, bit := value[len(value)-1-i] == '1', first+i
			switch {
			case v.latch != nil && step == 0:
				latches[v.latch[bit]] = on
			case v.latch != nil:
				row(step - 1)[v.future[bit]] = on
			default:
				row(step)[v.input[bit]] = on
			}
		}
	}
	for s, in := range inputs {
		at := map[int]bool{}
		for i, l := range n.Inputs {
			at[int(l.Lit.Node())] = in[i]
		}
		for i, l := range n.Latches {
			at[int(l.Lit.Node())] = latches[i]
		}
		value := evaluate(n, func(node aig.Node) bool { return at[int(node)] })
		if s == 0 {
			for range n.Latches { // resets may depend on each other
				for i, l := range n.Latches {
					latches[i] = value(l.Reset)
					at[int(l.Lit.Node())] = latches[i]
				}
				value = evaluate(n, func(node aig.Node) bool { return at[int(node)] })
			}
		}
		for _, c := range n.Constraints {
			if !value(c.Lit) {
				return false
			}
		}
		if s == len(inputs)-1 {
			return value(n.Bads[property].Lit)
		}
		next := make([]bool, len(latches))
		for i, l := range n.Latches {
			next[i] = value(l.Next)
		}
		latches = next
	}
	return false
}
