// Package merge joins the reports of runs over one design: over different properties,
// different nodes or different faults.
//
// The set of the joined report is all properties that hold in some run. A mutant is
// covered where some run says so. It is not covered where the runs that say so have, all
// together, every property of the set; else it is unknown. What one run decides and
// another contradicts is an error: one of the reports is wrong.
package merge

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"netcov/cert"
	"netcov/coverage"
	"netcov/coverage/report"
	"netcov/internal/effort"
	"netcov/mutant"
)

// several stands for a setting in which the runs differ.
const several = "several"

// Reports joins reports, the first of which gives the name of the design. What their
// method Single names is left out. The error says what does not go together, and in
// which reports by their names.
func Reports(names []string, list []*report.Report) (*report.Report, error) {
	if len(list) == 0 {
		return nil, errors.New("there is no report to join")
	}
	m := &merger{names: names, list: list, held: map[int]bool{}, rows: map[key][]row{}}
	first := list[0]
	m.out = &report.Report{Schema: report.Schema, Version: first.Version, Design: first.Design, Options: first.Options}
	for i, r := range list {
		if err := m.fits(i, r); err != nil {
			return nil, err
		}
	}
	if err := m.properties(); err != nil {
		return nil, err
	}
	if err := m.mutants(); err != nil {
		return nil, err
	}
	m.summary()
	return m.out, nil
}

// merger joins reports.
type merger struct {
	names []string // of the reports
	list  []*report.Report
	out   *report.Report
	held  map[int]bool // properties of the joined set
	rows  map[key][]row
	order []key
}

// key names a mutant.
type key struct {
	kind  string
	index int
	fault string
}

func (k key) String() string { return fmt.Sprintf("%s %d, fault %s", k.kind, k.index, k.fault) }

// row is what one run says of a mutant.
type row struct {
	run int
	report.Mutant
}

