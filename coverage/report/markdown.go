package report

import (
	"fmt"
	"io"
	"strings"

	"netcov/cert"
	"netcov/internal/visible"
)

// The Markdown form is a summary for a pull request: the coverage of the set, the
// faults, the properties that do not hold, and the registers to look at.

func init() {
	register(Format{"markdown", "a summary for a pull request", (*Report).writeMarkdown})
}

func (r *Report) writeMarkdown(w io.Writer, opt Rendering) error {
	var b strings.Builder
	c := r.Summary.Counts
	fmt.Fprintf(&b, "### netcov: %s\n\n", md(r.Design.File))
	if words := r.nothingWords(); words != "" {
		fmt.Fprintf(&b, "**No coverage**: %s; %s.\n\n", words, r.answers())
	} else {
		fmt.Fprintf(&b, "**Coverage %s** (%d of %s covered, %d not covered, %d undecided) by %s.\n\n",
			interval(c), c.Covered, Plural(c.Mutants, "mutant"), c.NotCovered, c.Unknown, Plural(r.held(), "property"))
	}
	if words := r.apartWords(md); words != "" {
		fmt.Fprintf(&b, "%s.\n\n", words)
	}
	for _, p := range r.Properties {
		if p.Status != cert.Holds || p.Vacuous() {
			fmt.Fprintf(&b, "- %s: %s\n", md(p.title()), visible.Line(p.outcome()))
		}
	}
	for _, s := range sections {
		if s.markdown != nil {
			s.markdown(r, &b)
		}
	}
	open := r.openNodes()
	if len(open) == 0 {
		_, err := io.WriteString(w, b.String())
		return err
	}
	asked := r.asked()
	fmt.Fprintf(&b, "\n| register | %s | why | source |\n|---|%s---|---|\n", strings.Join(asked, " | "), strings.Repeat("---|", len(asked)))
	lines := merge(open, asked)
	shown := lines
	if opt.Rows > 0 && len(lines) > opt.Rows {
		shown = lines[:opt.Rows]
	}
	for _, l := range shown {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", md(l.title()), strings.Join(l.words, " | "), l.why, md(l.node.source()))
	}
	if len(shown) < len(lines) {
		fmt.Fprintf(&b, "\n… and %d more\n", len(lines)-len(shown))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// md is a text as a code span on one line, which Markdown shows literally: no name
// of a design can become a link, markup or a cell of its own.
func md(s string) string {
	if s == "" {
		return ""
	}
	return "`" + strings.NewReplacer("`", "'", "|", "\\|").Replace(visible.Line(s)) + "`"
}
