package report

import (
	"fmt"
	"strings"
)

// Registers that only properties read are no part of what the design does. They stand
// apart: listed, and outside of all counts but that of Plain.

// What becomes of registers that only properties read.
const (
	CheckersApart   = "apart"
	CheckersCounted = "count"
)

// StandsApart reports whether the mutants of a node are left out of the counts.
func (r *Report) StandsApart(n Node) bool {
	return n.PropertyOnly && r.Options.Checkers == CheckersApart
}

// apartRule says which registers stand apart, and why.
const apartRule = "Properties depend on them, and no output of the top module does, through any number of steps: they are no part of what the design does, and are not counted."

// apartWords is one line about the registers that stand apart, "" where there are none.
// shown makes a name fit for the form.
func (r *Report) apartWords(shown func(string) string) string {
	n := len(r.Design.Apart)
	if n == 0 {
		return ""
	}
	names := make([]string, n)
	for i, name := range r.Design.Apart {
		names[i] = shown(name)
	}
	return fmt.Sprintf("apart, not counted: %s that only properties read, with no path to an output: %s%s",
		Plural(n, "register"), strings.Join(few(names), ", "), r.plainWords())
}

// plainWords is the coverage with what stands apart, "" where that was not mutated.
func (r *Report) plainWords() string {
	if r.Summary.Plain == nil {
		return ""
	}
	return "; counted too, the coverage is " + r.Summary.Plain.Coverage()
}
