package evidence

import (
	"fmt"
	"slices"

	"netcov/aiger"
	"netcov/cert"
	"netcov/mutant"
)

// Claims are what a report says of the run. Depths are the last steps of traces,
// nil where it speaks of none.
type Claims struct {
	Where  string // names the report in failures
	Design IndexDesign
	Format string // of the design, "" where it is not told
	// Inputs, Latches, Ands and Constraints are the design's sizes.
	Inputs, Latches, Ands, Constraints int
	Mux                                string
	Faults                             []string // of the run
	Observe                            string   // where a difference counts in reasons, "" for none
	Properties                         []ClaimedProperty
	Mutants                            []ClaimedMutant
	Matrix                             bool // mutants say which properties fail on them
	// Wrong lists in what the report contradicts itself.
	Wrong []string
}

// ClaimedProperty is one property, by its position among all of the design.
type ClaimedProperty struct {
	Index  int
	Kind   string
	Name   string
	Status cert.Status
	Depth  *int
}

// ClaimedMutant is one verdict. The fault is that of the literal in the design.
type ClaimedMutant struct {
	Node     Label
	Literal  aiger.Lit
	Fault    string
	Property *int // that fails on a covered one
	Verdict  mutant.Verdict
	Evidence string // "trace", "invariant", or "" for none
	Depth    *int
	Outside  bool   // it says that the node lies outside of the cone of influence
	Reason   string // why it is not covered, "" where the report does not say
	// Of a matrix: the properties that fail on it, and those of which that is unknown.
	Fail, Unknown []int
}

// String names the mutant as failures do.
func (n node) String() string { return fmt.Sprintf("%s at %s %d", n.fault, n.kind, n.index) }

// comparison compares a report with the evidence.
type comparison struct {
	*verifier
	claims   *Claims
	literals map[labelKey]aiger.Lit
	verdicts map[node]*ruling // that the report has not named yet
}

// compareClaims checks that a report claims what the evidence proves: the same
// design, properties and verdicts, not one more or less.
func (v *verifier) compareClaims(claims *Claims) {
	c := &comparison{
		verifier: v, claims: claims, literals: literals(v.design),
		verdicts: map[node]*ruling{},
	}
	for _, w := range claims.Wrong {
		v.fail(claims.Where, "%s", w)
	}
	c.design()
	if s := c.scope; c.index.Scope != nil && (claims.Mux != s.Mux || !slices.Equal(slices.Sorted(slices.Values(claims.Faults)), slices.Sorted(slices.Values(s.Faults)))) {
		c.fail(claims.Where, "the report is about the faults %v with the multiplexer at the %s, the evidence about %v", claims.Faults, claims.Mux, s)
	}
	if x := c.index.Reasons; x != nil && x.Observe != claims.Observe {
		c.fail(claims.Where, "the report's reasons observe %q, the evidence's %q", claims.Observe, x.Observe)
	} else if x == nil && claims.Observe != "" {
		c.partial("not verified: the reasons that the report gives; the evidence has none, they are the run's word")
	}
	c.properties()
	c.mutants()
	c.cells()
}

// literals returns the literal of each node.
func literals(f *aiger.File) map[labelKey]aiger.Lit {
	out := map[labelKey]aiger.Lit{}
	for i, l := range f.Latches {
		out[labelKey{"latch", i}] = l.Lit
	}
	for i, l := range f.GateLiterals() {
		out[labelKey{"gate", i}] = l
	}
	return out
}

func (c *comparison) design() {
	at, r, due := c.claims.Where, c.claims, c.index.Design
	if r.Design.SHA256 != due.SHA256 {
		c.fail(at, "the report is about another design")
	}
	if oneMark(r.Design.Name) != oneMark(due.Name) {
		c.fail(at, "the report calls the design %q, the evidence %q", r.Design.Name, due.Name)
	}
	if r.Format != "" && r.Format != "aiger" && c.report.Origin != Claimed {
		c.fail(at, "the report says that the design is %q, it is an AIGER file", r.Format)
	}
	f := c.verifier.design
	if r.Inputs != len(f.Inputs) || r.Latches != len(f.Latches) || r.Ands != len(f.Ands) || r.Constraints != len(f.Constraints) {
		c.fail(at, "the report says the design has %d inputs, %d latches, %d gates and %d constraints, it has %d, %d, %d and %d",
			r.Inputs, r.Latches, r.Ands, r.Constraints, len(f.Inputs), len(f.Latches), len(f.Ands), len(f.Constraints))
	}
}

