package smv_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/aig"
	"netcov/aiger"
	"netcov/frontend/smv"
	"netcov/internal/shared"
	"netcov/kripke/formula"
	"netcov/kripke/structure"
	"netcov/netlist"
)

// TestSharedStructures compares models with the same structures in HOA.
func TestSharedStructures(t *testing.T) {
	root := shared.Dir(t, "kripke-cases")
	checked := 0
	for _, kind := range []string{"ctl", "ltl", "sim", "tab", "known"} {
		files, err := filepath.Glob(filepath.Join(root, kind, "*.smv"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			base := strings.TrimSuffix(file, ".smv")
			if _, err := os.Stat(base + ".hoa"); err != nil {
				continue
			}
			compareWithHOA(t, file, base+".hoa")
			compareFormula(t, file, base+".json")
			checked++
		}
	}
	if checked == 0 {
		t.Error("no case found")
	}
	t.Logf("%d models compared", checked)
}

func load(file string) (*smv.Program, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return smv.Parse(file, text)
}

func compareWithHOA(t *testing.T, file, hoa string) {
	want, err := structure.ReadFile(hoa)
	if err != nil {
		t.Fatal(err)
	}
	want, _ = want.ReachablePart()
	p, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Model(smv.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := m.Explore(context.Background(), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.States) != want.Len() || len(g.Initial) != len(want.Initial) {
		t.Fatalf("%s: %d states, %d initial; want %d and %d", file, len(g.States), len(g.Initial), want.Len(), len(want.Initial))
	}
	at := map[string]int{}
	for i, s := range want.States {
		at[s] = i
	}
	position := make([]int, len(g.States))
	for i, s := range g.States {
		k, ok := at[m.Name(s)]
		if !ok {
			t.Fatalf("%s: the state %s is not in %s", file, m.Name(s), hoa)
		}
		position[i] = k
	}
	for _, i := range g.Initial {
		if !slices.Contains(want.Initial, position[i]) {
			t.Fatalf("%s: the state %s is not initial in %s", file, m.Name(g.States[i]), hoa)
		}
	}
	for i := range g.States {
		var succ []int32
		for _, j := range g.Succ[i] {
			succ = append(succ, int32(position[j]))
		}
		slices.Sort(succ)
		if !slices.Equal(succ, want.Successors(position[i])) {
			t.Fatalf("%s: successors of %s differ from %s", file, m.Name(g.States[i]), hoa)
		}
	}
	for k, ap := range want.AP {
		q, err := m.Prop(ap)
		if err != nil {
			t.Fatal(err)
		}
		for i, holds := range q.Holds(g.States) {
			if holds != want.Holds(position[i], k) {
				t.Fatalf("%s: %s is %v in %s, not so in %s", file, ap, holds, m.Name(g.States[i]), hoa)
			}
		}
	}
}

// compareFormula checks that the specification that is handed on reads as the
// formula of the case.
func compareFormula(t *testing.T, file, expected string) {
	var want struct {
		Formula string `json:"formula"`
	}
	text, err := os.ReadFile(expected)
	if err != nil || json.Unmarshal(text, &want) != nil || want.Formula == "" {
		return
	}
	p, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	n, err := p.Compile(smv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := n.Design
	if len(d.Specs) == 0 {
		return // the implementation of a pair carries none
	}
	logic := formula.CTL
	if d.Specs[0].Kind == "ltl" {
		logic = formula.LTL
	}
	got, err := formula.Parse(d.Specs[0].Text, logic)
	if err != nil {
		t.Fatalf("%s: %q: %v", file, d.Specs[0].Text, err)
	}
	if f, err := formula.Parse(want.Formula, logic); err != nil || got != f {
		t.Fatalf("%s: the specification reads %s, want %s (%v)", file, d.Specs[0].Text, want.Formula, err)
	}
}

// TestSharedCircuits compares circuits in SMV with the same ones in AIGER: the
// next-state functions and outputs, in all states under all inputs.
func TestSharedCircuits(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared.Dir(t, "kripke-cases"), "circuit", "*.smv"))
	if err != nil || len(files) == 0 {
		t.Fatal("no circuits", err)
	}
	for _, file := range files {
		f, err := aiger.ReadFile(strings.TrimSuffix(file, ".smv")+".aag", aiger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		compareCircuits(t, file, netlist.FromAIGER(f))
	}
	t.Logf("%d circuits compared", len(files))
}

func compareCircuits(t *testing.T, file string, want *netlist.Netlist) {
	p, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Compile(smv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := c.Design.Netlist
	if len(got.Latches) != len(want.Latches) || len(got.Inputs) != len(want.Inputs) || len(got.Constraints) > 0 {
		t.Fatalf("%s: %d latches, %d inputs, %d constraints", file, len(got.Latches), len(got.Inputs), len(got.Constraints))
	}
	latch := map[string]netlist.Latch{}
	leaf := map[string]aig.Lit{}
	for _, l := range got.Latches {
		latch[l.Name], leaf[l.Name] = l, l.Lit
	}
	for _, in := range got.Inputs {
		leaf[in.Name] = in.Lit
	}
	var a, b []aig.Lit // leaves of both, then functions of both
	var fa, fb []aig.Lit
	for _, l := range want.Latches {
		if latch[l.Name].Reset != l.Reset && (l.Reset != l.Lit || latch[l.Name].Reset != latch[l.Name].Lit) {
			t.Fatalf("%s: the reset of %s differs", file, l.Name)
		}
		a, b = append(a, l.Lit), append(b, leaf[l.Name])
		fa, fb = append(fa, l.Next), append(fb, latch[l.Name].Next)
	}
	for _, in := range want.Inputs {
		a, b = append(a, in.Lit), append(b, leaf[in.Name])
	}
	for _, o := range want.Outputs {
		l, err := c.Lit(o.Name)
		if err != nil {
			t.Fatal(err)
		}
		fa, fb = append(fa, o.Lit), append(fb, l)
	}
	for word := range 1 << len(a) {
		va, vb := evaluate(want.Graph, a, word), evaluate(got.Graph, b, word)
		for i := range fa {
			if va(fa[i]) != vb(fb[i]) {
				t.Fatalf("%s: function %d differs under %b", file, i, word)
			}
		}
	}
}

func evaluate(g *aig.Graph, leaves []aig.Lit, word int) func(aig.Lit) bool {
	v := make([]bool, g.Size())
	for i, l := range leaves {
		v[l.Node()] = word>>i&1 == 1
	}
	for n := range v {
		if g.Kind(aig.Node(n)) == aig.KindAnd {
			a, b := g.Fanins(aig.Node(n))
			v[n] = v[a.Node()] != a.Neg() && v[b.Node()] != b.Neg()
		}
	}
	return func(l aig.Lit) bool { return v[l.Node()] != l.Neg() }
}

func ExampleParse() {
	p, err := smv.Parse("counter.smv", []byte(`
MODULE main
VAR n : 0..5; go : boolean;
ASSIGN
  init(n) := 0;
  next(n) := go & n < 5 ? n + 1 : n;
INVARSPEC n <= 4
LTLSPEC G F go -> F n = 5
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := p.Compile(smv.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range c.Design.Netlist.Latches {
		fmt.Println("latch", l.Name)
	}
	for _, b := range c.Design.Netlist.Bads {
		fmt.Println("bad: not", b.Name)
	}
	for _, s := range c.Design.Specs {
		fmt.Println(s.Kind, s.Text)
	}
	// Output:
	// latch n[0]
	// latch n[1]
	// latch n[2]
	// bad: not n <= 4
	// ltl G F go -> F (n = 5)
}
