package claims

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"netcov/cert"
	"netcov/coverage/report"
	"netcov/mutant"
)

// The summary of a report says nothing that its properties and mutants do not,
// apart from times. Here it is counted anew, from what the report lists, and not
// by the code that wrote it.

// contradictions lists in what a report contradicts itself.
func contradictions(r *report.Report) []string {
	var out []string
	differs := func(what string, said, due any) {
		if !reflect.DeepEqual(said, due) {
			out = append(out, fmt.Sprintf("%s is not what the mutants add up to", what))
		}
	}
	s, due := r.Summary, recount(r)
	differs("the summary", s.Counts, due.Counts)
	differs("waived", s.Waived, due.Waived)
	differs("plain", s.Plain, due.Plain)
	differs("by_fault", s.ByFault, due.ByFault)
	differs("by_register", s.ByRegister, due.ByRegister)
	differs("by_instance", s.ByInstance, due.ByInstance)
	differs("sample", s.Sample, due.Sample)
	if e := s.Sample; e != nil && (e.Nodes >= e.Population || e.Population > r.Design.Latches+r.Design.Ands) {
		out = append(out, "the sample is no part of the design's nodes")
	}
	for _, m := range r.Mutants {
		if standsApart(r, m) && !slices.Contains(r.Design.Apart, m.Node.Register) {
			out = append(out, "a register that stands apart is not listed")
			break
		}
	}
	for _, wrong := range []func(*report.Report) string{wrongIndices, wrongReasons, wrongMatrix, wrongTests, wrongCurve, wrongWaivers} {
		if what := wrong(r); what != "" {
			out = append(out, what)
		}
	}
	if s.CheckSeconds != due.CheckSeconds {
		out = append(out, "check_seconds is not the time of the properties")
	}
	if open := slices.ContainsFunc(r.Mutants, func(m report.Mutant) bool { return m.Verdict != mutant.Covered && m.Verdict != mutant.NotCovered }); (s.Stopped != "") != open {
		out = append(out, "stopped does not fit the number of unknown mutants")
	}
	if len(r.Mutants) > 0 && !slices.Equal(faultsOf(r), slices.Sorted(slices.Values(r.Options.Faults))) {
		out = append(out, "the faults of the options are not those of the mutants")
	}
	return out
}

// wrongIndices says which property has no place of its own among those of the design.
func wrongIndices(r *report.Report) string {
	seen := map[int]bool{}
	for _, p := range r.Properties {
		if p.Index < 0 || seen[p.Index] {
			return fmt.Sprintf("the index %d of a property is negative or comes twice", p.Index)
		}
		seen[p.Index] = true
	}
	return ""
}

// standsApart reports whether a mutant is of a register that only properties read, and
// these are not counted.
func standsApart(r *report.Report, m report.Mutant) bool {
	return m.Node.PropertyOnly && r.Options.Checkers == report.CheckersApart
}

