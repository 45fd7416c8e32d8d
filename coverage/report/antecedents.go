package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"netcov/internal/visible"
)

// Antecedents: an assertion that is an implication says nothing about a design in which
// its antecedent is never met.

// Antecedent is what is known of the antecedent of an assertion.
type Antecedent struct {
	// State is met, never (which is proved: the assertion is vacuous), or unknown.
	State string `json:"state"`
	// Steps is the length of the run that meets it.
	Steps *int `json:"steps,omitempty"`
}

// The states of antecedents.
const (
	AntecedentMet     = "met"
	AntecedentNever   = "never"
	AntecedentUnknown = "unknown"
)

// Antecedents is what a search for runs that meet the antecedents has found, by property.
type Antecedents struct {
	Of   map[int]Antecedent
	Time time.Duration
}

// antecedentSection tells which assertions are vacuous.
var antecedentSection = section{next: (*Report).nextVacuous, time: (*Report).antecedentTime}

// AddAntecedents adds to the report's properties what is known of their antecedents.
func (r *Report) AddAntecedents(a *Antecedents, budget string) {
	r.Options.Vacuity = budget
	for i := range r.Properties {
		if x, has := a.Of[r.Properties[i].Index]; has {
			r.Properties[i].Antecedent = &x
		}
	}
	r.Summary.AntecedentSeconds = a.Time.Seconds()
}

// Vacuous reports whether the property's antecedent is never met.
func (p Property) Vacuous() bool { return p.Antecedent != nil && p.Antecedent.State == AntecedentNever }

// vacuousWords says what a property comes to whose antecedent is never met.
const vacuousWords = "vacuous: its antecedent is never met"

// antecedentWords is one line about the antecedents, "" where there are none.
func (r *Report) antecedentWords() string {
	names := map[string][]string{}
	all := 0
	for _, p := range r.Properties {
		if p.Antecedent != nil {
			all++
			name := p.Name
			if name == "" {
				name = p.number()
			}
			names[p.Antecedent.State] = append(names[p.Antecedent.State], visible.Line(name))
		}
	}
	if all == 0 {
		return ""
	}
	out := fmt.Sprintf("antecedents of assertions: %d of %d met", len(names[AntecedentMet]), all)
	if list := names[AntecedentNever]; len(list) > 0 {
		out += fmt.Sprintf("; %d never met, which makes the assertion vacuous: %s", len(list), strings.Join(few(list), ", "))
	}
	if list := names[AntecedentUnknown]; len(list) > 0 {
		out += fmt.Sprintf("; %d not known: %s", len(list), strings.Join(few(list), ", "))
	}
	return out
}

func (r *Report) nextVacuous() string {
	i := slices.IndexFunc(r.Properties, Property.Vacuous)
	if i < 0 {
		return ""
	}
	return "look at " + visible.Line(cmp.Or(r.Properties[i].Name, r.Properties[i].number())) + ": its antecedent is never met, so it checks nothing"
}

func (r *Report) antecedentTime() string {
	if r.Summary.AntecedentSeconds == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f s for the antecedents", r.Summary.AntecedentSeconds)
}

// few keeps the first names of a list for one line.
func few(names []string) []string {
	if len(names) <= mostWorst {
		return names
	}
	return append(names[:mostWorst:mostWorst], fmt.Sprintf("and %d more", len(names)-mostWorst))
}
