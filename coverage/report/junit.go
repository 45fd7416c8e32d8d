package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"netcov/cert"
	"netcov/internal/visible"
	"netcov/mutant"
)

// The JUnit form, as servers for continuous integration read it: a suite of the
// properties, and a suite of the mutants under the set of properties, in which
// what no property notices is a failure and what is undecided is skipped.

func init() {
	register(Format{"junit", "test results in XML, for continuous integration", func(r *Report, w io.Writer, _ Rendering) error { return r.writeJUnit(w) }})
}

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Name    string       `xml:"name,attr"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr,omitempty"`
	Failure *junitProblem `xml:"failure,omitempty"`
	Skipped *junitProblem `xml:"skipped,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func (r *Report) writeJUnit(w io.Writer) error {
	design := visible.Line(r.Design.File)
	properties := junitSuite{Name: "properties", Time: seconds(r.Summary.CheckSeconds)}
	for _, p := range r.Properties {
		c := junitCase{Class: design, Name: visible.Line(p.title()), Time: seconds(p.Seconds)}
		switch p.Status {
		case cert.Holds:
		case cert.Fails:
			c.Failure = &junitProblem{Message: visible.Line(p.outcome()), Type: "fails"}
		default:
			c.Skipped = &junitProblem{Message: visible.Line(p.outcome())}
		}
		properties.add(c)
	}
	mutants := junitSuite{Name: "mutants", Time: seconds(r.Summary.CoverageSeconds)}
	for _, n := range r.nodeList() {
		class := design
		if n.node.Instance != "" {
			class = visible.Line(n.node.Instance)
		}
		for _, f := range r.asked() {
			c := junitCase{Class: class, Name: visible.Line(n.node.title()) + ": " + f}
			m, here := n.marks[f]
			switch {
			case !here:
			case m.waived:
				c.Skipped = &junitProblem{Message: waived}
			case m.verdict == mutant.NotCovered:
				what := "no property notices this fault"
				if m.reason != "" {
					what += ": " + m.reason
				}
				c.Failure = &junitProblem{Message: visible.Line(what), Type: "not covered", Text: visible.Line(n.node.place())}
			case m.verdict == mutant.Unknown:
				c.Skipped = &junitProblem{Message: "undecided"}
			}
			mutants.add(c)
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(junitSuites{Name: "netcov: " + design, Suites: []junitSuite{properties, mutants}}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

// title is a node's name, or its kind and number where it has none.
func (n Node) title() string {
	if n.Name != "" {
		return n.Name
	}
	return fmt.Sprintf("%s %d", n.Kind, n.Index)
}

// place is the node's line in the source, empty where it is unknown.
func (n Node) place() string {
	if n.File == "" {
		return ""
	}
	return strings.TrimSuffix(fmt.Sprintf("%s:%d", n.File, n.Line), ":0")
}
