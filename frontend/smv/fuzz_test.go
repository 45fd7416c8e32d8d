package smv

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"netcov/frontend/design"
	"netcov/internal/alloctest"
)

// FuzzParse feeds texts to the reader. Nothing may panic or hang; what is
// accepted compiles to a netlist that fits its description, and prints
// specifications that read back.
func FuzzParse(f *testing.F) {
	for i := range 20 {
		f.Add(randomModel(uint64(i), 40, 4, false))
	}
	files, _ := filepath.Glob("../../benchmarks/designs/smv/*.smv")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			f.Add(string(text))
		}
	}
	f.Add("MODULE main VAR a : array -1..1 of word[3]; ASSIGN a[0] := 0ub3_101; LTLSPEC G [1,2] F X a[1] = a[-1]")
	f.Add("MODULE main VAR x.y : boolean; a[1] : boolean; INVARSPEC x.y xor a[1] SPEC A[x.y U EBF 1..3 !x.y] & E[a[1] BU 0..2 x.y]")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			return
		}
		start := time.Now()
		var p *Program
		var err error
		// A few bytes may declare an array of thousands of variables.
		alloctest.Check(t, len(text)+5000, 20_000, func() { p, err = Parse("f.smv", []byte(text)) })
		if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("refusal of several lines: %q", err)
		}
		if err == nil {
			checkAccepted(t, p, text)
		}
		if d := time.Since(start); d > 30*time.Second {
			t.Errorf("took %v\n%s", d, text)
		}
	})
}

