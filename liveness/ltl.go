package liveness

import (
	"fmt"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/kripke/automaton"
	"netcov/kripke/formula"
)

// A formula of LTL becomes a property of the file: the automaton of its negation
// is built into it, reading the named literals as everything else reads them.
// The formula holds iff no infinite run that obeys the constraints, and meets
// the fairness constraints, is accepted.

// Composed is a file with an automaton built in. Inputs, latches and gates with
// smaller positions than Inputs, Latches and Gates are those of the design.
type Composed struct {
	// File has one property: a bad-state literal when a finite run shows that the
	// formula fails, and there are neither constraints nor fairness constraints;
	// otherwise a justice property.
	File                   *aiger.File
	Inputs, Latches, Gates int
	Formula                formula.Formula
}

// IsSafety tells whether the property is a bad-state literal.
func (c *Composed) IsSafety() bool { return len(c.File.Bads) > 0 }

// LTL builds a formula into a file. Its atoms are names of inputs, latches,
// outputs and bad states; where the file has no names, i0, l0, o0, b0 and so on.
func LTL(f *aiger.File, spec formula.Formula, opt automaton.Options) (*Composed, error) {
	a, err := automaton.FromLTL(formula.Not(spec), opt)
	if err != nil {
		return nil, err
	}
	read, err := resolve(f, a.AP)
	if err != nil {
		return nil, err
	}
	c := &Composed{Inputs: len(f.Inputs), Latches: len(f.Latches), Gates: len(f.Ands), Formula: spec}
	b := newBuilder(f)
	m := automaton.Encode(a, b, "netcov_", read)
	name := spec.String()
	if len(f.Constraints) == 0 && len(f.Fairness) == 0 && a.IsTerminal() {
		b.f.Bads = []aiger.Lit{m.Win}
		b.f.Symbols.Bads = aiger.Names{0: name}
	} else {
		marks := m.Marks
		if len(marks) == 0 {
			marks = []aiger.Lit{m.Alive}
		}
		b.f.Justice = [][]aiger.Lit{marks}
		b.f.Symbols.Justice = aiger.Names{0: name}
		b.f.Fairness = append([]aiger.Lit(nil), f.Fairness...)
	}
	b.f.Comment = "the property is " + name + "\n"
	c.File = b.f
	return c, nil
}

// resolve finds the literals of names.
func resolve(f *aiger.File, names []string) ([]aiger.Lit, error) {
	known := map[string]aiger.Lit{}
	ambiguous := map[string]bool{}
	add := func(name, prefix string, i int, l aiger.Lit) {
		if name == "" {
			name = fmt.Sprint(prefix, i)
		}
		if old, ok := known[name]; ok && old != l {
			ambiguous[name] = true
		}
		known[name] = l
	}
	for i, l := range f.Inputs {
		add(f.Symbols.Inputs[i], "i", i, l)
	}
	for i, l := range f.Latches {
		add(f.Symbols.Latches[i], "l", i, l.Lit)
	}
	for i, l := range f.Outputs {
		add(f.Symbols.Outputs[i], "o", i, l)
	}
	for i, l := range f.Bads {
		add(f.Symbols.Bads[i], "b", i, l)
	}
	out := make([]aiger.Lit, len(names))
	for i, name := range names {
		l, ok := known[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("the formula speaks of %q; no input, latch, output or bad state has this name", name)
		case ambiguous[name]:
			return nil, fmt.Errorf("the formula speaks of %q; several signals have this name", name)
		}
		out[i] = l
	}
	return out, nil
}

// Design cuts a run of the composed file down to one of the design. free tells
// that rows end with the free value of a nondet fault.
func (c *Composed) Design(l *Lasso, free bool) *Lasso {
	out := &Lasso{Init: l.Init[:c.Latches], Loop: l.Loop}
	for _, row := range l.Inputs {
		cut := append([]bool(nil), row[:c.Inputs]...)
		if free {
			cut = append(cut, row[len(row)-1])
		}
		out.Inputs = append(out.Inputs, cut)
	}
	return out
}

// CheckLasso checks, by plain simulation of the design f under the fault and by
// the formula's own semantics, that a run violates the formula: that it starts
// in an initial state, obeys the constraints, comes back to where its loop began
// on all latches that the formula, the constraints and the fairness constraints
// depend on, meets the fairness constraints in its loop, and that the formula is
// false on it. It returns nil, or what is wrong.
func CheckLasso(f *aiger.File, spec formula.Formula, l *Lasso, fault *sim.Fault) error {
	atoms := formula.Atoms(spec)
	read, err := resolve(f, atoms)
	if err != nil {
		return err
	}
	// The atoms become outputs, so that a fault redirects them as well.
	g := *f
	g.Outputs = read
	g.Symbols.Outputs = nil
	if fault != nil {
		m, err := sim.Mutant(&g, *fault)
		if err != nil {
			return err
		}
		g = *m
	}
	word := &automaton.Word{AP: atoms}
	err = run(&g, l, g.Outputs, g.Fairness, func(t int, r *replay) {
		letter := make([]bool, len(atoms))
		for i, o := range g.Outputs {
			letter[i] = r.holds(o)
		}
		if t < l.Loop {
			word.Prefix = append(word.Prefix, letter)
		} else {
			word.Loop = append(word.Loop, letter)
		}
	})
	if err != nil {
		return err
	}
	if word.Satisfies(spec) {
		return fmt.Errorf("the run satisfies %s", spec)
	}
	return nil
}
