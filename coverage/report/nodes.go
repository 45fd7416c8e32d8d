package report

import (
	"slices"

	"netcov/cert"
	"netcov/coverage"
)

// The words of verdicts in reports.
var (
	covered    = coverage.Covered.String()
	notCovered = coverage.NotCovered.String()
	unknown    = coverage.Unknown.String()
)

// waived stands in the place of the verdict of a mutant that a waiver takes out.
const waived = "waived"

// nodeRow gathers the verdicts of one node under the set of properties.
type nodeRow struct {
	node     Node
	verdicts map[string]string
	reasons  map[string]string // by fault
}

// worst is the verdict that calls for work: not covered, then unknown, then
// covered, which what is waived counts as.
func (n *nodeRow) worst() string {
	out := covered
	for _, v := range n.verdicts {
		if v == notCovered {
			return v
		}
		if v == unknown {
			out = v
		}
	}
	return out
}

// waived reports whether all mutants of the node are.
func (n *nodeRow) waived() bool {
	for _, v := range n.verdicts {
		if v != waived {
			return false
		}
	}
	return true
}

// nodeList gathers the nodes under the set of properties, in the order of mutants.
func (r *Report) nodeList() []*nodeRow {
	at := map[Node]*nodeRow{}
	var out []*nodeRow
	for m := range r.Rows() {
		n := at[m.Node]
		if n == nil {
			n = &nodeRow{node: m.Node, verdicts: map[string]string{}, reasons: map[string]string{}}
			at[m.Node] = n
			out = append(out, n)
		}
		n.verdicts[m.Fault], n.reasons[m.Fault] = m.Verdict, m.Reason
		if m.Waiver != nil {
			n.verdicts[m.Fault] = waived
		}
	}
	return out
}

// openNodes are the nodes with a mutant that is not covered, or undecided.
func (r *Report) openNodes() []*nodeRow {
	return slices.DeleteFunc(r.nodeList(), func(n *nodeRow) bool { return n.worst() == covered })
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
