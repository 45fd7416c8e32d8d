package report

import (
	"strings"

	"netcov/coverage"
)

// section is what one computation beside the verdicts adds to the forms of a report. Its
// hooks and its part of the JSON form stand in one file; a hook that is nil adds nothing.
// The page has a template of its own for it, if any.
type section struct {
	// row adds to the row of a mutant.
	row func(*Report, *coverage.Judgement, *Mutant)
	// next is a step to take, "" for none.
	next func(*Report) string
	// afterProperties and afterNodes write tables of the text form.
	afterProperties, afterNodes func(*Report, *page)
	// time says what the computation took, such as "0.21 s for the reasons"; "" for nothing.
	time func(*Report) string
	// markdown writes a part of the summary for a pull request.
	markdown func(*Report, *strings.Builder)
	// columns are further columns of the CSV form, and cells what a row has there.
	columns func(*Report) []string
	cells   func(*Mutant) []string
}

// sections are the sections in the order in which the forms have them.
var sections []section

func init() {
	sections = []section{antecedentSection, waiverSection, reasonSection, matrixSection, suggestionSection}
}

// words gathers what a hook of each section says, but for empty texts.
func (r *Report) words(of func(section) func(*Report) string) []string {
	var out []string
	for _, s := range sections {
		if say := of(s); say != nil {
			if words := say(r); words != "" {
				out = append(out, words)
			}
		}
	}
	return out
}
