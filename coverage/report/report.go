// Package report turns the results of a coverage run into what users and other
// programs read: text, JSON (schema netcov/1) and CSV.
package report

import (
	"netcov/cert"
	"netcov/coverage"
	"netcov/coverage/why"
	"netcov/internal/effort"
	"netcov/mutant"
)

// Schema names the JSON form. The schema itself is schema.json beside this file.
const Schema = "netcov/1"

// Report is the JSON form of a run over one design.
type Report struct {
	Schema     string     `json:"schema"`
	Version    string     `json:"version"`
	Design     Design     `json:"design"`
	Options    Options    `json:"options"`
	Properties []Property `json:"properties"`
	// Mutants are the rows of a report that was read. One that was built makes its
	// rows as they are written: see rows.
	Mutants []Mutant `json:"mutants"`
	Summary Summary  `json:"summary"`

	results []*coverage.Result
	reasons map[mutant.Target]*[3]why.Reason // see Explain
	nodes   map[mutant.Target]*Node
}

// Design identifies the input.
type Design struct {
	File        string `json:"file"`
	Format      string `json:"format"`
	SHA256      string `json:"sha256"`
	Inputs      int    `json:"inputs"`
	Latches     int    `json:"latches"`
	Ands        int    `json:"ands"`
	Constraints int    `json:"constraints"`
	// RunSteps is, where the constraints end every run, the number of steps of the
	// longest one; 0: they exclude every run.
	RunSteps *int `json:"run_steps,omitempty"`
}

// Options are the settings that a verdict depends on.
type Options struct {
	Faults  []string `json:"faults"`
	Mux     string   `json:"mux"`
	Tests   []string `json:"tests"`
	Engine  string   `json:"engine"`
	Budget  string   `json:"budget"`
	Seed    uint64   `json:"seed"`
	Recheck bool     `json:"recheck"`
	// Why is the budget of the reasons, and Observe where a difference between design and
	// mutant counts; both are empty where no reasons were asked for.
	Why     string `json:"why,omitempty"`
	Observe string `json:"observe,omitempty"`
}

// Property is one property of the design and the outcome of model checking it.
type Property struct {
	Index   int         `json:"index"` // among the design's properties
	Kind    string      `json:"kind"`
	Name    string      `json:"name"`
	Status  cert.Status `json:"status"`
	Engine  string      `json:"engine"`
	K       int         `json:"k"`
	M       int         `json:"m"`
	Seconds float64     `json:"seconds"`
	Reason  string      `json:"reason,omitempty"` // why it is unknown, or not confirmed
	Depth   *int        `json:"depth,omitempty"`  // of the counterexample
	Clauses int         `json:"invariant_clauses,omitempty"`
	Ands    int         `json:"invariant_ands,omitempty"`
}

