package report

import (
	"slices"

	"netcov/cert"
	"netcov/mutant"
)

// waived is the word of a mutant that a waiver takes out.
const waived = "waived"

// mark is what is known of one mutant of a node.
type mark struct {
	verdict mutant.Verdict
	waived  bool
	reason  string // why no property notices it
}

// is reports whether the mutant counts with this verdict.
func (m mark) is(v mutant.Verdict) bool { return !m.waived && m.verdict == v }

// word is the mark as tables show it.
func (m mark) word() string {
	if m.waived {
		return waived
	}
	return word(m.verdict)
}

// word is a verdict as tables show it.
func word(v mutant.Verdict) string {
	if v == mutant.NotCovered {
		return "not covered"
	}
	return v.String()
}

// nodeRow gathers the mutants of one node under the set of properties, by fault.
type nodeRow struct {
	node  Node
	marks map[string]mark
}

// worst is the verdict that calls for work: not covered, then unknown, then
// covered, which what is waived counts as.
func (n *nodeRow) worst() mutant.Verdict {
	out := mutant.Covered
	for _, m := range n.marks {
		if m.is(mutant.NotCovered) {
			return mutant.NotCovered
		}
		if m.is(mutant.Unknown) {
			out = mutant.Unknown
		}
	}
	return out
}

// waived reports whether all mutants of the node are.
func (n *nodeRow) waived() bool {
	for _, m := range n.marks {
		if !m.waived {
			return false
		}
	}
	return true
}

// nodeList gathers the nodes under the set of properties, in the order of mutants,
// without those that stand apart.
func (r *Report) nodeList() []*nodeRow {
	at := map[Node]*nodeRow{}
	var out []*nodeRow
	for m := range r.Rows() {
		if r.StandsApart(m.Node) {
			continue
		}
		n := at[m.Node]
		if n == nil {
			n = &nodeRow{node: m.Node, marks: map[string]mark{}}
			at[m.Node] = n
			out = append(out, n)
		}
		n.marks[m.Fault] = mark{m.Verdict, m.Waiver != nil, m.Reason}
	}
	return out
}

// openNodes are the nodes with a mutant that is not covered, or undecided.
func (r *Report) openNodes() []*nodeRow {
	return slices.DeleteFunc(r.nodeList(), func(n *nodeRow) bool { return n.worst() == mutant.Covered })
}

// asked lists the faults of the run, in the order of tables.
func (r *Report) asked() []string {
	var out []string
	for _, f := range faults {
		if _, ok := r.Summary.ByFault[f]; ok {
			out = append(out, f)
		}
	}
	return out
}

// held is the number of properties that hold on the design.
func (r *Report) held() int {
	n := 0
	for _, p := range r.Properties {
		if p.Status == cert.Holds {
			n++
		}
	}
	return n
}