func (c *comparison) properties() {
	all := propertiesOf(c.verifier.design)
	proved := map[int]*IndexProperty{}
	for i := range c.index.Properties {
		p := &c.index.Properties[i]
		for _, at := range p.all() {
			proved[at] = p
		}
	}
	for n, r := range c.rulings {
		if _, complete := r.verdict(); complete {
			c.verdicts[n] = r
		}
	}
	named := map[int]bool{}
	for _, p := range c.claims.Properties {
		where := fmt.Sprintf("property %d", p.Index)
		if p.Index < 0 || p.Index >= len(all) {
			c.fail(where, "the report has it, the design has not")
			continue
		}
		if named[p.Index] {
			c.fail(where, "the report has it twice")
			continue
		}
		named[p.Index] = true
		if label := c.labels[labelKey{KindProperty, p.Index}]; p.Kind != all[p.Index].kind || oneMark(p.Name) != label.Name {
			c.fail(where, "the report calls it %s %q, the evidence %s %q", p.Kind, p.Name, all[p.Index].kind, label.Name)
		}
		q := proved[p.Index]
		switch {
		case q == nil:
			c.fail(where, "the report has it, the evidence has not")
			continue
		case q.Status != p.Status:
			c.fail(where, "the report says %q, the evidence %q", p.Status, q.Status)
			continue
		}
		c.depth(where, p.Depth, q.Trace)
	}
	for i := range c.index.Properties {
		for _, at := range c.index.Properties[i].all() {
			if !named[at] {
				c.fail(fmt.Sprintf("property %d", at), "the evidence has it, the report has not")
			}
		}
	}
}

// depth compares the depth of a counterexample with the trace; a trace that
// could not be read has failed already.
func (c *comparison) depth(where string, said *int, trace string) {
	due, known := c.depths[trace]
	switch {
	case trace == "" && said != nil:
		c.fail(where, "the report tells the depth of a trace, the evidence has none")
	case trace != "" && known && (said == nil || *said != due):
		c.fail(where, "the report does not say that the trace has depth %d", due)
	}
}

func (c *comparison) mutants() {
	seen := map[node]bool{}
	for i := range c.claims.Mutants {
		m := &c.claims.Mutants[i]
		k := node{m.Node.Kind, m.Node.Index, m.Fault}
		if literal, ok := c.literals[m.Node.key()]; !ok {
			c.fail(k.String(), "the report has it, the design has no such node")
			continue
		} else if m.Literal != literal {
			c.fail(k.String(), "the report says that the node's literal is %d, it is %d", m.Literal, literal)
		}
		if said, due := m.Node.valid(), c.labels[m.Node.key()]; said != due {
			c.fail(k.String(), "the report calls the node %v, the evidence %v", said, due)
		}
		if seen[k] {
			c.fail(k.String(), "the report has it twice")
			continue
		}
		seen[k] = true
		e := c.verdicts[k]
		if c.claims.Mux != c.scope.Mux {
			e = nil
		}
		delete(c.verdicts, k)
		c.mutant(k, m, e)
	}
	for k, r := range c.verdicts {
		if r.listed {
			c.fail(k.String(), "the evidence has it, the report has not")
		}
	}
}

// mutant compares what the report says of a mutant with the evidence.
func (c *comparison) mutant(k node, m *ClaimedMutant, e *ruling) {
	if e == nil {
		c.fail(k.String(), "the report has it, the evidence has not")
		return
	}
	switch v, _ := e.verdict(); {
	case v != m.Verdict:
		c.fail(k.String(), "the report says %q, the evidence %q", m.Verdict, v)
	case m.Evidence != e.word():
		c.fail(k.String(), "the report says that the evidence is %q, it is %q", m.Evidence, e.word())
	case c.explained != nil && m.Reason != c.explained[k].String():
		c.fail(k.String(), "the report says that its reason is %q, the evidence %q", m.Reason, c.explained[k])
	case m.Outside && e.due > 0:
		c.fail(k.String(), "the report says that the node is outside of the cone of influence, it is inside")
	case (m.Property != nil) != (v == mutant.Covered):
		c.fail(k.String(), "the report names a property that fails on it where it is covered, and only there")
	case v == mutant.Covered && e.traces[*m.Property] == nil:
		c.fail(k.String(), "the report says that property %d fails on it, the evidence has no trace of that", *m.Property)
	case v == mutant.Covered:
		c.depth(k.String(), m.Depth, e.traces[*m.Property].Trace)
	case v == mutant.NotCovered:
		c.depth(k.String(), m.Depth, "")
	}
}
