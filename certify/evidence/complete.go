package evidence

import (
	"fmt"
	"slices"
	"strings"

	"netcov/aiger"
	"netcov/cert"
	"netcov/mutant"
)

// Whether mutants are missing is a question to the design. A run judges, for each
// property that holds, each of its faults at each node of its kinds: that is its
// scope, and the index must tell it. The due mutants follow from the scope and the
// design alone; what the index lists elsewhere says nothing about them.

// Scope is what a run judges: mutants with one of the faults, at a node of one of
// the kinds, with the multiplexer at one place.
type Scope struct {
	Nodes  []string `json:"nodes"` // "latch", "gate"
	Faults []string `json:"faults"`
	Mux    string   `json:"mux"`
}

// NewScope returns the scope of a run over latches, or gates, or both.
func NewScope(latches, gates bool, faults []mutant.Fault, mux mutant.Mux) Scope {
	s := Scope{Mux: mux.String()}
	if latches {
		s.Nodes = append(s.Nodes, "latch")
	}
	if gates {
		s.Nodes = append(s.Nodes, "gate")
	}
	for _, f := range faults {
		s.Faults = append(s.Faults, f.String())
	}
	return s
}

// widest is the scope of an index that tells none: whoever leaves it out is judged
// by all that there is.
func (x *Index) widest() *Scope {
	s := &Scope{Nodes: nodeKinds, Faults: mutant.FaultNames(), Mux: mutant.AtOutput.String()}
	for i := range x.Properties {
		if ms := x.Properties[i].Mutants; len(ms) > 0 {
			s.Mux = ms[0].Mux
			break
		}
	}
	return s
}

// check tells what is wrong with a scope. An empty one would make any set of
// mutants complete.
func (s *Scope) check() error {
	if len(s.Nodes) == 0 || len(s.Faults) == 0 {
		return fmt.Errorf("the scope has %d kinds of nodes and %d faults; one of each is due", len(s.Nodes), len(s.Faults))
	}
	for i, n := range s.Nodes {
		if slices.Contains(s.Nodes[:i], n) {
			return fmt.Errorf("the scope lists %q twice", n)
		}
	}
	for i, f := range s.Faults {
		if slices.Contains(s.Faults[:i], f) {
			return fmt.Errorf("the scope lists %q twice", f)
		}
	}
	for _, n := range s.Nodes {
		for _, f := range s.Faults {
			m := IndexMutant{Kind: n, Fault: f, Mux: s.Mux}
			if _, err := m.Mutation(); err != nil {
				return fmt.Errorf("the scope has an %w", err)
			}
		}
	}
	return nil
}

// String tells the scope in words.
func (s *Scope) String() string {
	var nodes []string
	for _, n := range s.Nodes {
		nodes = append(nodes, plural[n])
	}
	return fmt.Sprintf("%s at all %s, multiplexer at the %s", strings.Join(s.Faults, ", "), strings.Join(nodes, " and "), s.Mux)
}

// missing lists, for each kind of node and fault of the scope, how many nodes of
// the design have no mutant of the property, which must hold. A mutant outside of
// the scope, or a second time, is an error.
func (s *Scope) missing(p *IndexProperty, f *aiger.File) ([]string, error) {
	type class struct{ kind, fault string }
	seen := map[class]map[int]bool{}
	for _, kind := range s.Nodes {
		for _, fault := range s.Faults {
			seen[class{kind, fault}] = map[int]bool{}
		}
	}
	for i := range p.Mutants {
		m := &p.Mutants[i]
		at := seen[class{m.Kind, m.Fault}]
		if at == nil || m.Mux != s.Mux {
			return nil, fmt.Errorf("%s at %s %d, with the multiplexer at %q, is outside of the scope", m.Fault, m.Kind, m.Index, m.Mux)
		}
		if at[m.Index] {
			return nil, fmt.Errorf("%s at %s %d is listed twice", m.Fault, m.Kind, m.Index)
		}
		at[m.Index] = true
	}
	var out []string
	if p.Status != cert.Holds {
		return nil, nil
	}
	for _, kind := range s.Nodes {
		all := len(f.Latches)
		if kind == "gate" {
			all = len(f.Ands)
		}
		faults := map[int][]string{} // by the number of nodes that have them
		for _, fault := range s.Faults {
			n := len(seen[class{kind, fault}])
			faults[n] = append(faults[n], fault)
		}
		for n := range all {
			if of := faults[n]; of != nil {
				out = append(out, fmt.Sprintf("only %d of %d %s have mutants (%s)", n, all, plural[kind], strings.Join(of, ", ")))
			}
		}
	}
	return out, nil
}

var (
	nodeKinds = []string{"latch", "gate"}
	plural    = map[string]string{"latch": "latches", "gate": "gates"}
)
