package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/mutant"
)

// Whether mutants are missing is a question to the design. A run judges, for the
// properties that hold together, each of its faults at each node of its kinds: that
// is its scope, and the index must tell it. Where not all nodes of a kind are a user's
// registers, the scope lists those that are. The due mutants follow from the scope and the
// design alone; what the index lists elsewhere says nothing about them.

// Scope is what a run judges: mutants with one of the faults, at a node of one of
// the kinds, with the multiplexer at one place.
type Scope struct {
	Nodes  []string `json:"nodes"` // "latch", "gate"
	Faults []string `json:"faults"`
	Mux    string   `json:"mux"`
	// Only lists, by kind, the nodes that are due, in their order; without a list all are.
	Only map[string][]int `json:"only,omitempty"`
}

// NewScope returns the scope of a run over latches, or gates, or both.
func NewScope(latches, gates bool, faults []mutant.Fault, mux mutant.Mux) Scope {
	s := Scope{Faults: mutant.Words(faults), Mux: mux.String()}
	if latches {
		s.Nodes = append(s.Nodes, "latch")
	}
	if gates {
		s.Nodes = append(s.Nodes, "gate")
	}
	return s
}

// At narrows a scope to nodes of a design: a kind with fewer nodes than the design has
// gets a list, one without any is no part of the scope.
func (s *Scope) At(f *aiger.File, targets []mutant.Target) {
	lists := map[string][]int{}
	for _, t := range targets {
		lists[t.Kind()] = append(lists[t.Kind()], t.Index)
	}
	var nodes []string
	s.Only = map[string][]int{}
	for _, kind := range s.Nodes {
		due := lists[kind]
		if len(due) == 0 && len(lists) > 0 {
			continue
		}
		nodes = append(nodes, kind)
		if len(due) < s.population(kind, f) && len(due) > 0 {
			slices.Sort(due)
			s.Only[kind] = due
		}
	}
	s.Nodes = nodes
}

// widest is the scope of an index that tells none: whoever leaves it out is judged
// by the standard faults, and those that are listed, at all nodes.
func (x *Index) widest() *Scope {
	s := &Scope{Nodes: nodeKinds, Faults: mutant.Words(mutant.Standard())}
	for i := range x.Properties {
		for _, m := range x.Properties[i].Mutants {
			s.Mux = cmp.Or(s.Mux, m.Mux)
			if !slices.Contains(s.Faults, m.Fault) {
				s.Faults = append(s.Faults, m.Fault)
			}
		}
	}
	s.Mux = cmp.Or(s.Mux, mutant.AtOutput.String())
	return s
}

// check tells what is wrong with a scope of a design. An empty one would make any set
// of mutants complete.
func (s *Scope) check(f *aiger.File) error {
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
	for kind, due := range s.Only {
		if !slices.Contains(s.Nodes, kind) || len(due) == 0 {
			return fmt.Errorf("the scope has %d nodes of the kind %q; list some of a kind that it has", len(due), kind)
		}
		last := -1
		for _, at := range due {
			if at <= last || at >= s.population(kind, f) {
				return fmt.Errorf("the scope lists %s %d, which is out of order, or not in the design", kind, at)
			}
			last = at
		}
	}
	return nil
}

// due reports whether the scope has a node of one of its kinds.
func (s *Scope) due(kind string, at int) bool {
	only, listed := s.Only[kind]
	if !listed {
		return true
	}
	_, found := slices.BinarySearch(only, at)
	return found
}

// String tells the scope in words.
func (s *Scope) String() string {
	var nodes []string
	for i, n := range s.Nodes {
		only, listed := s.Only[n]
		switch {
		case listed:
			nodes = append(nodes, fmt.Sprintf("%d %s that the run lists", len(only), plural[n]))
		case i > 0 && len(s.Only) == 0:
			nodes = append(nodes, plural[n])
		default:
			nodes = append(nodes, "all "+plural[n])
		}
	}
	return fmt.Sprintf("%s at %s, multiplexer at the %s", strings.Join(s.Faults, ", "), strings.Join(nodes, " and "), s.Mux)
}

// node is a mutant of the scope.
type node struct {
	kind  string
	index int
	fault string
}

// listed returns the mutants of an entry. One outside of the scope, or a second
// time, is an error.
func (s *Scope) listed(p *IndexProperty) (map[node]*IndexMutant, error) {
	out := make(map[node]*IndexMutant, len(p.Mutants))
	for i := range p.Mutants {
		m := &p.Mutants[i]
		if !slices.Contains(s.Nodes, m.Kind) || !s.due(m.Kind, m.Index) || !slices.Contains(s.Faults, m.Fault) || m.Mux != s.Mux {
			return nil, fmt.Errorf("%s at %s %d, with the multiplexer at %q, is outside of the scope", m.Fault, m.Kind, m.Index, m.Mux)
		}
		n := node{m.Kind, m.Index, m.Fault}
		if out[n] != nil {
			return nil, fmt.Errorf("%s at %s %d is listed twice", m.Fault, m.Kind, m.Index)
		}
		out[n] = m
	}
	return out, nil
}

