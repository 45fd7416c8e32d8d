package ctl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"netcov/aig"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/structure"
)

// Don't-care outputs (CKV01 section 5): where δ leaves an output open, a specification
// holds iff it does whatever the value there is, so a state is covered iff the mutant
// fails for some values. There are as many choices as sets of open states, but two
// kinds of specifications have a worst one that is seen at once, in the model and in
// all its mutants:
//
//   - one that in negation normal form reads an output q only as q, or only as !q, is
//     monotone in the states where q holds: the worst q is false there, or true
//   - one that fails iff a propositional part fails in a single state, such as
//     AG (p -> AX (q <-> r)), fails for the worst value of q in that state
//
// Both become specifications on a model with one more label, which says where q is open
// and is never flipped: q is replaced by q & !open, and a part b by
// b[q := TRUE] & b[q := FALSE] | !open & b. Flipping q where it is open thus changes
// nothing, as the definition wants it. Other specifications are refused.

// Open says where an output, or a proposition of a structure, is open.
type Open struct {
	Output string
	When   formula.Formula // without temporal operators
}

// openName is the label of the states in which a signal is open; no signal has such a
// name.
func openName(signal string) string { return openPrefix + signal }

const openPrefix = "don't care: "

func isOpen(label string) bool { return strings.HasPrefix(label, openPrefix) }

// OpenCircuit is a circuit with labels for its open outputs.
func OpenCircuit(c *circuit.Circuit, open []Open) (*circuit.Circuit, error) {
	if len(open) == 0 {
		return c, nil
	}
	own := *c
	own.Outputs = slices.Clone(c.Outputs)
	for _, o := range open {
		if k := c.Kind(o.Output); k != circuit.PureOutput {
			return nil, fmt.Errorf("%q is no pure output (it is: %s); only an output that is no register and no input can be don't care", o.Output, k)
		}
		lits := map[formula.Formula]aig.Lit{}
		f := formula.NNF(o.When)
		for _, g := range formula.Subformulas(f) {
			a, b := lits[g.Left()], lits[g.Right()]
			switch g.Op() {
			case formula.OpTrue:
				lits[g] = aig.True
			case formula.OpFalse:
				lits[g] = aig.True.Not()
			case formula.OpAtom:
				l, ok := c.Lit(g.Name())
				if !ok {
					return nil, fmt.Errorf("%s is don't care when %s: there is no signal %q", o.Output, o.When, g.Name())
				}
				lits[g] = l
			case formula.OpNot:
				lits[g] = a.Not()
			case formula.OpAnd:
				lits[g] = c.Graph.And(a, b)
			case formula.OpOr:
				lits[g] = c.Graph.And(a.Not(), b.Not()).Not()
			}
		}
		own.Outputs = append(own.Outputs, circuit.Signal{Name: openName(o.Output), Lit: lits[f]})
	}
	return circuit.New(own)
}

// OpenStructure is a structure with labels for its open propositions.
func OpenStructure(k *structure.Structure, open []Open) (*structure.Structure, error) {
	for _, o := range open {
		if _, ok := k.Proposition(o.Output); !ok {
			return nil, fmt.Errorf("there is no proposition %q that could be don't care; there are %s", o.Output, list(k.AP))
		}
		set, err := k.Satisfying(o.When)
		if err != nil {
			return nil, fmt.Errorf("%s is don't care when %s: %w", o.Output, o.When, err)
		}
		k = k.WithLabel(openName(o.Output), set)
	}
	return k, nil
}

