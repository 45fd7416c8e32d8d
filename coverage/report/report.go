// Package report turns the results of a coverage run into what users and other
// programs read: text, JSON (schema netcov/2) and CSV.
package report

import (
	"netcov/cert"
	"netcov/coverage"
	"netcov/coverage/matrix"
	"netcov/internal/effort"
	"netcov/mutant"
	"netcov/netlist"
)

// Schema names the JSON form. The schema itself is schema.json beside this file.
const Schema = "netcov/2"

// Report is the JSON form of a run over one design.
type Report struct {
	Schema     string     `json:"schema"`
	Version    string     `json:"version"`
	Design     Design     `json:"design"`
	Options    Options    `json:"options"`
	Properties []Property `json:"properties"`
	// Mutants are the rows of a report that was read. One that was built makes its
	// rows as they are written: see Rows.
	Mutants []Mutant `json:"mutants"`
	// Waivers are those of the run; see Waive.
	Waivers []Waiver `json:"waivers,omitempty"`
	Summary Summary  `json:"summary"`
	Matrix  *Matrix  `json:"matrix,omitempty"` // see AddMatrix

	set     *coverage.Set
	reasons map[mutant.Target]map[mutant.Fault]mutant.Reason // see Explain
	nodes   map[mutant.Target]*Node
	waived  map[waivedMutant]int // positions of waivers
	cells   *matrix.Matrix

	gaps     []Gap // see ShowGaps
	gapsLeft int
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
	// Conflict names constraints that end every run together, none of which can be
	// left out.
	Conflict []string `json:"conflict,omitempty"`
	// Apart lists registers that are not counted, since only properties read them.
	Apart []string `json:"apart,omitempty"`
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
	// Checkers says whether mutants of registers that only properties read are counted:
	// CheckersApart or CheckersCounted, which "" is, too.
	Checkers string `json:"checkers,omitempty"`
	// Vacuity is the budget of the antecedents; empty where they were not asked for.
	Vacuity string `json:"vacuity,omitempty"`
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
	Bound   *int        `json:"bound,omitempty"`  // of an undecided one: it does not fail within so many steps
	Clauses int         `json:"invariant_clauses,omitempty"`
	Ands    int         `json:"invariant_ands,omitempty"`
	// Antecedent is there where the property is an assertion with one, and was asked for.
	Antecedent *Antecedent `json:"antecedent,omitempty"`
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
	// PropertyOnly tells that only properties read the node: it has no path to an output.
	PropertyOnly bool `json:"property_only,omitempty"`
}

// Mutant is the verdict of the set of properties on one mutant.
type Mutant struct {
	Node  Node   `json:"node"`
	Fault string `json:"fault"`
	// Property is, of a covered one, the property that fails at the end of the trace.
	Property *int           `json:"property,omitempty"`
	Verdict  mutant.Verdict `json:"verdict"`
	Test     string         `json:"test,omitempty"`
	// Reason is why no property notices the mutant: one of the words of package why.
	Reason   string  `json:"reason,omitempty"`
	Depth    *int    `json:"depth,omitempty"`
	Evidence string  `json:"evidence,omitempty"` // "trace" or "invariant"
	Seconds  float64 `json:"seconds"`
	// Waiver is the position of the waiver of a mutant that is not counted.
	Waiver *int `json:"waiver,omitempty"`
	// Properties are, with a matrix, those that fail on the mutant.
	Properties *Failing `json:"properties,omitempty"`
}

// Outside reports whether the mutant is said to lie outside of the properties' cone
// of influence, which needs no evidence.
func (m *Mutant) Outside() bool { return m.Verdict == mutant.NotCovered && m.Evidence == "" }

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

// Summary counts the mutants under the properties as a set: the set covers a
// mutant when one of them does. What is waived is not among them (see Waived), nor what
// stands apart (see Plain).
type Summary struct {
	Counts
	// Waived is the number of mutants that a waiver takes out of all other counts.
	Waived int `json:"waived,omitempty"`
	// Plain counts the mutants of registers that only properties read, too, where these
	// stand apart.
	Plain           *Counts           `json:"plain,omitempty"`
	ByFault         map[string]Counts `json:"by_fault"`
	ByTest          []TestCounts      `json:"by_test"`
	CheckSeconds    float64           `json:"check_seconds"`
	CoverageSeconds float64           `json:"coverage_seconds"`
	RecheckSeconds  float64           `json:"recheck_seconds"` // inside the coverage time
	// WhySeconds is the time that went into reasons, after all else.
	WhySeconds float64 `json:"why_seconds,omitempty"`
	// AntecedentSeconds is the time that went into antecedents, without reading the sources.
	AntecedentSeconds float64 `json:"antecedent_seconds,omitempty"`
	// Reasons counts the mutants that are not covered by their reasons, and Matters
	// the mutants that are neither constant nor equivalent.
	Reasons map[string]int `json:"reasons,omitempty"`
	Matters *Counts        `json:"matters,omitempty"`
	// Suggestions are there where they were asked for.
	Suggestions *Suggestions `json:"suggestions,omitempty"`
	Stopped     string       `json:"stopped,omitempty"`
	Sample      *Sample      `json:"sample,omitempty"`
	// Engines are what the engines did, by name.
	Engines []effort.Engine `json:"engines,omitempty"`
	// ByRegister and ByInstance count the mutants of registers and instances, the
	// least covered first; they are empty where the design has no names.
	ByRegister []Group `json:"by_register,omitempty"`
	ByInstance []Group `json:"by_instance,omitempty"`
	// Accuracy is the curve of DAC10, figure 4.
	Accuracy []coverage.Point `json:"accuracy_over_time"`
}

