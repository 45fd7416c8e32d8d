package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"netcov/coverage"
	"netcov/mutant"
)

// Why no property notices a mutant: the words of package why, one for each mutant that
// is not covered.

// Explanation is what a search for reasons has found.
type Explanation struct {
	Reasons map[mutant.Target]map[mutant.Fault]mutant.Reason
	Observe string // where a difference counts
	Budget  string
	Time    time.Duration
}

// Explain adds the reasons to the report.
func (r *Report) Explain(e *Explanation) {
	s := &r.Summary
	r.reasons = e.Reasons
	s.WhySeconds = e.Time.Seconds()
	r.Options.Why, r.Options.Observe = e.Budget, e.Observe
	s.Matters = &Counts{}
	r.Count()
}

// reasonSection says why mutants are not covered, in their rows and in the answer.
var reasonSection = section{
	row: func(r *Report, j *coverage.Judgement, m *Mutant) {
		if j.Verdict == mutant.NotCovered {
			m.Reason = r.reasons[j.Target][j.Fault].String()
		}
	},
	time: func(r *Report) string {
		if r.Summary.WhySeconds == 0 {
			return ""
		}
		return fmt.Sprintf("%.2f s for the reasons", r.Summary.WhySeconds)
	},
}

// reasonWords counts the mutants that are not covered by their reasons.
func (r *Report) reasonWords() string {
	if r.Summary.Matters == nil {
		return ""
	}
	var words []string
	for _, reason := range mutant.Reasons() {
		if n := r.Summary.Reasons[reason.String()]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, reason))
		}
	}
	return strings.Join(words, ", ")
}

// reason is what the tables say of the faults of a node: one word where it is the same
// for all that are not covered.
func (n *nodeRow) reason() string {
	var words []string
	by := map[string][]string{}
	for _, f := range faults {
		if w := n.marks[f].reason; w != "" && n.marks[f].is(mutant.NotCovered) {
			if !slices.Contains(words, w) {
				words = append(words, w)
			}
			by[w] = append(by[w], f)
		}
	}
	if len(words) == 1 {
		return words[0]
	}
	for i, w := range words {
		words[i] = strings.Join(by[w], ", ") + ": " + w
	}
	return strings.Join(words, "; ")
}
