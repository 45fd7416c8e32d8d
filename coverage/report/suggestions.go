package report

import (
	"fmt"

	"netcov/internal/visible"
	"netcov/mutant"
)

// Suggestions are assertions that hold on the design and would notice mutants that no
// property notices.
type Suggestions struct {
	File    string  `json:"file"` // that has them
	Seconds float64 `json:"seconds"`
	Before  Counts  `json:"before"`
	// After is the coverage with all of them; where a verdict was not reached, it may be
	// higher.
	After Counts       `json:"after"`
	List  []Suggestion `json:"list"`

	// Covered and Unknown are the mutants that they notice, and those of which that is
	// not known. Source is what the file says.
	Covered int    `json:"-"`
	Unknown int    `json:"-"`
	Source  string `json:"-"`
}

// Suggestion is one such assertion.
type Suggestion struct {
	Shape     string `json:"shape"`
	Register  string `json:"register"` // for whose mutants it was searched
	Assertion string `json:"assertion"`
	Literals  int    `json:"literals"` // words and numbers in it
	Covers    int    `json:"covers"`   // mutants that nothing before it notices
	// Copies tells that it says nearly what the design's next-state function says.
	Copies bool `json:"copies"`
}

// suggestionSection lists the suggested assertions.
var suggestionSection = section{
	single: func(r *Report) string {
		if r.Summary.Suggestions == nil {
			return ""
		}
		return "its suggestions"
	},
	next:       (*Report).nextSuggestion,
	afterNodes: (*Report).writeSuggestions,
}

// Suggest adds suggestions to the report.
func (r *Report) Suggest(s *Suggestions) {
	s.Before = r.Summary.Counts
	s.After = s.Before
	s.After.Covered += s.Covered
	left := s.After.Mutants - s.After.Covered
	s.After.Unknown = min(left, s.Unknown+s.Before.Unknown)
	s.After.NotCovered = left - s.After.Unknown
	s.After.finish()
	r.Summary.Suggestions = s
}

// Uncounted tells whether a mutant is left out of the counts: it is waived, or stands
// apart.
func (r *Report) Uncounted(t mutant.Target, f mutant.Fault) bool {
	n := r.nodes[t]
	if n == nil {
		return false
	}
	if r.StandsApart(*n) {
		return true
	}
	_, waived := r.waived[waivedMutant{n.Kind, n.Index, n.Shown(f).String()}]
	return waived
}

// Coverage words a coverage with its numbers.
func (c Counts) Coverage() string {
	return fmt.Sprintf("%s (%d of %d mutants)", interval(c), c.Covered, c.Mutants)
}

// writeSuggestions lists the suggested assertions.
func (r *Report) writeSuggestions(p *page) {
	s := r.Summary.Suggestions
	if s == nil || len(s.List) == 0 {
		return
	}
	p.sentence(fmt.Sprintf("%s in %s would raise the coverage from %s to %s. Each holds on the design; whether it should, you decide.",
		Plural(len(s.List), "suggested assertion"), visible.Line(s.File), interval(s.Before), interval(s.After)))
	g := grid{header: []string{"shape", "assertion", "covers", ""}, right: map[int]bool{2: true}}
	shown := s.List
	if p.opt.Rows > 0 && len(shown) > p.opt.Rows {
		shown = shown[:p.opt.Rows]
	}
	for _, x := range shown {
		g.rows = append(g.rows, []string{x.Shape, visible.Line(x.Assertion), fmt.Sprint(x.Covers), x.Note()})
	}
	p.WriteString(g.render(p.opt.Width))
	p.more(len(s.List) - len(shown))
	p.WriteString("\n")
}

// Note marks near-copies of the implementation.
func (s Suggestion) Note() string {
	if s.Copies {
		return "as implemented"
	}
	return ""
}

// nextSuggestion is what to do next about suggestions, "" for nothing.
func (r *Report) nextSuggestion() string {
	s := r.Summary.Suggestions
	if s == nil || len(s.List) == 0 {
		return ""
	}
	return fmt.Sprintf("read the %s in %s; with those that say what the design should do, the coverage rises up to %s",
		Plural(len(s.List), "suggested assertion"), visible.Line(s.File), interval(s.After))
}