func checkAccepted(t *testing.T, p *Program, text string) {
	for _, s := range p.specs {
		again := p.text(s.node)
		if s.kind == itemInvarspec {
			again = "INVARSPEC " + again
		} else {
			again = map[itemKind]string{itemCTL: "CTLSPEC ", itemLTL: "LTLSPEC "}[s.kind] + again
		}
		printed(t, p, s, again)
	}
	n, err := p.Compile(Options{DeadlockStates: -1})
	if err != nil {
		return
	}
	net := n.Design.Netlist
	if err := net.Graph.Sanity(); err != nil {
		t.Error(err)
	}
	if len(n.Design.Latches) != len(net.Latches) || len(n.Design.Properties) != len(net.Bads) || len(n.Design.Gates) != len(net.Gates) {
		t.Errorf("the names do not fit the netlist\n%s", text)
	}
	for _, l := range net.Latches {
		if int(l.Next.Node()) >= net.Graph.Size() || int(l.Reset.Node()) >= net.Graph.Size() {
			t.Errorf("latch %s has no next value or reset\n%s", l.Name, text)
		}
	}
	m, err := p.Model(ModelOptions{InputsAsState: true})
	if err != nil {
		t.Errorf("the netlist is accepted, the model is not: %v\n%s", err, text)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if g, err := m.Explore(ctx, 50); err == nil {
		for _, s := range g.States {
			m.Name(s)
		}
	}
}

// printed reads a printed specification back in the scope of main and compares
// the texts.
func printed(t *testing.T, p *Program, s spec, text string) {
	var err error
	var n *node
	func() {
		defer catch("printed", &err)
		ps := &parser{toks: scan(text)}
		m := &module{}
		ps.section(m, ps.next())
		if ps.peek().kind != tokEnd {
			ps.unexpected("the end")
		}
		n = p.formula(m.items[0].right, p.elab.root, where{"a specification", true, true})
	}()
	switch {
	case err != nil:
		t.Errorf("%v\n%s", err, text)
	case p.text(n) != p.text(s.node):
		t.Errorf("printed as\n%s\nand then as\n%s", p.text(s.node), p.text(n))
	}
}

// TestPrintedRandom prints random formulas and reads them back.
func TestPrintedRandom(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		g := &gen{Rand: r, vars: []gvar{{name: "b", t: 'b'}, {name: "i", t: 'i'}, {name: "s", t: 's'}, {name: "m", t: 'm'}, {name: "u", t: 'u'}, {name: "w", t: 'w'}, {name: "c.b", t: 'b'}}}
		text := "MODULE main\nVAR b : boolean; i : 0..3; s : {red, green, blue}; m : {red, 0, off}; u : word[2]; w : signed word[2]; c : cell;\n"
		for range 5 {
			text += "LTLSPEC " + g.temporal(4, false) + ";\nCTLSPEC " + g.temporal(4, true) + ";\nINVARSPEC " + g.expr('b') + ";\n"
		}
		text += "MODULE cell\nVAR b : boolean;\n"
		p, err := Parse("m.smv", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, s := range p.specs {
			key := map[itemKind]string{itemCTL: "CTLSPEC ", itemLTL: "LTLSPEC ", itemInvarspec: "INVARSPEC "}[s.kind]
			printed(t, p, s, key+p.text(s.node))
		}
	}
}

// temporal writes a formula of LTL or CTL.
func (g *gen) temporal(depth int, ctl bool) string {
	if depth == 0 {
		return g.expr('b')
	}
	sub := func() string { return g.temporal(depth-1, ctl) }
	switch g.IntN(8) {
	case 0:
		return "!" + "(" + sub() + ")"
	case 1, 2:
		return "(" + sub() + ")" + g.pick(" & ", " | ", " -> ", " <-> ", " xor ", " xnor ") + "(" + sub() + ")"
	case 3:
		return g.expr('b')
	}
	if ctl {
		if g.chance(30) {
			return g.pick("A", "E") + "[(" + sub() + ")" + g.pick(" U ", " BU 1..2 ", " W ") + "(" + sub() + ")]"
		}
		return g.pick("AG", "EF", "AX", "EX", "AF", "EG", "EBF 0..2", "ABG 1..3") + " (" + sub() + ")"
	}
	if g.chance(40) {
		return "(" + sub() + ")" + g.pick(" U ", " V ", " W ", " S ", " T ") + "(" + sub() + ")"
	}
	return g.pick("G", "F", "X", "Y", "Z", "H", "O", "G [0, 2]", "! F") + " (" + sub() + ")"
}

// TestDesign checks what a netlist is described by.
func TestDesign(t *testing.T) {
	p, err := Parse("d.smv", []byte(`MODULE main
VAR
  mode : {idle, busy, done};
  u0 : counter(mode = busy);
  u1 : counter(u0.top);
  flags : array 0..1 of boolean;
  w : unsigned word[2];
  req : boolean;
  sel : 0..2;
IVAR go : boolean;
FROZENVAR lim : 1..4;
DEFINE both := u0.top & u1.top;
ASSIGN
  init(mode) := idle;
  next(mode) := case mode = idle & req : busy; both : done; TRUE : {idle, mode}; esac;
  next(flags[0]) := flags[1];
  next(flags[1]) := go;
  w := word1(req) :: word1(both);
TRANS go | next(mode) != busy
INVAR !both | req
JUSTICE req
INVARSPEC NAME safe := !(both & mode = done);
INVARSPEC u1.n <= next(u1.n) | u1.top
CTLSPEC AG (both -> AF mode in {idle, done})
CTLSPEC AG !(u0.top & u1.n = 3)
LTLSPEC NAME live := G (req -> F (w[0:0] = 0ub1_1 & u1.limit))

MODULE counter(enable)
VAR n : 0..3;
DEFINE
  top := n = 3;
  limit := enable & top;
ASSIGN
  init(n) := 0;
  next(n) := enable & n < 3 ? n + 1 : n;
`))
	if err != nil {
		t.Fatal(err)
	}
	n, err := p.Compile(Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := n.Design
	if d.Format != "smv" || len(d.SHA256) != 64 || d.File != "d.smv" {
		t.Errorf("%q %q %q", d.Format, d.SHA256, d.File)
	}
	type row struct {
		name string
		at   design.Origin
	}
	o := func(register string, bit int, instance, module string, line int, artefact bool) design.Origin {
		return design.Origin{Register: register, Bit: bit, Instance: instance, Module: module, File: "d.smv", Line: line, Artefact: artefact}
	}
	want := []row{
		{"mode[0]", o("mode", 0, "main", "main", 3, false)},
		{"mode[1]", o("mode", 1, "main", "main", 3, false)},
		{"u0.n[0]", o("u0.n", 0, "u0", "counter", 29, false)},
		{"u0.n[1]", o("u0.n", 1, "u0", "counter", 29, false)},
		{"u1.n[0]", o("u1.n", 0, "u1", "counter", 29, false)},
		{"u1.n[1]", o("u1.n", 1, "u1", "counter", 29, false)},
		{"flags[0]", o("flags", 0, "main", "main", 6, false)},
		{"flags[1]", o("flags", 1, "main", "main", 6, false)},
		{"lim[0]", o("lim", 0, "main", "main", 11, false)},
		{"lim[1]", o("lim", 1, "main", "main", 11, false)},
		{"$legal", o("$legal", -1, "main", "main", 0, true)},
		{"$bad1", o("$bad1", -1, "main", "main", 0, true)},
	}
	for i, l := range d.Netlist.Latches {
		if i >= len(want) || l.Name != want[i].name || d.Latches[i] != want[i].at {
			t.Errorf("latch %d: %s %+v", i, l.Name, d.Latches[i])
		}
	}
	inputs := map[string]bool{}
	for _, in := range d.Netlist.Inputs {
		inputs[in.Name] = true
	}
	for _, name := range []string{"req", "sel[0]", "sel[1]", "go", "next(mode)[0]"} {
		if !inputs[name] {
			t.Errorf("no input %s in %v", name, inputs)
		}
	}
	specs := []design.Spec{
		{Kind: "ctl", Text: "AG (both -> AF (mode in {idle, done}))", Line: 24},
		{Kind: "ctl", Text: "AG !(u0.top & u1.n = 3)", Line: 25},
		{Kind: "ltl", Text: `G (req -> F ("w[0:0] = 0ud1_1" & u1.limit))`, Line: 26, Name: "live"},
	}
	if len(d.Specs) != len(specs) {
		t.Fatalf("%d specifications", len(d.Specs))
	}
	for i, s := range specs {
		if d.Specs[i] != s {
			t.Errorf("specification %d: %+v", i, d.Specs[i])
		}
	}
	if p := d.Properties; len(p) != 2 || p[0].Register != "safe" || p[0].Line != 22 || p[1].Register != "u1.n <= next(u1.n) | u1.top" {
		t.Errorf("properties: %+v", p)
	}
	if len(d.Netlist.Fairness) != 1 || len(d.Netlist.Constraints) != 2 {
		t.Errorf("%d fairness constraints, %d constraints", len(d.Netlist.Fairness), len(d.Netlist.Constraints))
	}
	for _, g := range d.Gates {
		if g.Line == 0 || g.Module == "" {
			t.Errorf("a gate without a place: %+v", g)
		}
	}
}
