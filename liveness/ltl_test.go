package liveness

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/internal/randaig"
	"netcov/kripke/automaton"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/ltl"
	"netcov/mutant"
	"netcov/netlist"
)

// holdsByProduct decides a formula on the state graph of a file.
func holdsByProduct(t *testing.T, f *aiger.File, spec formula.Formula) bool {
	t.Helper()
	c, err := circuit.FromNetlist(netlist.FromAIGER(f), "file")
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := automaton.FromLTL(formula.Not(spec), automaton.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, wrong, err = ltl.Unconstrain(c, wrong)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ltl.FromCircuit(context.Background(), c, wrong.AP, 0)
	if err != nil {
		t.Fatal(err)
	}
	ck, err := ltl.NewChecker(context.Background(), m, wrong)
	if err != nil {
		t.Fatal(err)
	}
	counterexample, err := ck.Holds()
	if err != nil {
		t.Fatal(err)
	}
	return counterexample == nil
}

// decide decides a composed file, or a mutant of it, and returns a run of the
// composed file when the formula fails.
func decide(t *testing.T, c *Composed, target *mutant.Target, kind mutant.Fault, place mutant.Mux) *Lasso {
	t.Helper()
	file := c.File
	var m *Map
	if !c.IsSafety() {
		var err error
		if file, m, err = Safety(c.File, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Check(); err != nil {
		t.Fatal(err)
	}
	n := netlist.FromAIGER(file)
	var targets []mutant.Target
	if target != nil {
		targets = append(targets, *target)
	}
	model := netlist.Compile(n, n.Bads[0].Lit, targets, place)
	if len(model.Cuts) > 0 {
		model = model.Mutant(0, kind)
	}
	trace := check(t, model)
	if trace == nil {
		return nil
	}
	free := target != nil && kind == mutant.Nondet && len(model.Inputs) > len(file.Inputs)
	if m == nil {
		// A finite run: the automaton has won, and what follows does not matter.
		return &Lasso{}
	}
	l, err := m.Lasso(trace, free)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLTL compares formulas built into files with the product of state graph and
// automaton, on designs and on their mutants, and checks lassos by simulation
// and by the formula's own semantics.
func TestLTL(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	verdicts := map[bool]int{}
	safety, checked := 0, 0
	for range *count {
		s := randaig.Everything()
		s.Symbols, s.Justice, s.Inputs, s.Latches = false, 0, 2, 3
		if rng.IntN(2) == 0 {
			s.Constraints, s.Fairness = 0, 0
		}
		f := randaig.New(rng, s)
		var names []string
		for i := range f.Inputs {
			names = append(names, []string{"i0", "i1"}[i])
		}
		for i := range f.Latches {
			names = append(names, []string{"l0", "l1", "l2"}[i])
		}
		for i := range f.Outputs {
			names = append(names, []string{"o0", "o1"}[i])
		}
		if len(names) == 0 {
			continue
		}
		spec := randomFormula(rng, names, 2+rng.IntN(3))
		c, err := LTL(f, spec, automaton.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c.IsSafety() {
			safety++
		}
		var target *mutant.Target
		kind, place := mutant.Fault(rng.IntN(3)), mutant.Mux(rng.IntN(2))
		cut := f
		var fault *sim.Fault
		if rng.IntN(2) == 0 && len(f.Latches)+len(f.Ands) > 0 {
			target = &mutant.Target{Index: rng.IntN(len(f.Latches) + len(f.Ands))}
			if target.Index >= len(f.Latches) {
				*target = mutant.Target{Gate: true, Index: target.Index - len(f.Latches)}
			}
			x := faultOf(f, *target, kind, place)
			fault = &x
			if cut, err = sim.Mutant(withAtoms(f, names), x); err != nil {
				t.Fatal(err)
			}
		} else {
			cut = withAtoms(f, names)
		}
		want := holdsByProduct(t, cut, renamed(spec, names))
		l := decide(t, c, target, kind, place)
		if want != (l == nil) {
			t.Fatalf("%s, %v: holds %v by the product, %v by the translation\n%s", spec, fault, want, l == nil, text(f))
		}
		verdicts[want]++
		if l != nil && len(l.Inputs) > 0 {
			free := fault != nil && fault.Kind == sim.Nondet && len(l.Inputs[0]) > len(c.File.Inputs)
			d := c.Design(l, free)
			if fault != nil && fault.Kind == sim.Nondet && !free {
				for i := range d.Inputs { // the fault is outside of the cone
					d.Inputs[i] = append(d.Inputs[i], false)
				}
			}
			if err := CheckLasso(f, spec, d, fault); err != nil {
				t.Fatalf("%s, %v: %v in %v\n%s", spec, fault, err, d, text(f))
			}
			checked++
			if CheckLasso(f, formula.Not(spec), d, fault) == nil {
				t.Fatalf("%s: the run violates the negation too", spec)
			}
		}
	}
	t.Logf("formulas that fail and hold: %v; %d safety properties, %d lassos checked", verdicts, safety, checked)
}

func randomFormula(rng *rand.Rand, names []string, depth int) formula.Formula {
	if depth == 0 {
		return formula.Atom(names[rng.IntN(len(names))])
	}
	f := randomFormula(rng, names, depth-1)
	switch rng.IntN(9) {
	case 0:
		return formula.Not(f)
	case 1:
		return formula.Unary(formula.OpX, f)
	case 2, 3:
		return formula.Unary(formula.OpF, f)
	case 4, 5:
		return formula.Unary(formula.OpG, f)
	}
	g := randomFormula(rng, names, rng.IntN(depth))
	binary := []formula.Op{formula.OpAnd, formula.OpOr, formula.OpImplies, formula.OpXor, formula.OpU, formula.OpW, formula.OpR}
	return formula.Binary(binary[rng.IntN(len(binary))], f, g)
}

// withAtoms gives the named signals outputs of their own, a0, a1, …, so that the
// mutant of the file shows what readers see of them.
func withAtoms(f *aiger.File, names []string) *aiger.File {
	read, err := resolve(f, names)
	if err != nil {
		panic(err) // the names are the file's
	}
	g := *f
	g.Outputs = read
	g.Symbols.Outputs = aiger.Names{}
	for i := range read {
		g.Symbols.Outputs[i] = "a" + string(rune('0'+i))
	}
	return &g
}

func renamed(spec formula.Formula, names []string) formula.Formula {
	with := map[formula.Formula]formula.Formula{}
	for i, n := range names {
		with[formula.Atom(n)] = formula.Atom("a" + string(rune('0'+i)))
	}
	return formula.Replace(spec, with)
}

// TestLTLNames checks the errors about names.
func TestLTLNames(t *testing.T) {
	f := &aiger.File{MaxVar: 2, Inputs: []aiger.Lit{2}, Latches: []aiger.Latch{{Lit: 4, Next: 2}}}
	f.Symbols.Latches = aiger.Names{0: "i0"}
	for text, want := range map[string]string{
		"G i0":   "several signals have this name",
		"G l0":   "no input, latch, output or bad state has this name",
		"AG i0":  "",
		"G TRUE": "",
	} {
		spec, err := formula.Parse(text, formula.LTL)
		if err != nil {
			continue // a formula of CTL does not get this far
		}
		_, err = LTL(f, spec, automaton.Options{})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if (want == "") != (err == nil) || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