// Worst is the specification on the model with labels for the open signals.
func Worst(f formula.Formula, open []Open) (formula.Formula, error) {
	g := formula.NNF(f)
	var both []string
	for _, o := range open {
		q := formula.Atom(o.Output)
		pos, neg := polarity(g, q)
		closed := formula.Not(formula.Atom(openName(o.Output)))
		switch {
		case pos && neg:
			both = append(both, o.Output)
		case pos:
			g = formula.Replace(g, map[formula.Formula]formula.Formula{q: formula.And(q, closed)})
		case neg:
			g = formula.Replace(g, map[formula.Formula]formula.Formula{formula.Not(q): formula.And(formula.Not(q), closed)})
		}
	}
	if both == nil {
		return g, nil
	}
	if !inOneState(g, both) {
		return g, fmt.Errorf("%s reads %s, which is don't care in some states, both as it is and negated, and what the worst values are depends on several states: write it as specifications that each read it in one way", f, strings.Join(both, " and "))
	}
	for _, q := range both {
		parts := map[formula.Formula]formula.Formula{}
		propositional(g, q, parts)
		for b := range maps.Clone(parts) {
			with := func(v bool) formula.Formula {
				return formula.Simplify(formula.Replace(b, map[formula.Formula]formula.Formula{formula.Atom(q): formula.Constant(v)}))
			}
			closed := formula.Not(formula.Atom(openName(q)))
			parts[b] = formula.Or(formula.And(with(true), with(false)), formula.And(closed, b))
		}
		g = formula.Replace(g, parts)
	}
	return g, nil
}

// polarity reports whether a formula in negation normal form reads an atom as it is, and
// negated.
func polarity(f, q formula.Formula) (pos, neg bool) {
	pos = f == q
	for _, g := range formula.Subformulas(f) {
		if g.Op() == formula.OpNot {
			neg = neg || g.Left() == q
		} else if n := g.Op().Arity(); n > 0 {
			pos = pos || g.Left() == q || n > 1 && g.Right() == q
		}
	}
	return pos, neg
}

// propositional collects the largest parts of a formula without temporal operators that
// read an atom.
func propositional(f formula.Formula, q string, parts map[formula.Formula]formula.Formula) {
	switch {
	case !reads(f, []string{q}):
	case f.Propositional():
		parts[f] = f
	default:
		propositional(f.Left(), q, parts)
		if f.Op().Arity() > 1 {
			propositional(f.Right(), q, parts)
		}
	}
}

func reads(f formula.Formula, names []string) bool {
	return slices.ContainsFunc(formula.Atoms(f), func(a string) bool { return slices.Contains(names, a) })
}

// inOneState reports whether a formula in negation normal form fails iff, beside what
// does not read the signals, one propositional part fails in one state.
func inOneState(f formula.Formula, signals []string) bool {
	if f.Propositional() || !reads(f, signals) {
		return true
	}
	l, r := f.Left(), f.Right()
	switch f.Op() {
	case formula.OpAX, formula.OpAG:
		return inOneState(l, signals)
	case formula.OpAnd:
		return inOneState(l, signals) && inOneState(r, signals)
	case formula.OpOr:
		return (!reads(l, signals) || !reads(r, signals)) && inOneState(l, signals) && inOneState(r, signals)
	case formula.OpAW: // a path of !r to a state without l and r
		return !reads(r, signals) && inOneState(l, signals)
	case formula.OpAR: // a path of !l to a state without r
		return !reads(l, signals) && inOneState(r, signals)
	}
	return false
}

// openCells are the reachable states, or control states, in which a signal is open
// under every input: there is nothing to cover.
func (p *Problem) openCells(signal string) structure.Set {
	out := structure.NewSet(p.frame.cells)
	open, ok := p.frame.labels[openName(signal)]
	if !ok {
		return out
	}
	for cell := range p.frame.candidates.All() {
		from, to := p.frame.statesOf(int32(cell))
		all := true
		for w := from; w < to; w++ {
			all = all && open.Has(w)
		}
		if all {
			out.Add(cell)
		}
	}
	return out
}

// required are the cells in which a signal is not open under every input.
func (s *symbolicModel) required(cells bdd.Ref, signal string) bdd.Ref {
	open, ok := s.Label(openName(signal))
	if !ok {
		return cells
	}
	return s.M.Exists(s.M.Diff(s.reachable, open), s.inputCube())
}
