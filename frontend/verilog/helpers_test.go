package verilog

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"netcov/aig"
	"netcov/netlist"
)

const designs = "../../benchmarks/designs/verilog/"

// allYosys lists the yosys of this machine: the one on the PATH, the one of
// `make tools`, and those that NETCOV_TEST_YOSYS lists.
func allYosys() []string {
	var found []string
	own, _ := filepath.Abs("../../" + launcher)
	for _, name := range append([]string{"yosys", own}, filepath.SplitList(os.Getenv("NETCOV_TEST_YOSYS"))...) {
		if runnable(name) {
			found = append(found, name)
		}
	}
	return found
}

// TestMain runs all tests with each yosys, through the variable that users have;
// short ones with the first alone.
func TestMain(m *testing.M) {
	flag.Parse()
	found := allYosys()
	if fuzzing := flag.Lookup("test.fuzz").Value.String() != ""; fuzzing || len(found) == 0 {
		os.Exit(m.Run())
	}
	if testing.Short() {
		found = found[:1]
	}
	code := 0
	for _, name := range found {
		fmt.Println("=== yosys:", name)
		os.Setenv(YosysVariable, name)
		code |= m.Run()
	}
	os.Exit(code)
}

// needYosys skips a test where yosys is not installed.
func needYosys(t *testing.T) {
	t.Helper()
	if !runnable(findYosys()) {
		t.Skip("yosys is not installed")
	}
}

// loadText loads a source that is given as text, with yosys' own parser if no other
// is named.
func loadText(t *testing.T, text string, o Options) (*builder, error) {
	t.Helper()
	needYosys(t)
	path := filepath.Join(t.TempDir(), "t.v")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Files = []string{path}
	o.Frontend = cmp.Or(o.Frontend, FrontendYosys)
	return load(context.Background(), o)
}

// mustLoad loads what must be accepted, and checks what holds of every design.
func mustLoad(t *testing.T, o Options) *builder {
	t.Helper()
	needYosys(t)
	b, err := load(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	sane(t, b)
	return b
}

func mustLoadText(t *testing.T, text string, o Options) *builder {
	t.Helper()
	b, err := loadText(t, text, o)
	if err != nil {
		t.Fatal(err)
	}
	sane(t, b)
	return b
}

func sane(t *testing.T, b *builder) {
	t.Helper()
	n, d := b.n, b.d
	if err := n.Graph.Sanity(); err != nil {
		t.Error(err)
	}
	if len(d.Latches) != len(n.Latches) || len(d.Gates) != len(n.Gates) || len(d.Properties) != len(n.Properties()) {
		t.Errorf("%d origins of %d latches, %d of %d gates, %d of %d properties", len(d.Latches), len(n.Latches),
			len(d.Gates), len(n.Gates), len(d.Properties), len(n.Properties()))
	}
	inputs := 0
	for i := range n.Graph.Size() {
		if n.Graph.Kind(aig.Node(i)) == aig.KindInput {
			inputs++
		}
	}
	if inputs != len(n.Inputs) {
		t.Errorf("the graph has %d inputs, the netlist lists %d", inputs, len(n.Inputs))
	}
	for _, l := range n.Latches {
		if l.Next == aig.Undef {
			t.Errorf("latch %s has no next-state function", l.Name)
		}
	}
}

// registers counts the latches that are registers of the design.
func registers(b *builder) int {
	count := 0
	for _, o := range b.d.Latches {
		if !o.Artefact {
			count++
		}
	}
	return count
}

// state is a run of a netlist, one lane.
type state struct {
	n       *netlist.Netlist
	latches []bool
	values  []bool
}

// start takes the initial state; open gives the uninitialised latches.
func start(n *netlist.Netlist, open func() bool) *state {
	s := &state{n: n, latches: make([]bool, len(n.Latches)), values: make([]bool, n.Graph.Size())}
	for i, l := range n.Latches {
		switch l.Reset {
		case aig.False:
		case aig.True:
			s.latches[i] = true
		default:
			s.latches[i] = open()
		}
	}
	return s
}

// eval computes a step for the given inputs.
func (s *state) eval(inputs []bool) {
	for i, in := range s.n.Inputs {
		s.values[in.Lit.Node()] = inputs[i]
	}
	for i, l := range s.n.Latches {
		s.values[l.Lit.Node()] = s.latches[i]
	}
	for i := range s.values {
		if node := aig.Node(i); s.n.Graph.Kind(node) == aig.KindAnd {
			a, b := s.n.Graph.Fanins(node)
			s.values[i] = s.value(a) && s.value(b)
		}
	}
}

func (s *state) value(l aig.Lit) bool { return s.values[l.Node()] != l.Neg() }

// step moves to the next state.
func (s *state) step() {
	for i, l := range s.n.Latches {
		s.latches[i] = s.value(l.Next)
	}
}

// inputNamed returns the position of an input.
func inputNamed(t *testing.T, n *netlist.Netlist, name string) int {
	t.Helper()
	for i, in := range n.Inputs {
		if in.Name == name {
			return i
		}
	}
	t.Fatalf("no input %s", name)
	return -1
}

func notesWith(b *builder, text string) int {
	count := 0
	for _, n := range b.d.Notes {
		if strings.Contains(n, text) {
			count++
		}
	}
	return count
}

// matches reports whether a text has a match of a pattern.
func matches(text, pattern string) bool { return regexp.MustCompile(pattern).MatchString(text) }