// ruling is what an index says of one due mutant, by all properties that hold.
type ruling struct {
	// traces has the entries that say it is covered, by the property that fails.
	traces map[int]*IndexMutant
	// proved tells that some entry has a certificate; listed, that some entry has it.
	proved, listed bool

	unknown   bool
	due, have int // entries whose cone has the node, and those of them that list it
}

// rulings unites what an index says of each due mutant. A mutant is covered where
// one entry says so. It is not covered where each entry that holds says so, or does
// not depend on the node.
func (s *Scope) rulings(x *Index, f *aiger.File) (map[node]*ruling, error) {
	out := map[node]*ruling{}
	for i := range x.Properties {
		p := &x.Properties[i]
		listed, err := s.listed(p)
		if err != nil {
			return nil, fmt.Errorf("property %d: %w", p.Index, err)
		}
		if p.Status != cert.Holds {
			continue
		}
		k := checkerOf(f, p.Rounds, p.all()...)
		for _, kind := range s.Nodes {
			for at := range s.population(kind, f) {
				if !s.due(kind, at) {
					continue
				}
				outside, err := k.Outside(certify.Mutation{Gate: kind == "gate", Index: at})
				if err != nil {
					return nil, fmt.Errorf("property %d: %w", p.Index, err)
				}
				for _, fault := range s.Faults {
					if !s.has(f, kind, at, fault) {
						continue
					}
					n := node{kind, at, fault}
					r := out[n]
					if r == nil {
						r = &ruling{traces: map[int]*IndexMutant{}}
						out[n] = r
					}
					r.take(p, listed[n], outside)
				}
			}
		}
	}
	return out, nil
}

// take unites what one entry says with what was said before; m is nil where it says
// nothing.
func (r *ruling) take(p *IndexProperty, m *IndexMutant, outside bool) {
	if !outside {
		r.due++
	}
	if m == nil {
		return
	}
	r.listed = true
	if !outside {
		r.have++
	}
	switch {
	case m.Verdict == mutant.Covered:
		r.traces[p.failing(m)] = m
	case m.Verdict == mutant.Unknown:
		r.unknown = true
	case m.Certificate != nil:
		r.proved = true
	}
}

// verdict returns what the entries say together; false where an entry that is due is
// missing.
func (r *ruling) verdict() (v mutant.Verdict, complete bool) {
	switch {
	case len(r.traces) > 0:
		return mutant.Covered, true
	case r.have < r.due:
		return mutant.Unknown, false
	case r.unknown:
		return mutant.Unknown, true
	}
	return mutant.NotCovered, true
}

// uncovered reports whether the entries say together that the mutant is not covered.
func (r *ruling) uncovered() bool {
	v, _ := r.verdict()
	return v == mutant.NotCovered
}

// word is what a report calls the evidence.
func (r *ruling) word() string {
	switch v, _ := r.verdict(); {
	case v == mutant.Covered:
		return "trace"
	case v == mutant.NotCovered && r.proved:
		return "invariant"
	}
	return ""
}

// has reports whether the design has a mutant of the scope: not every fault is at
// every node.
func (s *Scope) has(f *aiger.File, kind string, at int, fault string) bool {
	m, err := (&IndexMutant{Kind: kind, Index: at, Fault: fault, Mux: s.Mux}).Mutation()
	return err == nil && certify.Has(f, m)
}

// population is the number of nodes of a kind.
func (s *Scope) population(kind string, f *aiger.File) int {
	if kind == "gate" {
		return len(f.Ands)
	}
	return len(f.Latches)
}

// missing lists, for each kind of node and fault of the scope, how many nodes of
// the design have a mutant without a verdict.
func (s *Scope) missing(x *Index, f *aiger.File) ([]string, error) {
	rulings, err := s.rulings(x, f)
	if err != nil {
		return nil, err
	}
	return s.without(rulings, f), nil
}

// without lists what missing does.
func (s *Scope) without(rulings map[node]*ruling, f *aiger.File) []string {
	var out []string
	if len(rulings) == 0 {
		return nil
	}
	for _, kind := range s.Nodes {
		type counts struct{ have, due int }
		faults := map[counts][]string{}
		var order []counts
		for _, fault := range s.Faults {
			var c counts
			for at := range s.population(kind, f) {
				if r := rulings[node{kind, at, fault}]; r != nil {
					c.due++
					if _, complete := r.verdict(); complete {
						c.have++
					}
				}
			}
			if c.have == c.due {
				continue
			}
			if faults[c] == nil {
				order = append(order, c)
			}
			faults[c] = append(faults[c], fault)
		}
		slices.SortStableFunc(order, func(a, b counts) int { return a.have - b.have })
		for _, c := range order {
			out = append(out, fmt.Sprintf("only %d of %d %s have mutants (%s)", c.have, c.due, plural[kind], strings.Join(faults[c], ", ")))
		}
	}
	return out
}

var (
	nodeKinds = []string{"latch", "gate"}
	plural    = map[string]string{"latch": "latches", "gate": "gates"}
)