// Build makes the report of what was found out about a design. describe tells what
// is known of a node.
func Build(d Design, o Options, version string, describe func(mutant.Target) Node, set *coverage.Set) *Report {
	r := &Report{Schema: Schema, Version: version, Design: d, Options: o, Properties: []Property{}, Mutants: []Mutant{}}
	r.set, r.nodes = set, map[mutant.Target]*Node{}
	s := &r.Summary
	s.Accuracy, s.ByTest = []coverage.Point{}, []TestCounts{}
	for _, x := range set.Outcomes {
		r.Properties = append(r.Properties, property(x))
		s.CheckSeconds += x.Proof.Time.Seconds()
	}
	for _, g := range set.Groups {
		s.CoverageSeconds += g.Cover.Seconds()
		s.RecheckSeconds += g.Recheck.Seconds()
		for _, t := range g.Tests {
			s.test(t.Name).Seconds += t.Time.Seconds()
		}
	}
	for j := range set.All() {
		if r.nodes[j.Target] == nil {
			n := describe(j.Target)
			r.nodes[j.Target] = &n
		}
		switch j.Verdict {
		case mutant.Covered:
			s.test(j.Test).Covered++
		case mutant.NotCovered:
			s.test(j.Test).NotCovered++
		}
	}
	s.Stopped = set.Stopped()
	if c := set.Curve(); c != nil {
		s.Accuracy = c
	}
	r.Count()
	return r
}

// Count counts the mutants that are not waived and do not stand apart anew: all, by
// fault, by register and by instance, and by their reasons where these are known.
func (r *Report) Count() {
	s := &r.Summary
	s.Counts, s.Waived, s.ByFault = Counts{}, 0, map[string]Counts{}
	plain, apart := Counts{}, false
	explained := s.Matters != nil
	reasons, matter := map[string]int{}, Counts{}
	g := newGroups()
	for m := range r.Rows() {
		if m.Waiver != nil {
			s.Waived++
			continue
		}
		plain.Add(m.Verdict)
		if r.StandsApart(m.Node) {
			apart = true
			continue
		}
		s.Add(m.Verdict)
		c := s.ByFault[m.Fault]
		c.Add(m.Verdict)
		s.ByFault[m.Fault] = c
		g.add(m.Node, m.Verdict)
		if m.Reason != "" {
			reasons[m.Reason]++
		}
		if matters(m.Reason) {
			matter.Add(m.Verdict)
		}
	}
	s.finish()
	if s.Plain = nil; apart {
		s.Plain = &plain
	}
	s.ByRegister, s.ByInstance = g.registers.sorted(), g.instances.sorted()
	if explained {
		matter.finish()
		s.Reasons, s.Matters = reasons, &matter
	}
}

// test returns the counts of a test.
func (s *Summary) test(name string) *TestCounts {
	for i := range s.ByTest {
		if s.ByTest[i].Test == name {
			return &s.ByTest[i]
		}
	}
	s.ByTest = append(s.ByTest, TestCounts{Test: name})
	return &s.ByTest[len(s.ByTest)-1]
}

// Add counts a mutant with a verdict.
func (c *Counts) Add(verdict mutant.Verdict) {
	c.Mutants++
	switch verdict {
	case mutant.Covered:
		c.Covered++
	case mutant.NotCovered:
		c.NotCovered++
	default:
		c.Unknown++
	}
	c.finish()
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

func property(o coverage.Outcome) Property {
	p := Property{
		Index: o.Position, Kind: o.Property.Kind.String(), Name: o.Property.Name,
		Status: o.Proof.Status, Engine: o.Proof.Engine, K: o.Proof.K, M: o.Proof.M,
		Seconds: o.Proof.Time.Seconds(), Reason: o.Proof.Reason,
	}
	if o.Proof.Trace != nil {
		d := o.Proof.Trace.Depth()
		p.Depth = &d
	}
	if o.Proof.Status == cert.Unknown && o.Proof.Bound >= 0 && o.Property.Kind != netlist.PropertyJustice {
		p.Bound = &o.Proof.Bound
	}
	if o.Proof.Invariant != nil {
		p.Clauses, p.Ands = o.Proof.Invariant.Size()
	}
	return p
}

// join adds the numbers of d to those of c.
func (c *Counts) join(d Counts) {
	c.Mutants += d.Mutants
	c.Covered += d.Covered
	c.NotCovered += d.NotCovered
	c.Unknown += d.Unknown
}
