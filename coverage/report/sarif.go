package report

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"netcov/cert"
	"netcov/internal/visible"
	"netcov/mutant"
)

// The SARIF form (OASIS, Static Analysis Results Interchange Format 2.1.0), as
// tools for code review read it: a result for each register, or neighbouring bits
// of one, that has a mutant which no property notices, at its line of the source.

func init() {
	register(Format{"sarif", "findings at source lines, for code review", func(r *Report, w io.Writer, _ Rendering) error { return r.writeSARIF(w) }})
}

const (
	ruleUncovered = "netcov/uncovered"
	ruleUndecided = "netcov/undecided"
	ruleFails     = "netcov/property-fails"
	ruleVacuous   = "netcov/property-vacuous"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID   string    `json:"id"`
	Text sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	Rule      string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

func (r *Report) writeSARIF(w io.Writer) error {
	run := sarifRun{Results: []sarifResult{}, Tool: sarifTool{sarifDriver{"netcov", r.Version, []sarifRule{
		{ruleUncovered, sarifText{"A fault of this register is noticed by no property."}},
		{ruleUndecided, sarifText{"Whether a property notices a fault of this register is undecided."}},
		{ruleFails, sarifText{"A property fails on the design itself."}},
		{ruleVacuous, sarifText{"A property holds because its antecedent is never met."}},
	}}}}
	for _, p := range r.Properties {
		if rule := map[bool]string{p.Vacuous(): ruleVacuous, p.Status == cert.Fails: ruleFails}[true]; rule != "" {
			level := "error"
			if rule == ruleVacuous {
				level = "warning"
			}
			run.Results = append(run.Results, sarifResult{
				rule, level,
				sarifText{visible.Line(p.title() + " " + p.outcome())},
				[]sarifLocation{{Physical: physical(r.Design.File, 0)}},
			})
		}
	}
	asked := r.asked()
	for _, l := range merge(r.openNodes(), asked) {
		rule, level := ruleUndecided, "note"
		var of []string
		for i, f := range asked {
			if l.words[i] == word(mutant.NotCovered) {
				rule, level = ruleUncovered, "warning"
				of = append(of, f)
			}
		}
		text := fmt.Sprintf("%s: no property notices the faults %s", l.title(), strings.Join(of, ", "))
		if rule == ruleUndecided {
			text = l.title() + ": undecided"
		}
		if l.why != "" {
			text += " (" + l.why + ")"
		}
		at := sarifLocation{Logical: []sarifLogical{{visible.Line(l.title()), "variable"}}}
		if l.node.File != "" {
			at.Physical = physical(l.node.File, l.node.Line)
		}
		run.Results = append(run.Results, sarifResult{rule, level, sarifText{visible.Line(text)}, []sarifLocation{at}})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	})
}

// title is the name of a line's nodes.
func (l line) title() string {
	if l.name != "" {
		return l.name
	}
	return l.number
}

func physical(file string, line int) *sarifPhysical {
	p := &sarifPhysical{Artifact: sarifArtifact{uri(file)}}
	if line > 0 {
		p.Region = &sarifRegion{line}
	}
	return p
}

// uri is a path as a URI reference: relative paths stay relative.
func uri(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		u.Scheme = "file"
	}
	return u.String()
}
