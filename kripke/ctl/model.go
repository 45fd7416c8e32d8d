package ctl

import (
	"fmt"
	"slices"
	"strings"

	"netcov/aig"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
)

// Model is what specifications are checked on: a structure, a circuit, or a
// structure that exists only as decision diagrams.
type Model struct {
	k      *structure.Structure
	c      *circuit.Circuit
	system *SystemModel
	paths  paths // those that the specifications speak of
}

// SystemModel is a structure given as decision diagrams. Its signals are
// labels, and Pairs is the only algorithm for it.
type SystemModel struct {
	AP   []string // its propositions
	Size string   // its size in words
	Make func(bdd.Options) (*symbolic.System, error)
	// Fairness names labels that a fair path meets infinitely often each.
	Fairness []string
}

// Model wraps the system.
func (s *SystemModel) Model() *Model { return &Model{system: s, paths: paths{fairness: s.Fairness}} }

// StructureModel is the model of an explicit structure; its signals are labels.
func StructureModel(k *structure.Structure) (*Model, error) {
	return &Model{k: k, paths: structurePaths(k)}, nil
}

// CircuitModel is the model of a circuit.
func CircuitModel(c *circuit.Circuit) (*Model, error) {
	c, p, err := open(c)
	return &Model{c: c, paths: p}, err
}

// Label is the kind of a structure's signals; a circuit's signals have the
// kinds of circuit.Kind.
const Label = "label"

// Signal is a signal of which coverage can be asked.
type Signal struct {
	Name string
	Kind string // label, pure-output, pure-control or visible-control
}

// Signals lists the signals of which coverage can be asked: the propositions
// of a structure, the outputs and control signals of a circuit.
func (m *Model) Signals() []string {
	if m.c != nil {
		return slices.DeleteFunc(m.c.Signals(), func(name string) bool { return isOpen(name) || slices.Contains(m.paths.labels(), name) })
	}
	return slices.DeleteFunc(slices.Clone(m.propositions()), isOpen)
}

// propositions lists the propositions of a structure.
func (m *Model) propositions() []string {
	if m.k != nil {
		return m.k.AP
	}
	return m.system.AP
}

// signal finds the named signal. A register that the formula names is visible,
// whether or not it is listed as an output.
func (m *Model) signal(name string, f formula.Formula) (Signal, error) {
	if m.c == nil {
		if !slices.Contains(m.Signals(), name) {
			return Signal{}, fmt.Errorf("there is no proposition %q; there are %s", name, list(m.Signals()))
		}
		return Signal{name, Label}, nil
	}
	kind := m.c.Kind(name)
	if isOpen(name) || slices.Contains(m.paths.labels(), name) {
		kind = circuit.Unknown
	}
	switch kind {
	case circuit.Unknown:
		return Signal{}, fmt.Errorf("there is no signal %q; coverage can be asked of %s", name, list(m.Signals()))
	case circuit.Input:
		return Signal{}, fmt.Errorf("%q is an input: the environment sets it, so coverage is not defined for it", name)
	case circuit.PureControl:
		if slices.Contains(formula.Atoms(f), name) {
			kind = circuit.VisibleControl
		}
		return Signal{name, kind.String()}, nil
	default:
		return Signal{name, kind.String()}, nil
	}
}

func list(names []string) string {
	const most = 20
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// checkAtoms reports a formula's first proposition that the model does not have.
func (m *Model) checkAtoms(f formula.Formula) error {
	for _, a := range formula.Atoms(f) {
		if m.c == nil {
			if !slices.Contains(m.propositions(), a) {
				return fmt.Errorf("the specification names %q, which is no proposition of the structure; there are %s", a, list(m.Signals()))
			}
		} else if _, ok := m.c.Lit(a); !ok {
			names := m.c.Signals()
			for _, i := range m.c.Inputs {
				names = append(names, i.Name)
			}
			return fmt.Errorf("the specification names %q, which is no signal of the circuit; there are %s", a, list(names))
		}
	}
	return nil
}

// Controls lists the names of the control signals that are not the environment's; a
// structure has none.
func (m *Model) Controls() []string {
	if m.c == nil {
		return nil
	}
	var out []string
	for _, r := range m.c.Controls {
		if !m.environment(r.Name) {
			out = append(out, r.Name)
		}
	}
	return out
}

// DefaultSignals lists the signals whose coverage by the specifications can
// differ from nothing: the propositions and outputs that one of them names, and
// all control signals, without those of the environment.
func (m *Model) DefaultSignals(specs ...formula.Formula) []string {
	named := formula.Atoms(specs...)
	var out []string
	for _, name := range m.Signals() {
		if (slices.Contains(named, name) || m.c != nil && m.c.ControlIndex(name) >= 0) && !m.environment(name) {
			out = append(out, name)
		}
	}
	return out
}

// environment reports whether a signal of a circuit is the environment's, as an input is:
// an output that reads inputs only, or a register whose next value is chosen whatever the
// state is, as that of a free variable is where a model reads its next value.
func (m *Model) environment(name string) bool {
	if m.c == nil {
		return false
	}
	l, _ := m.c.Lit(name)
	free := m.c.Inputs
	if r := m.c.ControlIndex(name); r >= 0 {
		l, free = m.c.Controls[r].Next, m.c.Choices
	}
	cone := m.c.Graph.Cone(l)
	return slices.ContainsFunc(free, func(s circuit.Signal) bool { return slices.Contains(cone, s.Lit.Node()) }) &&
		!slices.ContainsFunc(cone, func(n aig.Node) bool { return m.c.Graph.Kind(n) == aig.KindLatch })
}

// Constrained reports whether an invariant constraint restricts the paths.
func (m *Model) Constrained() bool { return m.paths.constraint != "" }

// Restricted reports whether fairness or a constraint leaves some paths out.
func (m *Model) Restricted() bool { return !m.paths.trivial() }

// Size describes the model in a few words.
func (m *Model) Size() string {
	var s string
	switch {
	case m.system != nil:
		s = "structure, " + m.system.Size
	case m.k != nil:
		s = m.k.Size()
	default:
		s = m.c.Size()
	}
	return s + circuit.Conditions(m.paths.constraint != "", m.paths.sets())
}

// SortStates puts names of states, or control states, in the order of the lists
// of a Cover: the structure's order, or else by name.
func (m *Model) SortStates(names []string) {
	if m.k == nil {
		slices.Sort(names)
		return
	}
	at := make(map[string]int, m.k.Len())
	for i, name := range m.k.States {
		at[name] = i
	}
	slices.SortFunc(names, func(a, b string) int { return at[a] - at[b] })
}