// faultsOf lists the faults of the mutants, in order.
func faultsOf(r *report.Report) []string {
	var out []string
	for _, m := range r.Mutants {
		if f := literalFault(m); !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out
}

// recount returns a summary that has all counts but those by test, and no times
// but that of model checking.
func recount(r *report.Report) report.Summary {
	s := report.Summary{ByFault: map[string]report.Counts{}}
	for _, p := range r.Properties {
		s.CheckSeconds += p.Seconds
	}
	nodes := map[report.Node]bool{}
	registers, instances := groups{}, groups{}
	plain, apart := report.Counts{}, false
	for _, m := range r.Mutants {
		nodes[m.Node] = true
		if m.Waiver != nil {
			s.Waived++
			continue
		}
		count(&plain, m.Verdict)
		if standsApart(r, m) {
			apart = true
			continue
		}
		count(&s.Counts, m.Verdict)
		c := s.ByFault[m.Fault]
		count(&c, m.Verdict)
		s.ByFault[m.Fault] = c
		n := m.Node
		if n.Register == "" {
			continue
		}
		registers.add(report.Group{Name: n.Register, Module: n.Module, File: n.File, Line: n.Line}, n, m.Verdict)
		if n.Instance != "" {
			instances.add(report.Group{Name: n.Instance, Module: n.Module}, n, m.Verdict)
		}
	}
	if apart {
		fillShares(&plain)
		s.Plain = &plain
	}
	fillShares(&s.Counts)
	for f, c := range s.ByFault {
		fillShares(&c)
		s.ByFault[f] = c
	}
	s.ByRegister, s.ByInstance = registers.sorted(), instances.sorted()
	s.Sample = interval(r, s, len(nodes))
	return s
}

// interval recounts an estimate. Without mutants the number of nodes drawn is
// the report's word.
func interval(r *report.Report, s report.Summary, nodes int) *report.Sample {
	said := r.Summary.Sample
	if said == nil {
		return nil
	}
	if len(r.Mutants) == 0 {
		nodes = said.Nodes
	}
	again := report.Report{Summary: s}
	again.Estimate(nodes, said.Population)
	return again.Summary.Sample
}

func count(c *report.Counts, verdict mutant.Verdict) {
	c.Mutants++
	switch verdict {
	case mutant.Covered:
		c.Covered++
	case mutant.NotCovered:
		c.NotCovered++
	default:
		c.Unknown++
	}
}

// fillShares fills in the shares of counted mutants.
func fillShares(c *report.Counts) {
	if c.Mutants == 0 {
		c.Accuracy = 1
		return
	}
	all := float64(c.Mutants)
	c.Low, c.High = float64(c.Covered)/all, float64(c.Covered+c.Unknown)/all
	c.Accuracy = float64(c.Covered+c.NotCovered) / all
}

// groups counts the mutants of registers, or of instances, in the order in which
// they come.
type groups struct {
	list  []report.Group
	at    map[string]int
	nodes map[string]map[report.Node]bool
}

func (g *groups) add(fresh report.Group, n report.Node, verdict mutant.Verdict) {
	i, ok := g.at[fresh.Name]
	if !ok {
		if g.at == nil {
			g.at, g.nodes = map[string]int{}, map[string]map[report.Node]bool{}
		}
		i = len(g.list)
		g.at[fresh.Name] = i
		g.list = append(g.list, fresh)
		g.nodes[fresh.Name] = map[report.Node]bool{}
	}
	g.nodes[fresh.Name][n] = true
	g.list[i].Bits = len(g.nodes[fresh.Name])
	count(&g.list[i].Counts, verdict)
}

// sorted returns the groups, the least covered first.
func (g *groups) sorted() []report.Group {
	for i := range g.list {
		fillShares(&g.list[i].Counts)
	}
	slices.SortStableFunc(g.list, func(a, b report.Group) int {
		return cmp.Or(cmp.Compare(a.Low, b.Low), cmp.Compare(b.Mutants, a.Mutants))
	})
	return g.list
}

// wrongTests tells how by_test contradicts the tests of the mutants.
func wrongTests(r *report.Report) string {
	due := map[string]*report.TestCounts{}
	for _, m := range r.Mutants {
		if m.Verdict != mutant.Covered && m.Verdict != mutant.NotCovered {
			continue
		}
		c := due[m.Test]
		if c == nil {
			c = &report.TestCounts{}
			due[m.Test] = c
		}
		if m.Verdict == mutant.Covered {
			c.Covered++
		} else {
			c.NotCovered++
		}
	}
	for i, t := range r.Summary.ByTest {
		if slices.ContainsFunc(r.Summary.ByTest[:i], func(o report.TestCounts) bool { return o.Test == t.Test }) {
			return fmt.Sprintf("by_test has %q twice", t.Test)
		}
		c := due[t.Test]
		if c == nil {
			c = &report.TestCounts{}
		}
		if c.Covered != t.Covered || c.NotCovered != t.NotCovered {
			return fmt.Sprintf("by_test says something else of %q than the mutants", t.Test)
		}
		delete(due, t.Test)
	}
	if len(due) > 0 {
		return "by_test lacks tests that the mutants name"
	}
	return ""
}

// wrongCurve tells how the curve of accuracy contradicts the mutants.
func wrongCurve(r *report.Report) string {
	curve := r.Summary.Accuracy
	if !slices.ContainsFunc(r.Properties, func(p report.Property) bool { return p.Status == cert.Holds }) {
		if len(curve) > 0 {
			return "accuracy_over_time is there, but no property holds"
		}
		return ""
	}
	var c report.Counts
	for _, m := range r.Mutants {
		count(&c, m.Verdict)
	}
	fillShares(&c)
	if len(curve) == 0 || curve[len(curve)-1].Accuracy != c.Accuracy {
		return "accuracy_over_time does not end at the accuracy of the mutants"
	}
	for i := 1; i < len(curve); i++ {
		if curve[i].Seconds < curve[i-1].Seconds || curve[i].Accuracy < curve[i-1].Accuracy {
			return "accuracy_over_time falls"
		}
	}
	return ""
}
