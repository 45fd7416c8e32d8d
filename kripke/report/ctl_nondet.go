package report

import (
	"fmt"
	"slices"
)

// CTLNondet is what a specification notices of mutants that are nondeterministic
// circuits (CKV01 section 5).
type CTLNondet struct {
	// Merged has the states that are merged with their twins, for each register: the
	// covered ones are those of which the specification notices it.
	Merged []CTLSignal `json:"merged"`
	// The control signals whose fixing to don't care is noticed, and the others; both
	// are empty where that is not known.
	DontCareCovered   []string `json:"dont_care_covered"`
	DontCareUncovered []string `json:"dont_care_uncovered"`
}

func (n *CTLNondet) write(d *document, flips []CTLSignal, rows int) {
	if n == nil {
		return
	}
	switch {
	case len(n.Merged) == 0:
	case slices.ContainsFunc(n.Merged, func(m CTLSignal) bool { return !slices.ContainsFunc(flips, m.sameStates) }):
		d.WriteString("merged with the twin: steps into a state or into its twin may go to either\n")
		writeCTLStates(d, n.Merged, rows, "covered: the specification fails when this state is merged with its twin")
	default:
		d.WriteString("merged with the twin (steps into a state or into its twin may go to either): the same states are covered\n")
	}
	if len(n.DontCareCovered)+len(n.DontCareUncovered) > 0 {
		fmt.Fprintf(d, "control signals whose fixing to don't care is noticed: %s; unnoticed: %s\n", orNone(n.DontCareCovered), orNone(n.DontCareUncovered))
	}
}

// sameStates reports whether two outcomes for one signal have the same covered states, all listed.
func (s CTLSignal) sameStates(t CTLSignal) bool {
	return s.Name == t.Name && s.Unknown == "" && t.Unknown == "" && !s.Truncated && !t.Truncated && slices.Equal(s.Covered, t.Covered)
}
