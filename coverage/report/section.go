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
	// single names what belongs to one run and is no part of joined reports; "" where the
	// report has none. It is nil where reports can be joined with it.
	single func(*Report) string
}

// sections are the sections in the order in which the forms have them.
var sections []section

func init() {
	sections = []section{antecedentSection, waiverSection, reasonSection, matrixSection, suggestionSection}
}

// Single names the parts of a report that a joined report does not have.
func (r *Report) Single() []string {
	return r.words(func(s section) func(*Report) string { return s.single })
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