// fits refuses a report of another design or of another place of the faults, and joins
// the settings.
func (m *merger) fits(i int, r *report.Report) error {
	d, o := &m.out.Design, &m.out.Options
	conflict := func(what string, a, b any) error {
		return fmt.Errorf("%s: the %s is %v, and %v in %s: these are runs of different questions", m.names[i], what, b, a, m.names[0])
	}
	switch e := r.Design; {
	case d.SHA256 != e.SHA256:
		return conflict("design's hash", d.SHA256, e.SHA256)
	case d.Format != e.Format:
		return conflict("design's format", d.Format, e.Format)
	case d.Inputs != e.Inputs || d.Latches != e.Latches || d.Ands != e.Ands || d.Constraints != e.Constraints:
		return conflict("design's size", []int{d.Inputs, d.Latches, d.Ands, d.Constraints}, []int{e.Inputs, e.Latches, e.Ands, e.Constraints})
	case o.Mux != r.Options.Mux:
		return conflict("place of the faults", o.Mux, r.Options.Mux)
	case o.Checkers != r.Options.Checkers:
		return conflict("choice of checkers", o.Checkers, r.Options.Checkers)
	case r.Summary.Sample != nil:
		return fmt.Errorf("%s: it is of a sample of the nodes, whose estimate does not add up with others", m.names[i])
	}
	if d.RunSteps == nil {
		d.RunSteps, d.Conflict = r.Design.RunSteps, r.Design.Conflict
	} else if r.Design.RunSteps != nil && *r.Design.RunSteps != *d.RunSteps {
		return conflict("longest run", *d.RunSteps, *r.Design.RunSteps)
	}
	d.Apart = union(d.Apart, r.Design.Apart)
	same := func(a *string, b string) {
		if *a != b {
			*a = several
		}
	}
	same(&o.Engine, r.Options.Engine)
	same(&o.Budget, r.Options.Budget)
	same(&o.Vacuity, r.Options.Vacuity)
	o.Faults, o.Tests = union(o.Faults, r.Options.Faults), union(o.Tests, r.Options.Tests)
	if o.Seed != r.Options.Seed {
		o.Seed = 0
	}
	o.Recheck = o.Recheck && r.Options.Recheck
	if o.Observe != r.Options.Observe || r.Summary.Matters == nil {
		o.Why, o.Observe = "", ""
	} else if o.Why != "" {
		same(&o.Why, r.Options.Why)
	}
	return nil
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// properties joins the outcomes of properties: what is decided stands.
func (m *merger) properties() error {
	at := map[int]report.Property{}
	for i, r := range m.list {
		for _, p := range r.Properties {
			old, known := at[p.Index]
			switch {
			case !known:
				at[p.Index] = p
			case old.Kind != p.Kind || old.Name != p.Name:
				return fmt.Errorf("%s: property %d is %s %q, and %s %q in another report", m.names[i], p.Index, p.Kind, p.Name, old.Kind, old.Name)
			case old.Status == cert.Unknown:
				p.Antecedent = better(p.Antecedent, old.Antecedent)
				at[p.Index] = p
			case p.Status != cert.Unknown && p.Status != old.Status:
				return fmt.Errorf("%s: property %d %s, and it %s in another report: one of them is wrong", m.names[i], p.Index, p.Status, old.Status)
			default:
				old.Antecedent = better(old.Antecedent, p.Antecedent)
				at[p.Index] = old
			}
		}
	}
	m.out.Properties = []report.Property{}
	for _, i := range slices.Sorted(maps.Keys(at)) {
		m.out.Properties = append(m.out.Properties, at[i])
		m.held[i] = at[i].Status == cert.Holds
	}
	return nil
}

// better is the answer from which more is known.
func better(a, b *report.Antecedent) *report.Antecedent {
	if a == nil || a.State == report.AntecedentUnknown && b != nil {
		return b
	}
	return a
}

// holds lists the properties that hold in a run: those that its verdicts speak of.
func holds(r *report.Report) map[int]bool {
	out := map[int]bool{}
	for _, p := range r.Properties {
		if p.Status == cert.Holds {
			out[p.Index] = true
		}
	}
	return out
}

// mutants joins the verdicts.
func (m *merger) mutants() error {
	nodes := map[key]report.Node{}
	for i, r := range m.list {
		for x := range r.Rows() {
			x.Waiver, x.Properties = nil, nil
			k := key{x.Node.Kind, x.Node.Index, x.Fault}
			if m.rows[k] == nil {
				m.order = append(m.order, k)
			}
			m.rows[k] = append(m.rows[k], row{i, x})
			n := key{kind: k.kind, index: k.index}
			if old, known := nodes[n]; known && old != x.Node {
				return fmt.Errorf("%s: %s %d is %q there, and %q in another report", m.names[i], k.kind, k.index, x.Node.Name, old.Name)
			}
			nodes[n] = x.Node
		}
	}
	fault := map[string]int{}
	for i, name := range mutant.Words(mutant.Faults()) {
		fault[name] = i
	}
	slices.SortStableFunc(m.order, func(a, b key) int {
		return cmp.Or(-cmp.Compare(a.kind, b.kind), cmp.Compare(a.index, b.index), cmp.Compare(fault[a.fault], fault[b.fault]))
	})
	held := make([]map[int]bool, len(m.list))
	for i, r := range m.list {
		held[i] = holds(r)
	}
	m.out.Mutants = []report.Mutant{}
	for _, k := range m.order {
		x, err := m.join(k, held)
		if err != nil {
			return err
		}
		m.out.Mutants = append(m.out.Mutants, x)
	}
	return nil
}

// join joins what the runs say of a mutant.
func (m *merger) join(k key, held []map[int]bool) (report.Mutant, error) {
	rows := m.rows[k]
	out := rows[0].Mutant
	out.Seconds = 0
	excluded := map[int]bool{} // properties that do not notice the mutant
	var yes, no *row
	for i := range rows {
		r := &rows[i]
		out.Seconds += r.Seconds
		switch r.Verdict {
		case mutant.Covered:
			yes = cmp.Or(yes, r)
		case mutant.NotCovered:
			maps.Copy(excluded, held[r.run])
			if no == nil || no.Evidence == "" {
				no = r // one with evidence rather than one outside of a cone
			}
		}
	}
	for _, r := range rows {
		if r.Verdict == mutant.Covered && r.Property != nil && excluded[*r.Property] {
			return out, fmt.Errorf("%v: %s says that property %d notices it, and another that this property does not: one of them is wrong", k, m.names[r.run], *r.Property)
		}
	}
	seconds := out.Seconds
	all := true
	for p, h := range m.held {
		all = all && (!h || excluded[p])
	}
	switch {
	case yes != nil:
		out = yes.Mutant
	case no != nil && all:
		out = no.Mutant
	default:
		out.Verdict, out.Test, out.Depth, out.Evidence, out.Property = mutant.Unknown, "", nil, "", nil
	}
	out.Seconds = seconds
	out.Reason = ""
	if m.out.Options.Observe == "" || out.Verdict != mutant.NotCovered {
		return out, nil
	}
	reason, err := joinReasons(rows)
	if err != nil {
		return out, fmt.Errorf("%v: %w", k, err)
	}
	out.Reason = reason
	return out, nil
}

// joinReasons is the reason of a mutant that several runs have as not covered. All but
// outside and open say the same of the design, whatever the properties are.
func joinReasons(rows []row) (string, error) {
	constant, equivalent := mutant.Constant.String(), mutant.Equivalent.String()
	found := ""
	outside, open := true, false
	for _, r := range rows {
		if r.Verdict != mutant.NotCovered {
			continue
		}
		switch r.Reason {
		case mutant.Outside.String():
			continue
		case mutant.Open.String():
			open = true
		default:
			switch both := []string{found, r.Reason}; {
			case found == "" || found == r.Reason:
			case !slices.ContainsFunc(both, func(x string) bool { return x != constant && x != equivalent }):
				r.Reason = constant // which is equivalent, too: the first that is true is told
			default:
				return "", fmt.Errorf("its reason is %s and %s: one of the reports is wrong", found, r.Reason)
			}
			found = r.Reason
		}
		outside = false
	}
	switch {
	case outside:
		return mutant.Outside.String(), nil
	case found == "" && open:
		return mutant.Open.String(), nil
	}
	return found, nil
}

// summary counts, and adds up what the runs took.
func (m *merger) summary() {
	s := &m.out.Summary
	s.Accuracy, s.ByTest = []coverage.Point{}, []report.TestCounts{}
	tests := map[string]*report.TestCounts{}
	var names []string
	test := func(name string) *report.TestCounts {
		if tests[name] == nil {
			tests[name] = &report.TestCounts{Test: name}
			names = append(names, name)
		}
		return tests[name]
	}
	engines := map[string]effort.Engine{}
	for _, r := range m.list {
		s.CoverageSeconds += r.Summary.CoverageSeconds
		s.RecheckSeconds += r.Summary.RecheckSeconds
		s.WhySeconds += r.Summary.WhySeconds
		s.AntecedentSeconds += r.Summary.AntecedentSeconds
		s.Stopped = cmp.Or(s.Stopped, r.Summary.Stopped)
		for _, t := range r.Summary.ByTest {
			test(t.Test).Seconds += t.Seconds
		}
		for _, e := range r.Summary.Engines {
			sum := engines[e.Engine]
			sum.Engine = e.Engine
			sum.Add(e)
			engines[e.Engine] = sum
		}
	}
	for _, p := range m.out.Properties {
		s.CheckSeconds += p.Seconds
	}
	undecided := false
	var all report.Counts
	for _, x := range m.out.Mutants {
		all.Add(x.Verdict)
		switch x.Verdict {
		case mutant.Covered:
			test(x.Test).Covered++
		case mutant.NotCovered:
			test(x.Test).NotCovered++
		default:
			undecided = true
		}
	}
	for _, name := range names {
		s.ByTest = append(s.ByTest, *tests[name])
	}
	for _, name := range slices.Sorted(maps.Keys(engines)) {
		s.Engines = append(s.Engines, engines[name])
	}
	if !undecided {
		s.Stopped = ""
	} else {
		s.Stopped = cmp.Or(s.Stopped, "merged")
	}
	if m.out.Options.Observe != "" {
		s.Matters = &report.Counts{}
	} else {
		s.WhySeconds = 0
	}
	m.out.Count()
	if slices.ContainsFunc(m.out.Properties, func(p report.Property) bool { return p.Status == cert.Holds }) {
		s.Accuracy = []coverage.Point{{Seconds: s.CoverageSeconds, Accuracy: 1}}
		if all.Mutants > 0 {
			s.Accuracy[0].Accuracy = all.Accuracy
		}
	}
}
