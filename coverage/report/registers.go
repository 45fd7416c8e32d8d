package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"netcov/internal/visible"
	"netcov/mutant"
)

// A register is what users look for: the nodes of one name, or a single node where the
// source gives no name. How well it is checked is said over the mutants that can matter:
// a property could not notice those that equal the design.

// checking says how far a register is checked.
type checking uint8

const (
	unchecked checking = iota // no mutant that can matter is covered
	inPart
	undecided // nothing is known to be missing, and something is not known
	checked
)

func (c checking) String() string {
	return [...]string{"unchecked", "in part", "undecided", "checked"}[c]
}

// registerRow gathers the nodes of a register.
type registerRow struct {
	name   string
	node   Node // the first
	nodes  []*nodeRow
	counts Counts // of the mutants that can matter
}

// registerList gathers nodes by register, the least covered first. Names are fit for a
// terminal. Nodes that are wholly waived are left out.
func registerList(nodes []*nodeRow) []*registerRow {
	at := map[string]*registerRow{}
	var out []*registerRow
	for _, n := range nodes {
		if n.waived() {
			continue
		}
		name := registerName(n.node)
		r := at[name]
		if r == nil {
			r = &registerRow{name: visible.Line(name), node: n.node}
			at[name] = r
			out = append(out, r)
		}
		r.nodes = append(r.nodes, n)
		for _, m := range n.marks {
			if !m.waived && matters(m.reason) {
				r.counts.Add(m.verdict)
			}
		}
	}
	for _, r := range out {
		r.counts.finish()
	}
	slices.SortStableFunc(out, func(a, b *registerRow) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.counts.Low, b.counts.Low), cmp.Compare(b.counts.Mutants-b.counts.Covered, a.counts.Mutants-a.counts.Covered))
	})
	return out
}

// registerName is the register that a node belongs to.
func registerName(n Node) string {
	switch {
	case n.Register != "":
		return n.Register
	case n.Name != "":
		return n.Name
	}
	return fmt.Sprintf("%s %d", n.Kind, n.Index)
}

// matters reports whether a mutant with this reason can matter; "" is none.
func matters(reason string) bool {
	return reason != mutant.Constant.String() && reason != mutant.Equivalent.String()
}

// rank orders registers: those about which something is known to be missing first.
func (r *registerRow) rank() int {
	switch r.checking() {
	case unchecked, inPart:
		return 0
	case undecided:
		return 1
	}
	return 2
}

func (r *registerRow) checking() checking {
	switch c := r.counts; {
	case c.Covered == c.Mutants:
		return checked
	case c.NotCovered == 0:
		return undecided
	case c.Covered == 0 && c.Unknown == 0:
		return unchecked
	}
	return inPart
}

// why lists the reasons of the mutants that are not covered and can matter, the most
// frequent first.
func (r *registerRow) why() []string {
	count := map[string]int{}
	var words []string
	for _, n := range r.nodes {
		for _, m := range n.marks {
			if m.reason == "" || !m.is(mutant.NotCovered) || !matters(m.reason) {
				continue
			}
			if count[m.reason]++; count[m.reason] == 1 {
				words = append(words, m.reason)
			}
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	return words
}
