// Package diff compares the reports of two runs, of a design before and after a change:
// which mutants are no longer covered, which are covered now, which registers came and
// went, and what became of the properties.
//
// Mutants and properties are matched by name; what has no name, by its position. Two of
// one name are told apart by their order.
package diff

import (
	"cmp"
	"fmt"
	"slices"

	"netcov/cert"
	"netcov/coverage/report"
	"netcov/mutant"
)

// Schema names the JSON form of a Diff.
const Schema = "netcov-diff/1"

// Diff is what differs between two reports.
type Diff struct {
	Schema string `json:"schema"`
	Before Side   `json:"before"`
	After  Side   `json:"after"`
	// Notes say what makes the comparison less than whole.
	Notes []string `json:"notes"`
	// Lost are the mutants that were covered and are not covered now. What is waived now,
	// or stands apart, is in no list.
	Lost []Change `json:"lost"`
	// Gaps are the others that are not covered now and were not known to be so before:
	// they were undecided.
	Gaps []Change `json:"new_gaps"`
	// Closed are those that are covered now and were not before.
	Closed []Change `json:"closed_gaps"`
	// Undecided are those that were decided before, and are not now.
	Undecided []Change `json:"undecided"`
	// Came and Went are registers with nodes that only one side has.
	Came       []Register       `json:"registers_came"`
	Went       []Register       `json:"registers_went"`
	Properties []PropertyChange `json:"properties"`
}

// Side is one of the two runs.
type Side struct {
	File   string        `json:"file"`
	SHA256 string        `json:"sha256"`
	Set    report.Counts `json:"set"`
}

// Change is a mutant whose verdict differs; the node is that of the later run.
type Change struct {
	Node   report.Node    `json:"node"`
	Fault  string         `json:"fault"`
	Before mutant.Verdict `json:"before"`
	After  mutant.Verdict `json:"after"`
	Reason string         `json:"reason,omitempty"` // why it is not covered now
}

// Register counts the nodes of a register that only one of the runs has, and their
// mutants.
type Register struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Bits int    `json:"bits"`
	report.Counts
}