// Node is a mutated node.
type Node struct {
	Kind    string `json:"kind"`
	Index   int    `json:"index"`
	Literal uint32 `json:"literal"`
	Name    string `json:"name"`
	// Where the node comes from, as far as the source knows.
	Register string `json:"register,omitempty"`
	Instance string `json:"instance,omitempty"`
	Module   string `json:"module,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	// Inverted tells that the literal stores the register's complement. The
	// faults of the report are those of the register.
	Inverted bool `json:"inverted,omitempty"`
}

// Mutant is one verdict.
type Mutant struct {
	Node     Node   `json:"node"`
	Fault    string `json:"fault"`
	Property int    `json:"property"`
	Verdict  string `json:"verdict"`
	Test     string `json:"test,omitempty"`
	Note     string `json:"note,omitempty"`
	// Reason is why no property notices the mutant: one of the words of package why.
	Reason   string  `json:"reason,omitempty"`
	Depth    *int    `json:"depth,omitempty"`
	Evidence string  `json:"evidence,omitempty"` // "trace" or "invariant"
	Seconds  float64 `json:"seconds"`
}

// outside is the note of a mutant that the property does not depend on.
var outside = coverage.Note{Kind: coverage.NoteOutside}.String()

// Outside reports whether the mutant is said to lie outside of the property's cone
// of influence.
func (m *Mutant) Outside() bool { return m.Note == outside }

// Counts are numbers of mutants by verdict. Low and High bound the coverage;
// they differ only while mutants are unknown.
type Counts struct {
	Mutants    int     `json:"mutants"`
	Covered    int     `json:"covered"`
	NotCovered int     `json:"notcovered"`
	Unknown    int     `json:"unknown"`
	Low        float64 `json:"coverage_low"`
	High       float64 `json:"coverage_high"`
	Accuracy   float64 `json:"accuracy"`
}

// TestCounts are the verdicts and the time of one test (DAC10, figure 3).
type TestCounts struct {
	Test       string  `json:"test"`
	Covered    int     `json:"covered"`
	NotCovered int     `json:"notcovered"`
	Seconds    float64 `json:"seconds"`
}

// Summary counts the mutants of all properties, and of the properties as a set:
// the set covers a mutant when one of them does.
type Summary struct {
	Counts
	Set             Counts            `json:"set"`
	ByFault         map[string]Counts `json:"by_fault"`
	ByTest          []TestCounts      `json:"by_test"`
	CheckSeconds    float64           `json:"check_seconds"`
	CoverageSeconds float64           `json:"coverage_seconds"`
	RecheckSeconds  float64           `json:"recheck_seconds"` // inside the coverage time
	NotesSeconds    float64           `json:"notes_seconds"`   // after it
	// WhySeconds is the time that went into reasons, after all else.
	WhySeconds float64 `json:"why_seconds,omitempty"`
	// Reasons counts the mutants of the set that are not covered by their reasons, and
	// Matters the mutants that are neither constant nor equivalent.
	Reasons map[string]int `json:"reasons,omitempty"`
	Matters *Counts        `json:"matters,omitempty"`
	Stopped string         `json:"stopped,omitempty"`
	Sample  *Sample        `json:"sample,omitempty"`
	// Engines are what the engines did, by name.
	Engines []effort.Engine `json:"engines,omitempty"`
	// ByRegister and ByInstance count the mutants of the set of properties, the
	// least covered first; they are empty where the design has no names.
	ByRegister []Group `json:"by_register,omitempty"`
	ByInstance []Group `json:"by_instance,omitempty"`
	// Accuracy is the curve of DAC10, figure 4, of the first property that has
	// mutants.
	Accuracy []coverage.Point `json:"accuracy_over_time"`
}

// Build makes the report of the results over one design. describe tells what
// is known of a node.
func Build(d Design, o Options, version string, describe func(mutant.Target) Node, results []*coverage.Result) *Report {
	r := &Report{Schema: Schema, Version: version, Design: d, Options: o, Properties: []Property{}, Mutants: []Mutant{}}
	r.results, r.nodes = results, map[mutant.Target]*Node{}
	r.Summary.ByFault = map[string]Counts{}
	r.Summary.Accuracy = []coverage.Point{}
	r.Summary.ByTest = []TestCounts{}
	t := tally{summary: &r.Summary, set: map[mutant.Target]*[3]coverage.Verdict{}}
	for _, res := range results {
		r.Properties = append(r.Properties, property(res))
		r.Summary.CheckSeconds += res.Proof.Time.Seconds()
		r.Summary.CoverageSeconds += res.Cover.Seconds()
		r.Summary.RecheckSeconds += res.Recheck.Seconds()
		r.Summary.NotesSeconds += res.Notes.Seconds()
		if res.Stopped != "" {
			r.Summary.Stopped = res.Stopped
		}
		if len(r.Summary.Accuracy) == 0 && len(res.Curve) > 0 {
			r.Summary.Accuracy = res.Curve
		}
		r.addTests(res.Tests)
	}
	for m := range sparse(results) {
		n := r.nodes[m.Target]
		if n == nil {
			known := describe(m.Target)
			n = &known
			r.nodes[m.Target] = n
			t.inverted = t.inverted || n.Inverted
		}
		t.see(m)
	}
	for _, res := range results {
		t.count(res, r.nodes)
	}
	g := newGroups()
	for _, target := range t.order {
		for f, v := range t.set[target] {
			if t.asked[f] {
				r.Summary.Set.add(v)
				g.add(*r.nodes[target], v)
			}
		}
	}
	r.Summary.ByRegister, r.Summary.ByInstance = g.registers.sorted(), g.instances.sorted()
	r.Summary.finish()
	r.Summary.Set.finish()
	for f, c := range r.Summary.ByFault {
		c.finish()
		r.Summary.ByFault[f] = c
	}
	return r
}

// union is the verdict of two properties together.
func union(a, b coverage.Verdict) coverage.Verdict {
	switch {
	case a == coverage.Covered || b == coverage.Covered:
		return coverage.Covered
	case a == coverage.Unknown || b == coverage.Unknown:
		return coverage.Unknown
	}
	return coverage.NotCovered
}

func (c *Counts) add(v coverage.Verdict) { c.addMany(v, 1) }

func (c *Counts) addMany(v coverage.Verdict, n int) {
	c.Mutants += n
	switch v {
	case coverage.Covered:
		c.Covered += n
	case coverage.NotCovered:
		c.NotCovered += n
	default:
		c.Unknown += n
	}
}

func (c *Counts) finish() {
	if c.Mutants == 0 {
		c.Accuracy = 1 // nothing is left undecided
		return
	}
	all := float64(c.Mutants)
	c.Low = float64(c.Covered) / all
	c.High = float64(c.Covered+c.Unknown) / all
	c.Accuracy = float64(c.Covered+c.NotCovered) / all
}

func (r *Report) addTests(ts []coverage.TestResult) {
next:
	for _, t := range ts {
		for i := range r.Summary.ByTest {
			if b := &r.Summary.ByTest[i]; b.Test == t.Name {
				b.Covered += t.Covered
				b.NotCovered += t.NotCovered
				b.Seconds += t.Time.Seconds()
				continue next
			}
		}
		r.Summary.ByTest = append(r.Summary.ByTest, TestCounts{t.Name, t.Covered, t.NotCovered, t.Time.Seconds()})
	}
}

func property(res *coverage.Result) Property {
	p := Property{
		Index: res.Position, Kind: res.Property.Kind.String(), Name: res.Property.Name,
		Status: res.Proof.Status, Engine: res.Proof.Engine, K: res.Proof.K, M: res.Proof.M,
		Seconds: res.Proof.Time.Seconds(),
	}
	if res.Proof.Reason != "" {
		p.Reason = res.Proof.Reason
	}
	if res.Proof.Trace != nil {
		d := res.Proof.Trace.Depth()
		p.Depth = &d
	}
	if res.Proof.Invariant != nil {
		p.Clauses, p.Ands = res.Proof.Invariant.Size()
	}
	return p
}

// shownFault is a fault as reports have it: of the register, where the literal
// stores its complement.
func shownFault(n *Node, f mutant.Fault) mutant.Fault {
	if n.Inverted {
		return f.Complement()
	}
	return f
}

func mutantRow(n Node, m *coverage.Mutant) Mutant {
	out := Mutant{
		Node:     n,
		Fault:    shownFault(&n, m.Fault).String(),
		Property: m.Property,
		Verdict:  m.Verdict.String(),
		Test:     m.Test,
		Note:     m.Note.String(),
		Seconds:  m.Time.Seconds(),
	}
	if n.Inverted {
		out.Note = m.Note.Complement().String()
	}
	if m.Depth >= 0 {
		d := m.Depth
		out.Depth = &d
	}
	switch {
	case m.Evidence.Trace != nil:
		out.Evidence = "trace"
	case m.Evidence.Invariant != nil:
		out.Evidence = "invariant"
	}
	return out
}
