package smv

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExamples reads the project's own designs: every INVARSPEC over states
// holds, and nothing deadlocks.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../benchmarks/designs/smv/*.smv")
	if err != nil || len(files) == 0 {
		t.Skip("no designs here")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		n, err := p.Compile(Options{})
		if err != nil {
			t.Fatal(err)
		}
		if notes := n.Design.Notes; len(notes) > 0 || len(n.Design.Netlist.Bads) == 0 {
			t.Errorf("%s: %d properties, notes %q", file, len(n.Design.Netlist.Bads), notes)
		}
		m, err := p.Model(ModelOptions{})
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.Explore(context.Background(), 20_000)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.specs {
			if s.kind != itemInvarspec || s.node.flags&(hasNext|hasInput) != 0 {
				continue
			}
			q, err := m.Prop(p.text(s.node))
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(q.Holds(g.States), false) {
				t.Errorf("%s: %s fails", file, q.Text)
			}
		}
	}
}

func mustParse(t *testing.T, text string) *Program {
	t.Helper()
	p, err := Parse("m.smv", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSafetySpecs turns AG p and G p into bad-state literals exactly where that
// means the same.
func TestSafetySpecs(t *testing.T) {
	const specs = "CTLSPEC AG x\nLTLSPEC G x\nCTLSPEC AG AF x\nLTLSPEC G F x\nLTLSPEC G [0,2] x\n"
	for _, c := range []struct {
		text string
		bads int
	}{
		{"MODULE main VAR x : boolean;\n" + specs, 2},
		{"MODULE main VAR x : boolean; y : boolean; TRANS next(y) | y | next(x);\n" + specs, 1},
		{"MODULE main VAR x : boolean; FAIRNESS x\n" + specs, 0},
	} {
		n, err := mustParse(t, c.text).Compile(Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(n.Design.Netlist.Bads); got != c.bads || got+len(n.Design.Specs) != 5 {
			t.Errorf("%d bad-state literals, %d specifications\n%s", got, len(n.Design.Specs), c.text)
		}
	}
}

// TestInputsAsState compares the two views of IVARs.
func TestInputsAsState(t *testing.T) {
	p := mustParse(t, "MODULE main VAR x : boolean; IVAR i : 0..2; TRANS next(x) = (i = 1) & i != 2\nJUSTICE i = 0\n")
	if _, err := p.Model(ModelOptions{}); err == nil || !strings.Contains(err.Error(), "FAIRNESS over an input") {
		t.Errorf("fairness over an input: %v", err)
	}
	m, err := p.Model(ModelOptions{InputsAsState: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	g, err := m.Explore(ctx, 100)
	if err != nil {
		t.Fatal(err)
	}
	// A state with i = 2 has no successor: it is a deadlock of this view only.
	var names []string
	for i, s := range g.States {
		name := m.Name(s)
		names = append(names, name)
		if dead := strings.Contains(name, "i=2"); dead != (len(g.Succ[i]) == 0) || !dead && len(g.Succ[i]) != 3 {
			t.Errorf("%s has %d successors", name, len(g.Succ[i]))
		}
	}
	slices.Sort(names)
	want := []string{"x=FALSE i=0", "x=FALSE i=1", "x=FALSE i=2", "x=TRUE i=0", "x=TRUE i=1", "x=TRUE i=2"}
	if !slices.Equal(names, want) {
		t.Errorf("states %q", names)
	}
	if d, err := m.Deadlock(ctx, 100); err != nil || d.Status != DeadlockReachable {
		t.Errorf("deadlock status %d, %v", d.Status, err)
	}
	fair := m.Fairness()
	if len(fair) != 1 || fair[0].Text != "i = 0" {
		t.Fatalf("fairness %v", fair)
	}
	for i, holds := range fair[0].Holds(g.States) {
		if holds != strings.Contains(m.Name(g.States[i]), "i=0") {
			t.Errorf("i = 0 is %v in %s", holds, m.Name(g.States[i]))
		}
	}
}

// TestLimits stops at the number of states that the caller allows.
func TestLimits(t *testing.T) {
	m, err := mustParse(t, "MODULE main VAR x : 0..9; y : 0..9; ASSIGN init(y) := 0; next(y) := x;").Model(ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	var limit *LimitError
	if _, err := m.Explore(ctx, 99); !errors.As(err, &limit) || limit.Limit != 99 {
		t.Errorf("99 states: %v", err)
	}
	if g, err := m.Explore(ctx, 100); err != nil || len(g.States) != 100 {
		t.Errorf("100 states: %v", err)
	}
	if _, err := m.Initial(ctx, 9); !errors.As(err, &limit) {
		t.Errorf("9 initial states: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := m.Explore(cancelled, 100); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, bad := range []string{"z", "x +", "x", "next(y) = 0", "AG (x = 0)", "x / y = 1"} {
		if _, err := m.Prop(bad); err == nil {
			t.Errorf("the proposition %q is accepted", bad)
		}
	}
}

// TestSignals lists a model's outputs.
func TestSignals(t *testing.T) {
	n, err := mustParse(t, `MODULE main
VAR x : boolean; y : boolean; c : cell(x);
DEFINE d := x & y; k := 3; s := next(x);
ASSIGN next(x) := y; y := !x;
MODULE cell(a)
DEFINE e := !a;
`).Compile(Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range n.Signals() {
		names = append(names, s.Name)
		if l, err := n.Lit(s.Name); err != nil || l != s.Lit {
			t.Errorf("%s: %d, %d, %v", s.Name, s.Lit, l, err)
		}
	}
	slices.Sort(names)
	if want := []string{"c.e", "d", "y"}; !slices.Equal(names, want) {
		t.Errorf("signals %q", names)
	}
}

// TestDeadlockNotes reports states without a successor, and no initial state.
func TestDeadlockNotes(t *testing.T) {
	for _, c := range []struct{ text, note string }{
		{"MODULE main VAR x : 0..3; INIT x = 0 TRANS next(x) = x + 1", "deadlock: the reachable state 3 has no successor"},
		{"MODULE main VAR x : 0..3; INIT x = 0 TRANS next(x) = (x + 1) mod 4", ""},
		{"MODULE main VAR x : 0..3; y : boolean; INIT x = 0 & !y TRANS y -> FALSE TRANS next(y) -> y", ""},
		{"MODULE main VAR x : boolean; INIT x INVAR !x", "there is no initial state: the constraints exclude each other, and every property holds of nothing"},
		{"MODULE main IVAR i : boolean; VAR x : boolean; TRANS i -> next(x) != x TRANS i", ""},
	} {
		n, err := mustParse(t, c.text).Compile(Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(n.Design.Notes, "; "); got != c.note {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.note)
		}
	}
}

// TestOuterDefine declares a name in another instance.
func TestOuterDefine(t *testing.T) {
	n, err := mustParse(t, `MODULE main
VAR a : cell(b, TRUE); b : cell(a, FALSE);
INVARSPEC NAME one := a.token xor b.token;
MODULE cell(right, first)
VAR token : boolean;
ASSIGN init(token) := first; next(token) := inp;
DEFINE right.inp := token;
`).Compile(Options{})
	if err != nil {
		t.Fatal(err)
	}
	ns := exploreNetlist(t, n)
	if len(ns.reach) != 2 || ns.broken[0] {
		t.Errorf("states %q", sorted(ns.reach))
	}
}