// PropertyChange is a property whose outcome differs; "" is none, on the side that does
// not have it.
type PropertyChange struct {
	Kind   string `json:"kind"`
	Index  int    `json:"index"` // in the later run, where that has it
	Name   string `json:"name,omitempty"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Regressions is the number of mutants that were covered and are proved to be not
// covered now, and of properties that held and do not hold, or are gone.
func (d *Diff) Regressions() (mutants, properties int) {
	for _, p := range d.Properties {
		if p.Before == cert.Holds.String() && p.After != cert.Holds.String() {
			properties++
		}
	}
	return len(d.Lost), properties
}

// Compare compares the reports of two runs.
func Compare(before, after *report.Report) *Diff {
	d := &Diff{
		Schema: Schema, Before: side(before), After: side(after), Notes: notes(before, after),
		Lost: []Change{}, Gaps: []Change{}, Closed: []Change{}, Undecided: []Change{},
		Came: []Register{}, Went: []Register{}, Properties: []PropertyChange{},
	}
	old, now := index(before), index(after)
	for _, k := range now.order {
		n := now.at[k]
		o, known := old.at[k]
		if !known || n.Waiver != nil || now.apart(n.Node) {
			continue
		}
		c := Change{Node: n.Node, Fault: n.Fault, Before: o.Verdict, After: n.Verdict, Reason: n.Reason}
		switch {
		case o.Verdict == n.Verdict:
		case n.Verdict == mutant.NotCovered && o.Verdict == mutant.Covered:
			d.Lost = append(d.Lost, c)
		case n.Verdict == mutant.NotCovered:
			d.Gaps = append(d.Gaps, c)
		case n.Verdict == mutant.Covered:
			d.Closed = append(d.Closed, c)
		default:
			d.Undecided = append(d.Undecided, c)
		}
	}
	d.Came, d.Went = now.without(old), old.without(now)
	d.properties(before, after)
	return d
}

func side(r *report.Report) Side {
	return Side{File: r.Design.File, SHA256: r.Design.SHA256, Set: r.Summary.Counts}
}

// notes tells what the runs did not do alike.
func notes(a, b *report.Report) []string {
	out := []string{}
	if a.Options.Mux != b.Options.Mux {
		out = append(out, fmt.Sprintf("the faults are at the %s before and at the %s after: verdicts mean different things", a.Options.Mux, b.Options.Mux))
	}
	if fa, fb := slices.Sorted(slices.Values(a.Options.Faults)), slices.Sorted(slices.Values(b.Options.Faults)); !slices.Equal(fa, fb) {
		out = append(out, fmt.Sprintf("the faults are %v before and %v after: only mutants of both are compared", fa, fb))
	}
	if ca, cb := counting(a), counting(b); ca != cb {
		out = append(out, fmt.Sprintf("registers that only properties read %s before and %s after: the coverages mean different things", ca, cb))
	}
	if a.Summary.Sample != nil || b.Summary.Sample != nil {
		out = append(out, "only nodes that were drawn in both runs are compared")
	}
	return out
}

// counting says what becomes of registers that only properties read.
func counting(r *report.Report) string {
	if r.Options.Checkers == report.CheckersApart {
		return "are not counted"
	}
	return "are counted"
}

// nodeKey names a node: by its name, and the how manieth of that name it is.
type nodeKey struct {
	name string
	nth  int
}

// key names a mutant.
type key struct {
	node  nodeKey
	fault string
}

// mutants are those of a report.
type mutants struct {
	order []key
	at    map[key]report.Mutant
	nodes map[nodeKey]bool
	apart func(report.Node) bool // tells what is not counted
}

func index(r *report.Report) *mutants {
	m := &mutants{at: map[key]report.Mutant{}, nodes: map[nodeKey]bool{}, apart: r.StandsApart}
	keys := map[report.Node]nodeKey{}
	of := map[string]int{}
	for row := range r.Rows() {
		n, seen := keys[row.Node]
		if !seen {
			name := nodeName(row.Node)
			n = nodeKey{name, of[name]}
			keys[row.Node] = n
			m.nodes[n] = true
			of[name]++
		}
		k := key{n, row.Fault}
		m.order = append(m.order, k)
		m.at[k] = row
	}
	return m
}

// nodeName is the name by which a node is found in another run.
func nodeName(n report.Node) string {
	if n.Name != "" {
		return n.Kind + " " + n.Name
	}
	return fmt.Sprintf("%s %d", n.Kind, n.Index)
}

// without lists the registers with nodes that another run does not have, and counts the
// mutants of these.
func (m *mutants) without(other *mutants) []Register {
	at := map[string]int{}
	counted := map[nodeKey]bool{}
	out := []Register{}
	for _, k := range m.order {
		row := m.at[k]
		if other.nodes[k.node] || m.apart(row.Node) {
			continue
		}
		name := cmp.Or(row.Node.Register, row.Node.Name, nodeName(row.Node))
		i, known := at[name]
		if !known {
			i = len(out)
			at[name] = i
			out = append(out, Register{Name: name, File: row.Node.File, Line: row.Node.Line})
		}
		if !counted[k.node] {
			counted[k.node] = true
			out[i].Bits++
		}
		out[i].Add(row.Verdict)
	}
	return out
}

// properties notes what became of the properties.
func (d *Diff) properties(before, after *report.Report) {
	type named struct {
		name string
		nth  int
	}
	list := func(r *report.Report) (order []named, at map[named]report.Property) {
		at, of := map[named]report.Property{}, map[string]int{}
		for _, p := range r.Properties {
			name := cmp.Or(p.Name, fmt.Sprintf("%s %d", p.Kind, p.Index))
			k := named{name, of[name]}
			of[name]++
			order, at[k] = append(order, k), p
		}
		return order, at
	}
	orderOld, old := list(before)
	orderNow, now := list(after)
	for _, k := range orderNow {
		n := now[k]
		c := PropertyChange{Kind: n.Kind, Index: n.Index, Name: n.Name, After: n.Status.String()}
		if o, known := old[k]; known {
			c.Before = o.Status.String()
		}
		if c.Before != c.After {
			d.Properties = append(d.Properties, c)
		}
	}
	for _, k := range orderOld {
		if _, known := now[k]; !known {
			o := old[k]
			d.Properties = append(d.Properties, PropertyChange{Kind: o.Kind, Index: o.Index, Name: o.Name, Before: o.Status.String()})
		}
	}
}
